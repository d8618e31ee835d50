package policy

import (
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/sim"
)

// FCFS is FCFS (rule 7) on any platform: jobs start in order of submission, and
// the first that does not fit stops all others. The zero value is ready.
type FCFS struct {
	Newest bool // of jobs submitted together, the larger number first (rule 6)

	base backfiller // that lets nothing pass its head
}

var _ sim.Explainer[*sim.View] = (*FCFS)(nil)

// Reset prepares for a new simulation.
func (f *FCFS) Reset(v *sim.View) {
	if f.base.first == nil {
		order := &Lineup{QueueOrder: QueueOrder{Newest: f.Newest}}
		f.base.first, f.base.behind, f.base.strict = order, order, true
	}
	f.base.Reset(v)
}

// Decide starts jobs in order while they fit.
func (f *FCFS) Decide(v *sim.View, out []sim.Decision) []sim.Decision { return f.base.Decide(v, out) }

// Explain says that the head lacks a licence or processors and every other
// job its turn.
func (f *FCFS) Explain(v *sim.View, note func(model.JobID, report.Code, model.JobID)) {
	b := &f.base
	b.settle(v)
	b.queue.each(func(j model.JobID) {
		switch {
		case j != b.head:
			note(j, report.WaitOrder, b.head)
		case b.beside:
			note(j, b.whyBeside(v, j), -1)
		case !v.Free.Licensed(&v.Needs[j]):
			note(j, v.Lacks(&v.Needs[j]), -1)
		default:
			note(j, v.Short(&v.Needs[j]), -1)
		}
	})
}
