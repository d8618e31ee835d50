package sim

import (
	"slices"

	"batchlab/core/model"
)

// Resume lets a counted simulation begin in the middle, at an instant of a run
// that is known: what ran and waited then follows from that run's starts. It is
// for CountedResumers and submissions that are replayed.
type Resume struct {
	Index   int          // of the instant, from 0
	Now     model.Time   // its time
	Before  model.Time   // that of the instant before it
	Start   []model.Time // of the whole run, by JobID
	Planned []Promise    // of a scheduler that plans: after the instant before it
}

// Promise is the planned start of a waiting job.
type Promise struct {
	Job model.JobID
	At  model.Time
}

// CountedResumer is a CountedScheduler that can go on from the middle of a run. It
// then decides what it would have decided there.
type CountedResumer interface {
	CountedScheduler
	// Resume is called after Reset: waiting jobs in order of JobID, running ones in
	// none, as the instant before v.Now left them, with v.Start of those that have
	// started. No job from v.Next on has come.
	Resume(v *CountedView, waiting, running []model.JobID, r *Resume)
	// Promises calls visit for every waiting job with a planned start that is not
	// known otherwise; none for a scheduler that does not plan.
	Promises(visit func(Promise))
}

// resume puts a run into the state in which another was, and returns the heap of
// ends, the jobs submitted, those of them that wait, and the free processors.
func (m *CountedSimulator) resume(w *model.Workload, r *Resume, s CountedResumer, base model.Time, shift int) (heap Heap, next, waiting int, free int32) {
	v := &m.view
	n := len(w.Jobs)
	next, _ = slices.BinarySearchFunc(w.Jobs, r.Now, func(j model.Job, t model.Time) int {
		if j.Submit < t {
			return -1
		}
		return 1
	})
	heap, free = m.heap[:0], v.Procs
	var waits, runs []model.JobID
	for j := range n {
		if j >= next {
			break
		}
		at := r.Start[j]
		if at >= r.Now {
			waits = append(waits, model.JobID(j))
			continue
		}
		m.start[j] = at
		if end := at + w.Executed(model.JobID(j)); end >= r.Now {
			runs = append(runs, model.JobID(j))
			free -= w.Jobs[j].Procs
			heap.Push(uint64(end-base)<<shift | uint64(j))
		}
	}
	v.Now, v.Next, v.Arrived = r.Now, model.JobID(next), model.JobID(next)
	s.Resume(v, waits, runs, r)
	return heap, next, len(waits), free
}
