//go:build js

package gantt

import (
	"slices"
	"strconv"

	"batchlab/core/model"
	"batchlab/ui/draw"
)

// picture is one drawing of a pane's jobs.
type picture struct {
	raster   draw.Raster
	pixels   draw.Pixels
	shown    draw.View // what pixels show
	behind   bool      // the raster is not finished
	drawn    draw.Drawn
	drawnKey drawnKey
}

// drawnKey is what a pane's raster was drawn for.
type drawnKey struct {
	view   draw.View
	colors colorKey
	index  *draw.Index
	marks  int
	gaps   bool
}

// What a frame may spend on rasters, in milliseconds: less while the reader
// moves the view, so that the picture follows the hand, stretched at first.
const (
	stillBudget  = 42
	movingBudget = 8
	movingFor    = 150 // ms after the last movement
	rasterStep   = 12_000
	indexStep    = 50_000 // rectangles between two looks at the clock
)

// layer is a canvas that is painted again only when what stands on it has
// changed.
type layer struct {
	*draw.Canvas
	ops []draw.Op // nil: not painted
}

func (t *layer) cover(b draw.Box, wide, scale float64) {
	if t.Canvas.Cover(b, wide, scale) {
		t.ops = nil
	}
}

func (t *layer) paint(s *draw.Scene) {
	if t.ops != nil && slices.Equal(t.ops, s.Ops) {
		return
	}
	t.ops = s.Ops
	t.Clear()
	t.Canvas.Paint(s)
}

// render draws panes, strips and minimap for the span that is shown. What does
// not fit a frame is drawn in the next ones; a picture that has fallen behind
// is stretched to the new span until then.
func (g *gantt) render() {
	if !g.inked {
		return // a frame that was asked for before; Draw goes on when all is there
	}
	began := draw.Now()
	g.chart.From, g.chart.To = g.span.Ends()
	fresh := false
	for i, p := range g.panes {
		if g.begin(&g.chart, i, p, g.plot.Scale) {
			fresh = true
		}
	}
	budget := float64(stillBudget)
	if g.moving() {
		budget = movingBudget
	}
	g.held = false
	finished, behind := false, false
	for _, p := range g.panes {
		// At least one step, whatever the clock says: a frame that begins late must
		// not leave the picture unfinished for ever.
		for stepped := false; p.behind && (!stepped || draw.Now()-began < budget); stepped = true {
			if p.raster.PaintJobs(rasterStep) {
				finished = true
				p.finish(g.span.Full)
			}
		}
		behind = behind || p.behind
	}
	if behind {
		g.ask()
	}
	if stands := strconv.FormatBool(!behind); stands != g.stands {
		draw.Attr(g.over.El, "data-drawn", stands)
		g.stands = stands
	}
	if g.Key == g.painted && (!fresh && !finished || behind && budget == stillBudget) {
		return // nothing on the screen has changed, or soon all of it will at once
	}
	g.painted = g.Key
	density := g.notes(&g.chart, g.panes)
	g.paint()
	g.said(density)
	g.window.Place()
	g.overlay()
}

// moving says whether the reader moves the view just now.
func (g *gantt) moving() bool { return g.held || draw.Now()-g.lastMove < movingFor }

// paint brings the canvases up to date. Those that change are emptied wholly:
// the browser then need not keep what they showed.
func (g *gantt) paint() {
	g.axis.paint(g.chart.Axis())
	g.gutter.paint(g.chart.Gutter())
	g.plot.Clear()
	for i, p := range g.panes {
		p.put(g.plot, g.chart.Layout.Panes[i].Jobs, g.Theme().Side)
	}
	g.bands(g.plot, &g.chart)
	g.strips(g.plot, &g.chart)
	g.plot.Paint(g.chart.Plot(false))
	if !g.mapped {
		g.mapped = true
		g.mini.Clear()
		g.mini.Paint(g.all.Whole())
	}
	g.frame.Clear()
	g.frame.Paint(g.all.Frame(g.chart.From, g.chart.To))
}

// strips draws busy processors, waiting jobs and differences.
func (g *gantt) strips(to *draw.Canvas, c *Gantt) {
	for len(g.strip) < 2*len(c.Panes) {
		g.strip = append(g.strip, &strip{})
	}
	for i := range c.Panes {
		s := g.strip[2*i]
		s.put(to, c.Strips(i, to.Scale, &s.Bitmap))
		if i > 0 {
			s := g.strip[2*i+1]
			s.put(to, c.Difference(i, to.Scale, &s.Bitmap))
		}
	}
}

// bands draws the closed rows of all panes.
func (g *gantt) bands(to *draw.Canvas, c *Gantt) {
	n := 0
	for i := range c.Panes {
		first := n
		c.Bands(i, to.Scale, func(int) *draw.Bitmap {
			if n == len(g.band) {
				g.band = append(g.band, &strip{})
			}
			n++
			return &g.band[n-1].Bitmap
		})
		for k := first; k < n; k++ {
			g.band[k].put(to, c.Layout.Panes[i].BandBox(k-first))
		}
	}
}

// strip is the picture of strips.
type strip struct {
	draw.Bitmap
	pixels draw.Pixels
}

func (s *strip) put(to *draw.Canvas, b draw.Box) {
	x, y := to.Corner(b)
	s.pixels.Paste(to.Ctx, &s.Bitmap, x, y)
}

