package search

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/order"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// OrderValues are the weekly values of a queue order.
type OrderValues struct {
	Name   string
	Values []float64 // mean bounded slowdown by week; NaN left out
	Top    bool      // one of the three best
}

// logSteps are the values that a logarithmic axis of slowdowns may name.
var logSteps = [...]float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000}

// OrderBoxes shows box plots of weekly values on a logarithmic axis, the least
// mean on top (figure 1).
func OrderBoxes(orders []OrderValues, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	type row struct {
		o *OrderValues
		f draw.BoxNumbers
	}
	var rows []row
	most := 2.0
	for i := range orders {
		if f := draw.Summary(orders[i].Values); f.N > 0 {
			rows = append(rows, row{&orders[i], f})
			most = max(most, f.High, maximum(f.Out))
		}
	}
	if len(rows) == 0 {
		f.Empty = "Box plots appear here as soon as weeks have been simulated."
		return f
	}
	order.Stable(rows, func(a, b row) int {
		switch {
		case a.f.Mean < b.f.Mean:
			return -1
		case a.f.Mean > b.f.Mean:
			return 1
		}
		return 0
	})
	p := draw.Panel{Box: draw.Box{X: 52, Y: 18, W: max(10, w-52-66), H: h - 18 - 36}, X: draw.Axis{Min: 1, Max: most * 1.08, Log: true}, Y: draw.Axis{Inverse: true, Base: true}}
	for _, v := range logSteps {
		if v <= p.X.Max {
			p.X.Ticks = append(p.X.Ticks, draw.Tick{At: v, Label: words.Plain(v)})
		}
	}
	p.Thin(26, w+16)
	f.Text(w-14, 8, "mean", 'r', draw.ToneAxis)
	caption := "mean bounded slowdown of a week, log scale"
	if p.Box.W > 420 {
		caption += " · box: half of the weeks · ◆ mean"
	}
	f.Text(p.Box.X, h-9, caption, 'l', draw.ToneAxis)
	f.Table = draw.Grid{Head: []string{"Order", "Mean", "Median", "Middle half of the weeks", "Worst", "Weeks"}, Left: 1,
		Units: []string{"order", "mean", "whisker_low", "q1", "median", "q3", "whisker_high", "beyond", "weeks"}}
	parts := [2]draw.Layer{{Shape: draw.Boxes, Series: 0, Flat: true}, {Shape: draw.Boxes, Series: -1, Flat: true}}
	out := [2]draw.Layer{{Shape: draw.Dots, Size: 3.2, Flat: true, Ink: true}, {Shape: draw.Dots, Size: 3.2, Series: -1, Flat: true}}
	means := draw.Layer{Shape: draw.Dots, Size: 9, Diamond: true, Ink: true, Flat: true}
	var said []string
	for i, r := range rows {
		y, v, k, tone := float64(i), &r.f, 1, draw.ToneLabel
		if r.o.Top {
			k, tone = 0, draw.ToneBold
			p.Y.Bold = i + 1
		}
		p.Y.Names = append(p.Y.Names, r.o.Name)
		parts[k].X, parts[k].Fives = append(parts[k].X, y), append(parts[k].Fives, [5]float64{max(1, v.Low), v.Q1, v.Median, v.Q3, v.High})
		var beyond []string
		for _, x := range v.Out {
			out[k].X, out[k].Y = append(out[k].X, max(1, x)), append(out[k].Y, y)
			beyond = append(beyond, draw.PlainNumber(x))
		}
		means.X, means.Y = append(means.X, v.Mean), append(means.Y, y)
		f.Texts = append(f.Texts, draw.Text{X: w - 14, Y: p.Box.Y + (y+.5)/float64(len(rows))*p.Box.H, Text: draw.Score(v.Mean), Align: 'r', Tone: tone, Series: -1})
		f.Table.Cells = append(f.Table.Cells, []string{r.o.Name, draw.Score(v.Mean), draw.Score(v.Median), draw.Score(v.Q1) + " – " + draw.Score(v.Q3), draw.Score(max(v.High, maximum(v.Out))), strconv.Itoa(v.N)})
		f.Table.Raw = append(f.Table.Raw, []string{r.o.Name, draw.PlainNumber(v.Mean), draw.PlainNumber(v.Low), draw.PlainNumber(v.Q1), draw.PlainNumber(v.Median), draw.PlainNumber(v.Q3), draw.PlainNumber(v.High), strings.Join(beyond, ";"), strconv.Itoa(v.N)})
		if i < 3 {
			said = append(said, r.o.Name+" "+draw.Score(v.Mean))
		}
	}
	p.Hold = true
	f.Panels = []draw.Panel{p}
	places := [][]float64{parts[0].X, parts[1].X, out[0].Y, out[1].Y, means.Y}
	f.Layers = []draw.Layer{parts[0], parts[1], out[0], out[1], means}
	f.Say = func(_ float64, layer, item int) draw.Markup {
		r := &rows[int(places[layer][item])]
		var t draw.Tip
		t.Row("mean", draw.Score(r.f.Mean))
		t.Row("median", draw.Score(r.f.Median))
		t.Row("half of the weeks", draw.Score(r.f.Q1)+" – "+draw.Score(r.f.Q3))
		t.Row("worst", draw.Score(max(r.f.High, maximum(r.f.Out))))
		return t.HTML(r.o.Name)
	}
	f.Aria = "Weekly mean bounded slowdowns of " + words.Count(len(rows), "order", "orders") + ", the least mean first: " + strings.Join(said, ", ") + "."
	return f
}

