package predict

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/order"
)

// History returns the completions that a workload's own log shows before a time,
// in order of their ends. A job whose wait the log does not state is none of them.
func History(w *model.Workload, before model.Time) []Past {
	list, _ := completions(w, before)
	return list
}

// completions returns them, and when each ended.
func completions(w *model.Workload, before model.Time) (list []Past, ends []model.Time) {
	type ended struct {
		at  model.Time
		job model.JobID
	}
	var found []ended
	for j := range w.Jobs {
		if wait := w.Truth[j].LoggedWait; wait >= 0 {
			if end := w.Jobs[j].Submit + wait + w.Executed(model.JobID(j)); end < before {
				found = append(found, ended{end, model.JobID(j)})
			}
		}
	}
	order.Stable(found, func(a, b ended) int { return cmp.Compare(a.at, b.at) })
	list, ends = make([]Past, len(found)), make([]model.Time, len(found))
	for i, e := range found {
		list[i], ends[i] = Past{w.Jobs[e.job], w.Executed(e.job)}, e.at
	}
	return list, ends
}

// Completions are those of a whole log, to be cut where windows begin.
type Completions struct {
	list []Past
	ends []model.Time
}

// NewCompletions returns the completions that a workload's log shows.
func NewCompletions(w *model.Workload) *Completions {
	list, ends := completions(w, model.Never)
	return &Completions{list, ends}
}

// Before returns those before a time, in order of their ends; the list is shared.
func (c *Completions) Before(at model.Time) []Past {
	k, _ := slices.BinarySearch(c.ends, at)
	return c.list[:k]
}

// Missing says what a log does not state that a predictor goes by, users or
// executables, and what is then used, one sentence each.
func Missing(w *model.Workload, users, executables bool) (list []string) {
	for i := range w.Jobs {
		users = users && w.Jobs[i].User < 0
		executables = executables && w.Jobs[i].Executable <= 0
	}
	if users {
		list = append(list, "the log names no users: to predictors all jobs are those of one user")
	}
	if executables {
		list = append(list, "the log names no executables: to predictors all jobs of a user run the same one")
	}
	return list
}
