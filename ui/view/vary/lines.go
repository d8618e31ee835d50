package vary

import (
	"math"

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

// Plot is the lines as they stand on the screen.
type Plot struct {
	draw.Drawing
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
	var pen draw.Pen
	top := titleOf
	foot := p.H - footOf
	p.Top, p.Foot = top, foot
	if say.From >= 0 {
		a := &d.Axes[d.Over]
		x1, x2 := p.x(a.Order[say.From]), p.x(a.Order[say.To])
		pen.Rect(min(x1, x2), top, math.Abs(x2-x1), foot-top, "var(--sunken)", "")
	}
	for i := range d.Measures {
		m := &d.Measures[i]
		pen.Text(4, top-7, m.Row.Name+unitAfter(m.Row), "", "k2")
		p.panel(&pen, m, top, top+high, w >= narrow)
		top += high + apart + titleOf
	}
	if d.B >= 0 {
		m := &d.Measures[0]
		title := m.Row.Name + ", " + words.Letter(d.A) + " − " + words.Letter(d.B) + " in pairs"
		if title += unitAfter(m.Row); m.relative() {
			title = m.Row.Name + ", " + words.Letter(d.A) + " against " + words.Letter(d.B) + " in pairs, %"
		}
		pen.Text(4, top-7, title, "", "k2")
		p.pairs(&pen, m, top, top+strip, w >= narrow)
	}
	p.axis(&pen, foot)
	p.SVG = pen.Markup()
	p.Aria = d.aria(say)
	p.Say = func(x float64) draw.Markup { return p.tip(x) }
	return p
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
func (p *Plot) panel(pen *draw.Pen, m *Measure, top, foot float64, names bool) {
	d := p.d
	a := &d.Axes[d.Over]
	p.cursor(pen, top, foot)
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
	s := scale{low, high + .04*(high-low), top, foot}
	for _, t := range ticks(m.Row, s.low, s.high, max(2, int((foot-top)/34)), false) {
		y := draw.Crisp(s.y(t.At))
		pen.Line(p.left, y, p.right, y, "grid")
		pen.Text(p.left-8, y+4, t.Label, "end", "")
	}
	pen.Line(p.left, draw.Crisp(foot), p.right, draw.Crisp(foot), "line-3")
	dots := a.N <= 1 || (p.right-p.left)/float64(a.N) >= dotsFrom
	for i := range d.Names {
		p.band(pen, m, i, s)
	}
	for i := range d.Names {
		p.line(pen, m, i, s, dots)
		if a.Draws {
			p.box(pen, p.means(m, i), i, s, draw.SeriesVar(i))
		}
	}
	if names {
		p.ends(pen, m, s)
	}
}

// cursor draws the point that is looked at.
func (p *Plot) cursor(pen *draw.Pen, top, foot float64) {
	at := p.x(p.d.Choice[p.d.Over])
	pen.Path("M"+draw.Num(at)+" "+draw.Num(top)+"V"+draw.Num(foot), "var(--accent)", "1.5", "", "none", `stroke-opacity=".75"`)
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
func (p *Plot) band(pen *draw.Pen, m *Measure, i int, s scale) {
	a := &p.d.Axes[p.d.Over]
	opacity := ".1"
	if m.band(p.d, p.d.Point, i) {
		opacity = ".35"
	}
	if a.At == nil {
		return // choices have whiskers
	}
	for _, part := range p.columns(a.N, p.of(m, i)) {
		if len(part) < 2 {
			continue
		}
		path, some := draw.Path{}, false
		for k, c := range part {
			path.Cmd(move(k), c.x, s.y(c.high))
			some = some || c.high > c.most || c.low < c.least
		}
		for k := len(part) - 1; k >= 0; k-- {
			path.Cmd('L', part[k].x, s.y(max(part[k].low, s.low)))
		}
		if some {
			pen.Path(string(path.B)+"z", "", "", "", draw.SeriesVar(i), draw.HTML(`fill-opacity="{}"`, opacity))
		}
	}
}

func move(k int) byte {
	if k == 0 {
		return 'M'
	}
	return 'L'
}

// line draws the means of a scheduler; dots where values stand far apart.
func (p *Plot) line(pen *draw.Pen, m *Measure, i int, s scale, dots bool) {
	a := &p.d.Axes[p.d.Over]
	if a.At == nil {
		p.choices(pen, m, i, s)
		return
	}
	for _, part := range p.columns(a.N, p.of(m, i)) {
		var path draw.Path
		for k, c := range part {
			path.Cmd(move(k), c.x, s.y(c.first))
			if c.least < c.first || c.most > c.first {
				path.Cmd('V', s.y(c.least))
				path.Cmd('V', s.y(c.most))
				path.Cmd('V', s.y(c.last))
			}
		}
		if len(part) > 1 {
			pen.Path(string(path.B), draw.SeriesVar(i), "2", draw.Dash(i), "none", "")
		}
		if dots || len(part) == 1 {
			for _, c := range part {
				dot(pen, c.x, s.y(c.first), 2.8, draw.SeriesVar(i), "var(--panel)")
			}
		}
	}
}

// choices draws the means of a scheduler over choices: dots with whiskers, side
// by side, since nothing lies between two choices.
func (p *Plot) choices(pen *draw.Pen, m *Measure, i int, s scale) {
	a := &p.d.Axes[p.d.Over]
	if p.crowded() {
		p.cloud(pen, p.of(m, i), s, draw.SeriesVar(i))
		return
	}
	d := p.d
	each := (p.right - p.left) / float64(a.N)
	off := (float64(i) - float64(len(d.Names)-1)/2) * min(12, each*.7/float64(len(d.Names)))
	at := p.of(m, i)
	for k := range a.N {
		x, v, low, high := at(k)
		if v != v {
			continue
		}
		if m.band(d, d.With(d.Over, k), i) {
			pen.Band(x+off, s.y(high), x+off, s.y(max(s.low, low)), x+off, s.y(v), i)
			continue
		}
		if low == low {
			pen.Path("M"+draw.Num(x+off)+" "+draw.Num(s.y(max(s.low, low)))+"V"+draw.Num(s.y(high)), draw.SeriesVar(i), "1.5", "", "none", "")
		}
		dot(pen, x+off, s.y(v), 3.4, draw.SeriesVar(i), "var(--panel)")
	}
}

func dot(pen *draw.Pen, x, y, r float64, fill, stroke string) {
	pen.Put(`<circle cx="{}" cy="{}" r="{}" fill="{}" stroke="{}" stroke-width="1.2"/>`, x, y, r, fill, stroke)
}

// ends writes the names of schedulers at the ends of their lines, moved apart
// where they would collide.
func (p *Plot) ends(pen *draw.Pen, m *Measure, s scale) {
	a := &p.d.Axes[p.d.Over]
	type end struct {
		scheduler int
		y         float64
	}
	var list []end
	for i := range p.d.Names {
		at := p.of(m, i)
		if values := p.means(m, i); a.Draws && len(values) > 0 {
			_, middle, _ := quarters(values)
			list = append(list, end{i, s.y(middle)})
			continue
		}
		for k := a.N - 1; k >= 0; k-- {
			if _, v, _, _ := at(k); v == v {
				list = append(list, end{i, s.y(v)})
				break
			}
		}
	}
	for i := 1; i < len(list); i++ {
		for k := i; k > 0 && list[k].y < list[k-1].y; k-- {
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
	const each = 15
	for i := 1; i < len(list); i++ {
		list[i].y = max(list[i].y, list[i-1].y+each)
	}
	if n := len(list); n > 0 {
		list[n-1].y = min(list[n-1].y, s.foot-2)
		for i := n - 2; i >= 0; i-- {
			list[i].y = min(list[i].y, list[i+1].y-each)
		}
	}
	x := p.right + 10 + p.boxes
	for _, e := range list {
		pen.Path("M"+draw.Num(x)+" "+draw.Num(e.y)+"h16", draw.SeriesVar(e.scheduler), "2.4", draw.Dash(e.scheduler), "none", "")
		pen.Raw(x+22, e.y+4, draw.HTML(`<tspan class="b">{}</tspan> {}`, words.Letter(e.scheduler), draw.Clip(p.d.Names[e.scheduler], namesOf-44)), "", "k")
	}
}
