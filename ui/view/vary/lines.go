package vary

import (
	"math"
	"slices"

	"batchlab/core/order"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Sizes of the lines in page pixels.
const (
	leftOf   = 58.0  // of the plot: words of the axis
	namesOf  = 132.0 // right of it: names at the ends of lines
	narrow   = 560.0 // below this width names stand in the tray alone
	titleOf  = 20.0  // above each panel
	apart    = 14.0  // between panels
	footOf   = 40.0  // words of the axis below
	panelOf  = 128.0 // least height of a panel
	stripOf  = 96.0
	dotsFrom = 9.0 // least distance of values for dots
)

// Plot is the lines as they stand on the screen; its horizontal axes are of page pixels.
type Plot struct {
	draw.Figure
	left, right float64
	boxes       float64 // width of what stands between the plot and the names
	d           *Shown
}

// Height is how high the lines want to be.
func (d *Shown) Height() float64 {
	h := float64(len(d.Measures))*(titleOf+panelOf+apart) + footOf
	if d.B >= 0 {
		h += titleOf + stripOf + apart
	}
	return h
}

// x is where value k of the axis stands.
func (p *Plot) x(k int) float64 {
	a := &p.d.Axes[p.d.Over]
	inset := 8.0
	if a.At == nil {
		inset = 0
	}
	return p.left + inset + a.place(k)*(p.right-p.left-2*inset)
}

// Near is the value of the axis nearest to a horizontal place, −1 outside of the
// plot.
func (p *Plot) Near(x float64) int {
	if p.d == nil || x < p.left-6 || x > p.right+6 {
		return -1
	}
	best, least := -1, math.Inf(1)
	for k := range p.d.Axes[p.d.Over].N {
		if far := math.Abs(p.x(k) - x); far < least {
			best, least = k, far
		}
	}
	return best
}

// Lines draws the measures over an axis, one panel under the other, and the paired
// differences of the first one.
func (d *Shown) Lines(w, h float64, say Saying) *Plot {
	p := &Plot{d: d, left: leftOf, right: w - 14 - d.boxRoom(), boxes: d.boxRoom()}
	p.W, p.H = w, max(h, d.Height())
	if len(d.Measures) == 0 || d.Done == 0 && !d.some() {
		p.Empty = "Running …"
		if !d.Running {
			p.Empty = "No point was completed before it stopped. Run again to go on."
		}
		return p
	}
	if w >= narrow {
		p.right = w - namesOf - p.boxes
	}
	panels := float64(len(d.Measures))
	room := p.H - footOf - panels*(titleOf+apart)
	strip := 0.0
	if d.B >= 0 {
		strip = stripOf * p.H / d.Height()
		room -= titleOf + apart + strip
	}
	high := room / panels
	top := titleOf
	for i := range d.Measures {
		m := &d.Measures[i]
		p.Text(4, top-11, m.Row.Name+unitAfter(m.Row), 'l', draw.ToneLabel)
		p.panel(m, top, high, say, w >= narrow)
		top += high + apart + titleOf
	}
	if d.B >= 0 {
		m := &d.Measures[0]
		title := m.Row.Name + ", " + words.Letter(d.A) + " − " + words.Letter(d.B) + " in pairs"
		if title += unitAfter(m.Row); m.relative() {
			title = m.Row.Name + ", " + words.Letter(d.A) + " against " + words.Letter(d.B) + " in pairs, %"
		}
		p.Text(4, top-11, title, 'l', draw.ToneLabel)
		p.pairs(m, top, strip, say, w >= narrow)
	}
	p.axis(p.H - footOf)
	p.Aria = d.aria(say)
	p.Say = func(x float64, _, _ int) draw.Markup { return p.tip(x) }
	p.Fill = d.Table
	return p
}

// frame adds a panel from low to high, with what is said of and the point that is looked
// at marked. Layers that follow belong to it.
func (p *Plot) frame(top, high float64, y draw.Axis, say Saying) {
	k := len(p.Panels)
	p.Panels = append(p.Panels, draw.Panel{Box: draw.Box{X: p.left, Y: top, W: p.right - p.left, H: high}, X: draw.Axis{Min: p.left, Max: p.right}, Y: y})
	if a := &p.d.Axes[p.d.Over]; say.From >= 0 {
		x1, x2 := p.x(a.Order[say.From]), p.x(a.Order[say.To])
		p.Layers = append(p.Layers, draw.Layer{Shape: draw.Spans, Panel: k, Low: []float64{min(x1, x2)}, High: []float64{max(x1, x2)}, Opacity: 1})
	}
	at := p.x(p.d.Choice[p.d.Over])
	p.add(draw.Layer{Shape: draw.Line, Fill: "var(--accent)", Width: 1.5, X: []float64{at, at}, Y: []float64{y.Min, y.Max}, Opacity: .75})
}

// add adds a layer to the last panel, if it holds anything.
func (p *Plot) add(l draw.Layer) {
	if l.Panel = len(p.Panels) - 1; len(l.X) > 0 {
		p.Layers = append(p.Layers, l)
	}
}

// some reports whether any mean is there.
func (d *Shown) some() bool {
	for i := range d.Measures {
		for _, v := range d.Measures[i].Sums.Mean {
			if v == v {
				return true
			}
		}
	}
	return false
}

func (d *Shown) aria(say Saying) string {
	text := d.Measures[0].Row.Name + " over " + axisWord(&d.Axes[d.Over]) + ", " + words.Count(d.Axes[d.Over].N, "value", "values") + "."
	if say.Line != "" {
		text += " " + say.Line
	}
	return text
}

// panel draws one measure.
func (p *Plot) panel(m *Measure, top, height float64, say Saying, names bool) {
	d := p.d
	a := &d.Axes[d.Over]
	low, high, least := math.Inf(1), math.Inf(-1), math.Inf(1)
	for k := range a.N {
		for s := range d.Names {
			v, from, to := m.Mean(d, d.With(d.Over, k), s)
			if v != v {
				continue
			}
			if from != from {
				from, to = v, v
			}
			low, high, least = min(low, from), max(high, to), min(least, v)
		}
	}
	if low > high {
		low, high = 0, 1
	}
	if least >= 0 && low < .6*high || low == high && low >= 0 {
		low = 0 // an interval below zero says nothing of what cannot be negative
	}
	if high == low {
		high = low + 1
	}
	y := draw.Axis{Min: low, Max: high + .04*(high-low)}
	y.Ticks = ticks(m.Row, y.Min, y.Max, max(2, int(height/34)), false)
	p.frame(top, height, y, say)
	for i := range d.Names {
		p.band(m, i, low)
	}
	for i := range d.Names {
		if a.At == nil {
			p.choices(m, i, low)
		} else {
			p.line(p.columns(a.N, p.of(m, i)), draw.Layer{Series: i}, a.N <= 1 || (p.right-p.left)/float64(a.N) >= dotsFrom)
		}
	}
	if names {
		p.ends(m)
	}
	if a.Draws {
		for i := range d.Names {
			p.box(p.means(m, i), i, i)
		}
	}
}

// column is the values of a line that stand in the same pixel.
type column struct{ x, first, least, most, last, low, high float64 }

// columns puts values that stand in the same pixel together; gaps split the list.
func (p *Plot) columns(n int, at func(i int) (x, v, low, high float64)) (parts [][]column) {
	var now []column
	for i := range n {
		x, v, low, high := at(i)
		if v != v {
			if now != nil {
				parts = append(parts, now)
			}
			now = nil
			continue
		}
		if low != low {
			low, high = v, v
		}
		if k := len(now); k > 0 && x-now[k-1].x < .75 {
			c := &now[k-1]
			c.least, c.most, c.last = min(c.least, v), max(c.most, v), v
			c.low, c.high = min(c.low, low), max(c.high, high)
			continue
		}
		now = append(now, column{x, v, v, v, v, low, high})
	}
	if now != nil {
		parts = append(parts, now)
	}
	return parts
}

func (p *Plot) of(m *Measure, scheduler int) func(i int) (x, v, low, high float64) {
	d := p.d
	a := &d.Axes[d.Over]
	return func(i int) (x, v, low, high float64) {
		k := a.Order[i]
		v, low, high = m.Mean(d, d.With(d.Over, k), scheduler)
		return p.x(k), v, low, high
	}
}

// band draws the intervals of a scheduler; a band over phases is an area of more colour.
func (p *Plot) band(m *Measure, i int, least float64) {
	a := &p.d.Axes[p.d.Over]
	if a.At == nil {
		return // choices have whiskers
	}
	opacity := .1
	if m.band(p.d, p.d.Point, i) {
		opacity = .35
	}
	p.area(p.columns(a.N, p.of(m, i)), draw.Layer{Series: i, Opacity: opacity}, least)
}

// area fills the intervals of columns where there are any.
func (p *Plot) area(parts [][]column, l draw.Layer, least float64) {
	l.Shape = draw.Band
	for _, part := range parts {
		if !slices.ContainsFunc(part, func(c column) bool { return c.high > c.most || c.low < c.least }) {
			continue
		}
		for _, c := range part {
			l.X, l.Low, l.High = append(l.X, c.x), append(l.Low, max(c.low, least)), append(l.High, c.high)
		}
		l.X, l.Low, l.High = append(l.X, math.NaN()), append(l.Low, math.NaN()), append(l.High, math.NaN())
	}
	if len(l.X) > 2 {
		p.add(l)
	}
}

// line draws values; dots where they stand far apart, and where one stands alone.
func (p *Plot) line(parts [][]column, l draw.Layer, dots bool) {
	l.Shape = draw.Line
	marks := draw.Layer{Shape: draw.Dots, Series: l.Series, Fill: l.Fill, Size: 5.6}
	for _, part := range parts {
		for _, c := range part {
			l.X, l.Y = append(l.X, c.x), append(l.Y, c.first)
			if c.least < c.first || c.most > c.first {
				l.X, l.Y = append(l.X, c.x, c.x, c.x), append(l.Y, c.least, c.most, c.last)
			}
			if dots || len(part) == 1 {
				marks.X, marks.Y = append(marks.X, c.x), append(marks.Y, c.first)
			}
		}
		l.X, l.Y = append(l.X, math.NaN()), append(l.Y, math.NaN())
	}
	p.add(l)
	p.add(marks)
}

// choices draws the means of a scheduler over choices: dots with whiskers, side
// by side, since nothing lies between two choices.
func (p *Plot) choices(m *Measure, i int, least float64) {
	d := p.d
	a := &d.Axes[d.Over]
	at := p.of(m, i)
	if p.crowded() {
		p.cloud(at, draw.Layer{Series: i})
		return
	}
	each := (p.right - p.left) / float64(a.N)
	off := (float64(i) - float64(len(d.Names)-1)/2) * min(12, each*.7/float64(len(d.Names)))
	dots, bars, bands := draw.Layer{Shape: draw.Dots, Series: i, Size: 6.8}, draw.Layer{Shape: draw.Whiskers, Series: i}, draw.Layer{Shape: draw.Ranges, Series: i}
	for k := range a.N {
		x, v, low, high := at(k)
		if v != v {
			continue
		}
		l := &bars
		if m.band(d, d.With(d.Over, k), i) {
			l = &bands
		} else {
			dots.X, dots.Y = append(dots.X, x+off), append(dots.Y, v)
		}
		if low == low {
			l.X, l.Y, l.Low, l.High = append(l.X, x+off), append(l.Y, v), append(l.Low, max(low, least)), append(l.High, high)
		}
	}
	p.add(bars)
	p.add(bands)
	p.add(dots)
}

// ends writes the names of schedulers at the ends of their lines, moved apart
// where they would collide.
func (p *Plot) ends(m *Measure) {
	a, panel := &p.d.Axes[p.d.Over], &p.Panels[len(p.Panels)-1]
	type end struct {
		scheduler int
		y         float64
	}
	var list []end
	for i := range p.d.Names {
		at := p.of(m, i)
		if values := p.means(m, i); a.Draws && len(values) > 0 {
			_, middle, _ := quarters(values)
			list = append(list, end{i, panel.PY(middle)})
			continue
		}
		for k := a.N - 1; k >= 0; k-- {
			if _, v, _, _ := at(k); v == v {
				list = append(list, end{i, panel.PY(v)})
				break
			}
		}
	}
	order.Stable(list, func(a, b end) int { return order.Floats(a.y, b.y) })
	ys := make([]float64, len(list))
	for i := range list {
		ys[i] = list[i].y
	}
	draw.Spread(ys, 15, panel.Box.Bottom()-2)
	for i, e := range list {
		p.Scheduler(e.scheduler, p.d.Names[e.scheduler], p.right+10+p.boxes, ys[i], namesOf-44, 'l')
	}
}
