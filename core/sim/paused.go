package sim

import (
	"slices"

	"batchlab/core/model"
)

// Paused is a run between two instants. All that its engine, scheduler, desk and
// users remember can be reached from it, so that a copy of it in memory goes on as
// the run itself would (see core/snapshot). It is told to Telling.Mark.
type Paused struct {
	site    *siteRun
	counted *countedRun
	over    model.JobID // all before it are over
}

// Unkept is a Scheduler whose state a copy of its memory does not hold: a program
// outside, or one that is interpreted.
type Unkept interface{ Unkept() }

// Holder is a Scheduler that lets others decide.
type Holder interface{ Schedulers() []Scheduler }

// Keeps says whether a copy of a scheduler's memory holds its state, and that of all
// whom it lets decide.
func Keeps(s Scheduler) bool {
	if _, no := s.(Unkept); no {
		return false
	}
	h, ok := s.(Holder)
	return !ok || !slices.ContainsFunc(h.Schedulers(), func(s Scheduler) bool { return !Keeps(s) })
}

// countedRun is the state of one run of a CountedSimulator between two instants.
type countedRun struct {
	m             *CountedSimulator
	s             CountedScheduler
	p             *model.Platform
	w             *model.Workload
	next, waiting int
	base          model.Time
	shift         int
	source        bool // users react
	paused        Paused
	beside        countedAhead
}

// Jobs returns how many jobs the run has, and which of them have changed since some
// may have become known: none from to on has been submitted, and all before from are
// over. Where users react nothing is known of who has changed.
func (p *Paused) Jobs() (n, from, to int) {
	if r := p.site; r != nil {
		n, to = len(r.w.Jobs), int(r.v.Next)
		for p.over < r.v.Next && (r.rejected[p.over] || r.v.Start[p.over] != model.Never && r.m.end[p.over] == model.Never) {
			p.over++
		}
		if r.source != nil {
			return n, 0, n
		}
		return n, int(p.over), to
	}
	r := p.counted
	n, to = len(r.w.Jobs), r.next
	for int(p.over) < r.next && r.m.start[p.over] != model.Never && r.m.start[p.over]+r.w.Executed(p.over) <= r.m.view.Now {
		p.over++
	}
	if r.source {
		return n, 0, n
	}
	return n, int(p.over), to
}

// Given returns what the run never changes: what it was given, and what follows from
// that alone.
func (p *Paused) Given() []any {
	if r := p.site; r != nil {
		list := []any{r.v.Site}
		switch {
		case r.source != nil:
			return append(list, r.needs, r.m.supply.pool)
		case r.reserves.desk != nil: // what stops reservations, and the broker of a grid, write View.Needs
			return append(list, r.v.Due, r.w)
		}
		return append(list, r.v.Needs, r.v.Due, r.w)
	}
	if r := p.counted; r.source {
		return []any{r.m.supply.pool, r.p}
	}
	return []any{p.counted.w, p.counted.p}
}

// Work returns how much the run has cost so far, in steps of some ten to hundred
// nanoseconds.
func (p *Paused) Work() int64 {
	if p.site != nil {
		return p.site.m.pulse.work()
	}
	return p.counted.m.pulse.work()
}

// Run goes on. The options are those of the run that was paused, but for Progress
// and Tell; first is the index of the instant that comes next.
func (p *Paused) Run(first int, o Options) (*model.Schedule, error) {
	if r := p.site; r != nil {
		n := len(r.w.Jobs)
		r.m.pulse = newPulse(&o, r.w, 0, &r.m.pulse)
		o.Tell.begin(n, first)
		return r.run(&o)
	}
	r := p.counted
	n := len(r.w.Jobs)
	r.m.pulse = newPulse(&o, r.w, 0, &r.m.pulse)
	o.Tell.begin(n, first)
	return r.run(&o)
}

// users returns the source of a run with users who react, or nil.
func (r *siteRun) users() Source {
	if r.source == nil {
		return nil
	}
	return r.source.source
}
