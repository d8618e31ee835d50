package chart

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
)

// figures are all standard charts of an experiment of n schedulers.
func figures(t *testing.T, n int, w, h float64) map[string]Figure {
	t.Helper()
	d := testData(n, 1+n%3)
	steps := map[*report.Run][2]*Steps{}
	dist := make([]*Distribution, n)
	for i, r := range d.Shown {
		u, q := UsedAndWaiting(r)
		steps[r] = [2]*Steps{u, q}
		dist[i] = Distribute(OfWait, d.Jobs, &r.Columns, 10)
	}
	from, to, ok := d.Span()
	if !ok {
		t.Fatal("no span")
	}
	quarter := (to - from) / 4
	r := rand.New(rand.NewPCG(uint64(n), 8))
	var orders []OrderValues
	var courses []Course
	for i := range n {
		o := OrderValues{Name: fmt.Sprint("o", i), Top: i < 2}
		for range 20 {
			o.Values = append(o.Values, 1+20*r.ExpFloat64())
		}
		o.Values[3] = math.NaN()
		orders = append(orders, o)
		courses = append(courses, Course{Name: o.Name, Series: i, Values: o.Values})
	}
	out := map[string]Figure{
		"series":         d.Series(from, to, steps, w, h),
		"part of series": d.Series(from+quarter, to-quarter, steps, w, h),
		"distribution":   d.Distributions(OfWait, dist, w, h),
		"histogram":      d.Histogram(OfWait, dist, w, h),
		"users":          d.UserPlot(w, h),
		"orders":         OrderBoxes(orders, w, h),
		"courses":        Courses(courses, 2, 15, true, w, h),
		"weekly courses": Courses(courses, 2, -1, false, w, h),
		"tries":          Tries([]int{1, 5, 90}, []float64{9, 4, 3.5}, 200, []Course{{Name: "SAF", Series: 5, Values: []float64{3.6}}}, w, h),
	}
	return out
}

// decoded is a figure as the page's chart library reads it.
type decoded struct {
	W, H   float64
	Panels []struct {
		Left, Top, Width, Height float64
		X, Y                     struct {
			Min, Max float64
			Log      bool
			Names    []string
			Ticks    [][]any
		}
	}
	Layers []struct {
		Shape         string
		Panel, Series int
		At            [2]int
		Words         []string
		Group         []int
	}
	Texts []struct {
		X, Y   float64
		Text   string
		Series int
	}
}

// tuple is how many numbers an item of a shape has.
var tuple = map[string]int{"line": 2, "dots": 3, "bars": 1, "boxes": 6, "band": 3, "spans": 2, "whiskers": 3, "levels": 2, "cells": 4}

// checkFigure decodes a figure and checks what must hold for each: a sentence, words
// inside the figure, numbers inside the axes, parts that cover all numbers.
func checkFigure(t *testing.T, name string, f *Figure) {
	t.Helper()
	if f.Empty != "" || len(f.Aria) < 20 || strings.Contains(f.Aria, "\n") {
		t.Errorf("%s: empty %q, aria %q", name, f.Empty, f.Aria)
	}
	text, numbers := f.Encode()
	var g decoded
	if err := json.Unmarshal([]byte(text), &g); err != nil {
		t.Fatalf("%s: %v in %s", name, err, text)
	}
	if g.W != f.W || g.H != f.H || len(g.Panels) != len(f.Panels) || len(g.Layers) == 0 || len(g.Layers) != len(f.Layers) {
		t.Fatalf("%s: %+v", name, g)
	}
	next := 0
	for _, l := range g.Layers {
		if l.At[0] != next || l.At[1]%tuple[l.Shape] != 0 || tuple[l.Shape] == 0 {
			t.Errorf("%s: %s has numbers %v after %d", name, l.Shape, l.At, next)
		}
		next += l.At[1]
		p := g.Panels[l.Panel]
		if l.Shape == "line" || l.Shape == "dots" {
			for i := l.At[0]; i < next; i += tuple[l.Shape] {
				x, y := numbers[i], numbers[i+1]
				if p.X.Names == nil && !(x >= p.X.Min-1e-9 && x <= p.X.Max+1e-9) || p.Y.Names == nil && !math.IsNaN(y) && !(y >= p.Y.Min-1e-9 && y <= p.Y.Max+1e-9) {
					t.Fatalf("%s: %g, %g outside %+v", name, x, y, p)
				}
			}
		}
	}
	if next != len(numbers) {
		t.Errorf("%s: %d numbers, %d used", name, len(numbers), next)
	}
	for _, q := range g.Texts {
		if q.X < 0 || q.X > f.W || q.Y < 0 || q.Y > f.H || q.Text == "" {
			t.Errorf("%s: words %+v", name, q)
		}
	}
	for _, p := range g.Panels {
		if p.X.Names == nil && p.X.Max <= p.X.Min || p.Y.Names == nil && p.Y.Max <= p.Y.Min || p.X.Log && p.X.Min <= 0 || p.Y.Log && p.Y.Min <= 0 {
			t.Errorf("%s: axes %+v", name, p)
		}
	}
	grid := f.Numbers()
	lines, err := csv.NewReader(strings.NewReader(grid.CSV())).ReadAll()
	if err != nil || len(lines) < 2 {
		t.Errorf("%s: CSV of %d lines: %v", name, len(lines), err)
	}
	if !strings.Contains(grid.HTML(), "<tbody><tr>") {
		t.Errorf("%s: no table", name)
	}
}

