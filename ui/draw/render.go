package draw

import (
	"math"
	"slices"

	"batchlab/ui/words"
)

// SVG draws the figure: the inside of an SVG element of W × H page pixels, with
// colours as variables of the page's style sheet. Marks that can be pointed at
// have an attribute data-mark, "layer item".
func (f *Figure) SVG() Markup {
	r := renderer{f: f}
	for i := range f.Panels {
		r.axes(&f.Panels[i])
	}
	r.Add(f.Art)
	for i := range f.Layers {
		r.layer(i)
	}
	r.Add(`<g pointer-events="none">`)
	for i := range f.Texts {
		r.words(&f.Texts[i])
	}
	r.Add(`</g>`)
	return r.Markup()
}

// Picture is the figure by itself, without a card: in a tile, or a line of a table.
func (f *Figure) Picture(class string) Markup {
	return HTML(`<svg class="{}" width="{}" height="{}" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>`, class, f.W, f.H, f.W, f.H, f.Aria, f.SVG())
}

// renderer draws one figure.
type renderer struct {
	Pen
	f *Figure
}

// axes draws lines at the ticks, the axis lines and their words.
func (r *renderer) axes(p *Panel) {
	r.Add(`<g pointer-events="none">`)
	b := p.Box
	for _, t := range p.X.Ticks {
		x := p.PX(t.At)
		if p.X.Names == nil && !p.X.Plain {
			r.Line(Crisp(x), b.Y, Crisp(x), b.Bottom(), "grid")
		}
		if p.X.Names == nil && !p.X.Hidden && t.Label != "" {
			r.Text(x, b.Bottom()+below, t.Label, "middle", tickClass(t.Bold))
		}
	}
	for _, t := range p.Y.Ticks {
		y := p.PY(t.At)
		if p.Y.Names == nil && !p.Y.Plain {
			r.Line(b.X, Crisp(y), b.Right(), Crisp(y), "grid")
		}
		if p.Y.Names == nil && !p.Y.Hidden && t.Label != "" {
			r.Text(b.X-beside, y+4, t.Label, "end", tickClass(t.Bold))
		}
	}
	if !p.X.Hidden {
		for i, name := range p.X.Names {
			r.Text(p.PX(float64(i)), b.Bottom()+below, name, "middle", nameClass(i < p.X.Bold, ""))
		}
	}
	if !p.Y.Hidden {
		for i, name := range p.Y.Names {
			r.Text(b.X-beside, p.PY(float64(i))+4, name, "end", nameClass(i < p.Y.Bold, " l"))
		}
	}
	switch {
	case p.X.Plain && p.X.Hidden: // nothing stands on it
	case p.Y.Base:
		r.Line(Crisp(b.X), b.Y, Crisp(b.X), b.Bottom(), "line-3")
	default:
		r.Line(b.X, Crisp(b.Bottom()), b.Right(), Crisp(b.Bottom()), "line-3")
	}
	r.Add(`</g>`)
}

// Places of an axis's words, in page pixels: their line below a horizontal axis,
// and their right end beside a vertical one.
const (
	below  = 18
	beside = 8
)

func tickClass(bold bool) string {
	if bold {
		return "k b"
	}
	return ""
}

func nameClass(bold bool, size string) string {
	if bold {
		return "k b" + size
	}
	return "k2" + size
}

// words writes a text, with a piece of its series' line before it.
func (r *renderer) words(t *Text) {
	x := t.X
	if t.Series >= 0 {
		r.Path("M"+Num(x)+" "+Num(t.Y)+"h18", SeriesVar(t.Series), "2.4", Dash(t.Series), "none", "")
		x += 24
	}
	letter := Markup("")
	if t.Letter != "" {
		letter = HTML(`<tspan class="b">{}</tspan> `, t.Letter)
	}
	r.Raw(x, t.Y+4, letter+HTML(`{}`, t.Text), map[byte]string{'c': "middle", 'r': "end"}[t.Align], [...]string{"", "k2", "k l", "k l b"}[t.Tone])
}