func maximum(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	return slices.Max(v)
}

// Course is a line of values week by week.
type Course struct {
	Name   string
	Series int // its colour and dash
	Values []float64
}

// Courses shows values week by week, or added up from the first week on
// (figure 3). from is the place of the first week in the lists, and split where
// the testing weeks begin; less than from: nowhere.
func Courses(list []Course, from, split int, added bool, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	n, most := 0, 0.0
	lines := make([]draw.Layer, len(list))
	for i, c := range list {
		l := draw.Layer{Shape: draw.Line, Series: c.Series, Name: c.Name, Width: 1.8}
		sum := 0.0
		for k, v := range c.Values {
			if added {
				if !math.IsNaN(v) {
					sum += v
				}
				v = sum
			}
			l.X, l.Y = append(l.X, float64(from+k+1)), append(l.Y, v)
			if !math.IsNaN(v) {
				most = max(most, v)
			}
		}
		lines[i] = l
		n = max(n, len(l.Y))
	}
	if n < 1 || most == 0 {
		f.Empty = "Lines appear here as soon as weeks have been simulated."
		return f
	}
	p := draw.Panel{Box: draw.Box{X: 54, Y: 12, W: max(10, w-76), H: h - 46}, X: draw.Axis{Min: float64(from + 1), Max: float64(from + n), Plain: true, Unit: "week"}, Y: draw.Axis{Max: most * 1.03, Unit: "mean_bounded_slowdown"}}
	if n == 1 {
		p.X.Min, p.X.Max = p.X.Min-.5, p.X.Max+.5
	}
	note := "week · mean bounded slowdown, log scale"
	if added {
		note = "week · sum of mean bounded slowdowns from week " + strconv.Itoa(from+1) + " on"
		p.Y.Unit = "sum_of_mean_bounded_slowdowns"
		p.Y.Ticks = draw.LinearTicks(p.Y.Max, 4)
	} else { // weekly values differ by orders of magnitude
		p.Y.Min, p.Y.Max, p.Y.Log = 1, most*1.1, true
		before := math.Inf(1)
		for _, v := range logSteps {
			if y := p.PY(v); v <= p.Y.Max && before-y >= 16 {
				before = y
				p.Y.Ticks = append(p.Y.Ticks, draw.Tick{At: v, Label: words.Plain(v)})
			}
		}
		for i := range lines { // a logarithmic axis has no 0
			for k, v := range lines[i].Y {
				if v < 1 {
					lines[i].Y[k] = 1
				}
			}
		}
	}
	step := weekStep(n, p.Box.W/34)
	for k := range n {
		if number := from + k + 1; number%step == 0 {
			p.X.Ticks = append(p.X.Ticks, draw.Tick{At: float64(number), Label: strconv.Itoa(number)})
		}
	}
	if split > from && split < from+n {
		at := float64(split) + .5
		f.Layers = append(f.Layers, draw.Layer{Shape: draw.Spans, Low: []float64{at}, High: []float64{p.X.Max}})
		f.Text(p.PX(at)-6, p.Box.Y+7, "training", 'r', draw.ToneAxis)
		f.Text(p.PX(at)+6, p.Box.Y+7, "testing", 'l', draw.ToneAxis)
	}
	f.Text(p.Box.X, h-8, note, 'l', draw.ToneAxis)
	f.Panels = []draw.Panel{p}
	f.Table = draw.Grid{Head: []string{"Week"}}
	var said []string
	for i := len(lines) - 1; i >= 0; i-- {
		f.Layers = append(f.Layers, lines[i])
	}
	for _, l := range lines {
		f.Keys = append(f.Keys, draw.Key{Series: l.Series, Letter: "", Name: l.Name})
		f.Table.Head = append(f.Table.Head, l.Name)
		if v := l.Y[n-1]; !math.IsNaN(v) {
			said = append(said, l.Name+" "+draw.Score(v))
		}
	}
	for k := range n {
		cells := []string{strconv.Itoa(from + k + 1)}
		for _, l := range lines {
			cells = append(cells, draw.Score(l.Y[k]))
		}
		f.Table.Cells = append(f.Table.Cells, cells)
	}
	f.Say = func(x float64, _, _ int) draw.Markup {
		k := min(n-1, max(0, int(math.Round(x))-from-1))
		var t draw.Tip
		for _, l := range lines {
			t.Row(draw.HTML(`{}{}`, draw.Mark(l.Series), l.Name), draw.Score(l.Y[k]))
		}
		return t.HTML("week " + strconv.Itoa(from+k+1))
	}
	what := "In week "
	if added {
		what = "Added up to week "
	}
	f.Aria = what + strconv.Itoa(from+n) + ": " + strings.Join(said, ", ") + "."
	return f
}

