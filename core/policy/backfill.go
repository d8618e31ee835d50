package policy

import (
	"math"
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// backfiller is EASY backfilling on any platform (rule 8 of simulation; Techiouba
// et al. 2008, section 1): jobs start in order while they fit; the first that does
// not is the head. Its reservation is the earliest time at which, by the requested
// ends of the running jobs and the calendar, one machine has its processors and
// all its licences are free, on the most powerful such machine. Then each other
// job that fits now starts, in backfill order, if it ends as requested before that
// time, or else on a machine and with licences that the head leaves over.
//
// What a pass has refused does not fit later either, before something becomes free
// or the head changes: what is free and what the head leaves over only shrink, and
// ends only move on. So while jobs come and nothing else happens, only they are
// tried.
type backfiller struct {
	line
	strict       bool // nothing passes the head: FCFS
	keep         bool // who has become the head stays it until it starts
	useThreshold bool
	threshold    model.Time  // jobs that have waited strictly longer stand first, by submission
	newest       bool        // of several, the last submitted
	prio         *priorities // the order is one of priorities

	running running
	until   []model.Time   // by job: requested end of those that run
	free    *resource.Pool // now, after what this pass has started
	extra   *resource.Pool // what the head leaves over from its reservation on
	both    *resource.Pool // what is free and left over, unless spare is −1
	scratch *resource.Pool
	wide    int32 // most processors that a job may find in free
	spare   int32 // the same in both; −1: not known
	brief   model.Time
	out     []sim.Decision
	from    int // first decision of this pass that is a start

	// Why each waiting job was refused last, and what has become free since; see open.
	why    []refusal
	gained []int32 // nodes
	gain   int32   // most processors that a job may find on one of them
	copies uint64  // licences of which some are free; beyond 64, modulo that
	anew   bool    // anything may have become free
	eased  bool    // the head may leave more

	view    *sim.View
	fitting candidates
	tries   []reached

	known       bool // head, shadow and extra hold
	head        model.JobID
	kept        model.JobID // −1: none
	shadow      model.Time
	reservation model.Claim

	beside bool // something is reserved, or was
	undo   []reserved
}

// Reset prepares for a new simulation.
func (b *backfiller) Reset(v *sim.View) {
	b.running.reset()
	b.beside, b.until = false, resize(b.until, len(v.Jobs))
	for j := range b.until {
		b.until[j] = model.Never
	}
	b.free, b.extra, b.both, b.scratch = v.Site.NewPool(), v.Site.NewPool(), v.Site.NewPool(), v.Site.NewPool()
	b.known, b.head, b.kept, b.view, b.spare = false, -1, -1, v, -1
	b.why, b.gained, b.anew, b.eased = resize(b.why, len(v.Jobs)), b.gained[:0], false, false
	b.wide = b.free.Widest()
	b.line.reset(v)
}

// Reservation returns the job that holds the reservation after a pass, the
// time at which it would start by the requests of the running jobs, and where;
// −1 when no job waits.
func (b *backfiller) Reservation() (head model.JobID, at model.Time, where model.Claim) {
	b.settle(b.view)
	return b.head, b.shadow, b.reservation
}

// settle finds the head and its reservation where the last pass had no need of
// them.
func (b *backfiller) settle(v *sim.View) {
	if b.queue.count == 0 {
		b.head = -1
	} else if b.beside && !b.known {
		b.head = b.top(v)
		b.promiseBeside(v)
	} else if !b.known {
		b.promise(v, b.top(v))
	}
}

// Decide starts what fits in order, then fills the gap before the head's
// reservation.
func (b *backfiller) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	b.out = out
	beside := b.meets(v)
	b.join(v)
	b.expire(v)
	b.from = len(b.out)
	switch {
	case b.queue.count == 0:
		b.known, b.head = false, -1
	case beside:
		b.passBeside(v)
	case b.known && b.top(v) == b.head:
		if !b.strict {
			b.arrivals(v)
		}
	default:
		b.pass(v)
	}
	out, b.out = b.out, nil
	return out
}

// join takes over what has happened since the last pass.
func (b *backfiller) join(v *sim.View) {
	if len(v.Ended)+len(v.Back) > 0 || len(v.Site.Platform.Calendar) > 0 {
		b.known = false
		b.free.CopyFrom(v.Free)
		b.wide = b.free.Widest()
		b.anew = b.anew || len(v.Back) > 0 || len(v.Site.Platform.Calendar) > 0 || !v.Site.Platform.Limits.None()
	}
	for _, j := range v.Ended {
		b.running.remove(b.until[j], j)
		b.eased = b.eased || b.until[j] > v.Now
		for _, part := range v.Held[j].Parts {
			b.gained = append(b.gained, v.Site.Rank(part.Node))
		}
	}
	b.admit(v)
	for _, list := range [...][]model.JobID{v.Back, v.New} {
		for _, j := range list {
			if b.prio != nil {
				b.prio.join(v, j)
			}
			b.why[j] = 0
			b.add(v, j)
		}
	}
	for _, j := range v.Back {
		if b.until[j] < model.Never { // else it was a reservation until now
			b.running.remove(b.until[j], j)
		}
	}
}

