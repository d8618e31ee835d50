package policy

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// What follows is EASY whatever lies ahead: one pass over View.Space, which knows running
// jobs, the calendar and all bookings, and for the length of a pass also what the pass
// starts and what the head is promised. A job is asked for every second that it may run.
// Where there is neither calendar nor reservation, what is free only grows until the head's
// promise, and two pools say all of it: backfill.go is the short form for that, 2 to 30
// times as fast, which TestOnePassIsEASY holds to this one.

// meets says whether there is a calendar, or something is reserved, or was in this run:
// from then on each pass goes by View.Space.
func (b *backfiller) meets(v *sim.View) bool {
	if v.Space == nil {
		return false
	}
	b.reserved = b.reserved || v.Bookings.Len()+len(v.Booked)+len(v.Freed) > 0
	b.beside = b.always || b.reserved || len(v.Site.Platform.Calendar) > 0
	return b.beside
}

// passBeside walks the primary order, then the backfill order. Where nothing has
// become free since the last pass, now or later, and the head has kept its promise,
// whoever was refused would be again: only who has just come is tried. A head that is
// stopped at its due time asks for less from pass to pass, so its promise may change
// at any of them.
func (b *backfiller) passBeside(v *sim.View) {
	head, shadow, where, begun := b.head, b.shadow, b.reservation, len(b.out)
	b.cluster, b.plain = v.Plain()
	calm := b.rises == v.Rises() && b.plain && len(v.Site.Platform.Calendar)+len(v.Back) == 0 &&
		(head < 0 || !v.Kills(head))
	b.free.CopyFrom(v.Free)
	b.wide, b.known, b.head = b.free.Widest(), false, -1
	b.reach.Reset()
	for b.queue.count > 0 {
		j := b.top(v)
		if calm && j == head {
			b.head = j
			break
		}
		claim, ok := b.seatBeside(v, j)
		if !ok {
			b.head = j
			break
		}
		b.leave(v, j)
		b.startBeside(v, j, claim, report.StartedInOrder)
	}
	if b.head >= 0 && !b.strict {
		stays := calm && b.head == head
		if stays && len(v.Booked) == 0 && len(b.out) == begun {
			b.known = true // nothing has come between
		} else {
			b.promiseBeside(v)
			stays = stays && b.shadow == shadow && slices.Equal(b.reservation.Parts, where.Parts)
		}
		if b.reservation.Parts != nil && !(stays && len(v.New) == 0) {
			sooner := b.sooner(v) // who may pass might, by its request, run into the head
			if !sooner {
				b.bookHead(v)
			}
			if b.gather(v, stays); sooner {
				b.bookHead(v)
			}
			b.behindBeside(v)
		}
	}
	b.rises = v.Rises()
}

// promiseBeside finds the earliest start that the head can be promised.
func (b *backfiller) promiseBeside(v *sim.View) {
	at, claim, ok := v.Space.Earliest(&v.Needs[b.head], v.Longest(b.head), v.Now)
	if b.shadow, b.reservation, b.known = at, claim, true; !ok { // only while a failure lasts
		b.shadow, b.reservation = model.Never, model.Claim{}
	}
}

// gather puts the jobs behind the head that may start into b.late; with fresh only
// those that have just come are asked.
func (b *backfiller) gather(v *sim.View, fresh bool) {
	b.late = b.late[:0]
	may := func(j model.JobID) {
		if j != b.head && b.here[j] && b.mayBeside(v, j) {
			b.late = append(b.late, j)
		}
	}
	switch q := &b.queue; {
	case fresh:
		for _, j := range v.New {
			may(j)
		}
	case !b.plain:
		q.each(may)
	default:
		for pos := range q.bounds {
			found := len(b.late)
			if !b.blockBeside(v, &q.bounds[pos]) {
				continue
			}
			block := q.block(pos)
			for _, one := range block.jobs[block.lo:block.hi] {
				may(one.job())
			}
			if len(b.late) == found && block.loose && len(q.bounds) > 2 {
				q.tighten(pos)
			}
		}
	}
}

