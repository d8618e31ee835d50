package policy

import (
	"math"
	"math/bits"

	"batchlab/core/model"
	"batchlab/core/predict"
	"batchlab/core/report"
	"batchlab/core/sim"
)

// ForesightOptions are the constants of foresight beside those of its predictor.
type ForesightOptions struct {
	Newest    bool       // ties go to the job submitted last
	Threshold model.Time // jobs that have waited strictly longer stand first, by submission
	Step      float64    // ln(p̂ q) and ln p̂ are rounded to multiples of it, so that like jobs tie
	Rollout   *RolloutOptions
}

// ForesightDefaults returns the constants as the study froze them, without
// rollouts.
func ForesightDefaults() ForesightOptions {
	return ForesightOptions{Newest: true, Threshold: 200000, Step: 0.02}
}

// key rounds a score.
func (o *ForesightOptions) key(x float64) int32 { return int32(math.Floor(x/o.Step + 0.5)) }

// CountedForesight is EASY backfilling with the queue in order of ln(p̂ q) and the
// backfill order ln p̂, where p̂ is what predict.Kernel foretells; threshold,
// reservation and the right to backfill go by requested times (docs/papers.md,
// Foresight). It makes no rollouts: beside them the general form takes as long.
//
// Waiting jobs stand by kind (predict.Kind): all jobs of a kind have the same
// keys, ask for the same, and change together, so that a queue of thousands is
// mostly one of some dozens of kinds. Kinds stand in blocks that know who of
// theirs comes first, and at most how little any of them asks for. What the kernel
// predicts anew becomes keys once some waiting job fits: until then no order is
// needed.
type CountedForesight struct {
	ForesightOptions

	kernel *predict.Kernel
	book   *predict.Book
	all    bool // every job is predicted, also those that start at once

	kinds  []lot
	blocks []lots
	next   []int32 // by job: the one of its kind that follows it, −1 none
	prev   []int32
	gone   []bool // by job: it has started
	oldest model.JobID
	count  int

	running running

	known  bool // head, shadow and extra hold, and no waiting job could start
	unsure bool // but somebody who does not fit has come since, and may be the head
	head   model.JobID
	shadow model.Time
	extra  int32
}

// lot is a kind of waiting jobs as passes see it, in the place of its
// predict.Kind.
type lot struct {
	queue, backfill int32       // keys
	procs           int32       // of each
	first, last     model.JobID // the first by ties, and the one at the other end; −1 where there is none
	limit           model.Time
}

// lots are a block of kinds.
type lots struct {
	live     uint64              // those with jobs
	limit    [classes]model.Time // [c]: at most the least of those of classes 0 … c
	procs    int32               // at most the least; the least unless loose
	backfill int32               // at most the least key
	first    uint64              // place of the job that stands first in the queue order, nobody where there is none
	loose    bool
	stale    bool // first is not known
}

const lotsSize = 64

var _ sim.BookKeeper = (*CountedForesight)(nil)

// KeepsBook says that the scheduler writes the book itself: jobs that start at
// once need no prediction.
func (f *CountedForesight) KeepsBook() {}

// Reset prepares for a new simulation. The view's book must be one of a
// predict.Kernel.
func (f *CountedForesight) Reset(v *sim.CountedView) {
	f.book = v.Book
	f.kernel = v.Book.Predictor.(*predict.Kernel)
	f.all = v.Book.Keep || v.Record != nil
	n := len(v.Jobs)
	f.next, f.prev, f.gone = resize(f.next, n), resize(f.prev, n), resize(f.gone, n)
	clear(f.gone)
	f.kinds, f.blocks = f.kinds[:0], f.blocks[:0]
	f.oldest, f.count, f.known, f.unsure = 0, 0, false, false
	f.running.reset()
}

