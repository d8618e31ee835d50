package policy

import (
	"slices"

	"batchlab/core/expr"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/sim"
)

// EASY is EASY (aggressive) backfilling with any primary and backfill order
// (rule 8; Lifka 1995, Mu'alem and Feitelson 2001; orders and threshold as in
// Legrand, Trystram and Zrigui 2018). The zero value is plain EASY: FCFS order,
// FCFS backfilling, ties to the oldest, no threshold.
//
// Three observations make it fast. When no waiting job fits in what is free,
// there is nothing to decide, and the head need not even be known. While
// nothing ends and the head stays the same, its shadow time and extra
// processors stay the same too, and only the new job is tested. And most of a
// long queue is stepped over by the bounds of its blocks.
type CountedEASY struct {
	Order, Backfill Order
	Newest          bool // ties go to the job submitted last (rule 6)
	UseThreshold    bool
	Threshold       model.Time // jobs that have waited strictly longer stand first, by submission

	Weights Weights       // of the order Mixed
	Scales  Scales        // of the order Mixed; zeros are the defaults
	Formula *expr.Program // of the order Formula, by NewFormula

	Foretold bool // both orders go by what is foretold; NewEASY alone knows it

	// The same of the backfill order.
	BackfillWeights Weights
	BackfillScales  Scales
	BackfillFormula *expr.Program

	Basis *Basis // when not nil, computed before for the jobs and this Backfill, Newest and Scales

	ranker  ranker
	scorer  scorer        // of the primary order
	behind  scorer        // of the backfill order
	rank    []int32       // by job, in backfill order (FCFS where that changes with time)
	primary []int32       // by job, in primary order, when own
	age     []model.JobID // job by rank of submission, when Newest and UseThreshold
	ranks   []int32       // memory of rank without a Basis
	ages    []int32       // scratch

	ageMemory []model.JobID // memory of age without a Basis

	reacting              bool // users react: ranks are given as jobs come
	liveRank, livePrimary live

	byScore bool // Order is Mixed or Formula
	changes bool // the primary order changes with time
	shifts  bool // the backfill order does
	own     bool // the primary order has ranks of its own

	waiting queue    // in order of rank
	heap    sim.Heap // primary rank << 32 | job; holds jobs that are gone
	gone    []bool   // by job: it has started
	oldest  int      // rank of submission before which all are gone
	running soonest
	fitting []queued  // scratch
	scores  []float64 // by job: of those that fit, in a backfill order that changes

	known  bool // head, shadow and extra hold, and no waiting job could start
	head   model.JobID
	shadow model.Time
	extra  int32

	beside easyBeside
}

// Reset prepares for a new simulation.
func (e *CountedEASY) Reset(v *sim.CountedView) {
	n := len(v.Jobs)
	e.waiting.reset(v.Jobs)
	e.running.reset(n)
	e.heap, e.oldest, e.known, e.reacting = e.heap[:0], 0, false, v.Pool != nil
	e.beside.reset(v)
	e.gone = resize(e.gone, n)
	clear(e.gone)
	u := uses{jobs: v.Jobs, demands: v.Demands, procs: v.Procs, reacting: v.Pool != nil}
	e.resetBackfill(v, &u)
	u.basis = e.Basis
	e.resetPrimary(v, &u)
	if e.UseThreshold && e.Newest {
		e.resetAge(v)
	}
}

// orders returns the primary and the backfill order.
func (e *CountedEASY) orders() (queue, backfill QueueOrder) {
	return QueueOrder{e.Order, e.Newest, e.Weights, e.Scales, e.Formula, e.Foretold},
		QueueOrder{e.Backfill, e.Newest, e.BackfillWeights, e.BackfillScales, e.BackfillFormula, e.Foretold}
}

