package gantt

import (
	"strconv"

	"batchlab/core/model"
	"batchlab/ui/draw"
	"batchlab/ui/scene"
	"batchlab/ui/words"
)

// Processors that are not zoomed into are bands: closed rows above or below those that
// are, as high as they are busy and coloured as their jobs, on the whole.

// rowsOf are the rows of a band.
func rowsOf(l *scene.Lane) Rows { return Rows{int(l.First), int(l.First + l.Count)} }

// BandBox is where a band of the pane stands.
func (p *Pane) BandBox(k int) draw.Box {
	return draw.Box{X: p.Whole.X, Y: p.Bands[k].Y, W: p.Whole.W, H: p.Bands[k].H}
}

// Measures of bands in page pixels, and how much of a pane they take at most.
const (
	bandHigh, leastBand, bandGap = 22.0, 9.0, 3.0
	mostBanded                   = .4
	leastBanded                  = 110.0 // of a pane that has any
)

// Carve makes room in the panes for bands of what is not zoomed into.
func (g *Gantt) Carve() {
	for i := range g.Panes {
		pane, procs := &g.Layout.Panes[i], g.Panes[i].Procs
		pane.Jobs, pane.Bands = pane.Whole, nil
		r := g.shown(i)
		if g.Panes[i].Index == nil || r == (Rows{0, max(1, procs)}) || pane.Whole.H < leastBanded || g.Layout.Small {
			continue
		}
		above, below := g.closed(r.To, procs), g.closed(0, r.From)
		room := pane.Whole.H * mostBanded
		if float64(len(above)+len(below))*(leastBand+bandGap) > room { // one for all
			above, below = joined(above), joined(below)
		}
		n := float64(len(above) + len(below))
		high := min(bandHigh, room/n-bandGap)
		y := pane.Whole.Y
		place := func(list []scene.Lane) {
			for k := len(list) - 1; k >= 0; k-- {
				list[k].Y, list[k].H = y, high
				y += high + bandGap
			}
		}
		place(above)
		pane.Jobs.Y, pane.Jobs.H = y, pane.Whole.H-n*(high+bandGap)
		y = pane.Jobs.Bottom() + bandGap
		place(below)
		pane.Bands = append(below, above...)
	}
}

// closed are the bands of processors from a number up to another, lowest first: one for
// each cluster, or partition where these follow each other, else one for all.
func (g *Gantt) closed(from, to int) (list []scene.Lane) {
	for _, kind := range [...]string{"cluster", "partition"} {
		at := from
		for _, p := range g.Parts {
			if p.Kind != kind || p.To <= at || p.From >= to {
				continue
			}
			if p.From > at {
				break // there is something between them, or they lie over each other
			}
			list = append(list, scene.Lane{Name: p.Name, First: int32(at), Count: int32(min(to, p.To) - at)})
			at = min(to, p.To)
		}
		if at >= to {
			return list
		}
		list = nil
	}
	return append(list, scene.Lane{First: int32(from), Count: int32(to - from)})
}

func joined(list []scene.Lane) []scene.Lane {
	if len(list) < 2 {
		return list
	}
	last := &list[len(list)-1]
	return []scene.Lane{{First: list[0].First, Count: last.First + last.Count - list[0].First}}
}

// BandAt are the rows of the band at a point; ok is false where there is none.
func (g *Gantt) BandAt(x, y float64) (rows Rows, ok bool) {
	for i := range g.Panes {
		for k := range g.Layout.Panes[i].Bands {
			if b := g.Layout.Panes[i].BandBox(k); x < b.Right() && y >= b.Y-1 && y <= b.Bottom()+1 {
				return rowsOf(&g.Layout.Panes[i].Bands[k]), true
			}
		}
	}
	return Rows{}, false
}

// bandNames writes beside a pane what its bands are.
func (g *Gantt) bandNames(s *draw.Scene, i int) {
	pane := &g.Layout.Panes[i]
	for k := range pane.Bands {
		b := &pane.Bands[k]
		name, count := b.Name, words.Int(b.Count)
		if name == "" {
			name, count = count, ""
		}
		s.Text(pane.Whole.X-6, b.Y+b.H/2, draw.Clip("▸ "+name+" "+count, beside(pane.Whole.X)), 'r', g.Theme.Ink3, false)
	}
}

// column is how much of a band is held in one column of pixels, in processors, and the sum
// of the colours of what holds it.
type column [4]float64

func (c *column) add(v column, by float64) {
	for i := range c {
		c[i] += float64(v[i] * by)
	}
}