// weekStep is the round number of weeks between two that are named, when there
// are n weeks and room for so many names.
func weekStep(n int, room float64) int {
	for _, s := range [...]int{1, 2, 5, 10, 20, 50, 100, 200} {
		if float64(n)/float64(s) <= room {
			return s
		}
	}
	return 500
}

// Tries shows how the best of a week improved with the number of tries, beside
// levels to compare with.
func Tries(at []int, value []float64, total int, levels []Course, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	if len(at) == 0 {
		f.Empty = "xNES has not found anything in this week yet."
		return f
	}
	last := value[len(value)-1]
	least, most := last, slices.Max(value)
	for _, l := range levels {
		least, most = min(least, l.Values[0]), max(most, l.Values[0])
	}
	pad := max((most-least)*.08, most*.01)
	p := draw.Panel{Box: draw.Box{X: 46, Y: 12, W: max(10, w-46-118), H: h - 46}, X: draw.Axis{Max: float64(max(1, total)), Plain: true, Ticks: draw.LinearTicks(float64(total), 3), Unit: "tries"}, Y: draw.Axis{Min: max(0, least-pad), Max: most + pad, Unit: "mean_bounded_slowdown"}}
	if round := draw.LinearTicks(p.Y.Max-p.Y.Min, 4); len(round) > 1 {
		step := round[1].At
		for k := math.Ceil(p.Y.Min / step); k*step <= p.Y.Max; k++ {
			p.Y.Ticks = append(p.Y.Ticks, draw.Tick{At: k * step, Label: draw.Score(k * step)})
		}
	}
	f.Panels = []draw.Panel{p}
	f.Text(p.Box.X, h-8, "tries", 'l', draw.ToneAxis)
	said := "xNES found " + draw.Score(last) + " after " + words.Int(at[len(at)-1]) + " tries"
	for _, l := range levels {
		f.Layers = append(f.Layers, draw.Layer{Shape: draw.Line, Series: l.Series, Name: l.Name, Ink: true, Width: 1, X: []float64{0, p.X.Max}, Y: []float64{l.Values[0], l.Values[0]}})
		said += "; " + l.Name + " " + draw.Score(l.Values[0])
	}
	best := draw.Layer{Shape: draw.Line, Name: "xNES", Width: 2, Steps: true}
	f.Table = draw.Grid{Head: []string{"Tries", "Best so far"}}
	for i := range at {
		best.X, best.Y = append(best.X, float64(at[i])), append(best.Y, value[i])
		f.Table.Cells = append(f.Table.Cells, []string{words.Int(at[i]), draw.Score(value[i])})
	}
	if best.X[len(at)-1] < p.X.Max {
		best.X, best.Y = append(best.X, p.X.Max), append(best.Y, last)
	}
	f.Layers = append(f.Layers, best)
	f.EndLabels(0, func(l *draw.Layer) string { return l.Name + " " + draw.Score(l.Y[len(l.Y)-1]) })
	f.Say = func(x float64, _, _ int) draw.Markup {
		var t draw.Tip
		now := math.NaN()
		for i, a := range at {
			if float64(a) <= x {
				now = value[i]
			}
		}
		t.Row(draw.Mark(0)+"xNES", draw.Score(now))
		return t.HTML(words.Count(int(x), "try", "tries"))
	}
	f.Aria = said + "."
	return f
}

