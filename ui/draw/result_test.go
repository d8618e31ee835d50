package draw_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"batchlab/ui/draw"
	"batchlab/ui/draw/drawtest"
)

// someResults are results of every shape, small and large, with gaps.
func someResults() map[string]draw.Result {
	r := rand.New(rand.NewPCG(2, 9))
	var nan = math.NaN()
	list := func(n int, scale float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = scale * (.4 + r.Float64())
		}
		return v
	}
	sets := func(n, values int, scale float64) (out []draw.Set) {
		for k := range n {
			x := make([]float64, values)
			for i := range x {
				x[i] = float64(60 * (i + 1))
			}
			s := draw.Set{Name: [...]string{"EASY", "Conservative", "Plan, random search", "Plan, simulated annealing", "FCFS", "LXF", "SJF", "Orig-BF"}[k], Series: k, X: x, Y: list(values, scale), Half: list(values, scale/12)}
			if k == 1 {
				s.Half = nil
			}
			if k == 0 {
				s.Paper = list(values, scale)
				s.Paper[0], s.Half[values-1] = nan, nan
			}
			out = append(out, s)
		}
		return out
	}
	gap := sets(3, 6, 5)
	gap[1].Y[2] = nan
	scatter := sets(2, 20, 7200)
	big := draw.Set{Name: "many", Series: 2}
	for range 6000 {
		big.X, big.Y = append(big.X, r.Float64()*1200), append(big.Y, 3600*r.ExpFloat64())
	}
	var long []string
	for i := range 7 {
		long = append(long, fmt.Sprintf("cluster number %d of the grid, homogeneous", i))
	}
	five := []string{"0.5", "0.6", "0.7", "0.8", "0.9"}
	return map[string]draw.Result{
		"curves":  {Shape: draw.AsCurves, X: draw.Quantity{Name: "period δ", Unit: "s"}, Y: draw.Quantity{Name: "mean bounded slowdown"}, Sets: gap, Note: "mean of 5 repeats, whiskers: 95 % interval"},
		"log":     {Shape: draw.AsCurves, X: draw.Quantity{Name: "jobs", Log: true}, Y: draw.Quantity{Name: "mean wait", Unit: "s", Log: true}, Sets: sets(6, 9, 4000)},
		"one":     {Shape: draw.AsCurves, X: draw.Quantity{Name: "load"}, Y: draw.Quantity{Name: "utilization", Unit: "%"}, Sets: sets(1, 1, .7)},
		"bars":    {Shape: draw.AsBars, X: draw.Quantity{Name: "load"}, Y: draw.Quantity{Name: "mean wait", Unit: "s"}, Names: five, Sets: sets(4, 5, 9000), Note: "mean of 5 repeats"},
		"signed":  {Shape: draw.AsBars, Y: draw.Quantity{Name: "difference"}, Names: five, Sets: []draw.Set{{Name: "EASY", Y: []float64{-3, 2, nan, -.5, 7}}}},
		"lying":   {Shape: draw.AsBars, X: draw.Quantity{Name: "cluster"}, Y: draw.Quantity{Name: "utilization", Unit: "%"}, Names: long, Sets: sets(2, 7, .6)},
		"scatter": {Shape: draw.AsScatter, X: draw.Quantity{Name: "users' think time", Unit: "s"}, Y: draw.Quantity{Name: "mean wait", Unit: "s"}, Sets: append(scatter, big)},
	}
}

// Results of every shape become figures that can be drawn, at the
// width of a phone and of a screen; their files have a line for each value.
func TestResults(t *testing.T) {
	for name, r := range someResults() {
		for _, w := range []float64{330, 640, 1100} {
			f := r.Figure(w, r.Height())
			drawtest.CheckFigure(t, fmt.Sprint(name, " at ", w), &f)
			for k := range f.Layers {
				l := &f.Layers[k]
				if l.Shape != draw.Line && l.Shape != draw.Levels && l.Shape != draw.Whiskers && !l.Unlisted && l.Shape != draw.Columns || f.Places() {
					for i := range max(len(l.X), len(l.Fives)) {
						if said := f.Say(0, k, i); strings.Contains(string(said), "NaN") {
							t.Errorf("%s says %s", name, said)
						}
					}
				}
			}
			lines := 0
			for _, s := range r.Sets {
				lines += len(s.Y)
			}
			if r.Shape == draw.AsScatter {
				lines = len(f.Table.Raw) // dots may stand together, the file has all
			}
			if g := f.File(); len(g.Raw) != lines {
				t.Errorf("%s: %d lines, want %d", name, len(g.Raw), lines)
			}
		}
	}
	if f := (&draw.Result{}).Figure(300, 200); f.Empty == "" {
		t.Error("nothing, and no words")
	}
}

// Axes hold all values, bars begin at 0, ticks are inside and have words.
func TestResultAxes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	for range 3000 {
		lo := (r.Float64() - .4) * math.Pow(10, float64(r.IntN(9)-3))
		hi := lo + r.Float64()*math.Pow(10, float64(r.IntN(9)-3))
		q := draw.Quantity{Name: "x", Unit: [...]string{"", "s", "%", "jobs"}[r.IntN(4)], Log: r.IntN(3) == 0}
		a := q.Axis(lo, hi, r.IntN(2) == 0, 2+r.IntN(6))
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

// Intent: a few measured places are the ticks of a curve where their labels say
// exactly where they stand; else the axis has round steps.
func TestTicksOfMeasuredPlaces(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want string
	}{
		{[]float64{0.5, 0.95, 1.025}, "0.5 0.95 1.025"},
		{[]float64{1, 99999, 202871}, "1 99,999 202,871"},
		{[]float64{0.01281467, 0.04, 0.11230208, 0.20193}, "0.02 0.04 0.06 0.08 0.10 0.12 0.14 0.16 0.18 0.20"},
	} {
		r := draw.Result{Shape: draw.AsCurves, X: draw.Quantity{Name: "days"}, Y: draw.Quantity{Name: "error"}, Sets: []draw.Set{{Name: "EASY", X: c.x, Y: make([]float64, len(c.x))}}}
		var got []string
		p := &r.Figure(900, 300).Panels[0]
		for _, k := range p.X.Ticks {
			if k.At < p.X.Min || k.At > p.X.Max {
				t.Errorf("%v: tick %v lies outside", c.x, k)
			}
			got = append(got, k.Label)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%v: %s, want %s", c.x, text, c.want)
		}
	}
}
