package policy

import (
	"errors"
	"fmt"
	"math"

	"batchlab/core/expr"
	"batchlab/core/model"
	"batchlab/core/sim"
)

// Orders by a score that the user composes; the highest score stands first.
const (
	// Mixed is the order by wᵀx, a weighted sum of the six features (Legrand,
	// Trystram and Zrigui 2018, equation 3): QueueOrder.Weights and Scales.
	Mixed = LRF + 1 + iota
	// Formula is the order by the value of QueueOrder.Formula.
	Formula
)

// The features of a waiting job, in the order in which a mixed score sums them.
const (
	FeatureQ    = iota // processors q
	FeatureP           // requested time p̃ in seconds
	FeatureWait        // time waited in seconds; −submission in a mixed score
	FeatureRho         // ratio p̃ ÷ q
	FeatureExp         // expansion factor (wait + p̃) ÷ p̃
	FeatureArea        // area p̃ · q
	Features           // how many there are
)

// Weights are the weights of the features in a mixed order.
type Weights [Features]float64

// Scales are what features are divided by before they are weighed. An entry 0
// stands for the default: the machine's processors for q, a day for p̃, wait
// and ρ, a day of the whole machine for the area, 1 for exp. All ones leave
// the features raw.
type Scales [Features]float64

// Resolve fills in the defaults for a machine of procs processors.
func (s Scales) Resolve(procs int32) Scales {
	const day = 86400
	for i, v := range (Scales{float64(procs), day, day, day, 1, day * float64(procs)}) {
		if s[i] == 0 {
			s[i] = v
		}
	}
	return s
}

// NewWeights returns the weights of a mixed order over the first 3 (q, p̃,
// wait) or all 6 features, divided by the sum of their absolute values: only
// their direction matters, and ‖w‖₁ = 1. Weights that already sum to 1, within
// 1e-9, stay as they are to the last bit. It fails on another number of
// weights, on all zeros, and on what is not finite.
func NewWeights(w []float64) (Weights, error) {
	var v Weights
	if len(w) != 3 && len(w) != Features {
		return v, fmt.Errorf("a mixed order has 3 weights (q, p, wait) or 6 (q, p, wait, rho, exp, a), not %d", len(w))
	}
	largest := 0.0
	for i, x := range w {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return v, fmt.Errorf("weight %d is not a finite number", i+1)
		}
		largest = max(largest, math.Abs(x))
	}
	if largest == 0 {
		return v, errors.New("all weights are 0: a mixed order needs one that is not")
	}
	norm := 0.0
	for _, x := range w {
		norm += math.Abs(x)
	}
	if math.Abs(norm-1) <= 1e-9 {
		copy(v[:], w)
		return v, nil
	}
	norm = 0
	for _, x := range w { // of w ÷ largest, which cannot overflow
		norm += math.Abs(x / largest)
	}
	for i, x := range w {
		v[i] = x / largest / norm
	}
	return v, nil
}

// PureWeights returns the weights under which a mixed order is one of the 12
// pure ones, up to ties: LCFS is −1 on wait, SAF −1 on the area.
func PureWeights(o Order) (w Weights) {
	switch o {
	case FCFSOrder:
		w[FeatureWait] = 1
	case LCFS:
		w[FeatureWait] = -1
	case SPF:
		w[FeatureP] = -1
	case LPF:
		w[FeatureP] = 1
	case SQF:
		w[FeatureQ] = -1
	case LQF:
		w[FeatureQ] = 1
	case SAF:
		w[FeatureArea] = -1
	case LAF:
		w[FeatureArea] = 1
	case SEXP:
		w[FeatureExp] = -1
	case LEXP:
		w[FeatureExp] = 1
	case SRF:
		w[FeatureRho] = -1
	case LRF:
		w[FeatureRho] = 1
	}
	return w
}

// Scored says whether an order is one by score.
func (o Order) Scored() bool { return o == Mixed || o == Formula }

// NewFormula compiles a formula over the features of a job, unscaled, and what
// else is known of it: see expr.JobFeatures. Errors point at the column.
func NewFormula(text string) (*expr.Program, error) { return expr.Compile(text, expr.JobFeatures) }

// QueueOrder is an order of waiting jobs with all that it needs. The zero value
// is FCFS.
type QueueOrder struct {
	Order   Order
	Newest  bool          // ties go to the job submitted last (rule 6)
	Weights Weights       // of Mixed
	Scales  Scales        // of Mixed; zeros are the defaults
	Formula *expr.Program // of Formula, by NewFormula
	// Foretold puts what View.Book foretells in the place of the requested time, in
	// all but formulas, which have a name of its own for it. General forms know it.
	Foretold bool
}

