package policy

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// Draft is one pass of a scheduler that is not written in this package: it
// answers what fits and when, on every platform and beside everything that is
// reserved, taken away or decided before in the same pass, and keeps the
// decisions. What is asked of a job leaves aside what the job itself is promised.
// The scheduler has to be a sim.SpaceUser to ask anything. The zero value needs
// a Reset.
type Draft struct {
	view  *sim.View
	free  *resource.Pool // what is free beside what the pass has started
	taken bool           // it has started something: until then free is not filled
	undo  []reserved
	out   []sim.Decision

	last map[model.JobID]spot // what jobs that wait were promised last, in whatever pass
}

// spot is a place that a job was promised.
type spot struct {
	claim    model.Claim
	from, to model.Time
}

// Reset prepares for a new simulation.
func (d *Draft) Reset(v *sim.View) {
	d.view, d.free, d.taken, d.undo = v, v.Site.NewPool(), false, d.undo[:0]
	d.last = map[model.JobID]spot{}
}

// Begin opens a pass; decisions are appended to out.
func (d *Draft) Begin(v *sim.View, out []sim.Decision) { d.view, d.out, d.taken = v, out, false }

// End closes the pass and returns its decisions. Promises end with it, unless Keep
// takes them up again.
func (d *Draft) End() []sim.Decision {
	giveBack(d.view, d.undo)
	d.undo = d.undo[:0]
	out := d.out
	d.out = nil
	return out
}

// Pool returns what is free now, beside what the pass has started. It is to be
// read only, and only until the next Start.
func (d *Draft) Pool() *resource.Pool {
	if d.taken {
		return d.free
	}
	return d.view.Free
}

// Booked returns how many places the pass holds, of jobs that it has started and
// of promises.
func (d *Draft) Booked() int { return len(d.undo) }

// Expired says whether a waiting job can never start any more: it would be
// stopped at its due time, which has come.
func (d *Draft) Expired(j model.JobID) bool { return d.view.Kills(j) && d.view.Due[j] <= d.view.Now }

// Reject decides that a waiting job never starts.
func (d *Draft) Reject(j model.JobID) {
	d.out = append(d.out, sim.Decision{Verb: sim.Reject, Job: j})
}

// Fits says whether a waiting job can start now and leaves alone everything that
// is promised to others.
func (d *Draft) Fits(j model.JobID) bool {
	own := d.lift(j)
	_, ok := placeBeside(d.view, d.Pool(), j)
	d.restore(own)
	return ok
}

// Start decides that a waiting job starts now if it fits, and says whether, and
// when it ends at the latest. What it was promised is given back; if it does not
// fit, it stays. A place that Keep holds for it from now on is where it starts.
func (d *Draft) Start(j model.JobID) (until model.Time, ok bool) {
	v := d.view
	own := d.lift(j)
	claim, ok := own.claim, own.kept && own.from == v.Now && d.Pool().Holds(&v.Needs[j], own.claim)
	if !ok {
		claim, ok = placeBeside(v, d.Pool(), j)
	}
	if !ok {
		d.restore(own)
		return 0, false
	}
	delete(d.last, j)
	if !d.taken {
		d.free.CopyFrom(v.Free)
		d.taken = true
	}
	until = ends(v, j, claim)
	d.free.Take(&v.Needs[j], claim)
	d.book(j, claim, v.Now, until)
	d.out = append(d.out, sim.Decision{Job: j, Claim: claim})
	return until, true
}

// draftSteps is about what it costs to look for a start, for sim.Pulse, where nothing
// is promised.
const draftSteps = 32

// Earliest returns the first time, not before from, at which a waiting job could
// start by the requests of the jobs that run, beside everything that is promised
// to others; false if no time is known, as long as a failure lasts.
func (d *Draft) Earliest(j model.JobID, from model.Time) (model.Time, bool) {
	d.view.Pulse.Beat(draftSteps + len(d.undo))
	own := d.lift(j)
	at, _, ok := d.view.Space.Earliest(&d.view.Needs[j], longest(d.view, j), from)
	d.restore(own)
	return at, ok
}

// Promise keeps the place of a waiting job's Earliest start free until the end of
// the pass, in place of what the job was promised before, and returns the time;
// false as for Earliest, and then nothing is promised to it. A place that Keep holds
// is given up for an earlier start only, on its own cluster if there is one.
func (d *Draft) Promise(j model.JobID, from model.Time) (model.Time, bool) {
	v := d.view
	v.Pulse.Beat(draftSteps + len(d.undo))
	need, length := &v.Needs[j], longest(v, j)
	own := d.lift(j)
	at, claim, ok := v.Space.Earliest(need, length, from)
	switch {
	case own.kept && own.from >= from && (!ok || own.from <= at):
		d.restore(own)
		return own.from, true
	case !ok:
		delete(d.last, j)
		return at, false
	case own.kept && own.claim.Cluster != claim.Cluster:
		if _, here, fits := v.Space.FitOn(own.claim.Cluster, need, length, from, at+1); fits {
			claim = here
		}
	}
	d.hold(j, spot{claim, at, at + length}, own.kept)
	return at, true
}

// Keep keeps the place free that a waiting job was promised last, in this pass or
// before, and returns the start; false if it was promised nothing, or if its place is
// taken, gone or past: then it has none any more.
func (d *Draft) Keep(j model.JobID) (model.Time, bool) {
	d.lift(j)
	last, ok := d.last[j]
	if !ok || !d.view.Space.Holds(&d.view.Needs[j], last.claim, last.from, last.to) {
		delete(d.last, j)
		return 0, false
	}
	d.hold(j, last, true)
	return last.from, true
}

// hold books what a waiting job is promised.
func (d *Draft) hold(j model.JobID, at spot, kept bool) {
	d.last[j] = at
	d.book(j, at.claim, at.from, at.to)
	d.undo[len(d.undo)-1].kept = kept
}

func (d *Draft) book(j model.JobID, claim model.Claim, from, to model.Time) {
	need := &d.view.Needs[j]
	d.undo = append(d.undo, reserved{need: need, claim: claim, from: from, to: to, which: d.view.Space.Book(need, claim, from, to)})
}

// lift takes back what a waiting job is promised, so that it is not in its own
// way, and returns it; need is nil if it was promised nothing.
func (d *Draft) lift(j model.JobID) reserved {
	need := &d.view.Needs[j]
	for i := range d.undo {
		if own := d.undo[i]; own.need == need {
			d.undo = slices.Delete(d.undo, i, i+1)
			d.view.Space.Unbook(need, own.claim, own.from, own.to, own.which)
			return own
		}
	}
	return reserved{}
}

// restore books again what lift has taken back.
func (d *Draft) restore(own reserved) {
	if own.need != nil {
		own.which = d.view.Space.Book(own.need, own.claim, own.from, own.to)
		d.undo = append(d.undo, own)
	}
}
