package policy

import (
	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// Draft is one pass of a scheduler that is not written in this package: it
// answers what fits and when, on every platform and beside everything that is
// reserved, taken away or decided before in the same pass, and keeps the
// decisions. The scheduler has to be a sim.SpaceUser. The zero value needs a
// Reset.
type Draft struct {
	view *sim.View
	free *resource.Pool
	undo []reserved
	out  []sim.Decision
}

// Reset prepares for a new simulation.
func (d *Draft) Reset(v *sim.View) { d.view, d.free, d.undo = v, v.Site.NewPool(), d.undo[:0] }

// Begin opens a pass; decisions are appended to out.
func (d *Draft) Begin(v *sim.View, out []sim.Decision) {
	d.view, d.out = v, out
	d.free.CopyFrom(v.Free)
}

// End closes the pass and returns its decisions. Promises end with it.
func (d *Draft) End() []sim.Decision {
	giveBack(d.view, d.undo)
	d.undo = d.undo[:0]
	out := d.out
	d.out = nil
	return out
}

// Free returns the processors that are free now, beside what the pass has started.
func (d *Draft) Free() int32 { return d.free.Procs() }

// Expired says whether a waiting job can never start any more: it would be
// stopped at its due time, which has come.
func (d *Draft) Expired(j model.JobID) bool { return d.view.Kills(j) && d.view.Due[j] <= d.view.Now }

// Reject decides that a waiting job never starts.
func (d *Draft) Reject(j model.JobID) {
	d.out = append(d.out, sim.Decision{Verb: sim.Reject, Job: j})
}

// Fits says whether a waiting job can start now and leaves alone everything that
// is promised.
func (d *Draft) Fits(j model.JobID) bool {
	_, ok := placeBeside(d.view, d.free, j)
	return ok
}

// Start decides that a waiting job starts now if it fits, and says whether, and
// when it ends at the latest.
func (d *Draft) Start(j model.JobID) (until model.Time, ok bool) {
	v := d.view
	claim, ok := placeBeside(v, d.free, j)
	if !ok {
		return 0, false
	}
	until = ends(v, j, claim)
	d.free.Take(&v.Needs[j], claim)
	d.book(j, claim, v.Now, until)
	d.out = append(d.out, sim.Decision{Job: j, Claim: claim})
	return until, true
}

// Earliest returns the first time at which a waiting job could start by the
// requests of the jobs that run, beside everything that is promised; false if no
// time is known, as long as a failure lasts.
func (d *Draft) Earliest(j model.JobID) (model.Time, bool) {
	at, _, ok := d.view.Space.Earliest(&d.view.Needs[j], longest(d.view, j), d.view.Now)
	return at, ok
}

// Promise keeps the place of a waiting job's earliest start free until the end
// of the pass, and returns the time; false as for Earliest.
func (d *Draft) Promise(j model.JobID) (model.Time, bool) {
	v := d.view
	length := longest(v, j)
	at, claim, ok := v.Space.Earliest(&v.Needs[j], length, v.Now)
	if ok {
		d.book(j, claim, at, at+length)
	}
	return at, ok
}

func (d *Draft) book(j model.JobID, claim model.Claim, from, to model.Time) {
	need := &d.view.Needs[j]
	d.undo = append(d.undo, reserved{need, claim, from, to, d.view.Space.Book(need, claim, from, to)})
}
