package draw

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"batchlab/ui/words"
)

// ResultShape is how results are shown.
type ResultShape string

// Shapes of results.
const (
	AsCurves  ResultShape = "curves"  // Sets with X and Y: lines through points
	AsBars    ResultShape = "bars"    // Sets with Y by name: bars side by side
	AsScatter ResultShape = "scatter" // Sets with X and Y: dots
)

// Result is a chart of results in plain data, such as a figure of a study: what
// there is, in which units. It becomes a picture by Figure.
type Result struct {
	Shape   ResultShape
	X, Y    Quantity // of the axes
	Names   []string // along X, for bars
	Sets    []Set    // the compared things: schedulers, orders …
	Stacked bool     // bars stand on one another: parts of a whole
	Note    string   // how to read it, below the plot: "mean of 5 repeats"
}

// Quantity is what an axis shows. Units "s" are written as durations, "%" as
// shares of 1; others stand beside the name.
type Quantity struct {
	Name, Unit string
	Log        bool
}

// Set is one compared thing.
type Set struct {
	Name   string
	Series int       // whose colour and dash it has: scheduler or place in the list
	Fill   string    // of bars: a colour or pattern instead, "" none
	Sizes  []float64 // of dots: their diameters; nil: all alike
	X, Y   []float64 // NaN: unknown
	Half   []float64 // half the width of Y's intervals; nil or NaN: none
	Paper  []float64 // published values; nil or NaN: none
}

func (q *Quantity) show(v float64) string {
	switch {
	case math.IsNaN(v):
		return words.None
	case q.Unit == "s":
		return words.Dur(v)
	case q.Unit == "%":
		return words.Percent(v)
	}
	return words.Plain(v)
}

// tick writes a value beside an axis.
func (q *Quantity) tick(v float64) string {
	switch {
	case q.Unit == "s":
		return words.Dur(v)
	case q.Unit == "%":
		return words.Number(v*100, 0) + words.NB + "%"
	case math.Abs(v) < 1e15 && v == math.Trunc(v):
		return words.Number(v, 0)
	}
	return strings.Replace(strconv.FormatFloat(v, 'g', 4, 64), "-", words.Minus, 1)
}

// written reports whether ticks at these values say where they stand: 0.05 does,
// 0.01281 of a number with more digits does not.
func (q *Quantity) written(list []float64) bool {
	if q.Unit == "s" || q.Unit == "%" {
		return true
	}
	for _, v := range list {
		if short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64); err != nil || short != v && v != math.Trunc(v) {
			return false
		}
	}
	return true
}

// title is the quantity's name with its unit and scale.
func (q *Quantity) title() string {
	s := q.Name
	if q.Unit != "" && q.Unit != "s" && q.Unit != "%" {
		s += ", " + q.Unit
	}
	if q.Log {
		s += ", log scale"
	}
	return s
}

// logDurations are the seconds that a logarithmic axis may name.
var logDurations = [...]float64{1, 10, 60, 300, 600, 1800, 3600, 2 * 3600, 4 * 3600, 8 * 3600, 12 * 3600, 86400, 2 * 86400, 4 * 86400, 7 * 86400, 14 * 86400, 30 * 86400, 100 * 86400, 365 * 86400}