// WeightCourse draws the best weights of each week as bars up and down from a
// line for each feature.
func WeightCourse(weeks []int, weights [][]float64, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	d := 0
	for _, v := range weights {
		d = max(d, len(v))
	}
	if d == 0 {
		f.Empty = "The best weights of each week appear here."
		return f
	}
	names := draw.WeightNames[:d]
	const left, right, top, foot = 48.0, 14.0, 6.0, 22.0
	rowH := (h - top - foot) / float64(d)
	x := draw.Axis{Names: make([]string, len(weeks)), Unit: "week"}
	step := weekStep(len(weeks), (w-left-right)/30)
	for k, n := range weeks {
		if n%step == 0 {
			x.Names[k] = strconv.Itoa(n)
		}
	}
	for i, name := range names {
		p := draw.Panel{Box: draw.Box{X: left, Y: top + float64(i)*rowH, W: w - left - right, H: rowH}, X: x, Y: draw.Axis{Min: -1.06, Max: 1.06, Ticks: []draw.Tick{{At: 0, Label: name}}}, Hold: true}
		p.X.Hidden = i < d-1
		p.X.Plain = p.X.Hidden
		f.Panels = append(f.Panels, p)
		for _, sign := range [...]float64{1, -1} {
			l := draw.Layer{Shape: draw.Columns, Panel: i, Fill: draw.SeriesVar(int(1-sign) / 2), Y: make([]float64, len(weeks)), Low: make([]float64, len(weeks)), Width: max(1, p.Box.W/float64(len(weeks))*.72)}
			for k, v := range weights {
				l.Y[k] = math.NaN()
				if i < len(v) && v[i]*sign > 0 {
					l.Y[k] = v[i]
				}
			}
			f.Layers = append(f.Layers, l)
		}
	}
	f.Say = func(_ float64, layer, k int) draw.Markup {
		if layer < 0 {
			return ""
		}
		return draw.HTML(`<b>week {}</b>{} {}`, weeks[k], names[layer/2], words.Number(weights[k][layer/2], 2))
	}
	f.Table = draw.Grid{Head: append([]string{"Week"}, names...), Units: append([]string{"week"}, names...)}
	means := make([]float64, d)
	some := 0
	for k, v := range weights {
		if len(v) == 0 {
			continue
		}
		some++
		cells, raw := []string{strconv.Itoa(weeks[k])}, []string{strconv.Itoa(weeks[k])}
		for i, x := range slices.Concat(v, make([]float64, d-len(v))) {
			means[i] += x
			cells, raw = append(cells, words.Number(x, 3)), append(raw, draw.PlainNumber(x))
		}
		f.Table.Cells, f.Table.Raw = append(f.Table.Cells, cells), append(f.Table.Raw, raw)
	}
	for i := range means {
		means[i] /= float64(max(1, some))
	}
	f.Aria = "Best weights of " + words.Count(some, "week", "weeks") + "; on average " + draw.WeightWords(means) + "."
	return f
}

// WeightBars draws one set of weights as small bars, for a line of a table.
func WeightBars(v []float64) draw.Markup {
	const each = 44.0
	n := float64(len(v))
	f := draw.Figure{W: each * n, H: 18, Aria: draw.WeightWords(v)}
	x := draw.Axis{Min: -.5, Max: n - .5, Hidden: true, Plain: true}
	panel := func(top, high float64) draw.Panel {
		return draw.Panel{Box: draw.Box{X: .5, Y: top, W: f.W, H: high}, X: x, Y: draw.Axis{Max: 1, Hidden: true}}
	}
	f.Panels = []draw.Panel{panel(2, 14), panel(5, 8)}
	middle := draw.Layer{Shape: draw.Line, Fill: "var(--line-3)", Width: 1}
	bars := [2]draw.Layer{{Shape: draw.Spans, Panel: 1, Fill: "var(--s1)", Opacity: 1}, {Shape: draw.Spans, Panel: 1, Fill: "var(--s2)", Opacity: 1}}
	for i, w := range v {
		at := float64(i)
		middle.X, middle.Y = append(middle.X, at, at, at), append(middle.Y, 0, 1, math.NaN())
		side := &bars[0]
		if w < 0 {
			side = &bars[1]
		}
		side.Low, side.High = append(side.Low, at+min(0, float64(.46*w))), append(side.High, at+max(0, float64(.46*w)))
	}
	f.Layers = []draw.Layer{middle, bars[0], bars[1]}
	return f.Picture("bl-wbars")
}
