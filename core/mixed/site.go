package mixed

import (
	"errors"
	"slices"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
	"batchlab/core/workload"
)

// Ground is where the windows of a study are simulated.
type Ground struct {
	Platform *model.Platform
	// Counted says that counting processors is enough for the platform, which is one
	// cluster of interchangeable ones, and for what jobs ask for: that is many times
	// faster, and gives the same values.
	Counted bool
	// Desk makes a desk that accepts the advance reservations of a window; nil where
	// nothing is reserved.
	Desk func() sim.Desk
	// Alone makes the jobs of a window and their platform as a run of that window
	// alone has them, where something is drawn at random for each job; nil: nothing
	// is, and windows are parts of the whole. With another number of jobs than the
	// part has, the part is taken.
	Alone func(from, to model.Time) (*model.Workload, *model.Platform, error)
}

// onSite simulates a window on the general engine. Calendar entries that are
// over when its first job comes are left out: they would only cost time.
func (e *Evaluator) onSite(v *workload.Window, k *week) (*model.Schedule, error) {
	if k.platform == nil {
		k.workload = &v.Workload
		p := *e.ground.Platform
		if e.ground.Alone != nil {
			w, drawn, err := e.ground.Alone(v.From, v.To)
			if err == nil && len(w.Jobs) == len(v.Workload.Jobs) {
				k.workload, p = w, *drawn
			}
		}
		first := v.Workload.Jobs[0].Submit
		p.Calendar = slices.DeleteFunc(slices.Clone(p.Calendar), func(c model.CalendarEntry) bool { return c.To <= first })
		k.platform = &p
	}
	e.Simulations++
	var o sim.Options
	if e.going != nil {
		o.Progress = func(int, int) bool { return e.going() }
	}
	if e.ground.Desk != nil {
		o.Desk = e.ground.Desk()
	}
	s, err := e.site.Run(k.workload, k.platform, policy.NewEASY(&e.easy), o)
	if errors.Is(err, sim.ErrCancelled) {
		err = ErrCancelled
	}
	return s, err
}
