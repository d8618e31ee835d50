package plan

import (
	"batchlab/core/model"
	"batchlab/core/sim"
)

var (
	_ sim.Promiser[*sim.View] = (*Scheduler)(nil)
	_ sim.Promiser[*sim.View] = (*Hill)(nil)
)

// Promised returns the planned start, 0 for a job that is not planned yet.
func (s *Scheduler) Promised(_ *sim.View, j model.JobID) model.Time {
	p := s.plan
	if int(j) >= len(p.of) || p.of[j] < 0 || p.slots[p.of[j]].runs {
		return 0
	}
	return p.slots[p.of[j]].start
}

// Promised returns the start that the schedule estimates.
func (h *Hill) Promised(_ *sim.View, j model.JobID) model.Time {
	for i := range h.order {
		if h.order[i].job == j {
			return h.order[i].start
		}
	}
	return 0
}
