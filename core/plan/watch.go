package plan

import (
	"batchlab/core/model"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// Watch looks on while a Scheduler plans. It changes nothing.
type Watch struct {
	// Pass is called in each cycle when the plan is made, before it is carried out.
	Pass func(v *sim.SiteView, s *Scheduler)
	// Accepted is told of each improvement that a call of the optimiser has
	// accepted: when, in which of its iterations, and the scores (figure 4).
	Accepted func(now model.Time, iteration int, old, new search.Score)
}

// Watch lets somebody look on, from the next simulation on.
func (s *Scheduler) Watch(w Watch) { s.watch = w }