// layer draws the marks of one layer, cut at the panel's edges: a nested element
// cuts what leaves it. Dots are not cut; those outside are left out.
func (r *renderer) layer(k int) {
	m := &r.f.Layers[k]
	p := &r.f.Panels[m.Panel]
	if m.Shape == Dots {
		r.dots(p, m, k)
		return
	}
	const edge = 2 // half a line's width is seen beyond the panel
	x, y, w, h := Num(p.Box.X-edge), Num(p.Box.Y-edge), Num(p.Box.W+2*edge), Num(p.Box.H+2*edge)
	r.Put(`<svg x="{}" y="{}" width="{}" height="{}" viewBox="{} {} {} {}"`, x, y, w, h, x, y, w, h)
	if m.Shape == Band || m.Shape == Spans || m.Shape == Whiskers || m.Shape == Ranges || m.Shape == Levels || m.Shape == Line && m.Size == 0 {
		r.Add(` pointer-events="none"`)
	}
	r.Add(`>`)
	switch m.Shape {
	case Line:
		r.line(p, m, k)
	case Columns:
		r.columns(p, m, k)
	case Boxes:
		r.boxes(p, m, k)
	case Band:
		r.band(p, m)
	case Spans:
		for i := range m.Low {
			x := max(p.Box.X, p.PX(m.Low[i]))
			fill := "var(--sunken)"
			if m.Fill != "" {
				fill = m.Fill
			}
			r.Rect(x, p.Box.Y, min(p.Box.Right(), p.PX(m.High[i]))-x, p.Box.H, fill, m.opacity(.6))
		}
	case Whiskers:
		r.whiskers(p, m)
	case Ranges:
		r.ranges(p, m)
	case Levels:
		r.levels(p, m)
	case Cells:
		r.cells(p, m, k)
	case Tiles:
		r.tiles(p, m, k)
	}
	r.Add(`</svg>`)
}

// pointed is the attribute of a mark that can be pointed at.
func pointed(layer, item int) Markup {
	return HTML(`data-mark="{} {}"`, layer, item)
}

// color is that of a layer's marks.
func (m *Layer) color() string {
	if m.Fill != "" {
		return m.Fill
	}
	if m.Series < 0 {
		return "var(--line-3)"
	}
	return SeriesVar(m.Series)
}

// opacity is that of a layer's areas, or what is usual.
func (m *Layer) opacity(usual float64) Markup {
	if m.Opacity > 0 {
		usual = m.Opacity
	}
	return HTML(`opacity="{}"`, usual)
}

// zero is where bars and areas stand: at 0, or at the end of the axis next to it.
func (a *Axis) zero() float64 { return min(max(0, a.Min), a.Max) }

func (r *renderer) line(p *Panel, m *Layer, k int) {
	var way, area Path
	first, last := math.NaN(), 0.0 // of the piece that is being drawn
	foot := p.PY(p.Y.zero())
	end := func() {
		if m.Area && first == first {
			area.Cmd('L', last, foot)
			area.Cmd('L', first, foot)
			area.B = append(area.B, 'z')
		}
		first = math.NaN()
	}
	for i := range m.X {
		if math.IsNaN(m.Y[i]) || math.IsNaN(m.X[i]) {
			end()
			continue
		}
		x, y := p.PX(m.X[i]), p.PY(m.Y[i])
		for _, d := range [2]*Path{&way, &area} {
			switch {
			case d == &area && !m.Area:
			case first != first:
				d.Cmd('M', x, y)
			case m.Steps:
				d.Cmd('H', x)
				d.Cmd('V', y)
			default:
				d.Cmd('L', x, y)
			}
		}
		if first != first {
			first = x
		}
		last = x
	}
	end()
	if m.Area {
		r.Path(string(area.B), "", "", "", m.color(), m.opacity(.12))
	}
	color, width := m.color(), m.Width
	if m.Ink {
		color = "var(--ink-2)"
	}
	if width == 0 {
		width = 2
	}
	more := Markup("")
	if m.Opacity > 0 && !m.Area {
		more = HTML(`stroke-opacity="{}"`, m.Opacity)
	}
	r.Path(string(way.B), color, Num(width), Dash(m.Series), "none", more)
	if m.Size == 0 {
		return
	}
	for i := range m.X {
		if !math.IsNaN(m.Y[i]) {
			r.circle(p.PX(m.X[i]), p.PY(m.Y[i]), m.Size, m.color(), true, pointed(k, i))
		}
	}
}

func (r *renderer) circle(x, y, size float64, fill string, rim bool, more Markup) {
	r.Put(`<circle cx="{}" cy="{}" r="{}" fill="{}" `, x, y, size/2, fill)
	if rim {
		r.Add(`stroke="var(--panel)" `)
	}
	r.Put(`{}/>`, more)
}

