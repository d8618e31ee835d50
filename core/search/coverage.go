// Package search holds optimisers that know nothing of jobs: a uniform coverage
// of directions, and xNES. They are asked for points and told their values, so
// the caller decides where and when a point is evaluated; they use no clock,
// and no randomness but what they are given.
package search

import (
	"fmt"
	"math"
)

// MaxCoverage bounds the points of a coverage.
const MaxCoverage = 5_000_000

// Coverage covers the L1 sphere ‖w‖₁ = 1 evenly: its points are the whole
// numbers z with |z₁| + … + |z_d| = n, divided by n. In every coordinate they
// stand on a grid of 2n + 1 places over [−1, 1].
type Coverage struct {
	d, n  int
	count [][]int // [d][r]: points of d dimensions with L1 norm r
}

// NewCoverage returns the coverage of d dimensions, 1 … 16, with so many grid
// points a dimension: n is half of them, rounded down. In 3 dimensions 12
// points give 146 vectors, 40 give 1,602, 72 give 5,186 and 100 give 10,002.
func NewCoverage(d, points int) (*Coverage, error) {
	n := points / 2
	if d < 1 || d > 16 || n < 1 || n > 1_000_000 {
		return nil, fmt.Errorf("search: a coverage of %d dimensions with %d points each: at least 2 points and 1 … 16 dimensions are expected", d, points)
	}
	c := &Coverage{d: d, n: n, count: make([][]int, d+1)}
	for k := range c.count {
		c.count[k] = make([]int, n+1)
		for r := range c.count[k] {
			switch {
			case r == 0:
				c.count[k][r] = 1
			case k > 0:
				// Of k dimensions: |z| = 0, or one less in norm twice over, as
				// |z| grows by one step on either side.
				c.count[k][r] = c.count[k-1][r] + c.count[k-1][r-1] + c.count[k][r-1]
			}
			if c.count[k][r] > MaxCoverage {
				if k == d && r == n {
					return nil, fmt.Errorf("search: a coverage of %d dimensions with %d points each has more than %d vectors", d, points, MaxCoverage)
				}
				c.count[k][r] = MaxCoverage + 1
			}
		}
	}
	return c, nil
}

// Len returns the number of points.
func (c *Coverage) Len() int { return c.count[c.d][c.n] }

// Dimensions returns d.
func (c *Coverage) Dimensions() int { return c.d }

// At writes point i to w, which must have room for d numbers. Points stand in
// order of their first coordinate, then the second, and so on.
func (c *Coverage) At(i int, w []float64) {
	rest := c.n
	for k := range c.d {
		if k == c.d-1 { // what is left, on the one side or the other
			w[k] = float64(rest)
			if i == 0 {
				w[k] = -w[k]
			}
			w[k] = w[k]/float64(c.n) + 0
			break
		}
		z := -rest
		for ; z < rest; z++ {
			m := c.count[c.d-k-1][rest-abs(z)]
			if i < m {
				break
			}
			i -= m
		}
		rest -= abs(z)
		w[k] = float64(z) / float64(c.n)
	}
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}

// Exp is eˣ by one fixed sequence of additions and multiplications, so that it
// has the same bits on every machine, which math.Exp has not. The relative
// error is below 1e-15.
func Exp(x float64) float64 {
	switch {
	case math.IsNaN(x) || x > 709.7:
		return math.Inf(1) * x
	case x < -745:
		return 0
	}
	const high, low = 6.93147180369123816490e-01, 1.90821492927058770002e-10 // ln 2 in two parts
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	r := x - float64(k*high) - float64(k*low)
	sum := 1.0
	for i := 18; i > 0; i-- {
		sum = 1 + float64(r*sum)/float64(i)
	}
	return math.Ldexp(sum, int(k))
}
