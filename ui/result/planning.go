package result

import (
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/engine"
)

// Planned is the plan of a run at an instant.
type Planned struct {
	Of    *Run
	At    model.Time // asked for
	Job   int
	Got   *report.Plan
	Error string
}

// Foreseen is what a whole run says of its planning.
type Foreseen struct {
	Of    *Run
	Got   *report.Foresight
	Error string
}

// planning is what has been asked for.
type planning struct {
	plans []*Planned
	whole []*Foreseen

	last *Planned // asked for last
	stop func()   // gives it up
}

const noPlans = "plans cannot be had here"

// HasPlan reports whether a run's scheduler makes a plan of all waiting jobs.
func (s *Tray) HasPlan(r *Run) bool {
	row := s.row(r)
	return row != nil && row.Plans
}

// row is the catalog's row of a finished run's scheduler, nil while there is none.
func (s *Tray) row(r *Run) *catalog.Scheduler {
	if r == nil || r.Result == nil || s.Ran == nil {
		return nil
	}
	return catalog.FindScheduler(r.Result.Key)
}

// WantPlan returns the plan of a run at an instant, and asks for it when it is
// not there: Got is nil until it is. Those of the last few instants are kept; one
// that is not there yet is given up for the next.
func (s *Tray) WantPlan(run int, at model.Time, job int) *Planned {
	if run < 0 || run >= len(s.Runs) || !s.HasPlan(s.Runs[run]) {
		return nil
	}
	r := s.Runs[run]
	for _, t := range s.planning.plans {
		if t.Of == r && t.At == at && t.Job == job {
			return t
		}
	}
	if l := s.planning.last; l != nil && l.Got == nil && l.Error == "" && s.planning.stop != nil {
		s.planning.plans = slices.DeleteFunc(s.planning.plans, func(p *Planned) bool { return p == l })
		s.planning.stop()
	}
	t := &Planned{Of: r, At: at, Job: job}
	const kept = 12
	if len(s.planning.plans) >= kept {
		s.planning.plans = append(s.planning.plans[:0], s.planning.plans[1:]...)
	}
	s.planning.plans = append(s.planning.plans, t)
	e, ok := s.engine.(engine.Planner)
	if !ok {
		t.Error = noPlans
		return t
	}
	s.planning.last = t
	s.planning.stop = e.Plan(*s.Ran.Clone(), run, at, job, func(p *report.Plan, err error) {
		if t.Got = p; err != nil {
			t.Error = err.Error()
		}
		s.board.Touch()
	})
	return t
}

// WantForesight returns what a whole run says of its planning, and asks for it
// when it is not there.
func (s *Tray) WantForesight(run int) *Foreseen {
	if run < 0 || run >= len(s.Runs) || !s.HasPlan(s.Runs[run]) {
		return nil
	}
	r := s.Runs[run]
	for _, t := range s.planning.whole {
		if t.Of == r {
			return t
		}
	}
	t := &Foreseen{Of: r}
	const kept = 8
	if len(s.planning.whole) >= kept {
		s.planning.whole = append(s.planning.whole[:0], s.planning.whole[1:]...)
	}
	s.planning.whole = append(s.planning.whole, t)
	e, ok := s.engine.(engine.Planner)
	if !ok {
		t.Error = noPlans
		return t
	}
	e.Foresight(*s.Ran.Clone(), run, func(p *report.Foresight, err error) {
		if t.Got = p; err != nil {
			t.Error = err.Error()
		}
		s.board.Touch()
	})
	return t
}