func (r *renderer) dots(p *Panel, m *Layer, k int) {
	fill := m.color()
	if m.Ink {
		fill = "var(--ink)"
	}
	for i := range m.X {
		x, y, size := p.PX(m.X[i]), p.PY(m.Y[i]), m.Size
		if m.Sizes != nil {
			size = m.Sizes[i]
		}
		if b := p.Box; !(x >= b.X-.5 && x <= b.Right()+.5 && y >= b.Y-.5 && y <= b.Bottom()+.5) {
			continue
		}
		if m.Flat {
			y += m.Shift
		} else {
			x += m.Shift
		}
		switch {
		case m.Hollow:
			r.Put(`<circle cx="{}" cy="{}" r="{}" fill="var(--panel)" stroke="{}" stroke-width="1.5" {}/>`, x, y, size/2, fill, pointed(k, i))
		case m.Diamond:
			half := Num(size / 2)
			r.Path("M"+Num(x)+" "+Num(y-size/2)+"l"+half+" "+half+"l-"+half+" "+half+"l-"+half+" -"+half+"z", "var(--panel)", "1", "", fill, pointed(k, i))
		default:
			r.circle(x, y, size, fill, m.Size == 0 || m.Size >= 5, `fill-opacity=".72" `+pointed(k, i))
		}
	}
}

// columns draws the bars of one series, beside those of the others.
func (r *renderer) columns(p *Panel, m *Layer, k int) {
	n, place := 0, 0
	for i := range r.f.Layers {
		if l := &r.f.Layers[i]; l.Shape == Columns && l.Panel == m.Panel && (m.Low == nil || i == k) {
			if i == k {
				place = n
			}
			n++
		}
	}
	names, room := len(p.X.Names), p.Box.W
	if m.Flat {
		names, room = len(p.Y.Names), p.Box.H
	}
	width, shift := Slots(room/float64(max(1, names)), n)
	if m.Width > 0 {
		width = m.Width
	}
	for i, v := range m.Y {
		if math.IsNaN(v) {
			continue
		}
		low := 0.0
		if m.Low != nil {
			low = m.Low[i]
		}
		var b Box
		if m.Flat {
			if v > p.X.Max {
				r.cutBar(p, m, p.PY(float64(i))-width/2, width, pointed(k, i))
				continue
			}
			from, to := p.PX(max(low, p.X.zero())), p.PX(v)
			b = Box{min(from, to), p.PY(float64(i)) + shift(place) - width/2, math.Abs(to - from), width}
		} else {
			from, to := p.PY(max(low, p.Y.zero())), p.PY(v)
			b = Box{p.PX(float64(i)) + shift(place) - width/2, min(from, to), width, math.Abs(to - from)}
		}
		more := Markup(`rx="1" `)
		if m.Fill == "" && (words.Place(m.Series) == 5 || words.Place(m.Series) == 7) { // too light without a rim
			more += `stroke="var(--ink-2)" `
		}
		r.patterned(b, m, more+pointed(k, i))
	}
}

// cutBar draws a bar that goes on beyond the axis: a gap in it, and an arrow head at
// its end.
func (r *renderer) cutBar(p *Panel, m *Layer, y, h float64, mark Markup) {
	n, x, tip := Num, p.Box.X, p.Box.Right()
	gap := tip - 26
	zig := func(down float64) string { // from (x, y) to (x, y + h), or back
		return "l4 " + n(down*h/3) + "l-8 " + n(down*h/3) + "l4 " + n(down*h/3)
	}
	body := "M" + n(x) + " " + n(y) + "H" + n(gap) + zig(1) + "H" + n(x) + "Z"
	head := "M" + n(gap+5) + " " + n(y) + "H" + n(tip-9) + "L" + n(tip) + " " + n(y+h/2) + "L" + n(tip-9) + " " + n(y+h) + "H" + n(gap+5) + zig(-1) + "Z"
	r.Path(body+head, "none", "0", "", m.color(), mark)
	if d := Decal(max(0, m.Series)); d != "" && m.Fill == "" {
		r.Path(body+head, "none", "0", "", d, `pointer-events="none"`)
	}
}

// patterned draws a box in a series' colour with its pattern.
func (r *renderer) patterned(b Box, m *Layer, more Markup) {
	fill := m.color()
	if m.Shape == Boxes && m.Series < 0 {
		fill = "var(--line-2)"
	}
	r.Rect(b.X, b.Y, b.W, b.H, fill, more)
	if d := Decal(max(0, m.Series)); d != "" && m.Fill == "" {
		r.Rect(b.X, b.Y, b.W, b.H, d, `pointer-events="none"`)
	}
}

