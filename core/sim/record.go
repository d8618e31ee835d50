package sim

import (
	"batchlab/core/model"
	"batchlab/core/report"
)

// Record collects why each job waited and how it came to start. It is filled
// by Run when Options.Record points to it, and costs time for every waiting
// job at every instant; without it a simulation pays nothing.
type Record struct {
	Why []report.Why // by JobID

	code  []report.Code // the reason that holds now, by JobID
	since []model.Time  // since when
	head  []model.JobID // who stands in the way now
	from  []model.Time  // since when
	worst []model.Time  // longest time that Why.Head stood in the way
}

func (r *Record) reset(n int) {
	r.Why = resize(r.Why, n)
	r.code, r.since = resize(r.code, n), resize(r.since, n)
	r.head, r.from, r.worst = resize(r.head, n), resize(r.from, n), resize(r.worst, n)
	for i := range r.Why {
		r.Why[i] = report.Why{Head: -1}
		r.code[i], r.head[i], r.worst[i] = report.WaitNone, -1, 0
	}
}

// Decide notes what started a job. Schedulers call it as they decide, when
// View.Record is not nil; without a note a start was in order.
func (r *Record) Decide(j model.JobID, d report.Code) { r.Why[j].Decision = d }

// pass books the time since the last change of reason.
func (r *Record) pass(v *View, s Scheduler, starts []model.JobID) {
	for _, j := range starts {
		r.note(v, j, report.WaitNone, -1)
	}
	if e, ok := s.(Explainer); ok {
		e.Explain(v, func(j model.JobID, why report.Code, head model.JobID) { r.note(v, j, why, head) })
	}
}

func (r *Record) note(v *View, j model.JobID, why report.Code, head model.JobID) {
	if old := r.code[j]; old != why {
		if old != report.WaitNone {
			r.Why[j].Waited[old] += v.Now - r.since[j]
		}
		r.code[j], r.since[j] = why, v.Now
	}
	if old := r.head[j]; old != head {
		if stood := v.Now - r.from[j]; old >= 0 && stood > r.worst[j] {
			r.worst[j], r.Why[j].Head = stood, old
		}
		r.head[j], r.from[j] = head, v.Now
	}
}
