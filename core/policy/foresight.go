package policy

import (
	"math"

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
// Foresight). With rollouts the queue order is chosen among several.
//
// Waiting jobs stand by kind (predict.Kind): all jobs of a kind have the same
// keys, ask for the same, and change together, so that a queue of thousands is
// mostly one of some dozens of kinds. Kinds stand in blocks that know who of
// theirs comes first, and who asks for the least.
type CountedForesight struct {
	ForesightOptions

	kernel *predict.Kernel
	book   *predict.Book
	all    bool // every job is predicted, also those that start at once
	order  int  // index of Candidates: the queue order

	kinds  []lot
	blocks []lots
	next   []int32 // by job: the one of its kind that follows it, −1 none
	prev   []int32
	gone   []bool // by job: it has started
	oldest model.JobID
	count  int

	running running
	fitting []int32
	chooser chooser

	known  bool // head, shadow and extra hold, and no waiting job could start
	head   model.JobID
	shadow model.Time
	extra  int32
}

// lot is a kind of waiting jobs as passes see it, in the place of its
// predict.Kind.
type lot struct {
	queue, backfill int32       // keys
	procs           int32       // of each; more than any machine has where there is no job
	first, last     model.JobID // the first by ties, and the one at the other end
	limit           model.Time
}

// lots are a block of kinds.
type lots struct {
	procs int32      // least
	limit model.Time // least
	top   int32      // the kind whose job stands first in the queue order, −1 none
	stale bool
}

const lotsSize = 64

var (
	_ sim.CountedExplainer = (*CountedForesight)(nil)
	_ sim.BookKeeper       = (*CountedForesight)(nil)
)

// KeepsBook says that the scheduler writes the book itself: jobs that start at
// once need no prediction.
func (f *CountedForesight) KeepsBook() {}

// Trace says whether Choices are kept, with the whole cost of each candidate.
func (f *CountedForesight) Trace(on bool) { f.chooser.Trace = on }

// Choices returns what the rollouts chose in the last simulation, with Trace.
func (f *CountedForesight) Choices() []Choice { return f.chooser.Choices }

// Reset prepares for a new simulation. The view's book must be one of a
// predict.Kernel.
func (f *CountedForesight) Reset(v *sim.CountedView) {
	f.book = v.Book
	f.kernel = v.Book.Predictor.(*predict.Kernel)
	f.all = v.Book.Keep || f.Rollout != nil || v.Record != nil
	n := len(v.Jobs)
	f.next, f.prev, f.gone = resize(f.next, n), resize(f.prev, n), resize(f.gone, n)
	clear(f.gone)
	f.kinds, f.blocks = f.kinds[:0], f.blocks[:0]
	f.oldest, f.count, f.known, f.order = 0, 0, false, 0
	f.running.reset()
	if f.Rollout != nil {
		f.chooser.reset(&f.ForesightOptions, n)
	}
}

// Pass decides at one instant.
func (f *CountedForesight) Pass(v *sim.CountedView, starts []model.JobID) []model.JobID {
	for _, j := range v.Ended {
		f.running.remove(v.Start[j]+v.Jobs[j].Limit, j)
		f.kernel.End(j, v.Now-v.Start[j])
	}
	free := v.Free
	if v.Next-v.Arrived == 1 && f.Rollout == nil {
		j := v.Arrived
		job := &v.Jobs[j]
		switch {
		case f.count == 0 && job.Procs <= free:
			f.known = false
			return f.start(v, starts, j, report.StartedInOrder)
		case f.count > 0 && len(v.Ended) == 0 && f.known && !f.ages(v):
			if !f.all && v.Record == nil && job.Procs <= free && (v.Now+job.Limit <= f.shadow || job.Procs <= f.extra) {
				// It starts now, in order or behind the head.
				if v.Now+job.Limit > f.shadow {
					f.extra -= job.Procs
				}
				return f.start(v, starts, j, report.BackfilledBeforeShadow)
			}
			f.arrive(v, j)
			f.refresh()
			if f.top(v) == f.head {
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
	f.refresh()
	return f.pass(v, free, starts)
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
func (f *CountedForesight) arrive(_ *sim.CountedView, j model.JobID) {
	if f.all {
		f.book.Submit(j)
	} else {
		f.kernel.Submit(j)
	}
	at := f.kernel.KindOf(j)
	for int(at) >= len(f.kinds) {
		if len(f.kinds)%lotsSize == 0 {
			f.blocks = append(f.blocks, lots{top: -1, stale: true})
		}
		f.kinds = append(f.kinds, lot{procs: math.MaxInt32, first: -1, last: -1})
	}
	k := &f.kinds[at]
	if k.first < 0 {
		kind := &f.kernel.Kinds()[at]
		k.procs, k.limit = kind.Procs, kind.Limit
		k.first, k.last, f.next[j], f.prev[j] = j, j, -1, -1
		f.weigh(at)
	} else if f.Newest {
		f.next[j], f.prev[j], f.prev[k.first] = k.first, -1, j
		k.first = j
	} else {
		f.prev[j], f.next[j], f.next[k.last] = k.last, -1, j
		k.last = j
	}
	if b := &f.blocks[at/lotsSize]; !b.stale {
		b.procs, b.limit = min(b.procs, k.procs), min(b.limit, k.limit)
		f.rises(at)
	}
	f.count++
}

// rises notes that the first of a kind may stand before that of its block.
func (f *CountedForesight) rises(at int32) {
	b, k := &f.blocks[at/lotsSize], &f.kinds[at]
	if b.top < 0 || f.before(k.queue, k.first, f.kinds[b.top].queue, f.kinds[b.top].first) {
		b.top = at
	}
}

// leave takes a job out of the queue. Its kind in the kernel is left to start.
func (f *CountedForesight) leave(j model.JobID) {
	at := f.kernel.KindOf(j)
	k := &f.kinds[at]
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
	b := &f.blocks[at/lotsSize]
	b.stale = b.stale || at == b.top
	if k.first < 0 { // what is not the least of its block is not missed
		b.stale = b.stale || k.procs == b.procs || k.limit == b.limit
		k.procs = math.MaxInt32
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
		if f.Rollout != nil {
			f.chooser.start(j, &f.kernel.Kinds()[f.kernel.KindOf(j)].Estimate)
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
	kind, k := &f.kernel.Kinds()[at], &f.kinds[at]
	k.queue, k.backfill = f.key(foresightOrders[f.order].score(&kind.Estimate, kind.LnProcs)), f.key(kind.Ln)
	if b := &f.blocks[at/lotsSize]; b.top == at {
		b.stale = true
	} else if !b.stale {
		f.rises(at)
	}
}

// before says whether kind a stands before b by keys x and y.
func (f *CountedForesight) before(x int32, a model.JobID, y int32, b model.JobID) bool {
	return x < y || x == y && (a < b) != f.Newest
}

// look makes a block's knowledge of itself good.
func (f *CountedForesight) look(at int) *lots {
	b := &f.blocks[at]
	if !b.stale {
		return b
	}
	*b = lots{procs: math.MaxInt32, limit: model.Never, top: -1}
	from := at * lotsSize
	kinds := f.kinds[from:min(from+lotsSize, len(f.kinds))]
	best := -1
	for i := range kinds {
		k := &kinds[i]
		if k.first < 0 {
			continue
		}
		b.procs, b.limit = min(b.procs, k.procs), min(b.limit, k.limit)
		if best < 0 || f.before(k.queue, k.first, kinds[best].queue, kinds[best].first) {
			best = i
		}
	}
	if best >= 0 {
		b.top = int32(from + best)
	}
	return b
}

// fits says whether any waiting job fits in free processors.
func (f *CountedForesight) fits(free int32) bool {
	for at := range f.blocks {
		if f.look(at).procs <= free {
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
	best := int32(-1)
	for at := range f.blocks {
		t := f.look(at).top
		if t >= 0 && (best < 0 || f.before(f.kinds[t].queue, f.kinds[t].first, f.kinds[best].queue, f.kinds[best].first)) {
			best = t
		}
	}
	return f.kinds[best].first
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
	if f.Rollout != nil && f.count > 1 && free > 0 && f.fits(free) {
		f.choose(v, free)
	}
	for {
		if f.count == 0 || free == 0 || !f.fits(free) {
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
	f.known = true
	return f.fill(v, free, starts)
}

// fill backfills: of the kinds that fit, again and again the first in order. What
// does not fit once does not fit later, since what is free and what the head
// leaves over only shrink.
func (f *CountedForesight) fill(v *sim.CountedView, free int32, starts []model.JobID) []model.JobID {
	slack := f.shadow - v.Now
	may := func(k *lot) bool { return k.procs <= free && (k.limit <= slack || k.procs <= f.extra) }
	f.fitting = f.fitting[:0]
	for at := range f.blocks {
		if b := f.look(at); b.procs > free || b.limit > slack && b.procs > f.extra {
			continue
		}
		from := at * lotsSize
		for i := from; i < min(from+lotsSize, len(f.kinds)); i++ {
			if may(&f.kinds[i]) {
				f.fitting = append(f.fitting, int32(i))
			}
		}
	}
	for len(f.fitting) > 0 {
		best, n := int32(-1), 0
		for _, at := range f.fitting {
			k := &f.kinds[at]
			if k.first < 0 || !may(k) {
				continue
			}
			f.fitting[n] = at
			n++
			if best < 0 || f.before(k.backfill, k.first, f.kinds[best].backfill, f.kinds[best].first) {
				best = at
			}
		}
		if f.fitting = f.fitting[:n]; n == 0 {
			break
		}
		k := &f.kinds[best]
		why := report.BackfilledBeforeShadow
		if k.limit > slack {
			why = report.BackfilledExtra
			f.extra -= k.procs
		}
		free -= k.procs
		j := k.first
		f.leave(j)
		starts = f.start(v, starts, j, why)
	}
	return starts
}

// choose asks the rollouts for an order, where it is time to.
func (f *CountedForesight) choose(v *sim.CountedView, free int32) {
	c := &f.chooser
	if !c.due(v.Now) {
		return
	}
	c.begin(v.Now, free)
	kinds := f.kernel.Kinds()
	for at := range f.kinds {
		k := &f.kinds[at]
		for j := k.first; j >= 0; j = f.next[j] {
			c.wait(j, &v.Jobs[j], &kinds[at].Estimate, kinds[at].LnProcs)
		}
	}
	for i := range f.running.jobs {
		r := &f.running.jobs[i]
		c.run(r.job, v.Jobs[r.job].Number, v.Start[r.job], r.end, r.procs)
	}
	if order := c.choose(v.Pulse); order != f.order {
		f.order = order
		for at := range f.kinds {
			if f.kinds[at].first >= 0 {
				f.weigh(int32(at))
			}
		}
	}
}

// Explain says of each waiting job whether processors or the head stand in its
// way.
func (f *CountedForesight) Explain(v *sim.CountedView, note func(model.JobID, report.Code, model.JobID)) {
	if f.count == 0 {
		return
	}
	head := f.top(v)
	for at := range f.kinds {
		for j := f.kinds[at].first; j >= 0; j = f.next[j] {
			switch {
			case j == head:
				note(j, report.WaitProcessors, -1)
			case v.Jobs[j].Procs > v.Free:
				note(j, report.WaitProcessors, head)
			default:
				note(j, report.WaitShadow, head)
			}
		}
	}
}
