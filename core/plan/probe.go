package plan

import (
	"batchlab/core/model"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// Probe takes a plan apart for measurements: it carries out single steps of a
// cycle on the plan as it is and undoes them. It is for benchmarks.
type Probe struct {
	s *Scheduler
	v *sim.View
}

// Probe returns a probe of the plan, within a pass.
func (s *Scheduler) Probe(v *sim.View) *Probe {
	s.tuner.begin(s, v.Now)
	return &Probe{s, v}
}

// Backfill places a copy of a waiting job into the earliest gap, as an arrival,
// and takes it out again.
func (q *Probe) Backfill(j model.JobID) {
	p := q.s.plan
	was := p.of[j]
	i := p.add(q.v, j)
	p.backfill(i)
	s := &p.slots[i]
	l := &p.lanes[s.lane]
	p.book(i, s.start, 1)
	l.jobs = removeOrdered(l.jobs, i)
	p.drop(i)
	p.of[j] = was
}

// Update compresses a lane as if something that runs had ended a second early,
// which moves nothing: the cost of looking.
func (q *Probe) Update() {
	p := q.s.plan
	for c := range p.lanes {
		l := &p.lanes[c]
		p.refresh(l)
		l.freed = model.Never / 2
		p.compressLane(l)
		p.leave()
		l.freed = p.now
	}
}

// Build builds the plan from nothing: each job in its order at its earliest fit
// beside all jobs before it, not before the one before it, through the profiles.
func (q *Probe) Build() {
	p := q.s.plan
	for c := range p.lanes {
		l := &p.lanes[c]
		jobs := l.jobs
		l.jobs = nil
		p.rebuild(l)
		before := p.now
		for _, i := range jobs {
			s := &p.slots[i]
			at, parts, ok := p.fit(i, int32(c), s.length, before, model.Never, p.scratch)
			if p.scratch = parts[:0]; !ok {
				continue
			}
			s.start, before = at, at
			if !l.Counted {
				p.parts[i] = append(p.parts[i][:0], parts...)
			}
			p.book(i, at, -1)
		}
		l.jobs = jobs
	}
	q.s.tuner.begin(q.s, p.now)
}

// Problem returns the plan as optimisers see it, and Score its evaluation.
func (q *Probe) Problem() search.Problem { return &q.s.tuner }

// Score evaluates the plan.
func (q *Probe) Score() search.Score { return q.s.tuner.score(q.s.tuner.wait, q.s.tuner.slow) }

// removeOrdered takes an element out of a list and keeps the order.
func removeOrdered(list []int32, i int32) []int32 {
	for k := range list {
		if list[k] == i {
			return append(list[:k], list[k+1:]...)
		}
	}
	return list
}