// Axis covers the values, from 0 where bars must begin there, with about n ticks.
func (q *Quantity) Axis(lo, hi float64, zero bool, n int) Axis {
	if !(lo <= hi) {
		lo, hi = 0, 1
	}
	a := Axis{Min: lo, Max: hi, Log: q.Log && lo > 0 && !zero, Unit: q.Name}
	if q.Unit != "" && q.Unit != "%" {
		a.Unit += " (" + q.Unit + ")"
	}
	if a.Log {
		if hi < lo*2 {
			a.Min, a.Max = lo/2, hi*2
		} else {
			a.Min, a.Max = lo/1.15, hi*1.15
		}
		if q.Unit == "s" && a.Min >= 1 {
			for _, v := range logDurations {
				if v >= a.Min && v <= a.Max {
					a.Ticks = append(a.Ticks, Tick{At: v, Label: words.Dur(v)})
				}
			}
			return a
		}
		for v := math.Pow(10, math.Floor(math.Log10(a.Min))); v <= a.Max; v *= 10 {
			for _, m := range [...]float64{1, 2, 5} {
				if x := v * m; x >= a.Min && x <= a.Max && (m == 1 || a.Max/a.Min < 200) {
					a.Ticks = append(a.Ticks, Tick{At: x, Label: q.tick(x)})
				}
			}
		}
		return a
	}
	if lo > 0 && (zero || lo < hi*.6 || lo == hi) {
		a.Min = 0
	}
	if a.Max < 0 {
		a.Max = 0
	}
	pad := (a.Max - a.Min) * .05
	if pad == 0 {
		pad = max(1e-9, math.Abs(a.Max)*.05)
	}
	a.Max += pad
	if a.Min != 0 {
		a.Min -= pad
	}
	span := a.Max - a.Min
	ticks := LinearTicks(span, n)
	if q.Unit == "s" {
		ticks = DurationTicks(span, n)
	}
	step := span
	if len(ticks) > 1 {
		step = ticks[1].At
	}
	digits := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	for k := math.Ceil(a.Min/step - 1e-9); k*step <= a.Max*(1+1e-12)+1e-12; k++ {
		v := k * step
		label := words.Number(v, digits)
		switch q.Unit {
		case "s":
			label = words.Dur(v)
		case "%":
			label = words.Number(v*100, max(0, digits-2)) + words.NB + "%"
		}
		a.Ticks = append(a.Ticks, Tick{At: v, Label: label})
	}
	return a
}

// at is v[i], NaN where there is none.
func at(v []float64, i int) float64 {
	if i >= len(v) {
		return math.NaN()
	}
	return v[i]
}

// tops is how high the bars of the first n sets reach that stand on one another.
func (r *Result) tops(n int) []float64 {
	top := make([]float64, len(r.Names))
	for k := range r.Sets[:n] {
		for i, y := range r.Sets[k].Y {
			if y == y {
				top[i] += y
			}
		}
	}
	return top
}

// bounds are the least and the greatest value that sets reach.
func (r *Result) bounds() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	if r.Stacked {
		for _, y := range r.tops(len(r.Sets)) {
			lo, hi = min(lo, y), max(hi, y)
		}
		return lo, hi
	}
	add := func(v float64) {
		if !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	for k := range r.Sets {
		s := &r.Sets[k]
		for i, y := range s.Y {
			add(y)
			add(at(s.Paper, i))
			if h := at(s.Half, i); !math.IsNaN(h) {
				add(y + h)
				if !r.Y.Log || y > h {
					add(y - h)
				}
			}
		}
	}
	return lo, hi
}

// nothingYet is said where a result has nothing to show.
const nothingYet = "Results appear here as soon as they are there."

// Figure makes the chart for w × h page pixels.
func (r *Result) Figure(w, h float64) Figure {
	f := Figure{W: w, H: h}
	switch r.Shape {
	case AsCurves, AsScatter:
		r.plane(&f)
	default:
		r.groups(&f)
	}
	if len(f.Panels) == 0 && f.Empty == "" {
		f.Empty = nothingYet
	}
	return f
}

// Height is what the chart needs at least, in page pixels.
func (r *Result) Height() float64 {
	h := 252.0
	if r.Shape == AsBars && room(r.Names, 0, 1e9)*float64(len(r.Names)) > 900 { // they will lie
		h = max(h, 60+float64(len(r.Names)*(10+13*len(r.Sets))))
	}
	return min(h, 900)
}

// caption writes the line below a plot.
func (r *Result) caption(f *Figure, x float64, s string) {
	if r.Note != "" && s != "" {
		s += " · "
	}
	if s += r.Note; r.published() {
		if s != "" {
			s += " · "
		}
		s += "▬ as published"
	}
	if s != "" {
		f.Text(x, f.H-9, Clip(s, f.W-x-4), 'l', ToneAxis)
	}
}

func (r *Result) published() bool {
	return (r.Shape == AsCurves || r.Shape == AsBars) && r.some(func(s *Set) []float64 { return s.Paper })
}

// room is what labels of these widths need beside an axis.
func room(labels []string, least, most float64) float64 {
	n := 0
	for _, s := range labels {
		n = max(n, len([]rune(s)))
	}
	return min(most, max(least, float64(n)*6.1+14))
}

func tickRoom(a *Axis) float64 {
	var labels []string
	for _, t := range a.Ticks {
		labels = append(labels, t.Label)
	}
	return room(labels, 40, 90)
}

