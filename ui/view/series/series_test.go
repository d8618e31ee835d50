package series

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The band of a step line covers, in every column, exactly what lies between
// its least and its greatest value there, the value it comes with included: a
// plain loop finds the same.
func TestBandKeepsExtremes(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 50 {
		const from, to, n = 100.0, 3100.0, 300
		var xs, ys []float64
		for x := from; x < to; x += 1 + r.Float64()*40 {
			xs, ys = append(xs, x), append(ys, math.Floor(r.Float64()*100))
		}
		at, low, high := bandOf(xs, ys, from, to, n)
		last, k := ys[0], 0
		for c := range n {
			a, b := from+10*float64(c), from+10*float64(c+1)
			lo, hi := last, last
			for i := range xs {
				if xs[i] >= a && xs[i] < b {
					last = ys[i]
					lo, hi = min(lo, last), max(hi, last)
				}
			}
			for k+2 < len(at) && at[k+1] <= a+1e-6 {
				k += 2
			}
			if at[k] > a+1e-6 || at[k+1] < b-1e-6 || low[k] != lo || high[k] != hi {
				t.Fatalf("column %d: covered %g to %g by %g, %g; want %g, %g", c, at[k], at[k+1], low[k], high[k], lo, hi)
			}
		}
	}
}
