package gantt

import (
	"math"

	"batchlab/core/model"
	"batchlab/ui/draw"
)

// Strips of the Gantt chart as pixels. They hold thousands of points that
// change with every step of a zoom: a canvas takes longer to draw them as
// paths than Go takes for all else. StripPaths and DifferencePaths say the
// same for files.

// Width of a strip's line in page pixels, and opacity of what lies under it.
const (
	stripLine = 1.2
	stripFill = .2
)

// Strips draws both strips of pane i, busy processors and waiting jobs, on
// transparent ground, and returns where the picture stands.
func (g *Gantt) Strips(i int, scale float64, m *draw.Bitmap) draw.Box {
	p, box := &g.Panes[i], &g.Layout.Panes[i]
	area := draw.Box{X: box.Busy.X, Y: box.Busy.Y - 1, W: box.Busy.W, H: box.Waiting.Bottom() - box.Busy.Y + 2}
	g.blank(m, area, scale)
	col := g.Theme.SeriesColor(p.Scheduler)
	draw := func(v *draw.Steps, limit float64, b draw.Box) {
		if v == nil {
			return
		}
		grid(m, g, b, area, scale)
		low := (b.Bottom() - area.Y) * scale
		ys := v.Columns(g.From, g.To, m.W)
		for x, a := range ys {
			ys[x] = low - min(1, a/limit)*b.H*scale
		}
		steps(m, ys, low, stripLine/2*scale, int((b.Y-1-area.Y)*scale+.5), min(m.H, int((b.Bottom()+1-area.Y)*scale+.5)), col)
	}
	draw(p.Used, float64(max(1, p.Procs)), box.Busy)
	draw(p.Waiting, g.waits(), box.Waiting)
	return area
}

// Difference draws the busy processors of the first pane minus those of pane i
// on transparent ground, and returns where the picture stands.
func (g *Gantt) Difference(i int, scale float64, m *draw.Bitmap) draw.Box {
	b := g.Layout.Diffs[i-1]
	g.blank(m, b, scale)
	first, second := &g.Panes[0], &g.Panes[i]
	if first.Used == nil || second.Used == nil {
		return b
	}
	grid(m, g, b, b, scale)
	n := int(b.W / 2)
	d := first.Used.Columns(g.From, g.To, n)
	for k, v := range second.Used.Columns(g.From, g.To, n) {
		d[k] = max(-1, min(1, (d[k]-v)/float64(max(1, first.Procs))))
	}
	up, down, mid := g.Theme.SeriesColor(first.Scheduler), g.Theme.SeriesColor(second.Scheduler), b.H/2*scale
	for x := range m.W {
		v := d[min(n-1, x*n/m.W)] * b.H / 2 * scale
		switch {
		case math.Abs(v) < draw.LeastBar*scale:
		case v > 0:
			bar(m, x, mid-v, mid, up)
		default:
			bar(m, x, mid, mid-v, down)
		}
	}
	return b
}

// waits is how many waiting jobs are as high as a strip: the most that wait in
// any pane.
func (g *Gantt) waits() float64 {
	most := model.Time(1)
	for _, p := range g.Panes {
		if p.Waiting != nil {
			most = max(most, model.Time(p.Waiting.Max(g.From, g.To)))
		}
	}
	return float64(most)
}

// blank makes m a transparent picture of box b.
func (g *Gantt) blank(m *draw.Bitmap, b draw.Box, scale float64) {
	m.Size(int(b.W*scale+.5), int(b.H*scale+.5))
	clear(m.Pix)
}

// grid draws the lines of the time axis in box b of a picture of area.
func grid(m *draw.Bitmap, g *Gantt, b, area draw.Box, scale float64) {
	first, last := int((b.Y-area.Y)*scale+.5), min(m.H, int((b.Bottom()-area.Y)*scale+.5))
	for _, k := range g.ticks() {
		at := int(float64(model.Time(k.At)-g.From) / float64(max(1, g.To-g.From)) * float64(m.W))
		for x := max(0, at); x < min(m.W, at+max(1, int(scale+.5))); x++ {
			for y := first; y < last; y++ {
				m.Pix[y*m.W+x] = g.Theme.Grid.Pixel()
			}
		}
	}
}

// steps draws a line with the heights ys by column, half above and below them,
// and a paler area between it and low, in the rows from top to foot. What a
// pixel's part is that the line covers is exact: it is made of a level piece in
// each column and an upright one at each of its sides.
func steps(m *draw.Bitmap, ys []float64, low, half float64, top, foot int, col draw.Color) {
	side := min(1, half) // of a column that an upright piece covers
	pale := col.Pixel()&0xffffff | stripFill*255<<24
	for x, y := range ys {
		before, after := ys[max(0, x-1)], ys[min(len(ys)-1, x+1)]
		l0, l1 := min(before, y)-half, max(before, y)+half
		r0, r1 := min(after, y)-half, max(after, y)+half
		both0, both1 := max(l0, r0), min(l1, r1)
		from, to := max(top, int(min(l0, r0))), min(foot, int(max(l1, r1))+1)
		for row := from; row < to; row++ {
			level := within(y-half, y+half, row)
			line := level + side*(within(l0, l1, row)+within(r0, r1, row)-2*level)
			if over := 2*side - 1; over > 0 {
				line -= over * (within(both0, both1, row) - level)
			}
			over(m, row*m.W+x, col, 1-(1-stripFill*within(y, low, row))*(1-line))
		}
		for row := max(to, from); row < foot; row++ {
			switch part := low - float64(row); {
			case part <= 0:
				row = foot
			case part < 1:
				over(m, row*m.W+x, col, stripFill*part)
			case m.Pix[row*m.W+x] == 0:
				m.Pix[row*m.W+x] = pale
			default:
				over(m, row*m.W+x, col, stripFill)
			}
		}
	}
}

// bar draws a bar in one column.
func bar(m *draw.Bitmap, x int, top, foot float64, col draw.Color) {
	for row := max(0, int(top)); row < m.H && float64(row) < foot; row++ {
		over(m, row*m.W+x, col, within(top, foot, row))
	}
}

// within is how much of a row lies between two heights.
func within(top, foot float64, row int) float64 {
	a, b := float64(row), float64(row+1)
	if top > a {
		a = top
	}
	if foot < b {
		b = foot
	}
	if b <= a {
		return 0
	}
	return b - a
}

// over lays a colour over a pixel that is opaque or empty.
func over(m *draw.Bitmap, at int, col draw.Color, alpha float64) {
	switch p := m.Pix[at]; {
	case alpha <= 0:
	case p == 0:
		m.Pix[at] = col.Pixel()&0xffffff | uint32(alpha*255+.5)<<24
	default:
		m.Pix[at] = draw.Blend(p, col.Pixel(), uint32(alpha*256+.5))
	}
}