// plane draws curves or dots.
func (r *Result) plane(f *Figure) {
	xlo, xhi := math.Inf(1), math.Inf(-1)
	var names []string
	var xs []float64
	for k := range r.Sets {
		names = append(names, r.Sets[k].Name)
		for i, x := range r.Sets[k].X {
			if !math.IsNaN(x) && !math.IsNaN(at(r.Sets[k].Y, i)) {
				xlo, xhi = min(xlo, x), max(xhi, x)
				xs = append(xs, x)
			}
		}
	}
	if len(xs) == 0 {
		return
	}
	lo, hi := r.bounds()
	y := r.Y.Axis(lo, hi, false, max(2, int(f.H/56)))
	left, right := tickRoom(&y), 18.0
	ends := r.Shape == AsCurves && len(r.Sets) > 1 && f.W > 460
	if ends {
		right = room(names, 40, f.W*.3) + 30
	} else if len(r.Sets) > 1 {
		f.keys(r.Sets)
	}
	p := Panel{Box: Box{left, 24, max(10, f.W-left-right), max(10, f.H-24-46)}, Y: y}
	p.X = r.X.Axis(xlo, xhi, false, max(2, int(p.Box.W/70)))
	if r.Shape == AsCurves && !p.X.Log {
		pad := (xhi - xlo) * .03
		p.X.Min, p.X.Max = xlo-pad, xhi+pad
		if pad == 0 {
			p.X.Min, p.X.Max = xlo-1, xhi+1
		}
	}
	slices.Sort(xs)
	if xs = slices.Compact(xs); r.Shape == AsCurves && len(xs) <= 10 && r.X.written(xs) {
		p.X.Ticks = nil // the places that were measured
		for _, x := range xs {
			p.X.Ticks = append(p.X.Ticks, Tick{At: x, Label: r.X.tick(x)})
		}
	}
	inside := p.X.Ticks[:0] // the round steps are those of an axis that may begin at 0
	for _, t := range p.X.Ticks {
		if t.At >= p.X.Min && t.At <= p.X.Max {
			inside = append(inside, t)
		}
	}
	p.X.Ticks = inside
	p.Thin(40, f.W)
	p.ThinY()
	f.Panels = []Panel{p}
	f.Text(12, 10, r.Y.title(), 'l', ToneAxis)
	r.caption(f, left, r.X.title())
	f.Table = Grid{Head: []string{"", r.X.Name, r.Y.Name}, Left: 1, Units: []string{"series", p.X.Unit, y.Unit}}
	f.Aria = r.Y.Name + " over " + r.X.Name + " for " + strings.Join(names, ", ") + ": " + r.Y.show(lo) + " to " + r.Y.show(hi) + "."
	for k := range r.Sets {
		s := &r.Sets[k]
		l := Layer{Shape: Line, Series: s.Series, Name: s.Name, X: s.X, Y: s.Y, Width: 1.8, Size: 6}
		if r.Shape == AsScatter {
			l.Shape, l.Size = Dots, 8
			if l.X, l.Y, l.Sizes = s.X, s.Y, s.Sizes; l.Sizes == nil {
				l.X, l.Y, l.Sizes = binned(s.X, s.Y, &p)
			}
		} else {
			f.Layers = append(f.Layers, s.extras(func(i int) float64 { return s.X[i] }, 0, 12, p.Y.Log)...)
		}
		f.Layers = append(f.Layers, l)
		f.rows(r, s, func(i int) (string, string) { return r.X.tick(s.X[i]), PlainNumber(s.X[i]) })
	}
	if ends {
		f.EndLabels(0, func(l *Layer) string { return Clip(l.Name, right-30) })
	}
	if r.Shape == AsScatter {
		f.Panels[0].Hold = true
		f.Say = func(_ float64, k, i int) Markup {
			var t Tip
			l := &f.Layers[k]
			t.Row(HTML(`{}`, r.X.Name), r.X.show(l.X[i]))
			t.Row(HTML(`{}`, r.Y.Name), r.Y.show(l.Y[i]))
			return t.HTML(l.Name)
		}
		return
	}
	f.Say = func(x float64, _, _ int) Markup {
		near := xs[0]
		for _, v := range xs {
			if math.Abs(p.PX(v)-p.PX(x)) < math.Abs(p.PX(near)-p.PX(x)) {
				near = v
			}
		}
		return r.say(r.X.Name+" "+r.X.tick(near), func(s *Set) int { return slices.Index(s.X, near) })
	}
}

