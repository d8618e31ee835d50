package vary

import (
	"math"

	"batchlab/core/catalog"
	"batchlab/ui/draw"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// Map is two axes as they stand on the screen: each cell the first measure of A
// against B, or A's own where nothing is compared.
type Map struct {
	draw.Figure
	d              *Shown
	left, top      float64
	wide, high     float64 // of a cell
	columns, lines int
}

// tileShades is how many colours cells have that are too small for words: those of one
// colour are one shape.
const tileShades = 49

const (
	mapFoot = 56.0
	cellMin = 6.5 // page pixels of a cell that is drawn by itself
)

// point is the point in a column and a line, both from the upper left corner.
func (p *Map) point(column, line int) int {
	d := p.d
	over, under := &d.Axes[d.Over], &d.Axes[d.Under]
	return d.Point + (over.Order[column*over.N/p.columns]-d.Choice[d.Over])*d.stride(d.Over) + (under.Order[line*under.N/p.lines]-d.Choice[d.Under])*d.stride(d.Under)
}

// stride is how many points lie between neighbours on an axis.
func (d *Shown) stride(axis int) int {
	n := 1
	for _, a := range d.Axes[axis+1:] {
		n *= a.N
	}
	return n
}

// At is the point under a place, −1 none.
func (p *Map) At(x, y float64) int {
	if p.d == nil || p.columns == 0 || x < p.left || y < p.top {
		return -1
	}
	column, line := int((x-p.left)/p.wide), int((y-p.top)/p.high)
	if column >= p.columns || line >= p.lines {
		return -1
	}
	return p.point(column, line)
}

// Map draws the first measure over two axes.
func (d *Shown) Map(t *draw.Theme, w, h float64) *Map {
	p := &Map{d: d}
	p.W, p.H = w, h
	if d.Under < 0 || len(d.Measures) == 0 {
		p.Empty = "A second setting that varies makes a map."
		return p
	}
	over, under := &d.Axes[d.Over], &d.Axes[d.Under]
	longest := 0.0
	for _, k := range under.Order[:min(under.N, 40)] {
		longest = max(longest, draw.TextWidth(under.Text(k)))
	}
	p.left, p.top = min(110, max(34, longest+14)), 4
	inner, below := w-p.left-8, h-p.top-mapFoot
	p.columns, p.lines = min(over.N, max(1, int(inner/cellMin))), min(under.N, max(1, int(below/cellMin)))
	p.wide, p.high = inner/float64(p.columns), below/float64(p.lines)
	m := &d.Measures[0]
	low, high := d.span(m)
	panel := draw.Panel{Box: draw.Box{X: p.left, Y: p.top, W: inner, H: below}, X: draw.Axis{Names: make([]string, p.columns), Hidden: true, Plain: true}, Y: draw.Axis{Names: make([]string, p.lines), Hidden: true, Inverse: true}, Hold: true}
	cells := draw.Layer{Shape: draw.Cells, Series: -1, Merged: p.wide < 10 || p.high < 10}
	var mark draw.Layer // the point that is looked at
	for line := range p.lines {
		for column := range p.columns {
			point, x, y := p.point(column, line), float64(column), float64(line)
			if point == d.Point {
				mark = draw.Layer{Shape: draw.Line, X: []float64{x - .5, x + .5, x + .5, x - .5, x - .5}, Y: []float64{y - .5, y - .5, y + .5, y + .5, y - .5}}
			}
			color, word, ok := p.cell(t, m, point, low, high, cells.Merged)
			if !ok {
				continue // not computed yet: no colour
			}
			if float64(len([]rune(word)))*6.1 > p.wide-3 || p.high < 16 {
				word = ""
			}
			cells.X, cells.Y, cells.Colors, cells.Words = append(cells.X, x), append(cells.Y, y), append(cells.Colors, color), append(cells.Words, word)
		}
	}
	p.Panels, p.Layers = []draw.Panel{panel}, []draw.Layer{cells}
	if mark.X != nil {
		mark.Width, mark.Fill = 4, "var(--panel)"
		p.Layers = append(p.Layers, mark)
		mark.Width, mark.Fill = 2, "var(--accent)"
		p.Layers = append(p.Layers, mark)
	}
	for line := range p.lines {
		if p.high >= 14 || line%int(math.Ceil(14/p.high)) == 0 {
			p.Text(p.left-7, panel.PY(float64(line)), draw.Clip(under.Text(under.Order[line*under.N/p.lines]), p.left-10), 'r', draw.ToneAxis)
		}
	}
	last := math.Inf(-1)
	for column := range p.columns {
		text := over.Text(over.Order[column*over.N/p.columns])
		if over.At == nil {
			text = draw.Clip(text, p.wide-4)
		}
		x := p.left + (float64(column)+.5)*p.wide
		if half := float64(len([]rune(text)))*3.1 + 4; x-half >= last {
			p.Text(x, p.top+below+12, text, 'c', draw.ToneAxis)
			last = x + half
		}
	}
	p.Text(p.left, h-26, axisWord(over)+" →  ·  "+axisWord(under)+" ↓", 'l', draw.ToneAxis)
	p.legend(t, m, low, high, w, h)
	p.Aria, p.Fill = p.aria(m), d.Table
	return p
}

func (p *Map) aria(m *Measure) string {
	d := p.d
	text := m.Row.Name + " over " + axisWord(&d.Axes[d.Over]) + " and " + axisWord(&d.Axes[d.Under])
	if d.B < 0 {
		return text + ", under " + d.Names[d.A] + "."
	}
	return text + ": " + d.Names[d.A] + " against " + d.Names[d.B] + ". " + d.everywhere(m)
}

// span is what the colours go from and to: of differences, how large they get.
func (d *Shown) span(m *Measure) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for point := range d.Points {
		if d.B >= 0 {
			if diff := m.Diff(point); diff.N > 0 {
				high = max(high, math.Abs(diff.Mean))
			}
			continue
		}
		if v, _, _ := m.Mean(d, point, d.A); v == v {
			low, high = min(low, v), max(high, v)
		}
	}
	if d.B >= 0 {
		low = -high
	}
	return low, high
}

