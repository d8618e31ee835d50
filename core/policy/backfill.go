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
	foretold     bool        // reservations and what may pass them go by View.Book: EASY++
	chooses      chooses     // asked at each pass; nil: the order is always the same

	running running
	until   []model.Time   // by job: requested end of those that run
	free    *resource.Pool // now, after what this pass has started
	extra   *resource.Pool // what the head leaves over from its reservation on
	both    *resource.Pool // what is free and left over, unless spare is −1
	wide    int32          // most processors that a job may find in free
	spare   int32          // the same in both; −1: not known
	brief   model.Time
	out     []sim.Decision
	from    int // first decision of this pass

	refusals

	view    *sim.View
	fitting candidates
	tries   bounded

	known       bool // head, shadow and extra hold
	head        model.JobID
	kept        model.JobID // −1: none
	shadow      model.Time
	reservation model.Claim
	named       []uint64 // the processors that it holds on View.Space, where that names them

	always   bool           // passes go by View.Space even where nothing lies ahead: for tests
	beside   bool           // they do
	reserved bool           // something is reserved, or was
	rises    int            // of View.Space after the last pass; −1: there was none beside
	reach    resource.Reach // of what is free on View.Space, where a number says so:
	plain    bool           // it does,
	cluster  int32          // there
}

// chooses is told of passes and starts by a backfiller whose order may be another
// from one pass to the next.
type chooses interface {
	// choose says whether the order is another from now on.
	choose(v *sim.View) bool
	began(v *sim.View, j model.JobID)
}

// Reset prepares for a new simulation.
func (b *backfiller) Reset(v *sim.View) {
	b.running.reset()
	b.beside, b.reserved, b.rises, b.until = false, false, -1, resize(b.until, len(v.Jobs))
	for j := range b.until {
		b.until[j] = model.Never
	}
	b.free, b.extra, b.both = v.Site.NewPool(), v.Site.NewPool(), v.Site.NewPool()
	b.known, b.head, b.kept, b.view, b.spare = false, -1, -1, v, -1
	b.refusals.reset(v.Site, len(v.Jobs))
	b.wide = b.free.Widest()
	b.count(v.Site, b.free)
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
	b.out, b.from = out, len(out)
	beside := b.meets(v)
	b.join(v)
	b.expire(v)
	if b.chooses != nil && b.queue.count > 1 && b.chooses.choose(v) {
		b.known = false
	}
	switch {
	case b.queue.count == 0:
		b.known, b.head, b.anew, b.eased = false, -1, false, false
		b.gained = b.gained[:0]
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
	if len(v.Ended)+len(v.Back) > 0 {
		b.known = false
		b.free.CopyFrom(v.Free)
		b.wide = b.free.Widest()
		b.count(v.Site, b.free)
		b.anew = b.anew || len(v.Back) > 0 || !v.Site.Platform.Limits.None()
	}
	if b.beside {
		b.gained = b.gained[:0] // nobody asks any more
	}
	defer b.correct(v)
	for _, j := range v.Ended {
		b.running.remove(b.until[j], j)
		b.eased = b.eased || b.until[j] > v.Now
		for _, part := range v.Held[j].Parts {
			r := v.Site.Rank(part.Node)
			if !slices.Contains(b.gained, r) {
				b.gained = append(b.gained, r)
			}
		}
	}
	b.admit(v)
	if b.alone(v) {
		return
	}
	for _, list := range [...][]model.JobID{v.Back, v.New} {
		for _, j := range list {
			if b.prio != nil {
				b.prio.join(v, j)
			}
			if at := b.add(v, j); b.strict {
			} else if b.queue.blocks[at].torn {
				b.page(&b.queue, at, v.Needs)
			} else {
				b.put(at, j, &v.Needs[j])
			}
		}
	}
	for _, j := range v.Back {
		if b.until[j] < model.Never { // else it was a reservation until now
			b.running.remove(b.until[j], j)
		}
	}
}

// alone starts a job that comes while nobody waits, if it fits, without a place in
// the line. Most jobs of a machine that is not full come like this.
func (b *backfiller) alone(v *sim.View) bool {
	if b.queue.count+len(v.Back) > 0 || len(v.New) != 1 || b.beside || b.prio != nil || v.Due != nil {
		return false
	}
	j := v.New[0]
	claim, ok := b.free.Place(&v.Needs[j])
	if ok {
		b.start(v, j, claim, report.StartedInOrder)
	}
	return ok
}

// expire gives up jobs that would be stopped at their due time, which has come.
func (b *backfiller) expire(v *sim.View) {
	if v.Due != nil {
		for _, j := range b.expired(v) {
			b.leave(v, j)
			b.out = append(b.out, sim.Decision{Verb: sim.Reject, Job: j})
		}
	}
	if b.prio != nil {
		b.prio.begin(v, &b.line)
	}
}

// leave takes a job out of the line.
func (b *backfiller) leave(v *sim.View, j model.JobID) {
	b.gone(v, j, b.queue.remove(b.rank(j)))
}

// gone notes that a job was taken out of a block of the queue.
func (b *backfiller) gone(v *sim.View, j model.JobID, at int32) {
	if !b.strict && !b.queue.blocks[at].torn {
		b.take(at, j, &v.Needs[j])
	}
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
		claim, ok := b.free.Place(&v.Needs[j])
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
		b.brief = b.within(v)
		b.eased = b.eased || head != b.head || shadow != b.shadow || !slices.Equal(where.Parts, b.reservation.Parts)
	}
	if head >= 0 && head != j && b.here[head] {
		if at := b.queue.bounds[b.queue.find(b.rank(head))].block; !b.strict && !b.queue.blocks[at].torn {
			b.note(&b.pages[at], head, 0)
		}
	}
}

