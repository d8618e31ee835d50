package vary

import (
	"math"
	"strconv"

	"batchlab/core/catalog"
	"batchlab/ui/draw"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// Map is two axes as they stand on the screen: each cell the first measure of A
// against B, or A's own where nothing is compared.
type Map struct {
	draw.Drawing
	d              *Shown
	left, top      float64
	wide, high     float64 // of a cell
	columns, lines int
	tiles          [tileShades + 2][]byte // outlines of cells too small for words, by colour
}

// tileShades is how many colours cells have that are too small for words, so that
// those of one colour are one shape: thousands of elements would hold the page.
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
	var pen draw.Pen
	gap := 1.2
	if p.wide < 10 || p.high < 10 {
		gap = 0
	}
	for line := range p.lines {
		for column := range p.columns {
			point := p.point(column, line)
			x, y := p.left+float64(column)*p.wide+gap/2, p.top+float64(line)*p.high+gap/2
			p.cell(&pen, t, m, point, x, y, p.wide-gap, p.high-gap, low, high)
		}
	}
	for i, outline := range p.tiles {
		if len(outline) > 0 {
			pen.Path(string(outline), "", "", "", p.shade(i, t, m), `shape-rendering="crispEdges"`)
		}
	}
	for line := range p.lines {
		if line*int(16/p.high+1)%p.lines == 0 || p.high >= 14 || line%int(math.Ceil(14/p.high)) == 0 {
			pen.Text(p.left-7, p.top+(float64(line)+.5)*p.high+4, draw.Clip(under.Text(under.Order[line*under.N/p.lines]), p.left-10), "end", "")
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
			pen.Text(x, p.top+below+16, text, "middle", "")
			last = x + half
		}
	}
	for line := range p.lines { // the point that is looked at, above all
		if under.Order[line*under.N/p.lines] != d.Choice[d.Under] {
			continue
		}
		for column := range p.columns {
			if p.point(column, line) == d.Point {
				x, y := p.left+float64(column)*p.wide, p.top+float64(line)*p.high
				pen.Rect(x-.5, y-.5, p.wide+1, p.high+1, "none", `stroke="var(--panel)" stroke-width="4" rx="3"`)
				pen.Rect(x-.5, y-.5, p.wide+1, p.high+1, "none", `stroke="var(--accent)" stroke-width="2" rx="3"`)
			}
		}
	}
	pen.Text(p.left, h-22, axisWord(over)+" →  ·  "+axisWord(under)+" ↓", "", "")
	p.legend(&pen, t, m, low, high, w, h)
	p.SVG = pen.Markup()
	p.Aria = p.aria(m)
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

// cell draws one point.
func (p *Map) cell(pen *draw.Pen, t *draw.Theme, m *Measure, point int, x, y, w, h, low, high float64) {
	d := p.d
	if w < 10 || h < 10 {
		p.tile(m, point, x, y, w, h, low, high)
		return
	}
	const round = `rx="2"`
	empty := func() {
		pen.Rect(x+.5, y+.5, w-1, h-1, "none", `stroke="var(--line-2)" stroke-dasharray="3 2" rx="2"`)
	}
	if d.B < 0 {
		v, _, _ := m.Mean(d, point, d.A)
		if v != v {
			empty()
			return
		}
		share := 0.0
		if high > low {
			share = (v - low) / (high - low)
		}
		c := t.Tide(share)
		pen.Rect(x, y, w, h, c.Hex(), round)
		p.word(pen, brief(m.Row, v, false), x, y, w, h, on(c))
		return
	}
	diff := m.Diff(point)
	switch {
	case diff.N == 0:
		empty()
	case !d.apart(&diff):
		pen.Rect(x, y, w, h, "var(--sunken)", round)
		word := "?"
		if diff.Same {
			word = result.Untold(&diff)
		}
		p.word(pen, word, x, y, w, h, "")
	default:
		v := 0.0
		if high > 0 {
			v = draw.Root(diff.Mean / high)
		}
		if m.Row.Better > 0 {
			v = -v
		}
		c := t.Diverging(v)
		pen.Rect(x, y, w, h, c.Hex(), round)
		p.word(pen, brief(m.Row, diff.Mean, true), x, y, w, h, on(c))
	}
}

// tile draws one point as a part of the shape of all of its colour: of tileShades
// steps of the scale, or, behind them, of none or of those not told apart.
func (p *Map) tile(m *Measure, point int, x, y, w, h, low, high float64) {
	d, share := p.d, math.NaN()
	at := tileShades
	if d.B < 0 {
		if share, _, _ = m.Mean(d, point, d.A); high > low {
			share = (share - low) / (high - low)
		} else if share == share {
			share = 0
		}
	} else if diff := m.Diff(point); diff.N > 0 {
		if !d.apart(&diff) {
			at++
		} else if share = 0.5; high > 0 {
			share = (draw.Root(diff.Mean/high) + 1) / 2
		}
	}
	if share == share {
		at = int(share*(tileShades-1) + 0.5)
	}
	out := p.tiles[at]
	for i, v := range [...]float64{x, y, w, h, -w} {
		out = strconv.AppendFloat(append(out, "M hvh"[i]), v, 'f', 1, 64)
	}
	p.tiles[at] = append(out, 'z')
}

// shade is the colour of tiles.
func (p *Map) shade(i int, t *draw.Theme, m *Measure) string {
	v := float64(i) / (tileShades - 1)
	switch {
	case i == tileShades:
		return "var(--panel)"
	case i > tileShades:
		return "var(--sunken)"
	case p.d.B < 0:
		return t.Tide(v).Hex()
	}
	if v = 2*v - 1; m.Row.Better > 0 {
		v = -v
	}
	return t.Diverging(v).Hex()
}

// on is the class of words on a colour.
func on(c draw.Color) string {
	if draw.Ink(c) == 0 {
		return "on0"
	}
	return "on1"
}

func (p *Map) word(pen *draw.Pen, text string, x, y, w, h float64, class string) {
	if float64(len([]rune(text)))*6.1 <= w-2 && h >= 15 {
		pen.Text(x+w/2, y+h/2+4, text, "middle", class)
	}
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
func (p *Map) legend(pen *draw.Pen, t *draw.Theme, m *Measure, low, high, w, h float64) {
	d := p.d
	const n, each = 24, 3.0
	x := w - 10 - n*each
	y := h - 31
	left, right := words.Letter(d.A)+" lower", "higher"
	if d.B < 0 {
		left, right = brief(m.Row, low, false), brief(m.Row, high, false)
		if math.IsInf(low, 0) {
			return
		}
	}
	x -= float64(len([]rune(right)))*6.1 + 6
	for i := range n {
		v := float64(i) / (n - 1)
		c := t.Tide(v)
		if d.B >= 0 {
			if v = 2*v - 1; m.Row.Better > 0 {
				v = -v
			}
			c = t.Diverging(v)
		}
		pen.Rect(x+float64(i)*each, y, each+.3, 9, c.Hex(), "")
	}
	pen.Text(x-6, y+9, left, "end", "")
	pen.Text(x+n*each+6, y+9, right, "", "")
	if d.B >= 0 && d.Repeats > 1 {
		pen.Text(p.left, h-6, "?: "+d.hollow()+" · dashed: not computed yet", "", "")
	} else {
		pen.Text(p.left, h-6, "one workload: no interval · dashed: not computed yet", "", "")
	}
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
