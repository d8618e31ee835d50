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
	held  []held         // by what the pass has started and promised
	out   []sim.Decision

	last map[model.JobID]spot // what jobs that wait were promised last, in whatever pass
}

// held is a place that is booked until the end of the pass.
type held struct {
	job model.JobID
	spot
	which []uint64 // see resource.Space.Book
	kept  bool     // by Keep
}

// spot is a place that a job was promised.
type spot struct {
	claim    model.Claim
	from, to model.Time
}

// Reset prepares for a new simulation.
func (d *Draft) Reset(v *sim.View) {
	d.view, d.free, d.taken, d.held = v, v.Site.NewPool(), false, d.held[:0]
	d.last = map[model.JobID]spot{}
}

// Begin opens a pass; decisions are appended to out.
func (d *Draft) Begin(v *sim.View, out []sim.Decision) { d.view, d.out, d.taken = v, out, false }

// End closes the pass and returns its decisions. Promises end with it, unless Keep
// takes them up again.
func (d *Draft) End() []sim.Decision {
	out := d.out
	d.held, d.out = d.held[:0], nil
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
func (d *Draft) Booked() int { return len(d.held) }

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
	d.book(held{job: j, spot: spot{claim, v.Now, until}})
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
	d.view.Pulse.Beat(draftSteps + len(d.held))
	own := d.lift(j)
	at, _, ok := d.view.Space.Earliest(&d.view.Needs[j], d.view.Longest(j), from)
	d.restore(own)
	return at, ok
}

// Promise keeps the place of a waiting job's Earliest start free until the end of
// the pass, in place of what the job was promised before, and returns the time;
// false as for Earliest, and then nothing is promised to it. A place that Keep holds
// is given up for an earlier start only, on its own cluster if there is one.
func (d *Draft) Promise(j model.JobID, from model.Time) (model.Time, bool) {
	v := d.view
	v.Pulse.Beat(draftSteps + len(d.held))
	need, length := &v.Needs[j], v.Longest(j)
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
	d.book(held{job: j, spot: at, kept: kept})
}

func (d *Draft) book(one held) {
	one.which = d.view.Space.Book(&d.view.Needs[one.job], one.claim, one.from, one.to)
	d.held = append(d.held, one)
}

// lift takes back what a waiting job is promised, so that it is not in its own
// way, and returns it; its job is −1 if it was promised nothing.
func (d *Draft) lift(j model.JobID) held {
	for i := range d.held {
		if own := d.held[i]; own.job == j {
			d.held = slices.Delete(d.held, i, i+1)
			d.view.Space.Unbook(&d.view.Needs[j], own.claim, own.from, own.to, own.which)
			return own
		}
	}
	return held{job: -1}
}

// restore books again what lift has taken back.
func (d *Draft) restore(own held) {
	if own.job >= 0 {
		d.book(own)
	}
}
