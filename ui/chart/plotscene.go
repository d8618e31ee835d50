package chart

import (
	"math"

	"batchlab/core/model"
)

// Spot is what the reader points at in a plot.
type Spot struct {
	X     float64 // in page pixels, NaN nowhere
	Line  int     // line of dots, −1 none
	Point int
}

// span is the shown part of grid g's horizontal axis.
func (p *Plot) span(g int) (from, to float64) {
	if p.Zoom {
		return p.From, p.To
	}
	return p.X[g].Min, p.X[g].Max
}

func place(v, from, to float64, log bool) float64 {
	if log {
		v, from, to = math.Log(max(v, from)), math.Log(from), math.Log(to)
	}
	if to == from {
		return 0
	}
	return (v - from) / (to - from)
}

// box is where grid g stands in a plot of width w.
func (p *Plot) box(g int, w float64) Box {
	q := p.Grids[g]
	return Box{q.Left, q.Top, max(10, w-q.Left-q.Right), q.Height}
}

// PX is the horizontal place of a value.
func (p *Plot) PX(g int, v, w float64) float64 {
	b := p.box(g, w)
	from, to := p.span(g)
	return b.X + place(v, from, to, p.X[g].Log)*b.W
}

// PY is the vertical place of a value.
func (p *Plot) PY(g int, v, w float64) float64 {
	b := p.box(g, w)
	return b.Bottom() - place(v, p.Y[g].Min, p.Y[g].Max, p.Y[g].Log)*b.H
}

// At is the value at a horizontal place; ok is false outside the plot.
func (p *Plot) At(x, w float64) (v float64, ok bool) {
	if len(p.Grids) == 0 {
		return 0, false
	}
	b := p.box(0, w)
	from, to := p.span(0)
	f := (x - b.X) / b.W
	if p.X[0].Log {
		v = math.Exp(math.Log(from) + f*(math.Log(to)-math.Log(from)))
	} else {
		v = from + f*(to-from)
	}
	return v, f >= 0 && f <= 1
}

// Scene draws the plot on w × h page pixels.
func (p *Plot) Scene(t *Theme, w, h float64) *Scene {
	s := &Scene{}
	for g := range p.Grids {
		b := p.box(g, w)
		for _, band := range p.bands(g) {
			x0, x1 := max(b.X, p.PX(g, float64(band[0]), w)), min(b.Right(), p.PX(g, float64(band[1]), w))
			if x1 > x0 {
				s.fill(boxPath(Box{x0, b.Y, x1 - x0, b.H}), t.Sunken, .55)
			}
		}
		p.axes(s, t, g, w, h)
		s.clip(Box{b.X - 1, b.Y - 2, b.W + 2, b.H + 4})
		for i := range p.Lines {
			if p.Lines[i].Grid == g {
				p.line(s, t, &p.Lines[i], w)
			}
		}
		s.unclip()
		s.hline(b.X, b.Right(), b.Bottom(), t.Line3)
	}
	return s
}

func (p *Plot) bands(g int) [][2]model.Time {
	for i := range p.Lines {
		if p.Lines[i].Grid == g && p.Lines[i].Bands != nil {
			return p.Lines[i].Bands
		}
	}
	return nil
}

func (p *Plot) axes(s *Scene, t *Theme, g int, w, h float64) {
	b := p.box(g, w)
	var grid path
	for _, k := range p.Y[g].Ticks {
		y := p.PY(g, k.At, w)
		if y < b.Y-1 || y > b.Bottom()+1 {
			continue
		}
		grid.cmd('M', b.X, crisp(y))
		grid.cmd('H', b.Right())
		s.text(b.X-8, min(b.Bottom()-3, max(b.Y+4, y)), k.Label, 'r', t.Ink3, false)
	}
	before := -100.0
	for _, k := range p.X[g].Ticks {
		x := p.PX(g, k.At, w)
		if x < b.X || x > b.Right() {
			continue
		}
		grid.cmd('M', crisp(x), b.Y)
		grid.cmd('V', b.Bottom())
		if p.X[g].Hidden || x-before < 35 || x > w-16 {
			continue
		}
		colour := t.Ink3
		if k.Bold {
			colour = t.Ink
		}
		s.text(x, b.Bottom()+13, k.Label, 'c', colour, k.Bold)
		before = x
	}
	s.stroke(string(grid.b), t.Grid, 1, "")
	if n := p.Y[g].Name; n != "" {
		s.text(b.X-8, b.Y+b.H*.375, n, 'r', t.Ink2, false)
	}
	if n := p.X[g].Name; n != "" {
		s.text(b.X, b.Bottom()+29, n, 'l', t.Ink3, false)
	}
}

