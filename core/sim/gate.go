package sim

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/tell"
)

// Gate is a Source whose jobs are submitted when the workload says, and become eligible
// later: to an engine and its scheduler that is their submission. Jobs may leave the
// queue before they start, and some may never become eligible: these stand behind the
// others in the result, with the instant at which nothing was to come any more as
// their submission, and have no start.
type Gate interface {
	Source
	// Left appends the submitted jobs that leave the queue at the instant of the last
	// React, before they have started.
	Left(out []int32) []int32
	// Start takes note of a job that starts at now, Over of one that is given up or
	// stopped for good, both after the submissions of now.
	Start(job int32, now model.Time)
	Over(job int32, now model.Time)
	// Due returns the next submission or withdrawal by what is known, later than the
	// last instant; model.Never: none before something else happens.
	Due() model.Time
	// Withdrawn says whether a job has left before it started, submitted or not.
	Withdrawn(job int32) bool
}

// HeldTeller is a Gate that says which jobs it holds back, and for what. Jobs are indices in
// the pool; until says when one that runs must end, model.Never where it does not run.
type HeldTeller interface {
	Gate
	// EachHeld calls visit for the jobs that have been submitted and are not eligible.
	EachHeld(now model.Time, visit func(job int32))
	// Lost returns the jobs that left at the last instant before they were eligible.
	Lost() []int32
	// Holds says what a job waits for at a time, by what is known at the end of the last
	// instant, and whether one of it is enough; nil: it is eligible or over.
	Holds(job int32, at model.Time, until func(job int32) model.Time) (list []tell.For, any bool)
	// HeldText is the same in a sentence, with times as tell.Fill reads them.
	HeldText(job int32, at model.Time, until func(job int32) model.Time) string
}

// passed asks a gate what is due after a pass in which jobs started or were given up.
func (p *supply) passed() {
	p.due = p.gate.Due()
	if p.next < len(p.origin) {
		p.produced.Jobs[p.next].Submit = p.due
	}
}

// rest lists the jobs that never become eligible behind all others, when nothing is to
// come any more.
func (p *supply) rest(now model.Time) {
	w := &p.produced
	for k := range p.id {
		if p.id[k] < 0 {
			w.Jobs[p.next], w.Truth[p.next], w.Submitted[p.next] = p.pool.Jobs[k], p.pool.Truth[k], p.pool.Jobs[k].Submit
			w.Jobs[p.next].Submit = max(now, w.Submitted[p.next])
			p.origin[p.next], p.id[k] = int32(k), int32(p.next)
			p.next++
		}
	}
}

// unserved says why a job never started that no scheduler gave up.
func (p *supply) unserved(j int) model.EndReason {
	if p.gate.Withdrawn(p.origin[j]) {
		return model.EndWithdrawn
	}
	return model.EndNever
}

// gated says whether jobs wait until they are eligible, or leave the queue.
func (r *siteRun) gated() bool { return r.source != nil && r.source.gate != nil }

// until is when a job must end that runs, model.Never of others.
func (r *siteRun) until(j model.JobID) model.Time {
	if r.v.Start[j] == model.Never {
		return model.Never
	}
	return r.v.Until(j)
}

// forsaken says whether the jobs that are to come never become eligible: nothing runs,
// nothing waits, and nothing is due.
func (r *siteRun) forsaken(desk Desk) bool {
	return r.gated() && r.waiting == 0 && len(r.m.heap) == 0 && int(r.v.Next) < len(r.w.Jobs) && r.source.due == model.Never &&
		(desk == nil || desk.Wake() == model.Never)
}

// withdraw lets jobs leave the queue that have not started by now: from here on they
// are to a scheduler jobs whose due time has come, and it gives them up.
func (r *siteRun) withdraw() {
	v := r.v
	v.Gone = v.Gone[:0]
	if r.gone == nil {
		return
	}
	r.source.now = r.source.gate.Left(r.source.now[:0])
	for _, k := range r.source.now {
		j := r.source.id[k]
		r.gone[j], v.Due[j] = true, v.Now
		v.Gone = append(v.Gone, j)
	}
	slices.Sort(v.Gone)
}