// turned is a place on a panel whose names may stand on either axis: at is along
// the names, in page pixels, and v on the axis of values.
type turned struct {
	*Panel
	flat bool
}

func (t turned) at(name float64) float64 {
	if t.flat {
		return t.PY(name)
	}
	return t.PX(name)
}

func (t turned) value(v float64) float64 {
	if t.flat {
		return t.PX(v)
	}
	return t.PY(v)
}

// along is a line on the axis of values from one place to another, across one at
// right angles to it.
func (t turned) along(d *Path, at, from, to float64) {
	if t.flat {
		d.Cmd('M', from, at)
		d.Cmd('H', to)
	} else {
		d.Cmd('M', at, from)
		d.Cmd('V', to)
	}
}

func (t turned) across(d *Path, at, half, v float64) {
	if t.flat {
		d.Cmd('M', v, at-half)
		d.Cmd('V', at+half)
	} else {
		d.Cmd('M', at-half, v)
		d.Cmd('H', at+half)
	}
}

// boxes draws boxes from quartile to quartile with median and whiskers.
func (r *renderer) boxes(p *Panel, m *Layer, k int) {
	t := turned{p, m.Flat}
	room := p.Box.W / float64(max(1, len(p.X.Names)))
	if m.Flat {
		room = p.Box.H / float64(max(1, len(p.Y.Names)))
	}
	half, ink := m.Width/2, "var(--ink)"
	if half == 0 {
		half = min(9, room*.34)
	}
	if m.Series < 0 {
		ink = "var(--ink-3)"
	}
	for i, five := range m.Fives {
		at := t.at(m.X[i]) + m.Shift
		var v [5]float64
		for q := range five {
			v[q] = t.value(five[q])
		}
		var lines, median Path
		t.along(&lines, at, v[0], v[1])
		t.along(&lines, at, v[3], v[4])
		t.across(&lines, at, half*.6, v[0])
		t.across(&lines, at, half*.6, v[4])
		r.Path(string(lines.B), ink, "1.2", "", "none", `pointer-events="none"`)
		b := Box{at - half, min(v[1], v[3]), 2 * half, math.Abs(v[3] - v[1])}
		if m.Flat {
			b = Box{b.Y, b.X, b.H, b.W}
		}
		r.patterned(b, m, HTML(`stroke="{}" {}`, ink, pointed(k, i)))
		t.across(&median, at, half, v[2])
		r.Path(string(median.B), "var(--panel)", "3.4", "", "none", `pointer-events="none"`)
		r.Path(string(median.B), "var(--ink)", "1.6", "", "none", `pointer-events="none"`)
	}
}

// band fills between two lines, one piece for each run of numbers.
func (r *renderer) band(p *Panel, m *Layer) {
	var d Path
	for i := 0; i < len(m.X); {
		n := i
		for n < len(m.X) && m.Low[n] == m.Low[n] && m.High[n] == m.High[n] {
			n++
		}
		for j := i; j < n; j++ {
			d.Cmd("ML"[min(1, j-i)], p.PX(m.X[j]), p.PY(m.Low[j]))
		}
		for j := n - 1; j >= i; j-- {
			d.Cmd('L', p.PX(m.X[j]), p.PY(m.High[j]))
		}
		i = n + 1
	}
	r.Path(string(d.B), "", "", "", m.color(), m.opacity(.18))
}

// whiskers draws intervals: lines with ends, and around them the ground's colour.
func (r *renderer) whiskers(p *Panel, m *Layer) {
	t := turned{p, m.Flat}
	var halo, line Path
	for i, x := range m.X {
		if !(m.High[i] > m.Low[i]) {
			continue
		}
		at, lo, hi := t.at(x)+m.Shift, t.value(m.Low[i]), t.value(m.High[i])
		for _, d := range [2]*Path{&halo, &line} {
			end := 4.0
			if d == &halo {
				end = 4.5
			}
			t.along(d, at, lo, hi)
			t.across(d, at, end, lo)
			t.across(d, at, end, hi)
		}
	}
	color := m.color()
	if m.Ink {
		color = "var(--ink)"
	}
	r.Path(string(halo.B), "var(--panel)", "4", "", "none", "")
	r.Path(string(line.B), color, "1.5", "", "none", "")
}