// static returns the feature i of a job scaled, for those that do not change
// with time: one division of exact whole numbers where the scale is one.
func static(i int, j *model.Job, scale float64) float64 {
	switch i {
	case FeatureQ:
		return float64(j.Procs) / scale
	case FeatureP:
		return float64(j.Limit) / scale
	case FeatureWait:
		return float64(-j.Submit) / scale
	case FeatureRho:
		return float64(j.Limit) / float64(float64(j.Procs)*scale)
	default:
		return float64(j.Limit*model.Time(j.Procs)) / scale
	}
}

// expScore is the scaled expansion factor of a job.
func expScore(now model.Time, j *model.Job, scale float64) float64 {
	return float64(now-j.Submit+j.Limit) / float64(float64(j.Limit)*scale)
}

// Basis is what simulations of one workload under many orders share: the
// features of its jobs and the ranks of the backfill order.
type Basis struct {
	rank     []int32 // nil where the backfill order is one by score
	age      []model.JobID
	features [Features][]float64 // none of the expansion factor
}

// NewBasis returns the basis for EASY.Basis: simulations of these jobs on a
// machine of procs processors with the Backfill, Newest and Scales of e, which
// is not changed.
func NewBasis(jobs []model.Job, procs int32, e *CountedEASY) *Basis {
	b := &Basis{age: make([]model.JobID, len(jobs))}
	var r ranker
	if !e.Backfill.Scored() {
		b.rank = make([]int32, len(jobs))
		r.rank(b.rank, jobs, e.Backfill.orSubmission(), e.Newest)
	}
	ages := make([]int32, len(jobs))
	r.rank(ages, jobs, FCFSOrder, e.Newest)
	for j, k := range ages {
		b.age[k] = model.JobID(j)
	}
	scales := e.Scales.Resolve(procs)
	for i := range b.features {
		if i == FeatureExp {
			continue
		}
		b.features[i] = make([]float64, len(jobs))
		for j := range jobs {
			b.features[i][j] = static(i, &jobs[j], scales[i])
		}
	}
	return b
}

// Feature returns the scaled values of a feature by job; none of FeatureExp,
// which changes with time. They must not be changed.
func (b *Basis) Feature(i int) []float64 { return b.features[i] }

// scorer computes the scores of mixed orders and formulas.
type scorer struct {
	weights Weights
	scales  Scales // resolved
	formula *expr.Program
	changes bool      // scores change with time
	scores  []float64 // by job: all of a score that does not, or its part up to exp
	tail    []float64 // by job: the part behind exp
	values  [expr.JobVariables]float64

	foretold model.Time // of the job that is looked at, in a formula
}

// uses is what a score is computed from.
type uses struct {
	jobs     []model.Job
	demands  []model.Demand // of jobs that have some
	procs    int32          // of the platform: what the default scales go by
	reacting bool           // jobs are known only once they are submitted
	basis    *Basis         // nil: none
}

// reset computes what does not change with time. Each product of a mixed score
// is rounded, and the sum goes in the order of the features.
func (s *scorer) reset(q *QueueOrder, u *uses) error {
	n := len(u.jobs)
	s.scores = resize(s.scores, n)
	if q.Order == Formula {
		s.formula = q.Formula
		s.changes = s.formula.Uses(FeatureWait) || s.formula.Uses(FeatureExp) || s.formula.Uses(expr.Foretold) || u.reacting
		if !s.changes {
			for j := range u.jobs {
				x, err := s.value(0, &u.jobs[j], model.JobID(j), u.demands)
				if err != nil {
					return err
				}
				s.scores[j] = x
			}
		}
		return nil
	}
	s.formula, s.weights, s.scales = nil, q.Weights, q.Scales.Resolve(u.procs)
	s.changes = s.weights[FeatureExp] != 0 || u.reacting
	clear(s.scores)
	if u.reacting {
		s.tail = resize(s.tail, n)
		return nil // admit does the rest
	}
	for i := range FeatureExp {
		s.add(s.scores, u.jobs, i, u.basis)
	}
	last := s.scores
	if s.changes {
		s.tail = resize(s.tail, n)
		clear(s.tail)
		last = s.tail
	}
	s.add(last, u.jobs, FeatureArea, u.basis)
	return nil
}