// Pass decides at one instant.
func (f *CountedForesight) Pass(v *sim.CountedView, starts []model.JobID) []model.JobID {
	for _, j := range v.Ended {
		f.running.remove(v.Start[j]+v.Jobs[j].Limit, j)
		f.kernel.End(j, v.Now-v.Start[j])
	}
	free := v.Free
	if v.Next-v.Arrived == 1 {
		j := v.Arrived
		job := &v.Jobs[j]
		switch {
		case f.count == 0 && job.Procs <= free:
			f.known = false
			return f.start(v, starts, j, report.StartedInOrder)
		case f.count > 0 && len(v.Ended) == 0 && f.known && !f.ages(v) && f.sure(v, job.Procs <= free):
			if !f.all && v.Record == nil && job.Procs <= free && (v.Now+job.Limit <= f.shadow || job.Procs <= f.extra) {
				// It starts now, in order or behind the head.
				if v.Now+job.Limit > f.shadow {
					f.extra -= job.Procs
				}
				return f.start(v, starts, j, report.BackfilledBeforeShadow)
			}
			f.arrive(v, j)
			f.unsure = true
			if !f.fits(free) {
				return starts
			}
			if f.sure(v, true) {
				if job.Procs <= free {
					why := report.BackfilledBeforeShadow
					switch {
					case v.Now+job.Limit <= f.shadow:
					case job.Procs <= f.extra:
						why = report.BackfilledExtra
						f.extra -= job.Procs
					default:
						return starts
					}
					f.leave(j)
					return f.start(v, starts, j, why)
				}
				return starts
			}
			return f.pass(v, free, starts)
		}
	}
	for j := v.Arrived; j < v.Next; j++ {
		f.arrive(v, j)
	}
	return f.pass(v, free, starts)
}

// sure says whether the head that is known is still the head, where that matters.
func (f *CountedForesight) sure(v *sim.CountedView, matters bool) bool {
	if matters && f.unsure {
		f.refresh()
		f.unsure = f.top(v) != f.head
		return !f.unsure
	}
	return true
}

// ages says whether somebody has waited for longer than the threshold, so that
// the head may be another with time alone.
func (f *CountedForesight) ages(v *sim.CountedView) bool {
	for f.gone[f.oldest] {
		f.oldest++
	}
	return f.oldest < v.Next && v.Now-v.Jobs[f.oldest].Submit > f.Threshold
}

// arrive puts a job into the queue.
func (f *CountedForesight) arrive(v *sim.CountedView, j model.JobID) {
	if f.all {
		f.book.Submit(j)
	} else {
		f.kernel.Submit(j)
	}
	at := f.kernel.KindOf(j)
	for int(at) >= len(f.kinds) {
		if len(f.kinds)%lotsSize == 0 {
			f.blocks = append(f.blocks, lots{procs: unbounded.minProcs, limit: unbounded.minLimit, backfill: math.MaxInt32, first: nobody})
		}
		f.kinds = append(f.kinds, lot{first: -1, last: -1})
	}
	k, b := &f.kinds[at], &f.blocks[at/lotsSize]
	if k.first < 0 { // its keys follow, as all kinds that are new are among the changed
		k.procs, k.limit = v.Jobs[j].Procs, v.Jobs[j].Limit
		k.first, k.last, f.next[j], f.prev[j] = j, j, -1, -1
		b.live |= 1 << (at % lotsSize)
		b.procs = min(b.procs, k.procs)
		for c := class(k.procs); c < classes && b.limit[c] > k.limit; c++ {
			b.limit[c] = k.limit
		}
	} else if f.Newest {
		f.next[j], f.prev[j], f.prev[k.first] = k.first, -1, j
		k.first = j
	} else {
		f.prev[j], f.next[j], f.next[k.last] = k.last, -1, j
		k.last = j
	}
	if !b.stale {
		f.rises(at)
	}
	f.count++
}

// rises notes that the first of a kind may stand before that of its block.
func (f *CountedForesight) rises(at int32) {
	b, k := &f.blocks[at/lotsSize], &f.kinds[at]
	b.first = min(b.first, place(k.queue, k.first, f.flip()))
}