// resetBackfill prepares the backfill order, in which jobs stand in the queue;
// where it changes with time, they stand there by submission.
func (e *CountedEASY) resetBackfill(v *sim.CountedView, u *uses) {
	e.behind.formula = nil
	e.shifts = !e.Backfill.static()
	by := e.Backfill.orSubmission()
	if e.Backfill.Scored() {
		_, order := e.orders()
		if err := e.behind.reset(&order, u); err != nil && v.Fault == nil {
			v.Fault = err
		}
		if e.shifts, by = e.behind.changes, FCFSOrder; !e.shifts {
			e.ranks = resize(e.ranks, len(v.Jobs))
			e.rank = e.ranks
			e.ranker.rankScores(e.rank, e.behind.scores, e.Newest)
			return
		}
	}
	if e.shifts {
		e.scores = resize(e.scores, len(v.Jobs))
	}
	if e.Basis != nil && e.Basis.rank != nil {
		e.rank = e.Basis.rank
		return
	}
	e.ranks = resize(e.ranks, len(v.Jobs))
	e.rank = e.ranks
	if v.Pool != nil {
		e.liveRank.reset(&e.ranker, v.Pool, by, e.Newest)
	} else {
		e.ranker.rank(e.rank, v.Jobs, by, e.Newest)
	}
}

// resetPrimary prepares the primary order.
func (e *CountedEASY) resetPrimary(v *sim.CountedView, u *uses) {
	e.byScore = e.Order.Scored()
	e.scorer.formula = nil
	if e.byScore {
		order, _ := e.orders()
		if err := e.scorer.reset(&order, u); err != nil && v.Fault == nil {
			v.Fault = err
		}
		e.changes = e.scorer.changes
	} else {
		e.changes = !e.Order.static()
	}
	e.own = !e.changes && (e.byScore || e.Order != e.Backfill)
	if !e.own {
		return
	}
	e.primary = resize(e.primary, len(v.Jobs))
	if e.byScore {
		e.ranker.rankScores(e.primary, e.scorer.scores, e.Newest)
	} else if v.Pool != nil {
		e.livePrimary.reset(&e.ranker, v.Pool, e.Order, e.Newest)
	} else {
		e.ranker.rank(e.primary, v.Jobs, e.Order, e.Newest)
	}
}

// resetAge puts the jobs in order of submission, the newest of equals first.
func (e *CountedEASY) resetAge(v *sim.CountedView) {
	if e.Basis != nil {
		e.age = e.Basis.age
		return
	}
	e.ageMemory = resize(e.ageMemory, len(v.Jobs))
	e.age = e.ageMemory
	if v.Pool != nil {
		return // admit does it
	}
	e.ages = resize(e.ages, len(v.Jobs))
	e.ranker.rank(e.ages, v.Jobs, FCFSOrder, true)
	for j, r := range e.ages {
		e.age[r] = model.JobID(j)
	}
}

// Pass decides at one instant.
func (e *CountedEASY) Pass(v *sim.CountedView, starts []model.JobID) []model.JobID {
	if sim.Ahead && v.Ahead != nil {
		return e.passBeside(v, starts)
	}
	for _, j := range v.Ended {
		e.running.remove(v.Start[j]+v.Jobs[j].Limit, j)
	}
	if e.reacting {
		e.admit(v)
	}
	if e.scorer.formula != nil || e.behind.formula != nil {
		e.value(v)
	}
	free := v.Free
	if v.Next-v.Arrived == 1 {
		j := v.Arrived
		job := &v.Jobs[j]
		switch {
		case e.waiting.count == 0:
			e.known = false
			if job.Procs <= free {
				return e.start(v, starts, j, report.StartedInOrder)
			}
			e.arrive(v, j)
			return starts
		case len(v.Ended) == 0 && e.known && e.keepsHead(v, j):
			if job.Procs <= free {
				if v.Now+job.Limit <= e.shadow {
					return e.start(v, starts, j, report.BackfilledBeforeShadow)
				}
				if job.Procs <= e.extra {
					e.extra -= job.Procs
					return e.start(v, starts, j, report.BackfilledExtra)
				}
			}
			e.arrive(v, j)
			return starts
		}
	}
	for j := v.Arrived; j < v.Next; j++ {
		e.arrive(v, j)
	}
	return e.pass(v, free, starts)
}

// value asks formulas for the jobs that have just come: they must have a value for each
// from the beginning.
func (e *CountedEASY) value(v *sim.CountedView) {
	for j := v.Arrived; j < v.Next; j++ {
		if e.scorer.formula != nil && e.changes {
			e.score(&e.scorer, v, j)
		}
		if e.behind.formula != nil && e.shifts {
			e.score(&e.behind, v, j)
		}
	}
}