// say lists what all sets have at one place.
func (r *Result) say(title string, item func(*Set) int) Markup {
	var t Tip
	if r.published() {
		t.Head = [2]string{"ours", "published"}
	}
	for k := range r.Sets {
		s := &r.Sets[k]
		i := item(s)
		if i < 0 || i >= len(s.Y) || r.Stacked && s.Y[i] != s.Y[i] {
			continue
		}
		v := r.Y.show(s.Y[i])
		if h := at(s.Half, i); !math.IsNaN(h) {
			v += " ±" + words.NB + r.Y.show(h)
		}
		cells := []string{v}
		if t.Head[0] != "" {
			cells = append(cells, r.Y.show(at(s.Paper, i)))
		}
		t.Row(HTML(`{}{}`, swatch(s.Series, s.Fill), s.Name), cells...)
	}
	return t.HTML(title)
}

// extras are a set's intervals and published values as layers.
func (s *Set) extras(x func(i int) float64, shift, width float64, log bool) (out []Layer) {
	whiskers := Layer{Shape: Whiskers, Series: s.Series, Shift: shift, Ink: width > 12}
	levels := Layer{Shape: Levels, Series: s.Series, Shift: shift, Width: width, Ink: true}
	for i, y := range s.Y {
		if h := at(s.Half, i); h > 0 {
			low := y - h
			if log {
				low = max(low, y/10)
			}
			whiskers.X, whiskers.Low, whiskers.High = append(whiskers.X, x(i)), append(whiskers.Low, low), append(whiskers.High, y+h)
		}
		if v := at(s.Paper, i); !math.IsNaN(v) {
			levels.X, levels.Y = append(levels.X, x(i)), append(levels.Y, v)
		}
	}
	for _, l := range []Layer{whiskers, levels} {
		if len(l.X) > 0 {
			out = append(out, l)
		}
	}
	return out
}

// rows adds a set to table and file.
func (f *Figure) rows(r *Result, s *Set, x func(i int) (cell, raw string)) {
	extra := [2]bool{r.some(func(s *Set) []float64 { return s.Half }), r.published()}
	if len(f.Table.Cells) == 0 {
		for k, name := range [...]string{"± 95" + words.NB + "%", "Published"} {
			if extra[k] {
				f.Table.Head = append(f.Table.Head, name)
				f.Table.Units = append(f.Table.Units, [...]string{"half_interval_95", "published"}[k])
			}
		}
	}
	for i, y := range s.Y {
		if r.Stacked && y != y {
			continue
		}
		cell, raw := x(i)
		cells, raws := []string{s.Name, cell, r.Y.show(y)}, []string{s.Name, raw, PlainNumber(y)}
		for k, v := range [...][]float64{s.Half, s.Paper} {
			if extra[k] {
				cells, raws = append(cells, r.Y.show(at(v, i))), append(raws, PlainNumber(at(v, i)))
			}
		}
		f.Table.Cells, f.Table.Raw = append(f.Table.Cells, cells), append(f.Table.Raw, raws)
	}
}

func (r *Result) some(of func(*Set) []float64) bool {
	for k := range r.Sets {
		for _, v := range of(&r.Sets[k]) {
			if !math.IsNaN(v) {
				return true
			}
		}
	}
	return false
}

// keys names the sets above the plot.
func (f *Figure) keys(sets []Set) {
	for k := range sets {
		f.Keys = append(f.Keys, Key{Series: sets[k].Series, Name: sets[k].Name, Fill: sets[k].Fill})
	}
}

// many is the number of dots above which they are put together.
const many = 5000

// binned puts dots together that would stand on the same 8 × 8 pixels, when
// there are very many of them: the area of a dot then is their number.
func binned(x, y []float64, p *Panel) (bx, by, sizes []float64) {
	if len(x) <= many {
		return x, y, nil
	}
	columns := int(p.Box.W/8) + 1
	count := map[int]int{}
	most := 1
	for i := range x {
		if !math.IsNaN(x[i]) && !math.IsNaN(y[i]) {
			k := int(p.PY(y[i])/8)*columns + int((p.PX(x[i])-p.Box.X)/8)
			count[k]++
			if most = max(most, count[k]); count[k] == 1 {
				bx, by, sizes = append(bx, x[i]), append(by, y[i]), append(sizes, float64(k))
			}
		}
	}
	for i, k := range sizes {
		sizes[i] = 3 + 9*math.Sqrt(float64(count[int(k)])/float64(most))
	}
	return bx, by, sizes
}

func Itoa(n int) string { return strconv.Itoa(n) }