// leads says whether the first of a kind is that of its block, where that is known.
func (f *CountedForesight) leads(b *lots, k *lot) bool {
	return uint32(b.first)^f.flip() == uint32(k.first)
}

// leave takes a job out of the queue. Its kind in the kernel is left to start.
func (f *CountedForesight) leave(j model.JobID) {
	at := f.kernel.KindOf(j)
	k, b := &f.kinds[at], &f.blocks[at/lotsSize]
	b.stale = b.stale || f.leads(b, k)
	if p := f.prev[j]; p >= 0 {
		f.next[p] = f.next[j]
	} else {
		k.first = f.next[j]
	}
	if n := f.next[j]; n >= 0 {
		f.prev[n] = f.prev[j]
	} else {
		k.last = f.prev[j]
	}
	if k.first < 0 {
		b.live &^= 1 << (at % lotsSize)
		b.loose = b.loose || k.procs == b.procs // who is not the least is not missed
	}
	f.count--
}

// start books a job that starts now; it is no longer in the queue.
func (f *CountedForesight) start(v *sim.CountedView, starts []model.JobID, j model.JobID, why report.Code) []model.JobID {
	job := &v.Jobs[j]
	switch {
	case f.all:
		if f.kernel.KindOf(j) < 0 {
			f.book.Submit(j)
		}
		f.book.Start(j)
	default:
		f.kernel.Start(j)
	}
	f.gone[j] = true
	f.running.add(v.Now+job.Limit, job.Procs, j)
	if v.Record != nil {
		v.Record.Decide(j, why)
	}
	return append(starts, j)
}

// refresh takes over what the kernel has predicted anew.
func (f *CountedForesight) refresh() {
	for _, at := range f.kernel.Changed() {
		if int(at) < len(f.kinds) && f.kinds[at].first >= 0 {
			f.weigh(at)
		}
	}
}

// weigh works out the keys of a kind.
func (f *CountedForesight) weigh(at int32) {
	kind, k, b := f.kernel.Kind(at), &f.kinds[at], &f.blocks[at/lotsSize]
	k.queue, k.backfill = f.key(foresightOrders[0].score(&kind.Estimate, kind.LnProcs)), f.key(kind.Ln)
	b.backfill = min(b.backfill, k.backfill)
	if f.leads(b, k) {
		b.stale = true
	} else if !b.stale {
		f.rises(at)
	}
}

// look makes a block's knowledge of itself good.
func (f *CountedForesight) look(at int) {
	b, flip := &f.blocks[at], f.flip()
	procs, backfill, first := int32(math.MaxInt32), int32(math.MaxInt32), uint64(nobody)
	kinds := f.kinds[at*lotsSize:]
	for live := b.live; live != 0; live &= live - 1 {
		k := &kinds[bits.TrailingZeros64(live)]
		procs, backfill = min(procs, k.procs), min(backfill, k.backfill)
		first = min(first, place(k.queue, k.first, flip))
	}
	b.procs, b.backfill, b.first, b.loose, b.stale = procs, backfill, first, false, false
}

// tighten computes the least limits of a block anew.
func (f *CountedForesight) tighten(at int) {
	b, kinds := &f.blocks[at], f.kinds[at*lotsSize:]
	b.limit = unbounded.minLimit
	for live := b.live; live != 0; live &= live - 1 {
		k := &kinds[bits.TrailingZeros64(live)]
		c := class(k.procs)
		b.limit[c] = min(b.limit[c], k.limit)
	}
	for c := 1; c < classes; c++ {
		b.limit[c] = min(b.limit[c], b.limit[c-1])
	}
}

// fits says whether any waiting job fits in free processors.
func (f *CountedForesight) fits(free int32) bool {
	if f.count == 0 { // a block without jobs asks for the most that there can be
		return false
	}
	for at := range f.blocks {
		b := &f.blocks[at]
		if b.procs <= free && b.loose {
			f.look(at)
		}
		if b.procs <= free {
			return true
		}
	}
	return false
}