// add adds the product of a feature and its weight to sums. A product of 0
// changes no sum.
func (s *scorer) add(sums []float64, jobs []model.Job, i int, b *Basis) {
	w := s.weights[i]
	if w == 0 {
		return
	}
	if b != nil {
		for j, x := range b.features[i][:len(sums)] {
			sums[j] += float64(w * x)
		}
		return
	}
	for j := range sums {
		sums[j] += float64(w * static(i, &jobs[j], s.scales[i]))
	}
}

// admit computes what does not change with time for one job.
func (s *scorer) admit(job *model.Job, j model.JobID) {
	sum := 0.0
	for i := range FeatureExp {
		if w := s.weights[i]; w != 0 {
			sum += float64(w * static(i, job, s.scales[i]))
		}
	}
	s.scores[j], s.tail[j] = sum, float64(s.weights[FeatureArea]*static(FeatureArea, job, s.scales[FeatureArea]))
}

// weighed returns the score of a job at a time in a mixed order.
func (s *scorer) weighed(now model.Time, job *model.Job, j model.JobID) float64 {
	return s.scores[j] + float64(s.weights[FeatureExp]*expScore(now, job, s.scales[FeatureExp])) + s.tail[j]
}

// value returns the score of a job at a time, and an error where a formula has
// none.
func (s *scorer) value(now model.Time, job *model.Job, j model.JobID, demands []model.Demand) (float64, error) {
	if s.formula == nil {
		return s.weighed(now, job, j), nil
	}
	wait := now - job.Submit
	due := model.Time(expr.NoDue)
	if job.Demand > 0 && demands[job.Demand-1].Due > 0 {
		due = demands[job.Demand-1].Due
	}
	s.values = [expr.JobVariables]float64{
		float64(job.Procs), float64(job.Limit), float64(wait), float64(job.Limit) / float64(job.Procs),
		float64(wait+job.Limit) / float64(job.Limit), float64(job.Limit * model.Time(job.Procs)),
		float64(job.Submit), float64(job.User), float64(due), float64(s.foretold),
	}
	x := s.formula.Eval(s.values[:])
	if x-x != 0 { // NaN or infinite
		at := fmt.Sprintf("when it had waited %d s", wait)
		if !s.changes {
			at = fmt.Sprintf("with p = %d s and q = %d", job.Limit, job.Procs)
		}
		return x, fmt.Errorf("formula %q has no value for job %d %s: %w", s.formula, job.Number, at, s.formula.Fault(s.values[:]))
	}
	return x, nil
}

// rankScores fills ranks by descending score, ties as for the other orders.
func (r *ranker) rankScores(ranks []int32, scores []float64, newest bool) {
	n := len(scores)
	if n == 0 {
		return
	}
	r.a, r.b = resize(r.a, n), resize(r.b, n)
	a := r.a
	all, none := uint64(0), ^uint64(0)
	for i, x := range scores {
		at := i
		if newest {
			at = n - 1 - i
		}
		k := math.Float64bits(x + 0)             // −0 becomes 0
		k ^= ^uint64(int64(k)>>63) & (1<<63 - 1) // of a larger score the smaller key
		a[at] = keyed{k, model.JobID(i)}
		all, none = all|k, none&k
	}
	for i, k := range r.radix(all &^ none) {
		ranks[k.job] = int32(i)
	}
}

// topScore returns the waiting job with the highest score now. It looks at
// every one: nothing is known of how scores change.
func (e *CountedEASY) topScore(v *sim.CountedView) model.JobID {
	best := model.JobID(-1)
	var most float64
	for pos := range e.waiting.bounds {
		b := e.waiting.block(pos)
		for _, w := range b.jobs[b.lo:b.hi] {
			j := w.job()
			var x float64
			if e.scorer.formula == nil {
				x = e.scorer.weighed(v.Now, &v.Jobs[j], j)
			} else {
				x = e.score(&e.scorer, v, j)
			}
			if best < 0 || x > most || x == most && (j < best) != e.Newest {
				best, most = j, x
			}
		}
	}
	return best
}

// score returns the score of a job now, and ends the simulation where it has
// none.
func (e *CountedEASY) score(s *scorer, v *sim.CountedView, j model.JobID) float64 {
	x, err := s.value(v.Now, &v.Jobs[j], j, v.Demands)
	if err != nil && v.Fault == nil {
		v.Fault = err
	}
	return x
}