// cell is the colour of a point, of few ones if so wished, and what is written on it; not
// ok where nothing is computed yet.
func (p *Map) cell(t *draw.Theme, m *Measure, point int, low, high float64, few bool) (color draw.Color, word string, ok bool) {
	d, share := p.d, 0.0
	if d.B < 0 {
		v, _, _ := m.Mean(d, point, d.A)
		if high > low {
			share = (v - low) / (high - low)
		}
		word, ok = brief(m.Row, v, false), v == v
	} else {
		diff := m.Diff(point)
		switch {
		case diff.N == 0:
			return 0, "", false
		case !d.apart(&diff) && diff.Same:
			return t.Sunken, result.Untold(&diff), true
		case !d.apart(&diff):
			return t.Sunken, "?", true
		}
		if share = .5; high > 0 {
			share = (draw.Root(diff.Mean/high) + 1) / 2
		}
		word, ok = brief(m.Row, diff.Mean, true), true
	}
	if few && ok {
		share = math.Round(share*(tileShades-1)) / (tileShades - 1)
	}
	return p.shade(t, m, share), word, ok
}

// shade is the colour at a share of the scale.
func (p *Map) shade(t *draw.Theme, m *Measure, share float64) draw.Color {
	switch {
	case p.d.B < 0:
		return t.Tide(share)
	case m.Row.Better > 0:
		return t.Diverging(1 - 2*share)
	}
	return t.Diverging(2*share - 1)
}

// brief writes a value or a difference as short as it goes; the unit of seconds
// stands with it.
func brief(row *catalog.Metric, v float64, signed bool) string {
	write := func(v float64) string {
		switch {
		case row.Unit == "s" && v >= 10*86400:
			return words.Number(v/86400, 0) + "d"
		case row.Unit == "s" && v >= 86400:
			return words.Number(v/86400, 1) + "d"
		case row.Unit == "s" && v >= 36000:
			return words.Number(v/3600, 0) + "h"
		case row.Unit == "s" && v >= 3600:
			return words.Number(v/3600, 1) + "h"
		case row.Unit == "s" && v >= 60:
			return words.Number(v/60, 0) + "m"
		case row.Unit == "s":
			return words.Number(v, 0) + "s"
		case row.Key == "utilization":
			return words.Number(v*100, 1)
		}
		return words.Plain(v)
	}
	if signed {
		return words.Signed(v, write)
	}
	return write(v)
}

// legend says what the colours mean.
func (p *Map) legend(t *draw.Theme, m *Measure, low, high, w, h float64) {
	d := p.d
	const wide = 72.0
	left, right := words.Letter(d.A)+" lower", "higher"
	if d.B < 0 {
		if left, right = brief(m.Row, low, false), brief(m.Row, high, false); math.IsInf(low, 0) {
			return
		}
	}
	p.Scale(draw.Box{X: w - 16 - wide - float64(len([]rune(right)))*6.1, Y: h - 31, W: wide, H: 9}, func(v float64) draw.Color { return p.shade(t, m, v) }, left, right)
	note := "one workload: no interval"
	if d.B >= 0 && d.Repeats > 1 {
		note = "?: " + d.hollow()
	}
	p.Text(p.left, h-10, note+" · blank: not computed yet", 'l', draw.ToneAxis)
}

// valueText writes a mean with its interval.
func valueText(row *catalog.Metric, v, low, high float64) string {
	if v != v {
		return words.None
	}
	text := result.ValueText(row, v)
	if of := result.SpanText(row, result.Spread{Low: low, High: high}); of != "" {
		text += " (" + of + ")"
	}
	return text
}
