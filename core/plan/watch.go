package plan

import (
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/resource"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// Watch looks on while a Scheduler plans. It changes nothing.
type Watch struct {
	// Before is called at the beginning of each cycle, when the plan still is as
	// the last one left it.
	Before func(v *sim.View, s *Scheduler)
	// Pass is called in each cycle when the plan is made, before it is carried out.
	Pass func(v *sim.View, s *Scheduler)
	// Accepted is told of each improvement that a call of the optimiser has
	// accepted: when, in which of its iterations, and the scores (figure 4).
	Accepted func(now model.Time, iteration int, old, new search.Score)
	// Moves is told at the end of each call of the optimiser by which moves it has come
	// from the plan that it found, of which the first entry says the scores, to the one
	// that it leaves. The list is valid until the next call.
	Moves func(list []report.Move)
}

// Watch lets somebody look on, from the next simulation on.
func (s *Scheduler) Watch(w Watch) { s.watch = w }

// Expected is a waiting job in the plan: its expected start and end, and where.
type Expected struct {
	Job        model.JobID
	Start, End model.Time
	Claim      model.Claim
}

// Expected returns all waiting jobs, cluster by cluster in the order of their
// lists.
func (p *Plan) Expected() []Expected {
	list := make([]Expected, 0, p.Len())
	for c := range p.lanes {
		for _, i := range p.lanes[c].jobs {
			s := &p.slots[i]
			list = append(list, Expected{s.job, s.start, s.start + s.length, p.claim(i)})
		}
	}
	return list
}

// Gaps calls visit with the steps of a cluster's gap list: from each time on, the
// processors that are free on all its nodes together.
func (p *Plan) Gaps(cluster int, visit func(at model.Time, free int32)) {
	l := &p.lanes[cluster]
	p.refresh(l)
	if l.Counted {
		l.Counts.Each(func(at model.Time, free int32) bool {
			visit(at, free)
			return true
		})
	} else {
		steps(l.Nodes.Total(), visit)
	}
}

// ClassLimit calls visit with the steps of a cluster's limits list for a class:
// the processors that its jobs may still hold.
func (p *Plan) ClassLimit(cluster, class int, visit func(at model.Time, free int32)) {
	l := &p.lanes[cluster]
	p.refresh(l)
	steps(p.space.OfClass(l.Cluster, class), visit)
}

// UserLimit is the same for a user who has submitted a job; it reports whether
// there is such a limit.
func (p *Plan) UserLimit(cluster int, user int32, visit func(at model.Time, free int32)) bool {
	if _, ok := p.byUser[user]; !ok || p.limits.UserProcs == 0 {
		return false
	}
	l := &p.lanes[cluster]
	p.refresh(l)
	steps(p.space.OfUser(l.Cluster, user), visit)
	return true
}

func steps(c *resource.Counts, visit func(at model.Time, free int32)) {
	for i := range c.Len() {
		visit(c.Step(i))
	}
}
