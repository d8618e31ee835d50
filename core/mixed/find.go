package mixed

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/search"
)

// Search are the parameters of a search by xNES.
type Search struct {
	Budget     int     `json:"budget"`               // evaluations, at least 1
	Seed       uint64  `json:"seed"`                 // of the streams of random numbers
	Lambda     float64 `json:"lambda"`               // λ of the penalty in equation 6; 0 or less: none
	Population int     `json:"population,omitempty"` // 0: 4 + ⌊3 ln d⌋
	// Starts are weights, 3 or 6, that are evaluated first, and from which runs
	// begin: a search in six features may go on from what one in three has found.
	Starts [][]float64 `json:"starts,omitempty"`
}

// DefaultLambda is the λ of equation 6 where nothing else is wanted: large
// enough to keep ‖w‖₁ near 1, too small to prefer a worse order.
const DefaultLambda = 0.01

// Found is what a search found.
type Found struct {
	Weights     []float64 `json:"weights"` // ‖w‖₁ = 1, 3 or 6
	Value       float64   `json:"value"`   // mean bounded slowdown, or the sum over the weeks, without penalty
	Evaluations int       `json:"evaluations"`
	Trace       []Step    `json:"trace"` // each time the best became better
}

// Step is a moment of a search.
type Step struct {
	Evaluations int     `json:"evaluations"`
	Value       float64 `json:"value"`
}

// How a search is steered: the values under which the weeks of SDSC-SP2 were
// searched best. bench/README.md says how well, and what did not help.
const (
	designMost  = 150  // vectors of the coarse coverage that comes first, at most
	designShare = 7    // and at most one of so many evaluations
	apart       = 0.21 // starts are at least so far from each other (L1)
	firstStarts = 2    // runs before the best places so far are taken up again, every other time
	startSigma  = 0.2  // step size of a new run
	againSigma  = 0.06 // step size of a run around one of the best places so far
	againOf     = 3    // how many of them take turns
	againApart  = 0.1  // they are at least so far from each other (L1)
	endSigma    = 1e-3 // a run ends below this step size
	patience    = 8    // or after so many populations without a better point
	same        = 0.02 // vectors closer than this (L1) are taken for one
	mostAsked   = 40   // vectors asked for, in budgets: a search whose space is used up ends
)

// Find searches the mixed order with the least mean bounded slowdown in a
// week, or the least sum over several, by xNES on equation 6: the value plus
// λ (‖w‖₁ + 1/‖w‖₁).
//
// A week's mean bounded slowdown is constant over patches of the weight space
// and jumps between them, so one run seldom finds the best. The search begins
// with a coarse coverage, runs xNES from its best places, and then by turns
// from further ones and from the best places so far. A vector in the patch of
// one that was evaluated before, or close to it, gets its value, and costs
// nothing of the budget.
//
// The result depends on nothing but the weeks, the settings and the search. A
// cancelled search returns what it found, and ErrCancelled. Weeks without jobs
// are an error.
func (l *Lab) Find(weeks []int, s Search, progress func(done, total int) bool) (*Found, error) {
	if s.Budget < 1 || len(weeks) == 0 {
		return nil, fmt.Errorf("mixed: a search with %d evaluations over %d weeks", s.Budget, len(weeks))
	}
	name := "mixed/xnes"
	for _, w := range weeks {
		if w < 0 || w >= len(l.windows) {
			return nil, fmt.Errorf("mixed: there is no week %d", w)
		}
		name = fmt.Sprint(name, "/", l.windows[w].Index)
	}
	f := &finder{
		lab: l, weeks: weeks, search: s, progress: progress,
		found: &Found{Value: math.Inf(1)}, rng: model.Stream(s.Seed, name, 0),
	}
	err := f.design()
	for run := 0; err == nil; run++ {
		err = f.run(run)
	}
	if errors.Is(err, errSpent) {
		err = nil
	}
	if err != nil && !errors.Is(err, ErrCancelled) {
		return nil, err
	}
	return f.found, err
}

// finder is one search under way.
type finder struct {
	lab      *Lab
	weeks    []int
	search   Search
	progress func(done, total int) bool
	rng      *rand.Rand
	found    *Found
	starts   []point // of the coarse coverage, best first, apart from each other
	seen     []point // evaluated
	patches  []patch // of seen, where they are known
	asked    int
}

// point is a vector with its value.
type point struct {
	weights policy.Weights
	value   float64
}

// distance is ‖v − w‖₁.
func distance(v, w *policy.Weights) float64 {
	sum := 0.0
	for i := range v {
		sum += math.Abs(v[i] - w[i])
	}
	return sum
}

