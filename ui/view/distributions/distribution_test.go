package distributions

import (
	"fmt"
	"math"
	"testing"

	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/draw/drawtest"
)

// The distribution of several repeats is the mean of theirs, and quantiles are
// its inverse.
func TestMergedDistribution(t *testing.T) {
	a := &report.Run{Waits: report.CDF{At: []float64{0, 100}, Share: []float64{.5, 1}}}
	b := &report.Run{Waits: report.CDF{At: []float64{50, 200}, Share: []float64{.8, 1}}}
	c := draw.MergeCDF([]*report.Run{a, b})
	for at, want := range map[float64]float64{-1: 0, 0: .25, 49: .25, 50: .65, 100: .9, 200: 1, 1e9: 1} {
		if got := c.Of(at); math.Abs(got-want) > 1e-12 {
			t.Errorf("up to %g: %g, want %g", at, got, want)
		}
	}
	for p, want := range map[float64]float64{.1: 0, .25: 0, .5: 50, .9: 100, 1: 200} {
		if got := c.Quantile(p); got != want {
			t.Errorf("quantile %g: %g, want %g", p, got, want)
		}
	}
	none := draw.MergeCDF(nil)
	if !math.IsNaN(none.Quantile(.5)) || none.Of(3) != 0 {
		t.Error("the distribution of nothing")
	}
	s := &Distribution{Sorted: []float64{1, 2, 2, 10}}
	if s.Share(2) != .75 || s.Share(.5) != 0 || s.Quantile(.5) != 2 || s.Quantile(.9) != 10 || s.Quantile(0) != 1 {
		t.Error("distribution of values")
	}
}

// The bars of a histogram hold every job once.
func TestHistogramAddsUp(t *testing.T) {
	d := drawtest.Data(2, 1)
	for _, of := range []string{OfWait, OfSlowdown, OfTurnaround} {
		dist := []*Distribution{Distribute(of, d.Jobs, &d.Shown[0].Columns, 10), nil}
		g := Histogram(d, of, dist, 500, 300)
		sum := 0.0
		for _, row := range g.Table.Raw {
			var v float64
			if _, err := fmt.Sscan(row[1], &v); err != nil {
				t.Fatal(err)
			}
			sum += v
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: shares add up to %g", of, sum)
		}
	}
}