// expire gives up jobs that would be stopped at their due time, which has come.
func (b *backfiller) expire(v *sim.View) {
	if v.Due == nil {
		return
	}
	for _, j := range b.expired(v) {
		b.leave(v, j)
		b.out = append(b.out, sim.Decision{Verb: sim.Reject, Job: j})
	}
	if b.prio != nil {
		b.prio.begin(v, &b.line)
	}
}

// leave takes a job out of the line.
func (b *backfiller) leave(v *sim.View, j model.JobID) {
	b.queue.remove(b.rank(j))
	b.gone(v, j)
}

// gone notes that a job was taken out of the queue.
func (b *backfiller) gone(v *sim.View, j model.JobID) {
	b.line.gone(v, j)
	if b.prio != nil {
		b.prio.left(v, j)
	}
	if j == b.kept {
		b.kept = -1
	}
}

// top returns the job that stands first; one waits.
func (b *backfiller) top(v *sim.View) model.JobID {
	if b.kept >= 0 {
		return b.kept
	}
	if b.useThreshold {
		if j := b.eldest(v, b.newest); v.Now-v.Jobs[j].Submit > b.threshold {
			return j
		}
	}
	j := b.line.top(v)
	if b.keep {
		b.kept = j
	}
	return j
}

// pass walks the primary order, then the backfill order. Where nothing fits the
// head need not even be known, unless it stays the head.
func (b *backfiller) pass(v *sim.View) {
	b.known = false
	for b.queue.count > 0 {
		if !b.keep && !b.queue.fits(b.wide) {
			b.eased = true
			return
		}
		j := b.top(v)
		claim, ok := b.room(v, j).Place(&v.Needs[j])
		if !ok {
			b.promise(v, j)
			break
		}
		b.leave(v, j)
		b.start(v, j, claim, report.StartedInOrder)
	}
	if b.queue.count < 2 || b.strict {
		b.gained = b.gained[:0]
		return
	}
	b.measure(v)
	if b.settled {
		b.scan(v)
	} else {
		b.choose(v)
	}
	if b.wide > 0 { // all have been tried
		b.anew, b.eased = false, false
	}
	b.gained = b.gained[:0]
}

// promise makes a job the head.
func (b *backfiller) promise(v *sim.View, j model.JobID) {
	head, shadow, where := b.head, b.shadow, b.reservation
	b.head, b.known, b.spare = j, true, -1
	if !b.strict {
		b.reserve(v)
		b.brief = b.short(v, b.shadow-v.Now)
		b.eased = b.eased || head != b.head || shadow != b.shadow || !slices.Equal(where.Parts, b.reservation.Parts)
	}
	if head >= 0 && head != j && b.here[head] {
		b.why[head] = 0
		b.queue.block(b.queue.find(b.rank(head))).fresh = true
	}
}

// arrivals tries the jobs that have just come: the head and its reservation are
// as they were, and nothing has become free.
func (b *backfiller) arrivals(v *sim.View) {
	b.brief = b.short(v, b.shadow-v.Now)
	b.late = append(b.late[:0], v.New...)
	for _, j := range b.inOrder(v, b.late) {
		if b.here[j] && b.fits(v, j) && b.try(v, j) {
			b.leave(v, j)
		}
	}
}

// refusal is why a job could not start: 0 nobody knows, else one of these, or
// from noLicence on a licence of which too few copies were free.
type refusal int16

const (
	noProcessors refusal = 1 + iota // no machine that suits it had as many
	byHead                          // it would have delayed the head
	noLicence
)

// open says whether a job that was refused may fit now; false is certain.
func (b *backfiller) open(v *sim.View, j model.JobID) bool {
	switch why := b.why[j]; {
	case b.anew || why == 0:
		return true
	case why == noProcessors:
		return v.Jobs[j].Procs <= b.gain
	case why == byHead:
		return b.eased || v.Jobs[j].Procs <= b.gain
	default:
		return b.free.Copies(int32(why-noLicence)) > 0
	}
}