// design evaluates the starts that are given, and the coarse coverage.
func (f *finder) design() error {
	for _, s := range f.search.Starts {
		w, err := policy.NewWeights(s)
		if err == nil {
			var v float64
			v, err = f.evaluate(w)
			f.starts = append(f.starts, point{w, v})
		}
		if err != nil {
			return err
		}
	}
	most := min(designMost, f.search.Budget/designShare)
	points := 2
	for {
		next, err := f.lab.Coverage(points + 2)
		if err != nil || next.Len() > most {
			break
		}
		points += 2
	}
	cover, err := f.lab.Coverage(points)
	if err != nil {
		return err
	}
	if cover.Len() > most {
		return nil
	}
	var all []point
	for i := range cover.Len() {
		w := Vector(cover, i)
		v, err := f.evaluate(w)
		if err != nil {
			return err
		}
		all = append(all, point{w, v})
	}
	slices.SortStableFunc(all, func(a, b point) int { return cmp.Compare(a.value, b.value) })
	for _, p := range all {
		if !slices.ContainsFunc(f.starts, func(s point) bool { return distance(&s.weights, &p.weights) <= apart }) {
			f.starts = append(f.starts, p)
		}
	}
	return nil
}

// run does one run of xNES, to its end or the search's.
func (f *finder) run(number int) error {
	d := f.lab.settings.Features
	mean, sigma := f.start(number)
	x, err := search.NewXNES(mean[:d], sigma, f.search.Population, f.rng)
	if err != nil {
		return err
	}
	p, values := make([]float64, d), make([]float64, x.Population())
	best := math.Inf(1)
	for still := 0; still < patience && x.Sigma() > endSigma; still++ {
		for i := range values {
			x.Ask(i, p)
			if values[i], err = f.penalised(p); err != nil {
				return err
			}
			if values[i] < best {
				best, still = values[i], -1
			}
		}
		x.Tell(values)
	}
	return nil
}

// start returns where a run begins, and how wide.
func (f *finder) start(number int) (policy.Weights, float64) {
	var w policy.Weights
	if number >= firstStarts {
		number -= firstStarts
		if number%2 == 0 && len(f.found.Weights) > 0 {
			return f.elite(number / 2 % againOf), againSigma
		}
		number = firstStarts + number/2
	}
	if number < len(f.starts) {
		return f.starts[number].weights, startSigma
	}
	for i := range f.lab.settings.Features { // none are left: a random direction
		w[i] = 2*f.rng.Float64() - 1
	}
	if v, err := policy.NewWeights(w[:]); err == nil {
		w = v
	}
	return w, startSigma
}

// elite returns the place with the n-th least value, places apart from each
// other.
func (f *finder) elite(n int) policy.Weights {
	order := make([]int, len(f.seen))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(f.seen[a].value, f.seen[b].value) })
	var chosen []int
	for _, i := range order {
		if !slices.ContainsFunc(chosen, func(k int) bool { return distance(&f.seen[k].weights, &f.seen[i].weights) <= againApart }) {
			if chosen = append(chosen, i); len(chosen) > n {
				break
			}
		}
	}
	return f.seen[chosen[len(chosen)-1]].weights
}

// penalised is equation 6.
func (f *finder) penalised(p []float64) (float64, error) {
	w, err := policy.NewWeights(p)
	if err != nil {
		return math.Inf(1), nil // all zeros or overflow: no order, the worst there is
	}
	if f.asked++; f.asked > mostAsked*f.search.Budget {
		return 0, errSpent
	}
	v, err := f.evaluate(w)
	if err != nil || f.search.Lambda <= 0 {
		return v, err
	}
	norm := 0.0
	for _, x := range p {
		norm += math.Abs(x)
	}
	return v + float64(f.search.Lambda*(norm+1/norm)), nil
}

// errSpent ends a search in the ordinary way.
var errSpent = errors.New("the budget is used up")

// evaluate returns the value of a vector, or that of one close to it.
func (f *finder) evaluate(w policy.Weights) (float64, error) {
	for i := range f.patches {
		if f.patches[i].holds(&w) {
			return f.patches[i].value, nil
		}
	}
	nearest, at := same, -1
	for i := range f.seen {
		if d := distance(&f.seen[i].weights, &w); d < nearest {
			nearest, at = d, i
		}
	}
	if at >= 0 {
		return f.seen[at].value, nil
	}
	if f.found.Evaluations == f.search.Budget {
		return 0, errSpent
	}
	simulated := f.lab.Simulations
	sum := 0.0
	if f.progress != nil && !f.lab.ground.Counted {
		f.lab.going = func() bool { return f.progress(f.found.Evaluations, f.search.Budget) }
		defer func() { f.lab.going = nil }()
	}
	for _, week := range f.weeks {
		v, err := f.lab.Value(week, w)
		if err != nil {
			return 0, err
		}
		sum += v
	}
	f.seen = append(f.seen, point{w, sum})
	if len(f.weeks) == 1 && f.lab.settings.Features == 3 && f.lab.ground.Counted {
		if f.lab.Simulations == simulated { // the cache knew the value, but not the patch
			if _, err := f.lab.Mixed(f.weeks[0], w); err != nil {
				return 0, err
			}
		}
		if p, ok := f.lab.patch(f.weeks[0], &w, sum); ok {
			f.patches = append(f.patches, p)
		}
	}
	f.found.Evaluations++
	if sum < f.found.Value {
		f.found.Value = sum
		f.found.Weights = append(f.found.Weights[:0], w[:f.lab.settings.Features]...)
		f.found.Trace = append(f.found.Trace, Step{f.found.Evaluations, sum})
	}
	if f.progress != nil && !f.progress(f.found.Evaluations, f.search.Budget) {
		return 0, ErrCancelled
	}
	return sum, nil
}
