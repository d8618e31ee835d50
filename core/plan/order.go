package plan

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// Order puts waiting jobs into an order that conservative backfilling keeps to
// (Options.Order). policy.Lineup is one.
type Order interface {
	// Reset prepares for a new simulation.
	Reset(v *sim.View)
	// Admit takes note of the jobs that have just been submitted; it is called
	// once at each instant, before Sort.
	Admit(v *sim.View)
	// Sort puts jobs into the order, as it is now.
	Sort(v *sim.View, jobs []model.JobID)
}

// NewConservativeIn returns conservative backfilling for any platform whose
// waiting jobs are placed again, and arrivals placed, in an order (rule 9).
func NewConservativeIn(o Order) *Scheduler { return New(Options{Replan: true, Order: o}) }

// arrivals returns jobs that are to be placed in the order in which they are.
func (s *Scheduler) arrivals(v *sim.View, jobs []model.JobID) []model.JobID {
	if len(jobs) < 2 || s.o.Order == nil && !s.o.Newest {
		return jobs
	}
	s.plan.try = append(s.plan.try[:0], jobs...)
	if s.o.Order != nil {
		s.o.Order.Sort(v, s.plan.try)
	} else {
		slices.Reverse(s.plan.try)
	}
	return s.plan.try
}

// replanIn is replan in an order of the waiting jobs: each in turn moves to its
// earliest fit beside all others as they stand, and again from the first one on,
// until none can move. No start ever moves later.
//
// As in replan, only what has become free is tried. Before it became free no job
// had an earlier fit beside the others: so it was left by the last time that
// none could move, and since then jobs were only added and started.
func (p *Plan) replanIn(v *sim.View, o Order) {
	if !p.loosened() {
		return
	}
	p.try = p.try[:0]
	for _, i := range p.all {
		p.try = append(p.try, p.slots[i].job)
	}
	o.Sort(v, p.try)
	moved := false
	for again := true; again; {
		again = false
		for _, j := range p.try {
			i := p.of[j]
			if !p.beat(i) {
				return
			}
			if p.slots[i].start > p.now && p.improve(i, p.now) {
				again, moved = true, true
				p.share()
			}
		}
	}
	if moved {
		p.relist()
	}
}

// share tells every lane what has become free on one, where jobs could use it.
func (p *Plan) share() {
	if len(p.lanes) == 1 {
		return
	}
	freed := p.freed()
	for c := range p.lanes {
		p.lanes[c].freed = freed
	}
}