// blockBeside says whether a job of a block may start now on a site where a number
// says what is free: one of each class of processors is asked for, the narrowest and
// shortest that there may be. false is certain.
func (b *backfiller) blockBeside(v *sim.View, of *bounds) bool {
	if b.odd > 0 { // what was asked for says neither when they end nor what they hold
		return true
	}
	if of.minProcs > b.wide {
		return false
	}
	shorter := model.Never // than who was asked for
	for c := class(of.minProcs); c <= class(b.wide); c++ {
		if limit := of.minLimit[c]; limit < shorter {
			if shorter = limit; b.frees(v, max(of.minProcs, 1<<c), v.Now+limit) {
				return true
			}
		}
	}
	return false
}

// frees says whether processors are free from now on until a time, on a site where
// a number says so.
func (b *backfiller) frees(v *sim.View, procs int32, until model.Time) bool {
	return v.Space.Until(&b.reach, b.cluster, procs, until) == until
}

// behindBeside starts which of the jobs of b.late leave the head's promise alone, in
// backfill order.
func (b *backfiller) behindBeside(v *sim.View) {
	if len(b.late) == 0 {
		return
	}
	for _, j := range b.inOrder(v, slices.Clone(b.late)) {
		claim, why, ok := b.passes(v, j)
		if ok {
			b.leave(v, j)
			b.startBeside(v, j, claim, why)
		}
	}
}

// passes finds where a job may start that leaves the head's promise alone.
func (b *backfiller) passes(v *sim.View, j model.JobID) (model.Claim, report.Code, bool) {
	if b.sooner(v) && b.free.Fits(&v.Needs[j]) {
		until := b.shadow + v.Longest(b.head)
		v.Space.Unbook(&v.Needs[b.head], b.reservation, b.shadow, until, b.named)
		b.reach.Reset()
		claim, ok := b.seatBeside(v, j)
		b.bookHead(v)
		if !ok || b.ends(v, j, claim) <= b.shadow {
			return claim, report.BackfilledBeforeShadow, ok
		}
	}
	claim, ok := b.seatBeside(v, j)
	if ok && ends(v, j, claim) <= b.shadow {
		return claim, report.BackfilledBeforeShadow, true
	}
	return claim, report.BackfilledExtra, ok
}

// sooner says whether a job passes the head that ends by then where it goes, on machines
// of unequal speed, though not everywhere, or as foretold, though not as requested.
// Beside reservations it has to everywhere, and as requested.
func (b *backfiller) sooner(v *sim.View) bool {
	return (v.Site.Platform.PowerScales || b.foretold) && !b.reserved
}

// bookHead books what the head is promised.
func (b *backfiller) bookHead(v *sim.View) {
	b.named = v.Space.Book(&v.Needs[b.head], b.reservation, b.shadow, b.shadow+v.Longest(b.head))
	b.reach.Reset()
}

// mayBeside says whether a job may find room now; false is certain.
func (b *backfiller) mayBeside(v *sim.View, j model.JobID) bool {
	if b.plain {
		procs := v.Needs[j].Procs
		return procs <= b.wide && b.frees(v, procs, untilBeside(v, j))
	}
	return b.free.Fits(&v.Needs[j])
}

// untilBeside returns until when a job that starts now may hold what it starts on.
func untilBeside(v *sim.View, j model.JobID) model.Time {
	end := v.Now + v.Longest(j)
	if v.Kills(j) {
		end = min(end, v.Due[j])
	}
	return end
}

// seatBeside is placeBeside in what this pass has left.
func (b *backfiller) seatBeside(v *sim.View, j model.JobID) (model.Claim, bool) {
	if !b.mayBeside(v, j) {
		return model.Claim{}, false
	}
	return placeBeside(v, b.free, j)
}

// placeBeside finds where a job can start now, free until it must have ended.
func placeBeside(v *sim.View, free *resource.Pool, j model.JobID) (model.Claim, bool) {
	need := &v.Needs[j]
	if !free.Fits(need) {
		return model.Claim{}, false
	}
	claim, ok := v.Space.Place(need, v.Now, untilBeside(v, j))
	return claim, ok && free.Holds(need, claim)
}

func (b *backfiller) startBeside(v *sim.View, j model.JobID, claim model.Claim, why report.Code) {
	b.start(v, j, claim, why)
	b.bookBeside(v, j, claim, v.Now, ends(v, j, claim))
}

func (b *backfiller) bookBeside(v *sim.View, j model.JobID, claim model.Claim, from, to model.Time) {
	v.Space.Book(&v.Needs[j], claim, from, to)
	b.reach.Reset()
}