// columns sums up the bands of a pane over w columns of pixels.
func (g *Gantt) columns(i, w int) [][]column {
	p, bands := &g.Panes[i], g.Layout.Panes[i].Bands
	at, steps := make([][]column, len(bands)), make([][]column, len(bands))
	for k := range bands {
		at[k], steps[k] = make([]column, w+1), make([]column, w+1)
	}
	per := float64(w) / float64(max(1, g.To-g.From))
	lo, hi := p.Index.Range(g.From, g.To)
	for n := lo; n < hi; n++ {
		q := &p.Index.All[n]
		if q.End <= g.From || int(q.Job) >= len(p.Colors) {
			continue
		}
		x0, x1 := max(0, float64(q.Start-g.From)*per), min(float64(w), float64(q.End-g.From)*per)
		for k := range bands {
			held := min(q.First+q.Count, bands[k].First+bands[k].Count) - max(q.First, bands[k].First)
			if held <= 0 {
				continue
			}
			c := p.Colors[q.Job].Pixel()
			v := column{float64(held), float64(held) * float64(c&255), float64(held) * float64(c>>8&255), float64(held) * float64(c>>16&255)}
			a, b := int(x0), int(x1)
			if a == b {
				at[k][a].add(v, x1-x0)
				continue
			}
			at[k][a].add(v, float64(a+1)-x0)
			at[k][b].add(v, x1-float64(b))
			steps[k][a+1].add(v, 1)
			steps[k][b].add(v, -1)
		}
	}
	for k := range bands {
		var sum column
		for x := range w {
			sum.add(steps[k][x], 1)
			at[k][x].add(sum, 1)
		}
		at[k] = at[k][:w]
	}
	return at
}

// mean is the colour of a column.
func (c *column) mean() draw.Color {
	n := max(1e-9, c[0])
	part := func(v float64) uint32 { return uint32(min(255, max(0, v/n)) + .5) }
	return draw.Color(part(c[1])<<16 | part(c[2])<<8 | part(c[3]))
}

// Bands draws the bands of pane i into pictures, in their order.
func (g *Gantt) Bands(i int, scale float64, picture func(k int) *draw.Bitmap) {
	pane := &g.Layout.Panes[i]
	if len(pane.Bands) == 0 || g.Panes[i].Index == nil {
		return
	}
	at := g.columns(i, int(pane.Whole.W*scale+.5))
	ground := g.Theme.Side.Pixel()
	for k := range pane.Bands {
		m, b := picture(k), &pane.Bands[k]
		m.Size(len(at[k]), int(b.H*scale+.5))
		for n := range m.Pix {
			m.Pix[n] = ground
		}
		for x := range at[k] {
			c := &at[k][x]
			bar(m, x, float64(m.H)*(1-min(1, c[0]/float64(b.Count))), float64(m.H), c.mean())
		}
	}
}

// bandsFile writes the bands of pane i for a file, one piece for each column.
func (g *Gantt) bandsFile(p *draw.Pen, i int) {
	pane := &g.Layout.Panes[i]
	if len(pane.Bands) == 0 || g.Panes[i].Index == nil {
		return
	}
	for k, columns := range g.columns(i, int(pane.Whole.W)) {
		b := pane.BandBox(k)
		p.Rect(b.X, b.Y, b.W, b.H, g.Theme.Side.Hex(), "")
		for x := range columns {
			if h := b.H * min(1, columns[x][0]/float64(pane.Bands[k].Count)); h > 0 {
				p.Rect(b.X+float64(x), b.Bottom()-h, 1, h, columns[x].mean().Hex(), "")
			}
		}
	}
}

// WideRows are rows around so many processors from a first one on, as many again on
// both sides; all where they are most of the machine.
func WideRows(first, count, procs int) Rows {
	if 3*count >= procs {
		return Rows{}
	}
	return Rows{first - count, first + 2*count}.Within(procs)
}

// rowsOfBooking are rows around what the calendar's entry takes in a pane from a time on.
func (g *Gantt) rowsOfBooking(i int, from model.Time) Rows {
	p := &g.Panes[i]
	if p.Cols == nil || p.Procs < largeMachine {
		return Rows{}
	}
	for k := range p.Cols.Away {
		if a := &p.Cols.Away[k]; a.From <= from && from < a.To && a.Count > 0 {
			return WideRows(int(a.First), int(a.Count), p.Procs)
		}
	}
	return Rows{}
}

// largeMachine is how many processors a machine has, from which on rows come near, too,
// what the chart opens on.
const largeMachine = 2000

// bandsSaid says what closed rows are, "" where there are none.
func (g *Gantt) bandsSaid(i int) string {
	if n := len(g.Layout.Panes[i].Bands); n > 0 {
		return strconv.Itoa(n) + " closed " + map[bool]string{true: "row", false: "rows"}[n == 1] + ": height busy, colour of their jobs"
	}
	return ""
}
