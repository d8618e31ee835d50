package metric

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"batchlab/core/catalog"
	"batchlab/core/report"
)

// runsOf makes runs with one measure, over workload w of each repetition.
func runsOf(values ...float64) (runs []*report.Run) {
	for r, v := range values {
		runs = append(runs, &report.Run{Repetition: r, Workload: string(rune('a' + r)), Metrics: []report.Value{{Key: "mean-wait", Value: v, Valid: true}}})
	}
	return runs
}

// copyAll marks all runs but the first as copies of it.
func copyAll(runs []*report.Run) []*report.Run {
	for i, r := range runs {
		r.Workload, r.Copy = "a", i > 0
	}
	return runs
}

// Intent: one and the same run five times is one value and one pair, without an
// interval, whatever it differs by; five different ones are five.
func TestCopiesCountOnce(t *testing.T) {
	row := catalog.FindMetric("mean-wait")
	a, b := copyAll(runsOf(7, 7, 7, 7, 7)), copyAll(runsOf(10, 10, 10, 10, 10))
	if v, s := Values(a, "mean-wait"); len(v) != 1 || s != (Sample{}) {
		t.Errorf("%v of %+v", v, s)
	}
	d := CompareRuns(a, b, "mean-wait")
	if d.N != 1 || d.Mean != -3 || !math.IsNaN(d.Half) || !math.IsNaN(d.RelativeHalf) || d.Verdict(row) != report.VerdictSingle {
		t.Errorf("copies: %+v, %s", d, d.Verdict(row))
	}
	// One that draws differs at every repetition from one that does not.
	drawn := runsOf(7, 8, 7, 9, 7)
	for _, r := range drawn {
		r.Workload = "a"
	}
	if d := CompareRuns(drawn, b, "mean-wait"); d.N != 5 || math.IsNaN(d.Half) {
		t.Errorf("drawn against copies: %+v", d)
	}
	if d := CompareRuns(b, drawn, "mean-wait"); d.N != 5 {
		t.Errorf("copies against drawn: %+v", d)
	}
	if d := CompareRuns(runsOf(7, 7.1, 7, 7, 7), runsOf(10, 10, 10, 10, 10), "mean-wait"); d.N != 5 || d.Verdict(row) != report.VerdictBetter {
		t.Errorf("five workloads: %+v", d)
	}
	if d := CompareRuns(b, b, "mean-wait"); d.Verdict(row) != report.VerdictSame {
		t.Errorf("the same: %s", d.Verdict(row))
	}
	if d := CompareRuns(runsOf(7), copyAll(runsOf(1))[1:], "mean-wait"); d.N != 0 || d.Verdict(row) != "" {
		t.Errorf("nothing to pair with: %+v", d)
	}
}

// Intent: the interval of draws by hand: values 10 (the log), 8, 12, 14 of a log
// of five pieces: s² of the draws is 28 ÷ 3, freedom 1 ÷ (1/4 + 1/2) = 4/3.
func TestIntervalOfDraws(t *testing.T) {
	s := Sample{Pieces: 5, Log: true}
	mean, half, n := s.Interval([]float64{10, 8, 12, 14})
	want := studentT(4.0/3) * math.Sqrt(28.0/3) * math.Sqrt(5.0/4) * math.Sqrt(5.0/4)
	if mean != 11 || n != 4 || math.Abs(half-want) > 1e-9 {
		t.Errorf("%v ± %v of %d, want ± %v", mean, half, n, want)
	}
	for _, values := range [][]float64{nil, {1}, {1, 2}} {
		if _, half, _ := s.Interval(values); !math.IsNaN(half) {
			t.Errorf("%v: ± %v without two draws", values, half)
		}
	}
	if _, half, _ := (Sample{Pieces: 1, Log: true}).Interval([]float64{1, 2, 3}); !math.IsNaN(half) {
		t.Errorf("one piece: ± %v", half)
	}
}

// Intent: more draws do not make the interval of draws go to nothing, as they do
// that of independent workloads, since the log is still one log.
func TestDrawsAreNoNewLogs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, 2001)
	for i := range values {
		values[i] = 100 + 10*r.NormFloat64()
	}
	_, independent, _ := Sample{}.Interval(values)
	_, draws, _ := Sample{Pieces: 30, Log: true}.Interval(values)
	if independent > 1 || draws < 15 || draws > 30 {
		t.Errorf("2,000 values with a deviation of 10: ± %v, and ± %v of draws", independent, draws)
	}
}

// Intent: relative differences do not depend on the unit; where b is a times
// larger than a in every pair their interval is zero, and with no base above zero
// there is none.
func TestRelative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Float64Range(0.5, 1e6)
		a := rapid.SliceOfN(value, 3, 20).Draw(t, "a")
		b := rapid.SliceOfN(value, len(a), len(a)).Draw(t, "b")
		s := Sample{Pieces: float64(rapid.IntRange(0, 40).Draw(t, "pieces")), Log: true}
		d := s.Compare(a, b)
		k := rapid.SampledFrom([]float64{0.25, 2, 3600}).Draw(t, "k")
		scaled := func(v []float64) (out []float64) {
			for _, x := range v {
				out = append(out, x*k)
			}
			return out
		}
		near := func(x, y float64) bool {
			return math.Abs(x-y) <= 1e-9*(1+math.Abs(x)) || math.IsNaN(x) && math.IsNaN(y)
		}
		e := s.Compare(scaled(a), scaled(b))
		if !near(d.Relative, e.Relative) || !near(d.RelativeHalf, e.RelativeHalf) || !near(d.Mean*k, e.Mean) {
			t.Fatalf("× %v: %+v, %+v", k, d, e)
		}
		if e := s.Compare(scaled(a), a); !near(e.Relative, k-1) || e.RelativeHalf > 1e-9 {
			t.Fatalf("%v times as much: %+v", k, e)
		}
		if e := s.Compare(a, make([]float64, len(a))); !math.IsNaN(e.Relative) || !math.IsNaN(e.RelativeHalf) {
			t.Fatalf("beside nothing: %+v", e)
		}
	})
}
