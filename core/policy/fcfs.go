package policy

import "batchlab/core/sim"

// FCFS is FCFS (rule 7) on any platform: jobs start in order of submission, and
// the first that does not fit stops all others. The zero value is ready.
type FCFS struct {
	Newest bool // of jobs submitted together, the larger number first (rule 6)

	base backfiller // that lets nothing pass its head
}

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
