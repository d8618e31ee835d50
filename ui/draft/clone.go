package draft

import (
	"reflect"

	"batchlab/core/experiment"
)

// Same reports whether two documents describe the same experiment: title,
// labels and the expected digest change no number.
func Same(a, b *experiment.Experiment) bool {
	return reflect.DeepEqual(Numbers(a), Numbers(b))
}

// SameWorkload reports whether two documents lead to the same jobs.
func SameWorkload(a, b *experiment.Experiment) bool {
	x, y := Numbers(a), Numbers(b)
	x.Workload.Resample, y.Workload.Resample = nil, nil // repetition 0 is the workload itself
	return reflect.DeepEqual(x.Workload, y.Workload) && reflect.DeepEqual(x.Platform, y.Platform) && x.Seed == y.Seed
}

// Numbers is e without what changes no number, with empty lists as nil and a
// log known by its hash alone.
func Numbers(e *experiment.Experiment) experiment.Experiment {
	c := *e.Clone()
	c.Title, c.Trace, c.Expect, c.Search = "", "", "", nil
	if len(c.Workload.Filter.Users) == 0 {
		c.Workload.Filter.Users = nil
	}
	if len(c.Workload.Filter.ExcludeUsers) == 0 {
		c.Workload.Filter.ExcludeUsers = nil
	}
	if l := c.Workload.Source.Log; l != nil && l.SHA256 != "" {
		l.Name, l.Size = "", 0
	}
	for i := range c.Schedulers {
		c.Schedulers[i].Label = ""
	}
	return c
}
