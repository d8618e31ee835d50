package state

import (
	"reflect"

	"batchlab/core/experiment"
)

// clone returns a copy of e that shares nothing with it.
func clone(e *experiment.Experiment) experiment.Experiment { return *e.Clone() }

// ptr copies what p points to.
func ptr[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

// same reports whether two documents describe the same experiment: title,
// labels and the expected digest change no number.
func same(a, b *experiment.Experiment) bool {
	return reflect.DeepEqual(numbers(a), numbers(b))
}

// sameWorkload reports whether two documents lead to the same jobs.
func sameWorkload(a, b *experiment.Experiment) bool {
	x, y := numbers(a), numbers(b)
	x.Workload.Resample, y.Workload.Resample = nil, nil // repetition 0 is the workload itself
	return reflect.DeepEqual(x.Workload, y.Workload) && reflect.DeepEqual(x.Platform, y.Platform) && x.Seed == y.Seed
}

// numbers is e without what changes no number, with empty lists as nil and a
// log known by its hash alone.
func numbers(e *experiment.Experiment) experiment.Experiment {
	c := clone(e)
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
