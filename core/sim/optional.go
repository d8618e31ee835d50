package sim

import (
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/tell"
)

// What a scheduler may offer beside deciding, whatever it sees: V is *View or
// *CountedView.

// Planner is a scheduler with planned starts, which are instants of their own.
type Planner interface {
	// Wake returns the next planned start, or model.Never. It is asked while jobs wait
	// or run.
	Wake() model.Time
}

// Explainer is a scheduler that can say why each job that it left waiting waits. It is
// asked after it has decided, and only while decisions are recorded.
type Explainer[V any] interface {
	// Explain calls note for every waiting job with one of the Wait codes and the job
	// that stands in its way (−1 none).
	Explain(v V, note func(j model.JobID, why report.Code, head model.JobID))
}

// Promiser is a scheduler that promises starts. It is asked after its decisions have been
// carried out.
type Promiser[V any] interface {
	// Promised returns the start that it reserves or plans for a waiting job, 0 none.
	Promised(v V, j model.JobID) model.Time
}

// Teller is a scheduler that says what it decided by. It is asked after it has decided
// and before its decisions D are carried out, and only at instants that are told. One
// that is none is told by its decisions alone; one that notes as it decides uses
// View.Facts.
type Teller[V, D any] interface {
	Tell(v V, decided D, f *tell.Facts)
}

// explained books the time since the last change of reason, for the jobs that s says wait.
func explained[V any](r *Record, v V, s any, at *CountedView) {
	if e, ok := s.(Explainer[V]); ok {
		e.Explain(v, func(j model.JobID, why report.Code, head model.JobID) { r.note(at, j, why, head) })
	}
	if p, ok := s.(Promiser[V]); ok && r.waits() {
		r.promise(at.Now, p.Promised(v, r.followed))
	}
}

// pass books what a pass over counted processors means for reasons.
func (r *Record) pass(v *CountedView, s CountedScheduler, starts []model.JobID) {
	for _, j := range starts {
		r.note(v, j, report.WaitNone, -1)
	}
	explained(r, v, s, v)
}

// sitePass books what decisions on machines mean for reasons.
func (r *Record) sitePass(v *View, s Scheduler, decided []Decision) {
	at := &CountedView{Now: v.Now, Jobs: v.Jobs}
	for i := range decided {
		r.note(at, decided[i].Job, report.WaitNone, -1)
	}
	explained(r, v, s, at)
}
