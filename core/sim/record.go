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

// pass books what a pass over counted processors means for reasons.
func (r *Record) pass(v *CountedView, s CountedScheduler, starts []model.JobID) {
	for _, j := range starts {
		r.note(v, j, report.WaitNone, -1)
	}
	if t, ok := s.(Teller[*CountedView, []model.JobID]); ok {
		f := &r.facts
		f.Reset()
		f.Unpromised = r.Follow == nil
		f.Note = func(j model.JobID, why report.Code, head model.JobID) { r.note(v, j, why, head) }
		f.Waits = func(j model.JobID) {
			switch {
			case f.Stops && j != f.Head:
				r.note(v, j, report.WaitOrder, f.Head)
			case v.Jobs[j].Procs > v.Free:
				r.note(v, j, report.WaitProcessors, behind(f, j, report.WaitProcessors))
			default:
				r.note(v, j, f.Turn, behind(f, j, f.Turn))
			}
		}
		t.Tell(v, nil, f)
		r.promised(v.Now)
	}
}

// sitePass books what decisions on machines mean for reasons.
func (r *Record) sitePass(v *View, s Scheduler, decided []Decision) {
	at := &CountedView{Now: v.Now, Jobs: v.Jobs}
	for i := range decided {
		r.note(at, decided[i].Job, report.WaitNone, -1)
	}
	if t, ok := s.(Teller[*View, []Decision]); ok {
		v.Briefly(t, &r.facts, r.Follow != nil, func(j model.JobID, why report.Code, head model.JobID) { r.note(at, j, why, head) })
		r.promised(v.Now)
	}
}

// Briefly has a scheduler say why jobs wait, and where promises are asked for what is
// promised.
func (v *View) Briefly(t Teller[*View, []Decision], f *tell.Facts, promises bool, note func(j model.JobID, why report.Code, head model.JobID)) {
	f.Reset()
	f.Unpromised, f.Note = !promises, note
	f.Waits = func(j model.JobID) {
		if f.Stops && j != f.Head {
			note(j, report.WaitOrder, f.Head)
			return
		}
		why := v.Cause(&v.Needs[j])
		if why == report.WaitNone && f.Turn != report.WaitPlan && v.Space != nil { // what lies ahead may be in its way
			if _, ok := v.Space.Place(&v.Needs[j], v.Now, v.Now+v.Longest(j)); !ok {
				why = report.WaitReservation
			}
		}
		if why == report.WaitNone {
			why = f.Turn
		}
		note(j, why, behind(f, j, why))
	}
	t.Tell(v, nil, f)
}

// behind is the job behind which another one waits, for what it waits: who is planned and
// lacks something waits for that alone.
func behind(f *tell.Facts, j model.JobID, why report.Code) model.JobID {
	if f.Turn == report.WaitPlan && why == report.WaitPlan || f.Turn != report.WaitPlan && j != f.Head {
		return f.Head
	}
	return -1
}

// promised notes what the scheduler promises the job that is followed.
func (r *Record) promised(now model.Time) {
	if r.waits() {
		r.promise(now, r.facts.Promised(r.followed))
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
