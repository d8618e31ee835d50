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
}

// onSite simulates a window on the general engine. Calendar entries that are
// over when its first job comes are left out: they would only cost time.
func (e *Evaluator) onSite(v *workload.Window, k *week) (*model.Schedule, error) {
	if k.platform == nil {
		p := *e.ground.Platform
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
	s, err := e.site.Run(&v.Workload, k.platform, policy.NewEASY(&e.easy), o)
	if errors.Is(err, sim.ErrCancelled) {
		err = ErrCancelled
	}
	return s, err
}
