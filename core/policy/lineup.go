package policy

import (
	"cmp"
	"math"
	"slices"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// Lineup puts the jobs that wait on a platform of any kind into an order: pure,
// mixed or by formula. An order that does not change with time is turned into
// ranks once; in any other one a job has a score, the highest first, that holds
// for one instant. The zero value is FCFS, ready for Reset.
type Lineup struct {
	QueueOrder

	ranker  ranker
	scorer  scorer
	live    live      // where users react
	changes bool      // with time
	ranks   []int32   // by job, of an order that does not change
	scores  []float64 // by job, of one that does: as Sort needs them
}

// Reset prepares for a new simulation. A formula that has no value for a job
// sets v.Fault.
func (l *Lineup) Reset(v *sim.View) {
	n := len(v.Jobs)
	l.changes = !l.Order.static()
	if l.Order.Scored() {
		u := uses{jobs: v.Jobs, demands: v.Demands, procs: int32(v.Site.Platform.Procs()), reacting: v.Pool != nil}
		if err := l.scorer.reset(&l.QueueOrder, &u); err != nil && v.Fault == nil {
			v.Fault = err
		}
		l.changes = l.scorer.changes
	}
	l.changes = l.changes || l.Foretold
	if l.changes {
		l.scores = resize(l.scores, n)
		return
	}
	l.ranks = resize(l.ranks, n)
	switch {
	case l.Order.Scored():
		l.ranker.rankScores(l.ranks, l.scorer.scores, l.Newest)
	case v.Pool != nil:
		l.live.reset(&l.ranker, v.Pool, l.Order, l.Newest)
	default:
		l.ranker.rank(l.ranks, v.Jobs, l.Order, l.Newest)
	}
}

// Admit takes note of the jobs that have just been submitted, [v.Arrived,
// v.Next). It is to be called once at each instant, before anything else.
func (l *Lineup) Admit(v *sim.View) {
	switch {
	case v.Arrived == v.Next:
	case l.Order == Mixed && v.Pool != nil && !l.Foretold:
		for j := v.Arrived; j < v.Next; j++ {
			l.scorer.admit(&v.Jobs[j], j)
		}
	case l.Order == Formula && l.changes:
		for j := v.Arrived; j < v.Next; j++ {
			l.score(v, j) // a formula must have a value for each job from the beginning
		}
	case v.Pool != nil && !l.changes:
		l.live.admit(l.ranks, v.Origin, v.Arrived, v.Next)
	}
}

// score returns the score of a job in an order that changes with time.
func (l *Lineup) score(v *sim.View, j model.JobID) float64 {
	job := &v.Jobs[j]
	if l.Order == Formula && v.Book != nil {
		l.scorer.foretold = v.Book.Seconds(j)
	} else if l.Foretold {
		return l.foretold(v, j)
	}
	switch l.Order {
	case LEXP:
		return expansion(v.Now, job.Submit, job.Limit)
	case SEXP:
		return -expansion(v.Now, job.Submit, job.Limit)
	}
	x, err := l.scorer.value(v.Now, job, j, v.Demands)
	if err != nil && v.Fault == nil {
		v.Fault = err
	}
	return x
}

// foretold returns the score of a job with what is predicted in the place of its
// request: the sum of a mixed order, or that of a pure one.
func (l *Lineup) foretold(v *sim.View, j model.JobID) float64 {
	job := v.Jobs[j]
	job.Limit = v.Book.Seconds(j)
	weights, scales := PureWeights(l.Order), Scales{1, 1, 1, 1, 1, 1}
	if l.Order == Mixed {
		weights, scales = l.scorer.weights, l.scorer.scales
	}
	sum := 0.0
	for i, w := range weights {
		switch {
		case w == 0:
		case i == FeatureExp:
			sum += float64(w * expScore(v.Now, &job, scales[i]))
		default:
			sum += float64(w * static(i, &job, scales[i]))
		}
	}
	return sum
}

// Rank returns the place of a job in an order that does not change with time, the
// smaller first; ok is false in one that does.
func (l *Lineup) Rank(j model.JobID) (rank int32, ok bool) {
	if l.changes {
		return 0, false
	}
	return l.ranks[j], true
}

// before says whether job a with score x stands before job b with score y.
func (l *Lineup) before(x float64, a model.JobID, y float64, b model.JobID) bool {
	return x > y || x == y && a < b != l.Newest
}

// First returns the position of the job that stands first; there is one. Jobs
// come in order of submission.
func (l *Lineup) First(v *sim.View, jobs []model.JobID) int {
	best := 0
	if l.changes {
		most := l.score(v, jobs[0])
		for i := 1; i < len(jobs); i++ {
			if x := l.score(v, jobs[i]); l.before(x, jobs[i], most, jobs[best]) {
				best, most = i, x
			}
		}
		return best
	}
	if l.Order == FCFSOrder && !l.Newest {
		return 0
	}
	for i := 1; i < len(jobs); i++ {
		if l.Order == FCFSOrder && v.Jobs[jobs[i]].Submit > v.Jobs[jobs[0]].Submit {
			break
		}
		if l.ranks[jobs[i]] < l.ranks[jobs[best]] {
			best = i
		}
	}
	return best
}

// Sort puts jobs into the order.
func (l *Lineup) Sort(v *sim.View, jobs []model.JobID) {
	if !l.changes {
		slices.SortFunc(jobs, func(a, b model.JobID) int { return cmp.Compare(l.ranks[a], l.ranks[b]) })
		return
	}
	for _, j := range jobs {
		l.scores[j] = l.score(v, j)
	}
	slices.SortFunc(jobs, func(a, b model.JobID) int {
		if l.before(l.scores[a], a, l.scores[b], b) {
			return -1
		}
		return 1
	})
}

// weigh is score; it notes how fast that may rise: the expansion factor by
// 1 ÷ p̃ a second, a formula nobody knows how.
func (l *Lineup) weigh(v *sim.View, j model.JobID, at *peak) float64 {
	x := l.score(v, j)
	if at == nil {
		return x
	}
	rise := 1 / float64(v.Jobs[j].Limit)
	if l.Foretold { // a completion may change every score
		at.rise = infinite
		return x
	}
	switch l.Order {
	case SEXP:
		rise = -rise
	case Mixed:
		rise *= l.scorer.weights[FeatureExp] / l.scorer.scales[FeatureExp]
		at.size = max(at.size, math.Abs(l.scorer.scores[j])+math.Abs(l.scorer.tail[j]))
	case Formula:
		rise = infinite
	}
	if at.jobs == 0 || rise > at.rise {
		at.rise = rise
	}
	return x
}

// bound lets all scores rise as fast as the fastest, and leaves room for rounding.
func (l *Lineup) bound(v *sim.View, at *peak) float64 {
	if at.rise == infinite {
		return infinite
	}
	x := at.most + at.rise*float64(v.Now-at.at)
	return x + 1e-9*(1+math.Abs(x)+at.size)
}
