package policy

import (
	"math/bits"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/sim"
)

// How a backfiller goes through the jobs behind the head.

// within bounds the requests of jobs that may end before the head's reservation.
func (b *backfiller) within(v *sim.View) model.Time {
	if b.foretold {
		return model.Never
	}
	return b.short(v, b.shadow-v.Now)
}

// refuse says why a job behind the head cannot start, as far as can be told
// without a place for it; 0 if it may.
func (b *backfiller) refuse(v *sim.View, j model.JobID) refusal {
	job := &v.Jobs[j]
	if job.Procs > b.wide {
		return noProcessors
	}
	if j == b.head {
		return byHead
	}
	brief := job.Limit <= b.brief
	if !brief && job.Procs > b.leftOver() {
		return byHead
	}
	need := &v.Needs[j]
	if !b.free.Licensed(need) {
		return noLicence
	}
	if !b.free.Seats(need) {
		return noProcessors
	}
	if !brief && !b.both.Fits(need) {
		return byHead
	}
	return 0
}

// mayBlock says whether a job of the block at a position may start; false is
// certain.
func (b *backfiller) mayBlock(pos int) bool {
	v := &b.queue.bounds[pos]
	return v.minProcs <= b.wide && (v.minLimit[class(b.wide)] <= b.brief || v.minProcs <= b.leftOver())
}

// leftOver returns the most processors that a job may find in what is free now
// and the head leaves over.
func (b *backfiller) leftOver() int32 {
	if b.spare < 0 {
		b.both.CopyFrom(b.free)
		b.both.Min(b.extra)
		b.spare = b.both.Widest()
	}
	return b.spare
}

// turn returns the jobs of a block that are to be tried: something has changed for
// them, and one of the block may start.
func (b *backfiller) turn(v *sim.View, pos int) uint64 {
	p := b.page(&b.queue, b.queue.bounds[pos].block, v.Needs)
	set := b.open(p, b.free, b.queue.bounds[pos].minProcs, b.wide)
	if set != 0 && !b.mayBlock(pos) {
		p.doubt(set)
		return 0
	}
	return set
}

// scan goes once through the queue in its own order.
func (b *backfiller) scan(v *sim.View) {
	q := &b.queue
	for pos := 0; pos < len(q.bounds) && b.wide > 0; pos++ {
		set := b.turn(v, pos)
		if set == 0 {
			continue
		}
		block, at, found := q.block(pos), q.bounds[pos].block, false
		p := &b.pages[at]
		for i := block.lo; i < block.hi && set != 0; {
			j := block.jobs[i].job()
			bit := uint64(1) << b.slot[j]
			if set&bit == 0 {
				i++
				continue
			}
			set &^= bit
			why := b.refuse(v, j)
			if why == 0 {
				why = b.try(v, j)
			}
			if why != started {
				b.note(p, j, why)
				i++
				continue
			}
			found = true
			front, emptied := i == block.lo, block.hi-block.lo == 1
			q.removeAt(pos, i)
			b.gone(v, j, at)
			if emptied {
				pos--
				break
			}
			if front {
				i = block.lo
			}
		}
		if !found && block.loose && len(q.bounds) > 2 {
			q.tighten(pos)
		}
	}
}

// choose goes through the queue in an order that changes: it takes the best of
// the jobs that fit, which it looks for in blocks in the order of their bounds, as
// far as one may have a better. Blocks stand by processors: behind one that is too
// wide all are.
func (b *backfiller) choose(v *sim.View) {
	q := &b.queue
	b.tries, b.fitting.list = b.tries[:0], b.fitting.list[:0]
	b.fitting.order = b.behind
	for pos := 0; pos < len(q.bounds) && q.bounds[pos].minProcs <= b.wide; pos++ {
		if set := b.turn(v, pos); set != 0 {
			one := reached{infinite, q.bounds[pos].block, q.bounds[pos].minProcs, set}
			if b.same {
				if block := q.block(pos); !block.peak.known {
					_, one.bound = b.look(v, block)
				} else {
					one.bound = b.bound(v, block)
				}
			}
			b.tries = append(b.tries, one)
		}
	}
	b.tries.build()
	if len(b.tries) > 0 && b.same { // bounds grow loose: what may mislead is made tight gradually
		if block := &q.blocks[b.tries[0].block]; block.peak.at < v.Now {
			_, b.tries[0].bound = b.look(v, block)
			b.tries.down(0)
		}
	}
	for {
		for len(b.tries) > 0 && (len(b.fitting.list) == 0 || b.tries[0].bound >= b.fitting.list[0].score) {
			b.collect(v, b.tries.pop())
		}
		if len(b.fitting.list) == 0 {
			return
		}
		one := b.fitting.pop()
		if why := b.try(v, one.job); why != started {
			b.note(&b.pages[one.block], one.job, why)
			continue
		}
		b.leave(v, one.job)
		if b.wide == 0 {
			return
		}
		b.fitting.keep(func(c candidate) bool { return b.may(v, c.job, &b.pages[c.block]) })
		b.tries.keep(func(one *reached) bool {
			if one.procs > b.wide {
				return false
			}
			one.jobs = b.open(&b.pages[one.block], b.free, one.procs, b.wide)
			return one.jobs != 0
		})
	}
}

// collect gathers the jobs of a block that fit.
func (b *backfiller) collect(v *sim.View, one reached) {
	p := &b.pages[one.block]
	for set := one.jobs; set != 0; set &= set - 1 {
		if j := p.jobs[bits.TrailingZeros64(set)]; b.may(v, j, p) {
			b.fitting.push(candidate{b.behind.weigh(v, j, nil), j, one.block})
		}
	}
}

// may says whether a job behind the head may start, and notes why not.
func (b *backfiller) may(v *sim.View, j model.JobID, p *page) bool {
	why := b.refuse(v, j)
	if why != 0 {
		b.note(p, j, why)
	}
	return why == 0
}

// ends returns when a job that starts now in a claim ends at the latest.
func ends(v *sim.View, j model.JobID, claim model.Claim) model.Time { return v.Ends(j, claim) }

// try starts a job behind the head if it does not delay it, and says so, or why
// not. It stays in the line.
func (b *backfiller) try(v *sim.View, j model.JobID) refusal {
	need := &v.Needs[j]
	if v.Site.Platform.PowerScales || b.ends(v, j, model.Claim{}) <= b.shadow {
		claim, ok := b.free.Place(need)
		if !ok {
			return 0
		}
		if b.ends(v, j, claim) <= b.shadow {
			b.start(v, j, claim, report.BackfilledBeforeShadow)
			return started
		}
	}
	b.leftOver()
	claim, ok := b.both.Place(need)
	if !ok {
		return byHead
	}
	b.extra.Take(need, claim)
	b.start(v, j, claim, report.BackfilledExtra)
	return started
}