// pass walks the primary order, then the backfill order.
func (e *CountedEASY) pass(v *sim.CountedView, free int32, starts []model.JobID) []model.JobID {
	e.known = false
	for {
		if free == 0 || e.waiting.count == 0 || e.waiting.whole.minProcs > free {
			return starts
		}
		e.head = e.top(v)
		procs := v.Jobs[e.head].Procs
		if procs > free {
			e.shadow, e.extra = e.running.shadow(free, procs)
			break
		}
		free -= procs
		e.waiting.remove(e.rank[e.head])
		starts = e.start(v, starts, e.head, report.StartedInOrder)
	}
	e.known = true
	if e.shifts {
		return e.backfillByScore(v, free, starts)
	}
	return e.backfill(v, free, starts)
}

// backfill goes once through the queue in its own order. The head stays, as
// it does not fit.
func (e *CountedEASY) backfill(v *sim.CountedView, free int32, starts []model.JobID) []model.JobID {
	q := &e.waiting
	slack := e.shadow - v.Now
	c := class(free)
	until := uint32(max(0, min(slack, longest)))
	if v := &q.whole; v.minProcs > free || v.minLimit[c] > slack && v.minProcs > e.extra {
		return starts
	}
	looked := false
	for pos := 0; pos < len(q.bounds); pos++ {
		if v := &q.bounds[pos]; v.minProcs > free || v.minLimit[c] > slack && v.minProcs > e.extra {
			continue
		}
		b := q.block(pos)
		looked = true
		found := false
		for i := b.lo; i < b.hi; {
			a := b.asks[i]
			if a.procs() > free || uint32(a) > until && a.procs() > e.extra {
				i++
				continue
			}
			j := b.jobs[i].job()
			job := &v.Jobs[j]
			if job.Limit > slack && job.Procs > e.extra { // both are long beyond measure
				i++
				continue
			}
			why := report.BackfilledBeforeShadow
			if job.Limit > slack {
				why = report.BackfilledExtra
				e.extra -= job.Procs
			}
			found = true
			free -= job.Procs
			starts = e.start(v, starts, j, why)
			front, emptied := i == b.lo, b.hi-b.lo == 1
			q.removeAt(pos, i)
			if free == 0 {
				return starts
			}
			c = class(free)
			if emptied {
				pos--
				break
			}
			if front {
				i = b.lo
			}
		}
		if !found && b.loose && len(q.bounds) > 2 {
			q.tighten(pos)
		}
	}
	if !looked {
		q.join()
	}
	return starts
}

// backfillByScore goes through the rest by what changes with time: the jobs that
// could start are sorted at each pass.
func (e *CountedEASY) backfillByScore(v *sim.CountedView, free int32, starts []model.JobID) []model.JobID {
	slack := e.shadow - v.Now
	e.fitting = e.fitting[:0]
	for pos := range e.waiting.bounds {
		if e.waiting.bounds[pos].minProcs > free {
			continue
		}
		b := e.waiting.block(pos)
		for _, w := range b.jobs[b.lo:b.hi] {
			if job := &v.Jobs[w.job()]; job.Procs <= free && (job.Limit <= slack || job.Procs <= e.extra) {
				e.fitting = append(e.fitting, w)
				e.scores[w.job()] = e.backfillScore(v, w.job())
			}
		}
	}
	e.sortFitting()
	for _, w := range e.fitting {
		why, job := report.BackfilledBeforeShadow, &v.Jobs[w.job()]
		switch {
		case job.Procs > free:
			continue
		case job.Limit > slack:
			if job.Procs > e.extra {
				continue
			}
			why = report.BackfilledExtra
			e.extra -= job.Procs
		}
		free -= job.Procs
		e.waiting.remove(w.rank())
		starts = e.start(v, starts, w.job(), why)
	}
	return starts
}

// sortFitting puts the jobs that could start in order of their scores.
func (e *CountedEASY) sortFitting() {
	slices.SortFunc(e.fitting, func(a, b queued) int {
		p, q := a.job(), b.job()
		if x, y := e.scores[p], e.scores[q]; x > y || x == y && (p < q) != e.Newest {
			return -1
		}
		return 1
	})
}

