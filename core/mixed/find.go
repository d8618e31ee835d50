package mixed

import (
	"cmp"
	"fmt"
	"math"
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
	Population int     `json:"population,omitempty"` // of the first run; 0: 4 + ⌊3 ln d⌋
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

// Find searches the mixed order with the least mean bounded slowdown in a
// week, or the least sum over several, by xNES on equation 6: the value plus
// λ (‖w‖₁ + 1/‖w‖₁). It starts anew from another place when a run has
// converged, until the budget is used up. The result depends on nothing but
// the weeks, the settings and the seed. A cancelled search returns what it
// found, and ErrCancelled. Weeks without jobs are an error.
func (l *Lab) Find(weeks []int, s Search, progress func(done, total int) bool) (*Found, error) {
	if s.Budget < 1 || len(weeks) == 0 {
		return nil, fmt.Errorf("mixed: a search with %d evaluations over %d weeks", s.Budget, len(weeks))
	}
	d := l.settings.Features
	name := "mixed/xnes"
	for _, w := range weeks {
		name = fmt.Sprint(name, "/", l.windows[w].Index)
	}
	rng := model.Stream(s.Seed, name, 0)
	f := &finder{lab: l, weeks: weeks, search: s, progress: progress, found: &Found{Value: math.Inf(1)}, best: math.Inf(1)}
	mean, point := make([]float64, d), make([]float64, d)
	if err := f.design(); err != nil {
		return f.end(err)
	}
	for run := 0; ; run++ {
		population := pop
		near, sigma := f.start(run, mean, rng.Float64), startSigma
		if f.again {
			sigma = sigma2
		}
		x, err := search.NewXNES(near, sigma, population, rng)
		if err != nil {
			return nil, err
		}
		values := make([]float64, x.Population())
		still := 0
		last := math.Inf(1)
		for still < patience && x.Sigma() > endSigma {
			least := math.Inf(1)
			for i := range values {
				x.Ask(i, point)
				if values[i], err = f.evaluate(point); err != nil {
					return f.end(err)
				}
				least = min(least, values[i])
			}
			x.Tell(values)
			if still++; least < last-1e-9 {
				last, still = least, 0
			}
		}
	}
}

// How a run of xNES begins and when it is over: its step size at the start,
// the step size below which no two jobs change places, and the number of
// populations without a better point.
var (
	startSigma = 0.4
	endSigma   = 1e-4
	patience   = 8
	designPoints = 12
	radius = 0.25
	nstarts=3
	every=3
	pop = 0
	sigma2 = 0.05
)

// finder is one search under way.
type finder struct {
	lab      *Lab
	weeks    []int
	search   Search
	progress func(done, total int) bool
	found    *Found
	best     float64
	starts   []start
	again bool
}

// design evaluates a coarse coverage and remembers its points, best first.
func (f *finder) design() error {
	if designPoints == 0 { return nil }
	cover, err := f.lab.Coverage(designPoints)
	if err != nil {
		return err
	}
	for i := range cover.Len() {
		w := Vector(cover, i)
		v, err := f.evaluate(w[:cover.Dimensions()])
		if err != nil {
			return err
		}
		f.starts = append(f.starts, start{w, v})
	}
	slices.SortStableFunc(f.starts, func(a, b start) int { return cmp.Compare(a.value, b.value) })
	var kept []start
	for _, s := range f.starts {
		far := true
		for _, k := range kept {
			sum := 0.0
			for i := range s.weights {
				sum += math.Abs(s.weights[i] - k.weights[i])
			}
			far = far && sum > radius
		}
		if far {
			kept = append(kept, s)
		}
	}
	f.starts = kept
	return nil
}

type start struct {
	weights policy.Weights
	value   float64
}

// start returns where run number i begins.
func (f *finder) start(i int, mean []float64, random func() float64) []float64 {
	if i >= nstarts && len(f.found.Weights) > 0 && (i-nstarts)%every != every-1 {
		copy(mean, f.found.Weights)
		f.again = true
		return mean
	}
	f.again = false
	if i >= nstarts { i = nstarts + (i-nstarts)/every }
	if i < len(f.starts) {
		copy(mean, f.starts[i].weights[:])
		return mean
	}
	norm := 0.0
	for k := range mean {
		mean[k] = 2*random() - 1
		norm += math.Abs(mean[k])
	}
	for k := range mean {
		mean[k] /= max(norm, 1e-9)
	}
	return mean
}

// errBudget ends a search in the ordinary way.
var errBudget = fmt.Errorf("the budget is used up")

// evaluate is equation 6.
func (f *finder) evaluate(point []float64) (float64, error) {
	if f.found.Evaluations == f.search.Budget {
		return 0, errBudget
	}
	norm := 0.0
	for _, x := range point {
		norm += math.Abs(x)
	}
	w, err := policy.NewWeights(point)
	if err != nil {
		return math.Inf(1), nil // all zeros: no order, the worst there is
	}
	sum := 0.0
	for _, week := range f.weeks {
		v, err := f.lab.Value(week, w)
		if err != nil {
			return 0, err
		}
		sum += v
	}
	f.found.Evaluations++
	if sum < f.found.Value {
		f.found.Value = sum
		f.found.Weights = append(f.found.Weights[:0], w[:len(point)]...)
		f.found.Trace = append(f.found.Trace, Step{f.found.Evaluations, sum})
	}
	if f.progress != nil && !f.progress(f.found.Evaluations, f.search.Budget) {
		return 0, ErrCancelled
	}
	if f.search.Lambda > 0 {
		sum += f.search.Lambda * (norm + 1/norm)
	}
	return sum, nil
}

// end returns what was found when a search ends for a reason.
func (f *finder) end(err error) (*Found, error) {
	switch err {
	case errBudget:
		return f.found, nil
	case ErrCancelled:
		return f.found, err
	}
	return nil, err
}
