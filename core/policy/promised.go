package policy

import (
	"batchlab/core/model"
	"batchlab/core/sim"
)

// What schedulers promise a waiting job, for its history: see sim.Promiser.

var (
	_ sim.Promiser[*sim.CountedView] = (*CountedEASY)(nil)
	_ sim.Promiser[*sim.CountedView] = (*CountedConservative)(nil)
	_ sim.Promiser[*sim.View]        = (*OrigBF)(nil)
)

// Promised returns the shadow time for the head, 0 for all others.
func (e *CountedEASY) Promised(v *sim.CountedView, j model.JobID) model.Time {
	if e.waiting.count == 0 || e.top(v) != j {
		return 0
	}
	at, _ := e.running.shadow(v.Free, v.Jobs[j].Procs)
	return at
}

// Promised returns the planned start.
func (c *CountedConservative) Promised(_ *sim.CountedView, j model.JobID) model.Time {
	for i := range c.planned {
		if c.planned[i].Job == j {
			return c.planned[i].Start
		}
	}
	return 0
}

// Promised returns the shadow time for the head, 0 for all others.
func (b *backfiller) Promised(v *sim.View, j model.JobID) model.Time {
	if b.strict {
		return 0
	}
	if b.settle(v); b.head != j || b.queue.count == 0 {
		return 0
	}
	return b.shadow
}

// Promised returns the start that the last pass has reserved.
func (s *OrigBF) Promised(_ *sim.View, j model.JobID) model.Time {
	if s.promise.job != j {
		return 0
	}
	return s.promise.at
}