// backfillScore returns by what a job stands in a backfill order that changes:
// the highest first.
func (e *CountedEASY) backfillScore(v *sim.CountedView, j model.JobID) float64 {
	if e.Backfill.Scored() {
		return e.score(&e.behind, v, j)
	}
	x := expansion(v.Now, v.Jobs[j].Submit, v.Jobs[j].Limit)
	if e.Backfill == SEXP {
		return -x
	}
	return x
}

// before says whether job a with expansion factor x stands before job b with y.
func (e *CountedEASY) before(x float64, a model.JobID, y float64, b model.JobID, o Order) bool {
	if x != y {
		return x > y == (o == LEXP)
	}
	return a < b != e.Newest
}

// start books a job that starts now; it is no longer in the queue.
func (e *CountedEASY) start(v *sim.CountedView, starts []model.JobID, j model.JobID, why report.Code) []model.JobID {
	job := &v.Jobs[j]
	e.gone[j] = true
	e.running.add(v.Now+job.Limit, job.Procs, j)
	if v.Record != nil {
		v.Record.Decide(j, why)
	}
	return append(starts, j)
}

// arrive puts a job into the queue.
func (e *CountedEASY) arrive(v *sim.CountedView, j model.JobID) {
	e.waiting.add(enqueue(e.rank[j], j))
	if e.own {
		e.heap.Push(uint64(e.primary[j])<<32 | uint64(j))
	}
}

// keepsHead says whether the head is still the head although time has passed
// and job j has arrived.
func (e *CountedEASY) keepsHead(v *sim.CountedView, j model.JobID) bool {
	if e.UseThreshold {
		if o := e.eldest(v); v.Now-v.Jobs[o].Submit > e.Threshold {
			return o == e.head
		}
	}
	switch {
	case e.byScore && e.changes: // nobody knows how
		return false
	case e.Order == SEXP: // nothing has a smaller expansion factor than the new job
		return false
	case e.Order == LEXP: // nothing has a larger one than some job that has waited
		return e.topExpansion(v) == e.head
	case e.own:
		return e.primary[e.head] < e.primary[j]
	default:
		return e.rank[e.head] < e.rank[j]
	}
}

// top returns the waiting job that stands first in the primary order.
func (e *CountedEASY) top(v *sim.CountedView) model.JobID {
	if e.UseThreshold {
		if o := e.eldest(v); v.Now-v.Jobs[o].Submit > e.Threshold {
			return o
		}
	}
	switch {
	case e.own:
		for e.gone[uint32(e.heap[0])] {
			e.heap.Pop()
		}
		return model.JobID(uint32(e.heap[0]))
	case !e.changes:
		return e.waiting.first().job()
	case e.byScore:
		return e.topScore(v)
	default:
		return e.topExpansion(v)
	}
}

// eldest returns the waiting job that was submitted first (ties by rule 6).
func (e *CountedEASY) eldest(v *sim.CountedView) model.JobID {
	for {
		j := model.JobID(e.oldest)
		if e.Newest {
			j = e.age[e.oldest]
		}
		if !e.gone[j] {
			return j
		}
		e.oldest++
	}
}

// topExpansion returns the waiting job with the largest or smallest expansion
// factor, stepping over blocks that cannot hold it. Bounds use the same
// division as scores, and rounding is monotone, so they are safe.
func (e *CountedEASY) topExpansion(v *sim.CountedView) model.JobID {
	q := &e.waiting
	largest := e.Order == LEXP
	best := model.JobID(-1)
	var most float64
	for pos := range q.bounds {
		b := q.block(pos)
		if best >= 0 {
			if largest {
				least := q.bounds[pos].minLimit[classes-1]
				if expansion(v.Now, b.oldest, least) < most {
					continue
				}
			} else if expansion(v.Now, b.newest, b.longest) > most {
				continue
			}
		}
		for _, w := range b.jobs[b.lo:b.hi] {
			j := w.job()
			job := &v.Jobs[j]
			x := expansion(v.Now, job.Submit, job.Limit)
			if best < 0 || e.before(x, j, most, best, e.Order) {
				best, most = j, x
			}
		}
	}
	return best
}