// top returns the job that stands first in the queue; one waits.
func (f *CountedForesight) top(v *sim.CountedView) model.JobID {
	if f.ages(v) {
		return f.eldest(v)
	}
	best := uint64(nobody)
	for at := range f.blocks {
		if f.blocks[at].stale {
			f.look(at)
		}
		best = min(best, f.blocks[at].first)
	}
	return model.JobID(uint32(best) ^ f.flip())
}

// eldest returns the waiting job that was submitted first, of several by ties.
func (f *CountedForesight) eldest(v *sim.CountedView) model.JobID {
	j := f.oldest
	if f.Newest {
		for k := j + 1; k < v.Next && v.Jobs[k].Submit == v.Jobs[j].Submit; k++ {
			if !f.gone[k] {
				j = k
			}
		}
	}
	return j
}

// pass walks the queue order, then the backfill order.
func (f *CountedForesight) pass(v *sim.CountedView, free int32, starts []model.JobID) []model.JobID {
	f.known = false
	if free == 0 || !f.fits(free) {
		return starts
	}
	f.refresh()
	for {
		if free == 0 || !f.fits(free) {
			return starts
		}
		f.head = f.top(v)
		procs := v.Jobs[f.head].Procs
		if procs > free {
			f.shadow, f.extra = f.running.shadow(free, procs)
			break
		}
		free -= procs
		f.leave(f.head)
		starts = f.start(v, starts, f.head, report.StartedInOrder)
	}
	f.known, f.unsure = true, false
	return f.fill(v, free, starts)
}

// fill backfills: again and again the first in order of those that may. A block is
// stepped over where none of it may, or where all of it stand behind the best that
// was found. Who may not stands behind all, so that nothing jumps within a block: a
// jump that is taken is dear in WebAssembly.
func (f *CountedForesight) fill(v *sim.CountedView, free int32, starts []model.JobID) []model.JobID {
	slack, flip := f.shadow-v.Now, f.flip()
	for free > 0 {
		best := uint64(nobody)
		c, room := class(free), min(free, f.extra)
		for at := range f.blocks {
			b := &f.blocks[at]
			if b.procs > free || b.limit[c] > slack && b.procs > f.extra || place(b.backfill, 0, 0) > best {
				continue
			}
			kinds := f.kinds[at*lotsSize:]
			least, first := int32(math.MaxInt32), uint64(nobody)
			for live := b.live; live != 0; live &= live - 1 {
				k := &kinds[bits.TrailingZeros64(live)]
				least = min(least, k.backfill)
				fits, stands := free, place(k.backfill, k.first, flip)
				if k.limit > slack {
					fits = room
				}
				if k.procs > fits {
					stands = nobody
				}
				first = min(first, stands)
			}
			b.backfill = least
			if best = min(best, first); first == nobody && len(f.blocks) > 2 {
				f.tighten(at)
			}
		}
		if best == nobody {
			break
		}
		j := model.JobID(uint32(best) ^ flip)
		job := &v.Jobs[j]
		why := report.BackfilledBeforeShadow
		if job.Limit > slack {
			why = report.BackfilledExtra
			f.extra -= job.Procs
		}
		free -= job.Procs
		f.leave(j)
		starts = f.start(v, starts, j, why)
	}
	return starts
}

// nobody stands behind all.
const nobody = math.MaxUint64

// place is where a job stands by its key, and by ties, which flip gives: less is before.
func place(key int32, j model.JobID, flip uint32) uint64 {
	return uint64(uint32(key)^1<<31)<<32 | uint64(uint32(j)^flip)
}

// flip is what turns jobs to the order of ties.
func (f *CountedForesight) flip() uint32 {
	if f.Newest {
		return math.MaxUint32
	}
	return 0
}
