package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
)

// XNES is the exponential natural evolution strategy: it samples a population
// from a normal distribution N(μ, σ²BBᵀ) and moves the distribution along the
// natural gradient of the expected utility (T. Glasmachers, T. Schaul, Y. Sun,
// D. Wierstra and J. Schmidhuber, Exponential Natural Evolution Strategies,
// GECCO 2010, algorithm 1). Learning rates and utilities are its defaults. It
// minimises.
//
// Ask for a point as often as there are points in a population, then Tell the
// values in that order.
type XNES struct {
	d, lambda       int
	etaSigma, etaB  float64 // learning rates of σ and B; that of μ is 1
	utility         []float64
	mean            []float64
	sigma           float64
	b               []float64 // d × d
	z               []float64 // of the population, λ × d
	order           []int
	rng             *rand.Rand
	spare           float64 // second normal number of a pair
	hasSpare        bool
	gradient, gm    []float64 // scratch
	power, sum, tmp []float64 // scratch of the matrix exponential
}

// DefaultPopulation is 4 + ⌊3 ln d⌋.
func DefaultPopulation(d int) int { return 4 + int(math.Floor(3*math.Log(float64(d)))) }

// NewXNES returns a search from mean with the step size sigma > 0 in every
// direction. A population below 2 stands for the default.
func NewXNES(mean []float64, sigma float64, population int, rng *rand.Rand) (*XNES, error) {
	d := len(mean)
	if d < 1 || d > 100 || !(sigma > 0) || math.IsInf(sigma, 0) {
		return nil, fmt.Errorf("search: xNES in %d dimensions with step size %v", d, sigma)
	}
	if population < 2 {
		population = DefaultPopulation(d)
	}
	x := &XNES{
		d: d, lambda: population, rng: rng,
		utility: make([]float64, population), mean: make([]float64, d), b: make([]float64, d*d),
		z: make([]float64, population*d), order: make([]int, population),
		gradient: make([]float64, d), gm: make([]float64, d*d),
		power: make([]float64, d*d), sum: make([]float64, d*d), tmp: make([]float64, d*d),
	}
	f := float64(d)
	x.etaSigma = 3 * (3 + math.Log(f)) / (5 * f * math.Sqrt(f))
	x.etaB = x.etaSigma
	total := 0.0
	for i := range x.utility {
		x.utility[i] = max(0, math.Log(float64(population)/2+1)-math.Log(float64(i+1)))
		total += x.utility[i]
	}
	for i := range x.utility {
		x.utility[i] = x.utility[i]/total - 1/float64(population)
	}
	x.Restart(mean, sigma)
	return x, nil
}

// Restart begins again from mean, with the same population and stream of random
// numbers.
func (x *XNES) Restart(mean []float64, sigma float64) {
	copy(x.mean, mean)
	x.sigma = sigma
	clear(x.b)
	for i := range x.d {
		x.b[i*x.d+i] = 1
	}
}

// Population returns how many points one step takes.
func (x *XNES) Population() int { return x.lambda }

// Sigma returns the step size: the geometric mean of the distribution's widths.
func (x *XNES) Sigma() float64 { return x.sigma }

// Ask draws point i of the population into p.
func (x *XNES) Ask(i int, p []float64) {
	z := x.z[i*x.d : (i+1)*x.d]
	for k := range z {
		z[k] = x.normal()
	}
	for r := range x.d {
		sum := 0.0
		for k := range z {
			sum += float64(x.b[r*x.d+k] * z[k])
		}
		p[r] = x.mean[r] + float64(x.sigma*sum)
	}
}

// Tell learns from the values of a population's points, in the order in which
// they were asked for. Of equal values the earlier point counts as the better;
// NaN counts as the worst.
func (x *XNES) Tell(values []float64) {
	for i := range x.order {
		x.order[i] = i
	}
	sort.SliceStable(x.order, func(a, b int) bool {
		u, v := values[x.order[a]], values[x.order[b]]
		return u < v || !math.IsNaN(u) && math.IsNaN(v)
	})
	d := x.d
	clear(x.gradient)
	clear(x.gm)
	for rank, i := range x.order {
		u, z := x.utility[rank], x.z[i*d:(i+1)*d]
		for r := range d {
			x.gradient[r] += float64(u * z[r])
			for c := range d {
				x.gm[r*d+c] += float64(u * float64(z[r]*z[c]))
			}
			x.gm[r*d+r] -= u
		}
	}
	for r := range d { // μ ← μ + σ B G_δ
		sum := 0.0
		for k := range d {
			sum += float64(x.b[r*d+k] * x.gradient[k])
		}
		x.mean[r] += float64(x.sigma * sum)
	}
	trace := 0.0
	for r := range d {
		trace += x.gm[r*d+r]
	}
	trace /= float64(d)
	x.sigma *= Exp(float64(x.etaSigma/2) * trace) // σ ← σ exp(η/2 · tr(G_M)/d)
	for r := range d {
		x.gm[r*d+r] -= trace
	}
	for i := range x.gm {
		x.gm[i] *= x.etaB / 2
	}
	exponential(x.sum, x.gm, x.power, x.tmp, d) // B ← B exp(η/2 · G_B)
	multiply(x.tmp, x.b, x.sum, d)
	copy(x.b, x.tmp)
}

// exponential writes the exponential of a matrix to e by scaling and squaring:
// exp(A) = exp(A ÷ 2ˢ)^(2ˢ), the former by its series. m is overwritten.
func exponential(e, m, power, tmp []float64, d int) {
	norm := 0.0
	for r := range d {
		sum := 0.0
		for c := range d {
			sum += math.Abs(m[r*d+c])
		}
		norm = max(norm, sum)
	}
	squarings := 0
	for ; norm > 0.25 && squarings < 60; norm /= 2 {
		squarings++
	}
	scale := math.Ldexp(1, -squarings)
	for i := range m {
		m[i] *= scale
	}
	clear(e)
	clear(power)
	for i := range d {
		e[i*d+i], power[i*d+i] = 1, 1
	}
	for k := 1; k <= 14; k++ {
		multiply(tmp, power, m, d)
		for i := range tmp {
			power[i] = tmp[i] / float64(k)
			e[i] += power[i]
		}
	}
	for range squarings {
		multiply(tmp, e, e, d)
		copy(e, tmp)
	}
}

// multiply writes a·b to out, which must be neither.
func multiply(out, a, b []float64, d int) {
	for r := range d {
		for c := range d {
			sum := 0.0
			for k := range d {
				sum += float64(a[r*d+k] * b[k*d+c])
			}
			out[r*d+c] = sum
		}
	}
}

// normal draws a standard normal number by Marsaglia's polar method, which
// needs nothing but logarithm and square root.
func (x *XNES) normal() float64 {
	if x.hasSpare {
		x.hasSpare = false
		return x.spare
	}
	for {
		u, v := 2*x.rng.Float64()-1, 2*x.rng.Float64()-1
		s := float64(u*u) + float64(v*v)
		if s >= 1 || s == 0 {
			continue
		}
		f := math.Sqrt(-2 * math.Log(s) / s)
		x.spare, x.hasSpare = v*f, true
		return u * f
	}
}