func (p *Plot) line(s *Scene, t *Theme, l *PlotLine, w float64) {
	colour := t.SeriesColor(l.Scheduler)
	if l.Kind == "dots" {
		for i := range l.X {
			d := circle(p.PX(l.Grid, l.X[i], w), p.PY(l.Grid, l.Y[i], w), l.Sizes[i]/2)
			s.fill(d, colour, .72)
			s.stroke(d, t.Panel, 1, "")
		}
		return
	}
	if l.Kind == "band" {
		s.fill(p.band(l, w), colour, .18)
		return
	}
	var q path
	for i := range l.X {
		x, y := p.PX(l.Grid, l.X[i], w), p.PY(l.Grid, l.Y[i], w)
		switch {
		case i == 0:
			q.cmd('M', x, y)
		case l.Kind == "steps":
			q.cmd('H', x)
			if l.Y[i] != l.Y[i-1] {
				q.cmd('V', y)
			}
		default:
			q.cmd('L', x, y)
		}
	}
	if l.Area && len(l.X) > 0 {
		area := path{append([]byte(nil), q.b...)}
		area.cmd('V', p.PY(l.Grid, 0, w))
		area.cmd('H', p.PX(l.Grid, l.X[0], w))
		area.b = append(area.b, 'Z')
		s.fill(string(area.b), colour, .12)
	}
	s.stroke(string(q.b), colour, l.Width, Dash(l.Scheduler))
}

// band is the outline of what a step line covers, from its least to its
// greatest value in each pixel column.
func (p *Plot) band(l *PlotLine, w float64) string {
	type part struct{ x, top, bottom, last float64 }
	var parts []part
	for i := range l.X {
		x, y := math.Floor(p.PX(l.Grid, l.X[i], w)), p.PY(l.Grid, l.Y[i], w)
		n := len(parts)
		switch {
		case n == 0:
			parts = append(parts, part{x, y, y, y})
		case parts[n-1].x != x:
			before := parts[n-1].last
			if x > parts[n-1].x+1 {
				parts = append(parts, part{parts[n-1].x + 1, before, before, before})
			}
			parts = append(parts, part{x, min(before, y), max(before, y), y})
		default:
			q := &parts[n-1]
			q.top, q.bottom, q.last = min(q.top, y), max(q.bottom, y), y
		}
	}
	if len(parts) == 0 {
		return ""
	}
	end := parts[len(parts)-1].x + l.Width
	var b path
	b.cmd('M', parts[0].x, parts[0].top)
	for i, q := range parts {
		next := end
		if i+1 < len(parts) {
			next = parts[i+1].x
		}
		b.cmd('V', q.top-l.Width/2)
		b.cmd('H', next)
	}
	for i := len(parts) - 1; i >= 0; i-- {
		b.cmd('V', parts[i].bottom+l.Width/2)
		b.cmd('H', parts[i].x)
	}
	return string(append(b.b, 'z'))
}

// Near finds the dot at a place; the smaller one where dots overlap.
func (p *Plot) Near(x, y, w float64) (line, point int) {
	line, point = -1, -1
	least := math.Inf(1)
	for i := range p.Lines {
		l := &p.Lines[i]
		if l.Kind != "dots" {
			continue
		}
		for k := range l.X {
			dx, dy := p.PX(l.Grid, l.X[k], w)-x, p.PY(l.Grid, l.Y[k], w)-y
			if r := l.Sizes[k]/2 + 3; dx*dx+dy*dy <= r*r && r < least {
				line, point, least = i, k, r
			}
		}
	}
	return line, point
}

// Dots says whether single points can be pointed at, instead of places.
func (p *Plot) Dots() bool { return len(p.Lines) > 0 && p.Lines[0].Kind == "dots" }

// Over draws what follows the reader: a hairline through all grids, or a ring
// around a dot.
func (p *Plot) Over(t *Theme, at Spot, w float64) *Scene {
	s := &Scene{}
	if at.Line >= 0 && at.Point >= 0 {
		l := &p.Lines[at.Line]
		s.stroke(circle(p.PX(l.Grid, l.X[at.Point], w), p.PY(l.Grid, l.Y[at.Point], w), l.Sizes[at.Point]/2+1.5), t.Accent, 2, "")
		return s
	}
	if _, ok := p.At(at.X, w); ok && !p.Dots() {
		last := p.box(len(p.Grids)-1, w)
		x := crisp(at.X - .5)
		s.stroke("M"+num(x)+" "+num(p.Grids[0].Top)+"V"+num(last.Bottom()), t.Ink3, 1, "2 2")
	}
	return s
}
