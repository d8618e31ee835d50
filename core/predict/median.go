package predict

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
)

// UserMedian predicts the request times the median of run ÷ request of the user's
// last completions, now: a job that waits is predicted again whenever one ends.
// Before the first the request stands for it. (Batchlab's own, a plain rule to
// hold others against.)
type UserMedian struct {
	Window int // completions that are looked at, at least 1

	work  Work
	named table
	users []shares
	of    []int32 // by job: its user
}

// shares are run ÷ request of a user's last completions.
type shares struct {
	count  int
	last   []float64 // a ring
	sorted []float64
}

// Reset prepares for a new simulation.
func (m *UserMedian) Reset(w *Work) {
	m.work = *w
	m.named.reset()
	m.users = m.users[:0]
	m.of = sized(m.of, len(w.Jobs))
	for i := range w.History {
		m.learn(&w.History[i].Job, w.History[i].Run)
	}
}

func (m *UserMedian) user(number int32) int32 {
	return place(&m.named, &m.users, number)
}

func (m *UserMedian) learn(job *model.Job, run model.Time) {
	u := &m.users[m.user(job.User)]
	x, at := float64(run)/float64(job.Limit), u.count%m.Window
	if at < len(u.last) {
		gone, _ := slices.BinarySearch(u.sorted, u.last[at])
		u.sorted = slices.Delete(u.sorted, gone, gone+1)
		u.last[at] = x
	} else {
		u.last = append(u.last, x)
	}
	place, _ := slices.BinarySearch(u.sorted, x)
	u.sorted = slices.Insert(u.sorted, place, x)
	u.count++
}

// Submit notes whose job it is.
func (m *UserMedian) Submit(j model.JobID) { m.of[j] = m.user(m.work.Jobs[j].User) }

// Start does nothing.
func (m *UserMedian) Start(model.JobID) {}

// End learns from a completion.
func (m *UserMedian) End(j model.JobID, run model.Time) { m.learn(&m.work.Jobs[j], run) }

// Estimate returns the prediction as it is now.
func (m *UserMedian) Estimate(j model.JobID) Estimate {
	limit := float64(m.work.Jobs[j].Limit)
	share, n := m.median(j)
	if n == 0 {
		return one(limit)
	}
	return one(min(max(float64(limit*share), 1), limit))
}

// median returns that of run ÷ request, and of how many.
func (m *UserMedian) median(j model.JobID) (share float64, n int) {
	s := m.users[m.of[j]].sorted
	if len(s) == 0 {
		return 0, 0
	}
	share = s[len(s)/2]
	if len(s)%2 == 0 {
		share = float64(0.5 * (s[len(s)/2-1] + share))
	}
	return share, len(s)
}

// Basis returns the median and of how many completions it is.
func (m *UserMedian) Basis(j model.JobID) *report.Basis {
	share, n := m.median(j)
	return &report.Basis{Rule: "user-median", Count: n, Share: share}
}
