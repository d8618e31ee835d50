package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// someResults are results of every shape, small and large, with gaps.
func someResults() map[string]Result {
	r := rand.New(rand.NewPCG(2, 9))
	var nan = math.NaN()
	list := func(n int, scale float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = scale * (.4 + r.Float64())
		}
		return v
	}
	sets := func(n, values int, scale float64) (out []Set) {
		for k := range n {
			x := make([]float64, values)
			for i := range x {
				x[i] = float64(60 * (i + 1))
			}
			s := Set{Name: [...]string{"EASY", "Conservative", "Plan, random search", "Plan, simulated annealing", "FCFS", "LXF", "SJF", "Orig-BF"}[k], Series: k, X: x, Y: list(values, scale), Half: list(values, scale/12)}
			if k == 1 {
				s.Half = nil
			}
			if k == 0 {
				s.Paper = list(values, scale)
				s.Paper[0], s.Half[values-1] = nan, nan
			}
			for range values {
				var v []float64
				for range 40 {
					v = append(v, scale*math.Exp(r.NormFloat64()))
				}
				s.Samples = append(s.Samples, v)
			}
			out = append(out, s)
		}
		return out
	}
	gap := sets(3, 6, 5)
	gap[1].Y[2] = nan
	scatter := sets(2, 20, 7200)
	big := Set{Name: "many", Series: 2}
	for range 6000 {
		big.X, big.Y = append(big.X, r.Float64()*1200), append(big.Y, 3600*r.ExpFloat64())
	}
	z := make([]float64, 12*9)
	for i := range z {
		z[i] = math.Exp(-float64((i%12-5)*(i%12-5)+(i/12-3)*(i/12-3)) / 12)
	}
	z[17] = nan
	var names, rows, long []string
	for i := range 12 {
		names = append(names, fmt.Sprintf("%.2f", float64(i)/11))
	}
	for i := range 9 {
		rows = append(rows, fmt.Sprint(i*10))
	}
	for i := range 7 {
		long = append(long, fmt.Sprintf("cluster number %d of the grid, homogeneous", i))
	}
	five := []string{"0.5", "0.6", "0.7", "0.8", "0.9"}
	return map[string]Result{
		"curves":   {Shape: AsCurves, X: Quantity{Name: "period δ", Unit: "s"}, Y: Quantity{Name: "mean bounded slowdown"}, Sets: gap, Note: "mean of 5 repeats, whiskers: 95 % interval"},
		"log":      {Shape: AsCurves, X: Quantity{Name: "jobs", Log: true}, Y: Quantity{Name: "mean wait", Unit: "s", Log: true}, Sets: sets(6, 9, 4000)},
		"one":      {Shape: AsCurves, X: Quantity{Name: "load"}, Y: Quantity{Name: "utilization", Unit: "%"}, Sets: sets(1, 1, .7)},
		"bars":     {Shape: AsBars, X: Quantity{Name: "load"}, Y: Quantity{Name: "mean wait", Unit: "s"}, Names: five, Sets: sets(4, 5, 9000), Note: "mean of 5 repeats"},
		"signed":   {Shape: AsBars, Y: Quantity{Name: "difference"}, Names: five, Sets: []Set{{Name: "EASY", Y: []float64{-3, 2, nan, -.5, 7}}}},
		"lying":    {Shape: AsBars, X: Quantity{Name: "cluster"}, Y: Quantity{Name: "utilization", Unit: "%"}, Names: long, Sets: sets(2, 7, .6)},
		"boxes":    {Shape: AsBoxes, X: Quantity{Name: "load"}, Y: Quantity{Name: "wait", Unit: "s", Log: true}, Names: five, Sets: sets(3, 5, 600)},
		"flat box": {Shape: AsBoxes, X: Quantity{Name: "cluster"}, Y: Quantity{Name: "slowdown"}, Names: long, Sets: sets(1, 7, 6)},
		"scatter":  {Shape: AsScatter, X: Quantity{Name: "users' think time", Unit: "s"}, Y: Quantity{Name: "mean wait", Unit: "s"}, Sets: append(scatter, big)},
		"map":      {Shape: AsMap, X: Quantity{Name: "share of reservations"}, Y: Quantity{Name: "deadline"}, Value: Quantity{Name: "acceptance", Unit: "%"}, Names: names, Rows: rows, Z: z},
	}
}

