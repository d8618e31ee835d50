package policy

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// What follows is EASY beside advance reservations. What is free then no longer
// only grows until the head's promise, so that a job is asked for every second that
// it may run: View.Space knows running jobs, the calendar and all bookings, and for
// the length of a pass also what the pass starts and what the head is promised.

// reserved is what a pass has booked on View.Space, to be given back.
type reserved struct {
	need     *resource.Need
	claim    model.Claim
	from, to model.Time
	which    []uint64
	kept     bool // see Draft.Keep
}

// meets says whether something is reserved, or was in this run: from then on each
// pass goes by View.Space.
func (b *backfiller) meets(v *sim.View) bool {
	b.beside = b.beside || v.Space != nil && len(v.Bookings)+len(v.Booked)+len(v.Freed) > 0
	return b.beside
}

// passBeside walks the primary order, then the backfill order.
func (b *backfiller) passBeside(v *sim.View) {
	b.free.CopyFrom(v.Free)
	b.wide, b.known, b.head = b.free.Widest(), false, -1
	for b.queue.count > 0 {
		j := b.top(v)
		claim, ok := placeBeside(v, b.free, j)
		if !ok {
			b.head = j
			break
		}
		b.leave(v, j)
		b.startBeside(v, j, claim, report.StartedInOrder)
	}
	if b.head >= 0 {
		b.promiseBeside(v)
		if b.reservation.Parts != nil && !b.strict {
			b.bookBeside(v, b.head, b.reservation, b.shadow, b.shadow+longest(v, b.head))
			b.behindBeside(v)
		}
	}
	giveBack(v, b.undo) // the engine does it again
	b.undo = b.undo[:0]
}

// giveBack takes back what a pass has booked on View.Space.
func giveBack(v *sim.View, booked []reserved) {
	for i := len(booked) - 1; i >= 0; i-- {
		r := &booked[i]
		v.Space.Unbook(r.need, r.claim, r.from, r.to, r.which)
	}
}

// promiseBeside finds the earliest start that the head can be promised.
func (b *backfiller) promiseBeside(v *sim.View) {
	at, claim, ok := v.Space.Earliest(&v.Needs[b.head], longest(v, b.head), v.Now)
	if b.shadow, b.reservation, b.known = at, claim, true; !ok { // only while a failure lasts
		b.shadow, b.reservation = model.Never, model.Claim{}
	}
}

// behindBeside starts what leaves the head's promise alone, in backfill order.
func (b *backfiller) behindBeside(v *sim.View) {
	b.late = b.late[:0]
	b.queue.each(func(j model.JobID) {
		if j != b.head && b.free.Fits(&v.Needs[j]) {
			b.late = append(b.late, j)
		}
	})
	for _, j := range b.inOrder(v, slices.Clone(b.late)) {
		claim, ok := placeBeside(v, b.free, j)
		if !ok {
			continue
		}
		why := report.BackfilledExtra
		if ends(v, j, claim) <= b.shadow {
			why = report.BackfilledBeforeShadow
		}
		b.leave(v, j)
		b.startBeside(v, j, claim, why)
	}
}

// placeBeside finds where a job can start now, free until it must have ended.
func placeBeside(v *sim.View, free *resource.Pool, j model.JobID) (model.Claim, bool) {
	need := &v.Needs[j]
	if !free.Fits(need) {
		return model.Claim{}, false
	}
	end := v.Now + longest(v, j)
	if v.Kills(j) {
		end = min(end, v.Due[j])
	}
	claim, ok := v.Space.Place(need, v.Now, end)
	return claim, ok && free.Holds(need, claim)
}

func (b *backfiller) startBeside(v *sim.View, j model.JobID, claim model.Claim, why report.Code) {
	b.start(v, j, claim, why)
	b.bookBeside(v, j, claim, v.Now, ends(v, j, claim))
}

func (b *backfiller) bookBeside(v *sim.View, j model.JobID, claim model.Claim, from, to model.Time) {
	need := &v.Needs[j]
	b.undo = append(b.undo, reserved{need: need, claim: claim, from: from, to: to, which: v.Space.Book(need, claim, from, to)})
}

// why says what keeps a job waiting beside reservations.
func (b *backfiller) whyBeside(v *sim.View, j model.JobID) report.Code {
	why := v.Cause(&v.Needs[j])
	if why != report.WaitNone {
		return why
	}
	if _, ok := v.Space.Place(&v.Needs[j], v.Now, v.Now+longest(v, j)); !ok {
		return report.WaitReservation
	}
	if b.prio != nil {
		return report.WaitPriority
	}
	return report.WaitShadow
}