// note keeps in a block why one of its jobs was refused.
func (b *backfiller) note(block *block, j model.JobID) {
	switch why := b.why[j]; why {
	case 0:
		block.fresh = true
	case byHead:
		block.headed = true
	case noProcessors:
	default:
		block.lacks |= 1 << (uint(why-noLicence) % 64)
	}
}

// openBlock says whether a job of a block that was refused may fit now.
func (b *backfiller) openBlock(block *block, least int32) bool {
	return b.anew || block.fresh || block.anew || block.headed && b.eased || least <= b.gain || block.lacks&b.copies != 0
}

// measure works out what has become free since the last pass.
func (b *backfiller) measure(v *sim.View) {
	b.gain, b.copies = 0, 0
	for _, r := range b.gained {
		if v.Site.Platform.Clusters[v.Site.Nodes[r].Cluster].Packing == model.PackNodes {
			b.gain = b.wide
		}
		b.gain = max(b.gain, b.free.On(int(r)))
	}
	for l := range v.Site.Platform.Licences {
		if b.free.Copies(int32(l)) > 0 {
			b.copies |= 1 << (uint(l) % 64)
		}
	}
}

// fits says whether a job behind the head fits and may start, as far as can be
// told without a place for it; if not, it notes why.
func (b *backfiller) fits(v *sim.View, j model.JobID) bool {
	job := &v.Jobs[j]
	if j == b.head {
		return false
	}
	if job.Procs > b.wide {
		b.why[j] = noProcessors
		return false
	}
	brief := job.Limit <= b.brief
	if !brief && job.Procs > b.leftOver() {
		b.why[j] = byHead
		return false
	}
	need := &v.Needs[j]
	if l := b.free.Lacks(need); l >= 0 {
		b.why[j] = noLicence + refusal(l)
		return false
	}
	if !b.free.Seats(need) {
		b.why[j] = noProcessors
		return false
	}
	if !brief && !b.both.Fits(need) {
		b.why[j] = byHead
		return false
	}
	return true
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

// turn says whether a block is to be looked at: one of its jobs may have become
// able to start.
func (b *backfiller) turn(pos int) bool {
	block := b.queue.block(pos)
	if !b.openBlock(block, b.queue.bounds[pos].minProcs) {
		return false
	}
	if !b.mayBlock(pos) {
		block.anew = true // next time: nobody notes why
		return false
	}
	return true
}

// scan goes once through the queue in its own order.
func (b *backfiller) scan(v *sim.View) {
	q := &b.queue
	for pos := 0; pos < len(q.bounds) && b.wide > 0; pos++ {
		if !b.turn(pos) {
			continue
		}
		block, found := q.block(pos), false
		anew := block.look()
		for i := block.lo; i < block.hi; {
			j := block.jobs[i].job()
			if !(anew || b.open(v, j)) || !b.fits(v, j) || !b.try(v, j) {
				b.note(block, j)
				i++
				continue
			}
			found = true
			front, emptied := i == block.lo, block.hi-block.lo == 1
			q.removeAt(pos, i)
			b.gone(v, j)
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
// far as one may have a better.
func (b *backfiller) choose(v *sim.View) {
	q := &b.queue
	b.tries, b.fitting.list = b.tries[:0], b.fitting.list[:0]
	b.fitting.order = b.behind
	for pos := range q.bounds {
		if b.turn(pos) {
			one := reached{infinite, q.bounds[pos].block, q.bounds[pos].minProcs}
			if b.first == b.behind {
				one.bound = b.bound(v, q.block(pos))
			}
			b.tries = append(b.tries, one)
		}
	}
	sortReached(b.tries)
	for next := 0; b.wide > 0; {
		for ; next < len(b.tries) && (len(b.fitting.list) == 0 || b.tries[next].bound >= b.fitting.list[0].score); next++ {
			if one := &b.tries[next]; b.openBlock(&q.blocks[one.block], one.procs) {
				b.collect(v, one.block)
			}
		}
		if len(b.fitting.list) == 0 {
			return
		}
		one := b.fitting.pop()
		if b.fits(v, one.job) && b.try(v, one.job) {
			b.leave(v, one.job)
			b.fitting.keep(func(c candidate) bool { return b.open(v, c.job) })
		} else {
			b.note(&q.blocks[one.block], one.job)
		}
	}
}

// collect gathers the jobs of a block that fit.
func (b *backfiller) collect(v *sim.View, at int32) {
	block := &b.queue.blocks[at]
	anew := block.look()
	for _, w := range block.jobs[block.lo:block.hi] {
		j := w.job()
		if (anew || b.open(v, j)) && b.fits(v, j) {
			if anew {
				b.why[j] = 0
			}
			b.fitting.push(candidate{b.behind.weigh(v, j, nil), j, at})
		}
		b.note(block, j)
	}
}

// ends returns when a job that starts now in a claim ends at the latest.
func ends(v *sim.View, j model.JobID, claim model.Claim) model.Time {
	end := v.Now + v.Limit(j, claim)
	if v.Kills(j) {
		end = min(end, v.Due[j])
	}
	return end
}

// try starts a job behind the head if it does not delay it. It stays in the line.
func (b *backfiller) try(v *sim.View, j model.JobID) bool {
	need, room := &v.Needs[j], b.room(v, j)
	if v.Site.Platform.PowerScales || ends(v, j, model.Claim{}) <= b.shadow {
		claim, ok := room.Place(need)
		if !ok { // not for as long as it may run
			b.why[j] = 0
			return false
		}
		if ends(v, j, claim) <= b.shadow {
			b.start(v, j, claim, report.BackfilledBeforeShadow)
			return true
		}
	}
	if room == b.free {
		b.leftOver()
		room = b.both
	} else {
		room.Min(b.extra)
	}
	claim, ok := room.Place(need)
	if ok {
		b.extra.Take(need, claim)
		b.start(v, j, claim, report.BackfilledExtra)
	} else {
		b.why[j] = byHead
	}
	return ok
}

// start decides that a job starts now.
func (b *backfiller) start(v *sim.View, j model.JobID, claim model.Claim, why report.Code) {
	b.free.Take(&v.Needs[j], claim)
	b.wide, b.spare = b.free.Widest(), -1
	b.measure(v)
	b.until[j] = ends(v, j, claim)
	b.running.add(b.until[j], v.Needs[j].Procs, j)
	if v.Record != nil {
		v.Record.Decide(j, why)
	}
	b.out = append(b.out, sim.Decision{Job: j, Claim: claim})
}

// claim returns where a job runs, which may have been decided in this pass.
func (b *backfiller) claim(v *sim.View, j model.JobID) model.Claim {
	if v.Start[j] == model.Never {
		for i := b.from; i < len(b.out); i++ {
			if b.out[i].Job == j {
				return b.out[i].Claim
			}
		}
	}
	return v.Held[j]
}

// reserve finds the head's reservation and what it leaves over.
func (b *backfiller) reserve(v *sim.View) {
	need := &v.Needs[b.head]
	b.shadow, b.reservation = model.Never, model.Claim{}
	if len(v.Site.Platform.Calendar) > 0 {
		b.reserveAround(v, need)
		return
	}
	b.extra.CopyFrom(b.free)
	jobs := b.running.jobs
	for i := range jobs {
		r := &jobs[i]
		b.extra.Give(&v.Needs[r.job], b.claim(v, r.job))
		if i+1 < len(jobs) && jobs[i+1].end == r.end {
			continue
		}
		if claim, ok := b.extra.Place(need); ok {
			b.shadow, b.reservation = r.end, claim
			b.extra.Take(need, claim)
			return
		}
	}
}

// Explain says of each waiting job whether a licence, processors, a limit, what
// the calendar takes or the head stand in its way.
func (b *backfiller) Explain(v *sim.View, note func(model.JobID, report.Code, model.JobID)) {
	b.settle(v)
	b.queue.each(func(j model.JobID) {
		head := b.head
		if j == head {
			head = -1
		}
		switch need := &v.Needs[j]; {
		case b.beside:
			note(j, b.whyBeside(v, j), head)
		case !v.Free.Licensed(need):
			note(j, report.WaitLicences, head)
		case b.booked(v, j):
			note(j, report.WaitReservation, head)
		case j == b.head || !v.Free.Fits(need):
			note(j, report.WaitProcessors, head)
		case b.prio != nil:
			note(j, report.WaitPriority, head)
		default:
			note(j, report.WaitShadow, head)
		}
	})
}

// booked says whether a job waits for what the calendar takes: it would fit if
// nothing were taken now, or it fits now and would run into an entry.
func (b *backfiller) booked(v *sim.View, j model.JobID) bool {
	if len(v.Site.Platform.Calendar) == 0 {
		return false
	}
	need := &v.Needs[j]
	if v.Free.Fits(need) {
		b.scratch.CopyFrom(v.Free)
		b.clear(v, b.scratch, v.Now, v.Now+longest(v, j))
		return !b.scratch.Fits(need)
	}
	b.scratch.CopyFrom(v.Free)
	b.scratch.Unbooked(v.Now)
	return b.scratch.Fits(need)
}

// infinite is a bound that says nothing.
var infinite = math.Inf(1)
