package plan

import (
	"math/bits"
	"slices"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// dues holds the waiting jobs that are stopped at their due times, by due time.
type dues struct {
	heap  sim.Heap // due time << shift | job; holds jobs that wait no more
	shift int
}

func (d *dues) reset(v *sim.View) { d.heap, d.shift = d.heap[:0], bits.Len(uint(len(v.Jobs))) }

// wait takes note of a job that waits from now on.
func (d *dues) wait(v *sim.View, j model.JobID) {
	if v.Kills(j) {
		d.heap.Push(uint64(min(v.Due[j], 1<<(63-d.shift)-1))<<d.shift | uint64(j))
	}
}

// lapse rejects the waiting jobs whose due time has come: they cannot start any
// more, and what they held in the plan is free for others.
func (s *Scheduler) lapse(v *sim.View, out []sim.Decision) []sim.Decision {
	p, d := s.plan, &s.dues
	for _, j := range v.Gone {
		d.heap.Push(uint64(v.Now)<<d.shift | uint64(j))
	}
	for len(d.heap) > 0 && model.Time(d.heap[0]>>d.shift) <= v.Now {
		j := model.JobID(d.heap[0] & (1<<d.shift - 1))
		d.heap.Pop()
		if at, ok := slices.BinarySearch(s.later, j); ok {
			s.later = slices.Delete(s.later, at, at+1)
		} else if int(j) >= len(p.of) || p.of[j] < 0 || !p.withdraw(p.of[j]) {
			continue // it runs, or did, or has left already without ever having been planned
		}
		out = append(out, sim.Decision{Verb: sim.Reject, Job: j})
	}
	return out
}

// withdraw takes a waiting job out of the plan, and reports whether it waited.
func (p *Plan) withdraw(i int32) bool {
	s := &p.slots[i]
	l := &p.lanes[s.lane]
	at := slices.Index(l.jobs, i)
	if at < 0 {
		return false
	}
	l.jobs = slices.Delete(l.jobs, at, at+1)
	if !l.stale {
		p.book(i, s.start, 1)
	}
	l.freed = max(l.freed, s.start+s.length)
	p.drop(i)
	return true
}