// arrivals tries the jobs that have just come: the head and its reservation are
// as they were, and nothing has become free.
func (b *backfiller) arrivals(v *sim.View) {
	b.brief = b.within(v)
	b.late = append(b.late[:0], v.New...)
	for _, j := range b.inOrder(v, b.late) {
		if !b.here[j] {
			continue
		}
		why := b.refuse(v, j)
		if why == 0 {
			why = b.try(v, j)
		}
		if why == started {
			b.leave(v, j)
		} else if at := b.queue.bounds[b.queue.find(b.rank(j))].block; !b.queue.blocks[at].torn {
			b.note(&b.pages[at], j, why)
		}
	}
}

// start decides that a job starts now.
func (b *backfiller) start(v *sim.View, j model.JobID, claim model.Claim, why report.Code) {
	b.free.Take(&v.Needs[j], claim)
	b.wide, b.spare = b.free.Widest(), -1
	b.count(v.Site, b.free)
	b.until[j] = b.ends(v, j, claim)
	b.running.add(b.until[j], v.Needs[j].Procs, j)
	if v.Record != nil {
		v.Record.Decide(j, why)
	}
	b.out = append(b.out, sim.Decision{Job: j, Claim: claim})
	if b.chooses != nil {
		b.chooses.began(v, j)
	}
}

// claim returns where a job runs, which may have been decided in this pass.
func (b *backfiller) claim(v *sim.View, j model.JobID) model.Claim {
	if len(b.out) > b.from && v.Start[j] == model.Never {
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
	b.extra.CopyFrom(b.free)
	if cluster, ok := v.Plain(); ok {
		node := v.Site.Counted(cluster)
		at, left := b.running.shadow(b.free.On(node), need.Procs)
		b.extra.Grow(node, left+need.Procs-b.free.On(node))
		b.shadow = at
		b.reservation, _ = b.extra.Place(need)
		b.extra.Take(need, b.reservation)
		return
	}
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

// infinite is a bound that says nothing.
var infinite = math.Inf(1)
