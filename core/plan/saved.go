package plan

import "batchlab/core/model"

// saved is a solution that was put aside.
type saved struct {
	jobs   [][]int32
	all    []int32
	start  []model.Time
	slow   []int64
	length []model.Time
	parts  [][]model.Part
	wait   int64
	sum    int64
	late   int64
	users  []int64
}

// Save remembers the current solution.
func (t *tuner) Save() {
	t.sync()
	p, v := t.p, &t.saved
	for c := range p.lanes {
		v.jobs[c] = append(v.jobs[c][:0], p.lanes[c].jobs...)
	}
	v.start, v.slow, v.length, v.users = v.start[:0], v.slow[:0], v.length[:0], v.users[:0]
	v.all = append(v.all[:0], t.all...)
	for k, i := range t.all {
		s := &p.slots[i]
		v.start, v.slow, v.length = append(v.start, s.start), append(v.slow, s.slow), append(v.length, s.length)
		if k == len(v.parts) {
			v.parts = append(v.parts, nil)
		}
		if !p.lanes[s.lane].Counted {
			v.parts[k] = append(v.parts[k][:0], p.parts[i]...)
		}
	}
	v.wait, v.sum, v.late = t.wait, t.slow, t.late
	for i := range t.shares {
		v.users = append(v.users, t.shares[i].wait)
	}
}

// Restore goes back to what was saved.
func (t *tuner) Restore() {
	p, v := t.p, &t.saved
	for c := range p.lanes {
		p.lanes[c].jobs = append(p.lanes[c].jobs[:0], v.jobs[c]...)
		p.lanes[c].stale = true
		for _, i := range p.lanes[c].jobs {
			p.slots[i].lane = int32(c)
		}
	}
	for k, i := range v.all {
		s := &p.slots[i]
		s.start, s.slow, s.length = v.start[k], v.slow[k], v.length[k]
		if !p.lanes[s.lane].Counted {
			p.parts[i] = append(p.parts[i][:0], v.parts[k]...)
		}
	}
	for c := range t.lanes {
		if t.lanes[c].plain {
			t.fill(c)
		}
	}
	t.wait, t.slow, t.late = v.wait, v.sum, v.late
	for i := range t.shares {
		t.shares[i].wait = v.users[i]
	}
	t.hopeless.begin(p)
}
