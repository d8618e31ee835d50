package policy

import (
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/sim"
)

// FCFS is FCFS (rule 7) on machines and licences: jobs start in order of
// submission, and the first that does not fit stops all others. The zero value
// is ready.
type FCFS struct {
	Newest bool // of jobs submitted together, the larger number first (rule 6)

	base    siteBackfill // only its waiting and running jobs are used
	blocked model.JobID  // the job that does not fit, −1 none
}

var _ sim.Explainer = (*FCFS)(nil)

// Reset prepares for a new simulation.
func (f *FCFS) Reset(v *sim.View) {
	f.base.rank = &twoOrders{queue: Lineup{QueueOrder: QueueOrder{Newest: f.Newest}}}
	f.base.Reset(v)
	f.blocked = -1
}

// Decide starts jobs in order while they fit.
func (f *FCFS) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	b := &f.base
	f.blocked = -1
	b.join(v)
	out = b.expire(v, out)
	for len(b.waiting) > 0 {
		at := b.rank.top(v, b.waiting)
		j := b.waiting[at]
		claim, ok := b.room(v, j).Place(&v.Needs[j])
		if !ok {
			f.blocked = j
			break
		}
		out = b.start(v, out, j, claim, report.StartedInOrder)
		b.waiting = remove(b.waiting, at)
	}
	return out
}

// Explain says that the head lacks a licence or processors and every other
// job its turn.
func (f *FCFS) Explain(v *sim.View, note func(model.JobID, report.Code, model.JobID)) {
	for _, j := range f.base.waiting {
		switch {
		case j != f.blocked:
			note(j, report.WaitOrder, f.blocked)
		case !v.Free.Licensed(&v.Needs[j]):
			note(j, report.WaitLicences, -1)
		default:
			note(j, report.WaitProcessors, -1)
		}
	}
}