// Results of every shape become figures that the chart library reads, at the
// width of a phone and of a screen; their files have a line for each value.
func TestResults(t *testing.T) {
	for name, r := range someResults() {
		for _, w := range []float64{330, 640, 1100} {
			f := r.Figure(w, r.Height())
			checkFigure(t, fmt.Sprint(name, " at ", w), &f)
			for k := range f.Layers {
				l := &f.Layers[k]
				if l.Shape != Line && l.Shape != Levels && l.Shape != Whiskers && !l.Unlisted && l.Shape != Columns || f.Places() {
					for i := range max(len(l.X), len(l.Fives)) {
						if said := f.Say(0, k, i); strings.Contains(said, "NaN") {
							t.Errorf("%s says %s", name, said)
						}
					}
				}
			}
			lines := 0
			for _, s := range r.Sets {
				if r.Shape == AsBoxes {
					lines += len(s.Samples)
				} else {
					lines += len(s.Y)
				}
			}
			if r.Shape == AsMap {
				lines = len(r.Z) - 1
			}
			if r.Shape == AsScatter {
				lines = len(f.Table.Raw) // dots may stand together, the file has all
			}
			if g := f.File(); len(g.Raw) != lines {
				t.Errorf("%s: %d lines, want %d", name, len(g.Raw), lines)
			}
		}
	}
	if f := (&Result{}).Figure(300, 200); f.Empty == "" {
		t.Error("nothing, and no words")
	}
}

// Bars and whiskers of a group stand where slots says, and all in the room of
// their name.
func TestSlots(t *testing.T) {
	for n := 1; n <= 8; n++ {
		width, shift := slots(90, n)
		if edge := shift(n-1) + width/2; edge > 45 || math.Abs(shift(0)+shift(n-1)) > 1e-9 || n > 1 && shift(1)-shift(0) < width {
			t.Errorf("%d bars of %g end at %g", n, width, edge)
		}
	}
}

// Axes hold all values, bars begin at 0, ticks are inside and have words.
func TestResultAxes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	for range 3000 {
		lo := (r.Float64() - .4) * math.Pow(10, float64(r.IntN(9)-3))
		hi := lo + r.Float64()*math.Pow(10, float64(r.IntN(9)-3))
		q := Quantity{Name: "x", Unit: [...]string{"", "s", "%", "jobs"}[r.IntN(4)], Log: r.IntN(3) == 0}
		a := q.axis(lo, hi, r.IntN(2) == 0, 2+r.IntN(6))
		if a.Min > lo || a.Max < hi || !(a.Min < a.Max) || a.Log && a.Min <= 0 {
			t.Fatalf("%g to %g: %+v", lo, hi, a)
		}
		if !a.Log && (len(a.Ticks) == 0 || len(a.Ticks) > 20) {
			t.Fatalf("%g to %g: %d ticks", lo, hi, len(a.Ticks))
		}
		for _, k := range a.Ticks {
			if k.At < a.Min-1e-9*math.Abs(a.Min) || k.At > a.Max*(1+1e-9)+1e-12 || k.Label == "" || strings.Contains(k.Label, "NaN") {
				t.Fatalf("%g to %g: tick %+v of %+v", lo, hi, k, a)
			}
		}
	}
}

// Rows of a study become one chart for each unit: bars by label, curves where
// labels are numbers, differences apart, at most eight sets in each.
func TestResultsOfRows(t *testing.T) {
	nan := math.NaN()
	var rows []ResultRow
	for _, l := range []string{"load = 0.5", "load = 0.7", "load = 0.9"} {
		for k := range 10 {
			rows = append(rows, ResultRow{l, fmt.Sprint("s", k), float64(k), nan, 3, "s"})
		}
		rows = append(rows, ResultRow{l, "s1 − s0", 1, .5, nan, "s"})
	}
	rows = append(rows, ResultRow{"a", "u", .5, nan, nan, "%"}, ResultRow{"b", "u", .6, nan, nan, "%"})
	got := Results(rows)
	if len(got) != 4 {
		t.Fatalf("%d charts", len(got))
	}
	if r := got[0]; r.Shape != AsCurves || len(r.Sets) != 8 || r.X.Name != "load" || r.Sets[0].X[2] != .9 || r.Sets[7].Y[1] != 7 || r.Sets[3].Paper[0] != 3 {
		t.Errorf("%+v", r)
	}
	if r := got[1]; len(r.Sets) != 2 || r.Sets[1].Name != "s9" || r.Sets[1].Y[2] != 9 {
		t.Errorf("%+v", r)
	}
	if r := got[2]; len(r.Sets) != 1 || r.Sets[0].Half[1] != .5 || r.Y.Name != "s1 − s0" {
		t.Errorf("%+v", r)
	}
	if r := got[3]; r.Shape != AsBars || strings.Join(r.Names, "") != "ab" || r.Y.Name != "u" {
		t.Errorf("%+v", r)
	}
	for i, r := range got {
		f := r.Figure(600, 300)
		checkFigure(t, fmt.Sprint("chart ", i), &f)
	}
	if _, xs := numbersOf([]string{"1", "3", "2"}); xs != nil {
		t.Error("numbers that do not ascend")
	}
}