// ranges draws what a scheduler itself leaves open, from its least to its greatest
// place, with a dot at its middle.
func (r *renderer) ranges(p *Panel, m *Layer) {
	t := turned{p, m.Flat}
	for i, x := range m.X {
		at := t.at(x) + m.Shift
		var d Path
		t.along(&d, at, t.value(m.Low[i]), t.value(m.High[i]))
		r.Path(string(d.B), "var(--panel)", "11", "", "none", `stroke-linecap="round"`)
		r.Path(string(d.B), m.color(), "7", "", "none", `stroke-linecap="round" stroke-opacity=".35"`)
		cx, cy := at, t.value(m.Y[i])
		if m.Flat {
			cx, cy = cy, cx
		}
		r.Put(`<circle cx="{}" cy="{}" r="4.5" fill="{}" stroke="var(--panel)" stroke-width="1.5"/>`, cx, cy, m.color())
	}
}

// levels draws short lines across, such as published values beside ours.
func (r *renderer) levels(p *Panel, m *Layer) {
	t := turned{p, m.Flat}
	var d Path
	for i, x := range m.X {
		if !math.IsNaN(m.Y[i]) {
			t.across(&d, t.at(x)+m.Shift, m.Width/2, t.value(m.Y[i]))
		}
	}
	if m.Ink {
		r.Path(string(d.B), "var(--panel)", "5", "", "none", "")
		r.Path(string(d.B), "var(--ink)", "2.2", "", "none", "")
	} else {
		r.Path(string(d.B), "var(--line-3)", "1", "", "none", "")
	}
}

// cells draws a map.
func (r *renderer) cells(p *Panel, m *Layer, k int) {
	w, h := p.Box.W/float64(max(1, len(p.X.Names))), p.Box.H/float64(max(1, len(p.Y.Names)))
	gap, wide, more := 0.0, .5, Markup("")
	if min(w, h) > 8 { // else cells touch, so that no ground shines through
		gap, wide, more = 1, -2, `rx="2" `
	}
	shades := shades{m: m}
	for i := range m.X {
		x, y := p.PX(m.X[i]), p.PY(m.Y[i])
		if m.Merged {
			shades.of(i).Rect(Box{x - w/2, y - h/2, w + .3, h + .3})
			continue
		}
		r.Rect(x-w/2+gap, y-h/2+gap, w+wide, h+wide, m.Colors[i].Hex(), more+pointed(k, i))
		if m.Words != nil && m.Words[i] != "" {
			ink := "on0"
			if Ink(m.Colors[i]) != 0 {
				ink = "on1"
			}
			r.Put(`<text x="{}" y="{}" text-anchor="middle" pointer-events="none" class="{}">{}</text>`, x, y+4, ink, m.Words[i])
		}
	}
	shades.draw(r)
}

// tiles draws hexagons with a corner on top, or diamonds.
func (r *renderer) tiles(p *Panel, m *Layer, k int) {
	corners, half, radius := [...][2]float64{{0, -1}, {1, -.5}, {1, .5}, {0, 1}, {-1, .5}, {-1, -.5}}, m.Size/2, m.Size/math.Sqrt(3)
	if m.Diamond {
		corners, radius = [...][2]float64{{0, -1}, {1, 0}, {1, 0}, {0, 1}, {-1, 0}, {-1, 0}}, half
	}
	shades := shades{m: m}
	for i := range m.X {
		x, y := p.PX(m.X[i]), p.PY(m.Y[i])
		var one Path
		d := &one
		if m.Merged {
			d = shades.of(i)
		}
		for c, corner := range corners {
			d.Cmd("ML"[min(1, c)], x+corner[0]*half, y+corner[1]*radius)
		}
		if d.B = append(d.B, 'z'); !m.Merged {
			r.Path(string(d.B), "", "", "", m.Colors[i].Hex(), pointed(k, i))
		}
	}
	shades.draw(r)
}

// shades are the outlines of a layer's marks by colour: thousands of elements would hold
// the page.
type shades struct {
	m      *Layer
	colors []Color
	paths  []Path
}

// of is the path of an item's colour.
func (s *shades) of(i int) *Path {
	k := slices.Index(s.colors, s.m.Colors[i])
	if k < 0 {
		k = len(s.colors)
		s.colors, s.paths = append(s.colors, s.m.Colors[i]), append(s.paths, Path{})
	}
	return &s.paths[k]
}

func (s *shades) draw(r *renderer) {
	for k := range s.paths {
		r.Path(string(s.paths[k].B), "", "", "", s.colors[k].Hex(), `shape-rendering="crispEdges"`)
	}
}
