package main

import (
	"fmt"
	"io"
	"math"
)

func tables(w io.Writer) error { fmt.Fprintln(w); return nil }

// binomial is the 95 % interval of a share of which k of n were seen (C. J. Clopper
// and E. S. Pearson, Biometrika 26, 1934).
func binomial(k, n int) (low, high float64) {
	atMost := func(k int, p float64) float64 { // probability of at most k
		sum := 0.0
		for i := 0; i <= k; i++ {
			a, _ := math.Lgamma(float64(n + 1))
			b, _ := math.Lgamma(float64(i + 1))
			c, _ := math.Lgamma(float64(n - i + 1))
			sum += math.Exp(a - b - c + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
		}
		return sum
	}
	solve := func(below func(p float64) bool) float64 {
		from, to := 1e-12, 1-1e-12
		for range 60 {
			if p := (from + to) / 2; below(p) {
				from = p
			} else {
				to = p
			}
		}
		return from
	}
	if k > 0 {
		low = solve(func(p float64) bool { return 1-atMost(k-1, p) < 0.025 })
	}
	if high = 1; k < n {
		high = solve(func(p float64) bool { return atMost(k, p) > 0.025 })
	}
	return low, high
}
