package sim

import (
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/tell"
)

// Record collects why each job waited and how it came to start. It is filled
// by Run when Options.Record points to it, and costs time for every waiting
// job at every instant; without it a simulation pays nothing.
type Record struct {
	Why []report.Why // by JobID

	// Follow, when not nil, is the number of a job whose History is kept as
	// well: every change of the reason for its wait.
	Follow  *int64
	History []report.Phase

	followed model.JobID // that Follow names; known once it has waited
	facts    tell.Facts  // what the scheduler says

	code  []report.Code // the reason that holds now, by JobID
	since []model.Time  // since when
	head  []model.JobID // who stands in the way now
	from  []model.Time  // since when
	worst []model.Time  // longest time that Why.Head stood in the way
}

func (r *Record) reset(n int) {
	r.History = r.History[:0]
	r.Why = resize(r.Why, n)
	r.code, r.since = resize(r.code, n), resize(r.since, n)
	r.head, r.from, r.worst = resize(r.head, n), resize(r.from, n), resize(r.worst, n)
	for i := range r.Why {
		r.Why[i] = report.Why{Head: -1}
		r.code[i], r.head[i], r.worst[i] = report.WaitNone, -1, 0
	}
}

// Decide notes what started a job. Schedulers call it as they decide, when
// CountedView.Record is not nil; without a note a start was in order.
func (r *Record) Decide(j model.JobID, d report.Code) { r.Why[j].Decision = d }

// asked asks a scheduler why jobs wait, has that noted, and notes what the job that is
// followed is promised.
func asked[V, D any](r *Record, at *CountedView, v V, s any, note func(f *tell.Facts)) {
	f := &r.facts
	f.Reset()
	t, ok := s.(Teller[V, D])
	if !ok {
		return
	}
	f.Brief = true
	var none D
	t.Tell(v, none, f)
	note(f)
	if r.waits() {
		r.promise(at.Now, f.Promised(r.followed))
	}
}

// pass books what a pass over counted processors means for reasons.
func (r *Record) pass(v *CountedView, s CountedScheduler, starts []model.JobID) {
	for _, j := range starts {
		r.note(v, j, report.WaitNone, -1)
	}
	asked[*CountedView, []model.JobID](r, v, v, s, func(f *tell.Facts) {
		reasons(f, func(j model.JobID, _ bool) report.Code {
			if v.Jobs[j].Procs > v.Free {
				return report.WaitProcessors
			}
			return report.WaitNone
		}, func(j model.JobID, why report.Code, head model.JobID) { r.note(v, j, why, head) })
	})
}

// sitePass books what decisions on machines mean for reasons.
func (r *Record) sitePass(v *View, s Scheduler, decided []Decision) {
	at := &CountedView{Now: v.Now, Jobs: v.Jobs}
	for i := range decided {
		r.note(at, decided[i].Job, report.WaitNone, -1)
	}
	asked[*View, []Decision](r, at, v, s, func(f *tell.Facts) {
		v.Reasons(f, func(j model.JobID, why report.Code, head model.JobID) { r.note(at, j, why, head) })
	})
}

// Reasons calls note with why each job waits, by what a scheduler says and what the job
// lacks, and the job that stands in its way (−1 none).
func (v *View) Reasons(f *tell.Facts, note func(j model.JobID, why report.Code, head model.JobID)) {
	reasons(f, func(j model.JobID, ahead bool) report.Code {
		why := v.Cause(&v.Needs[j])
		if why == report.WaitNone && ahead && v.Space != nil { // it would fit now: what lies ahead may be in its way
			if _, ok := v.Space.Place(&v.Needs[j], v.Now, v.Now+v.Longest(j)); !ok {
				why = report.WaitReservation
			}
		}
		return why
	}, note)
}

// reasons is View.Reasons, whatever is seen: lacks says what keeps a job from starting now,
// report.WaitNone nothing; or also what lies ahead.
func reasons(f *tell.Facts, lacks func(j model.JobID, ahead bool) report.Code, note func(j model.JobID, why report.Code, head model.JobID)) {
	for _, w := range f.Waits {
		note(w.Job, w.Why, w.Head)
	}
	head, turn := f.Head, f.Turn
	switch {
	case turn != report.WaitNone:
	case f.Stops || head < 0:
		turn = report.WaitOrder
	default:
		turn = report.WaitShadow
	}
	if f.Stops && head < 0 && len(f.Order) > 0 {
		head = f.Order[0]
	}
	for _, j := range f.Order {
		why, of := report.WaitNone, head
		if j == head {
			of = -1
		}
		if !f.Stops || j == head {
			why = lacks(j, true)
		}
		if why == report.WaitNone {
			why = turn
		}
		note(j, why, of)
	}
	for i := range f.Plans {
		p := &f.Plans[i]
		if why := lacks(p.Job, false); why != report.WaitNone {
			note(p.Job, why, -1)
		} else {
			note(p.Job, report.WaitPlan, p.Behind)
		}
	}
}

// waits says whether the job that is followed waits.
func (r *Record) waits() bool {
	n := len(r.History)
	return n > 0 && r.History[n-1].Reason != report.WaitNone && r.History[n-1].Reason != report.WaitOthers
}

// promise notes what the job that is followed is promised now.
func (r *Record) promise(now, at model.Time) {
	if at <= now || at >= model.Never {
		at = 0
	}
	last := r.History[len(r.History)-1]
	if last.Promised == at {
		return
	}
	if last.From < now {
		last.From = now
		r.History = append(r.History, last)
	}
	r.History[len(r.History)-1].Promised = at
}

func (r *Record) note(v *CountedView, j model.JobID, why report.Code, head model.JobID) {
	if r.Follow != nil && v.Jobs[j].Number == *r.Follow {
		r.followed = j
		r.follow(v, why, head)
	}
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

// follow keeps the history of one job: what changes within an instant is one
// change.
func (r *Record) follow(v *CountedView, why report.Code, head model.JobID) {
	p := report.Phase{From: v.Now, Reason: why, Head: -1}
	if head >= 0 && why != report.WaitNone {
		p.Head = v.Jobs[head].Number
	}
	h := r.History
	if n := len(h); n > 0 && h[n-1].Reason == report.WaitOthers && h[n-1].From >= v.Now { // it was eligible as it was submitted
		h = h[:n-1]
	}
	if n := len(h); n > 0 && why != report.WaitNone {
		p.Promised = h[n-1].Promised
	}
	if n := len(h); n > 0 && h[n-1].From == v.Now && why != report.WaitNone {
		h = h[:n-1]
	}
	if n := len(h); n == 0 || h[n-1].Reason != p.Reason || h[n-1].Head != p.Head {
		h = append(h, p)
	}
	r.History = h
}