// said brings what is said of the chart up to date.
func (g *gantt) said(density bool) {
	shown := g.all.Said(g.chart.From, g.chart.To)
	draw.Attr(g.mini.El, "aria-label", "Shown: "+shown)
	g.note.Set("hidden", !(density && g.chart.Layout.Small))
	if density && g.chart.Layout.Small {
		b := g.chart.Layout.Panes[0].Jobs
		g.note.Set("textContent", "density view")
		draw.Style(g.note, "right", "14px")
		draw.Style(g.note, "top", draw.Px(b.Y+4))
	}
	label := "Gantt chart"
	for i, p := range g.panes {
		label += map[bool]string{true: " above ", false: " of "}[i > 0] + g.Title(p.scheduler)
	}
	if rows := g.chart.RowsSaid(); rows != "" {
		shown += ", " + rows
	}
	draw.Attr(g.over.El, "aria-label", label+", "+shown)
}

// begin prepares a pane's raster for what is to be shown, unless it stands as
// it is, and says whether it did.
func (g *gantt) begin(c *Gantt, i int, p *ganttPane, scale float64) bool {
	b, pane := c.Layout.Panes[i].Jobs, &c.Panes[i]
	pane.Scale = scale
	rows := c.shown(i)
	v := draw.View{From: c.From, To: c.To, Low: rows.From, High: rows.To, W: int(b.W*scale + .5), H: int(b.H*scale + .5), Scale: scale}
	q := &draw.Paint{Jobs: p.colors, Hatch: c.Theme.Hatch}
	ix := pane.Index
	if ix == nil {
		ix = &draw.Index{}
	} else if k := g.known[p.run.Result]; g.backfilled && k != nil {
		q.Backfilled = k.backfilled
	}
	colors := p.colorKey
	colors.dark = c.Theme.Dark // also of a pane without jobs
	k := drawnKey{v, colors, pane.Index, len(q.Backfilled), g.gaps}
	if k == p.drawnKey {
		return false
	}
	if old := p.drawnKey; old.index != k.index || old.colors.run != k.colors.run || old.view.H != v.H || old.view.Low != v.Low || old.view.High != v.High {
		p.last = nil // nothing to stretch
	}
	if p.kept != nil && p.kept.drawnKey == k {
		p.picture, p.last = p.kept, p.kept
		return true
	}
	if p.picture == p.kept {
		p.picture, p.spare = p.spare, nil
		if p.picture == nil {
			p.picture = &picture{}
		}
	}
	p.drawnKey, p.behind = k, true
	if g.gaps {
		q.Ground, q.Idle = c.Ground(v.W, scale, pane.Waiting)
	} else {
		q.Ground, _ = c.Ground(v.W, scale, nil)
	}
	p.raster.Begin(ix, v, q)
	return true
}

// finish takes over a picture that has been drawn.
func (p *ganttPane) finish(full [2]model.Time) {
	p.behind = false
	p.drawn, p.shown = p.raster.Drawn(), p.drawnKey.view
	p.pixels.Load(&p.raster.Bitmap)
	p.last = p.picture
	if v := p.shown; v.From <= full[0] && v.To >= full[1] && p.kept != p.picture {
		p.spare, p.kept = p.kept, p.picture
	}
}

// put draws the pane's jobs. While their picture is behind, the last one is
// stretched, and where that shows nothing, the one of everything.
func (p *ganttPane) put(to *draw.Canvas, b draw.Box, ground draw.Color) {
	x, y := to.Corner(b)
	if !p.behind {
		p.pixels.Put(to.Ctx, x, y)
		return
	}
	wanted := p.drawnKey.view
	to.Ctx.Set("fillStyle", ground.Hex())
	to.Ctx.Call("fillRect", x, y, wanted.W, wanted.H)
	if k := p.kept; k != nil && k != p.last && k.drawnKey.like(p.drawnKey) {
		k.pixels.Stretch(to, b, k.shown, wanted)
	}
	if p.last != nil {
		p.last.pixels.Stretch(to, b, p.last.shown, wanted)
	}
}

// like says whether two pictures differ in their spans alone.
func (k drawnKey) like(o drawnKey) bool {
	o.view.From, o.view.To = k.view.From, k.view.To
	return k == o
}

// notes writes what is to be said of each pane.
func (g *gantt) notes(c *Gantt, panes []*ganttPane) (density bool) {
	for i, p := range panes {
		pane := &c.Panes[i]
		pane.Labels, pane.Notes = nil, nil
		if !p.behind {
			pane.Labels = p.drawn.Labels
		}
		if p.drawn.Density {
			pane.Notes = append(pane.Notes, "density view")
			density = true
		}
		if pane.Index != nil && g.counted(p) {
			pane.Notes = append(pane.Notes, "display packing")
		}
		if text := c.bandsSaid(i); text != "" {
			pane.Notes = append(pane.Notes, text)
		}
		if c.hasCycles(i) {
			pane.Notes = append(pane.Notes, "ticks: backfill cycles")
		}
	}
	return density
}

// counted says whether a run's scheduler only counted processors, so that their
// numbers are those of the display.
func (g *gantt) counted(p *ganttPane) bool {
	site := g.Store.Sites[p.run.Repetition]
	return site == nil || len(site.Machines) <= 1
}
