package mixed

import (
	"errors"
	"slices"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
	"batchlab/core/workload"
)

// counts says whether counts of processors say all: the platform is one cluster
// of interchangeable processors, and the jobs of the windows ask for nothing
// else. Deadlines that are only measured change no schedule.
func counts(windows []workload.Window, p *model.Platform) bool {
	if len(p.Clusters) != 1 || p.Clusters[0].Packing != model.PackProcessors || len(p.Calendar) > 0 || p.PowerScales || !p.Limits.None() {
		return false
	}
	for i := range windows {
		w := &windows[i].Workload
		for j := range w.Jobs {
			d := w.Demand(model.JobID(j))
			if d != nil && (len(d.Licences) > 0 || d.MemPerNode > 0 || d.DiskPerNode > 0 || d.GPUsPerNode > 0 || d.Reservation != nil || d.Due > 0 && d.OnDue != model.DueCount) {
				return false
			}
		}
	}
	return true
}

// onSite simulates a window on the general engine. Calendar entries that are
// over when its first job comes are left out: they would only cost time.
func (e *Evaluator) onSite(v *workload.Window, k *week) (*model.Schedule, error) {
	if k.platform == nil {
		p := *e.platform
		first := v.Workload.Jobs[0].Submit
		p.Calendar = slices.DeleteFunc(slices.Clone(p.Calendar), func(c model.CalendarEntry) bool { return c.To <= first })
		k.platform = &p
	}
	e.Simulations++
	var o sim.Options
	if e.going != nil {
		o.Progress = func(int, int) bool { return e.going() }
	}
	s, err := e.site.Run(&v.Workload, k.platform, policy.NewEASY(&e.easy), o)
	if errors.Is(err, sim.ErrCancelled) {
		err = ErrCancelled
	}
	return s, err
}