// Every standard chart, of one run and of many, narrow and wide, is data that
// the chart library can read and a file that a spreadsheet reads.
func TestFigures(t *testing.T) {
	for _, n := range []int{1, 2, 8} {
		for _, w := range []float64{330, 900} {
			for name, f := range figures(t, n, w, 400) {
				checkFigure(t, fmt.Sprintf("%s of %d at %g", name, n, w), &f)
				if f.Say == nil {
					continue
				}
				if f.Places() {
					v, ok := f.At(f.Panels[0].Box.X + 5)
					if said := f.Say(v, -1, -1); !ok || !strings.Contains(said, "<tr>") {
						t.Errorf("%s says %q at %g", name, said, v)
					}
				} else if said := f.Say(0, 0, 0); !strings.Contains(said, "<tr>") {
					t.Errorf("%s says %q", name, said)
				}
			}
		}
	}
}

// Without anything to plot a chart says so in words.
func TestEmptyFigures(t *testing.T) {
	d := &Data{A: 0, B: -1, Base: -1}
	for name, f := range map[string]Figure{"histogram": d.Histogram(OfWait, nil, 400, 250), "distribution": d.Distributions(OfWait, nil, 400, 250), "series": d.Series(0, 0, nil, 400, 250), "users": d.UserPlot(400, 250)} {
		if f.Empty != "Nothing has run yet." || f.Layers != nil {
			t.Errorf("%s: %q", name, f.Empty)
		}
	}
}

// The file of a chart holds exactly the points that are drawn: as many lines,
// and the same numbers.
func TestFileIsWhatIsPlotted(t *testing.T) {
	for _, name := range []string{"series", "distribution", "courses"} {
		f := figures(t, 3, 700, 400)[name]
		g := f.File()
		row := 0
		for _, l := range f.Layers {
			if l.Shape == Spans {
				continue
			}
			for i := range l.X {
				r := g.Raw[row]
				row++
				var got []float64
				for _, c := range r[1:] {
					if c == "" {
						continue
					}
					v, err := strconv.ParseFloat(c, 64)
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, v)
				}
				want := []float64{l.X[i]}
				if l.Shape == Band {
					want = append(want, l.Low[i], l.High[i])
				} else if !math.IsNaN(l.Y[i]) {
					want = append(want, l.Y[i])
				}
				if r[0] != l.Name || len(got) != len(want) {
					t.Fatalf("%s, line %d: %q for %v", name, row, r, want)
				}
				for k := range want {
					if math.Abs(got[k]-want[k]) > 1e-6*math.Abs(want[k]) {
						t.Fatalf("%s, line %d: %q for %v", name, row, r, want)
					}
				}
			}
		}
		if row != len(g.Raw) {
			t.Errorf("%s: %d lines for %d points", name, len(g.Raw), row)
		}
	}
}

// A place of a figure and the value there are inverse to each other, on plain,
// logarithmic and named axes; what is said is what the run did then.
func TestPlaces(t *testing.T) {
	f := figures(t, 2, 700, 400)["part of series"]
	v, in := f.At(350)
	if !in || math.Abs(f.Panels[0].PX(v)-350) > 1e-6 {
		t.Errorf("the middle is at %g", v)
	}
	d := testData(2, 3)
	used, _ := UsedAndWaiting(d.Shown[1])
	if said := f.Say(v, -1, -1); !strings.Contains(said, "<td>"+fmt.Sprint(used.Value(model.Time(v)))+"</td>") {
		t.Error(said)
	}
	p := Panel{Box: Box{40, 10, 300, 100}, X: Axis{Min: 1, Max: 1000, Log: true}, Y: Axis{Names: []string{"a", "b"}, Inverse: true}}
	g := Figure{Panels: []Panel{p}}
	if at, _ := g.At(p.PX(7)); math.Abs(at-7) > 1e-9 {
		t.Errorf("the logarithmic axis turns 7 into %g", at)
	}
	if _, ok := g.At(20); ok {
		t.Error("a place outside")
	}
	if p.PY(0) != 35 || p.PY(1) != 85 {
		t.Errorf("names at %g and %g", p.PY(0), p.PY(1))
	}
	g.Panels[0].X = Axis{Names: []string{"a", "b", "c"}}
	if at, _ := g.At(339); at != 2 {
		t.Errorf("the last name is %g", at)
	}
}

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

// Names at the ends of lines never overlap and stay in the order of the lines.
func TestEndLabels(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 100 {
		f := Figure{W: 400, H: 300, Panels: []Panel{{Box: Box{40, 10, 250, 250}, X: Axis{Max: 1}, Y: Axis{Max: 1}}}}
		last := map[string]float64{}
		for i := range 1 + r.IntN(8) {
			v := r.Float64() * r.Float64()
			name := fmt.Sprint(i)
			last[name] = v
			f.Layers = append(f.Layers, Layer{Shape: Line, Series: i, Name: name, X: []float64{0, 1, 1}, Y: []float64{0, v, math.NaN()}})
		}
		f.endLabels(0, func(l *Layer) string { return l.Name })
		if len(f.Texts) != len(f.Layers) {
			t.Fatal("a line without a name")
		}
		for i, x := range f.Texts {
			if x.Y < 10 || x.Y > 260 || i > 0 && (x.Y-f.Texts[i-1].Y < 14-1e-9 || last[x.Text] > last[f.Texts[i-1].Text]) {
				t.Fatalf("%+v of %v", f.Texts, last)
			}
		}
	}
}

// Words of any kind survive the way to the chart library.
func TestEncodeWords(t *testing.T) {
	odd := "\"a\\b\"\n\t<é>\x00 " + string([]byte{0xff}) + "😀"
	f := Figure{Texts: []Text{{Text: odd}}}
	text, _ := f.Encode()
	var g decoded
	if err := json.Unmarshal([]byte(text), &g); err != nil {
		t.Fatal(err)
	}
	if want := strings.ToValidUTF8(odd, "\ufffd"); g.Texts[0].Text != want {
		t.Errorf("%q, want %q", g.Texts[0].Text, want)
	}
}
