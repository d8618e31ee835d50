//go:build js

package island

import (
	"math"
	"slices"
	"strconv"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/ui/chart"
)

// picture is one drawing of a pane's jobs.
type picture struct {
	raster   chart.Raster
	pixels   pixels
	shown    chart.View // what pixels show
	behind   bool       // the raster is not finished
	drawn    chart.Drawn
	drawnKey drawnKey
}

// drawnKey is what a pane's raster was drawn for.
type drawnKey struct {
	view   chart.View
	colors colorKey
	index  *chart.Index
	marks  int
	gaps   bool
}

// What a frame may spend on rasters, in milliseconds: less while the reader
// moves the view, so that the picture follows the hand, stretched at first.
const (
	stillBudget  = 42
	movingBudget = 12
	movingFor    = 150 // ms after the last movement
	rasterStep   = 12_000
	indexStep    = 50_000 // rectangles between two looks at the clock
)

// layer is a part of a canvas that is painted anew only when what stands on it
// has changed.
type layer struct{ ops []chart.Op }

// paint paints a scene into a box of the page that nothing else stands in.
func (t *layer) paint(c *canvas, b chart.Box, s *chart.Scene) {
	if t.ops != nil && slices.Equal(t.ops, s.Ops) {
		return
	}
	t.ops = s.Ops
	c.wipe(b)
	paint(c.ctx, c.scale, s, family())
}

// render draws panes, strips and minimap for the span that is shown. What does
// not fit a frame is drawn in the next ones; a picture that has fallen behind
// is stretched to the new span until then.
func (g *gantt) render() {
	began := now()
	g.chart.From, g.chart.To = model.Time(math.Floor(g.from)), model.Time(math.Ceil(g.to))
	fresh := false
	for i, p := range g.panes {
		if g.begin(&g.chart, i, p, g.base.scale) {
			fresh = true
		}
	}
	budget := float64(stillBudget)
	if g.moving() {
		budget = movingBudget
	}
	finished, behind := false, false
	for _, p := range g.panes {
		for p.behind && now()-began < budget {
			if p.raster.Step(rasterStep) {
				finished = true
				p.finish(g.full)
			}
		}
		behind = behind || p.behind
	}
	if behind {
		g.ask()
	}
	if g.key == g.painted && (!fresh && !finished || behind && budget == stillBudget) {
		return // nothing on the screen has changed, or soon all of it will at once
	}
	g.painted = g.key
	density := g.notes(&g.chart, g.panes)
	g.paint()
	g.said(density)
	attr(g.over.el, "data-drawn", strconv.FormatBool(!behind))
	g.window.place()
	g.overlay()
}

// moving says whether the reader moves the view just now.
func (g *gantt) moving() bool { return now()-g.lastMove < movingFor }

// paint brings the canvases up to date, part by part.
func (g *gantt) paint() {
	c, l := g.base, &g.chart.Layout
	left := l.Panes[0].Jobs.X
	g.axis.paint(c, chart.Box{W: l.W, H: l.Axis}, g.chart.Axis())
	g.gutter.paint(c, chart.Box{Y: l.Axis, W: left, H: l.H - l.Axis}, g.chart.Gutter())
	c.wipe(chart.Box{X: left, Y: l.Axis, W: l.W - left, H: l.H - l.Axis})
	for i, p := range g.panes {
		p.put(c.ctx, l.Panes[i].Jobs, c.scale, g.theme().Side)
	}
	g.strips(c.ctx, &g.chart, c.scale)
	paint(c.ctx, c.scale, g.chart.Plot(false), family())

	if !g.mapped {
		g.mapped = true
		g.mini.clear()
		paint(g.mini.ctx, c.scale, g.map1.Whole(), family())
	}
	g.frame.clear()
	paint(g.frame.ctx, c.scale, g.map1.Frame(g.chart.From, g.chart.To), family())
}

// strips draws busy processors, waiting jobs and differences.
func (g *gantt) strips(ctx js.Value, c *chart.Gantt, scale float64) {
	for len(g.strip) < 2*len(c.Panes) {
		g.strip = append(g.strip, &strip{})
	}
	for i := range c.Panes {
		s := g.strip[2*i]
		s.put(ctx, c.Strips(i, scale, &s.Bitmap), scale)
		if i > 0 {
			s := g.strip[2*i+1]
			s.put(ctx, c.Difference(i, scale, &s.Bitmap), scale)
		}
	}
}

// strip is the picture of strips.
type strip struct {
	chart.Bitmap
	pixels pixels
}

func (s *strip) put(ctx js.Value, b chart.Box, scale float64) {
	x, y, _, _ := snap(b, scale)
	s.pixels.paste(ctx, &s.Bitmap, x, y)
}

// said brings what is said of the chart up to date.
func (g *gantt) said(density bool) {
	shown := g.map1.Said(g.chart.From, g.chart.To)
	attr(g.mini.el, "aria-label", "Shown: "+shown)
	g.note.Set("hidden", !(density && g.chart.Layout.Small))
	if density && g.chart.Layout.Small {
		b := g.chart.Layout.Panes[0].Jobs
		g.note.Set("textContent", "density view")
		style(g.note, "right", "14px")
		style(g.note, "top", px(b.Y+4))
	}
	label := "Gantt chart"
	for i, p := range g.panes {
		label += map[bool]string{true: " above ", false: " of "}[i > 0] + g.title(p.scheduler)
	}
	attr(g.over.el, "aria-label", label+", "+shown)
}

// begin prepares a pane's raster for what is to be shown, unless it stands as
// it is, and says whether it did.
func (g *gantt) begin(c *chart.Gantt, i int, p *ganttPane, scale float64) bool {
	b, pane := c.Layout.Panes[i].Jobs, &c.Panes[i]
	pane.Scale = scale
	v := chart.View{From: c.From, To: c.To, W: int(b.W*scale + .5), H: int(b.H*scale + .5), Scale: scale}
	q := &chart.Paint{Jobs: p.colors, Hatch: c.Theme.Hatch}
	ix := pane.Index
	if ix == nil {
		ix = &chart.Index{}
	} else if k := g.known[p.run.Result]; g.backfilled && k != nil {
		q.Backfilled = k.backfilled
	}
	colors := p.colorKey
	colors.dark = c.Theme.Dark // also of a pane without jobs
	k := drawnKey{v, colors, pane.Index, len(q.Backfilled), g.gaps}
	if k == p.drawnKey {
		return false
	}
	if old := p.drawnKey; old.index != k.index || old.colors.run != k.colors.run || old.view.H != v.H {
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
	p.pixels.load(&p.raster.Bitmap)
	p.last = p.picture
	if v := p.shown; v.From <= full[0] && v.To >= full[1] && p.kept != p.picture {
		p.spare, p.kept = p.kept, p.picture
	}
}

// put draws the pane's jobs. While their picture is behind, the last one is
// stretched, and where that shows nothing, the one of everything.
func (p *ganttPane) put(ctx js.Value, b chart.Box, scale float64, ground chart.Color) {
	if x, y, _, _ := snap(b, scale); !p.behind {
		p.pixels.put(ctx, x, y)
		return
	}
	wanted := p.drawnKey.view
	x, y, _, _ := snap(b, scale)
	ctx.Set("fillStyle", ground.Hex())
	ctx.Call("fillRect", x, y, wanted.W, wanted.H)
	if k := p.kept; k != nil && k != p.last && k.drawnKey.like(p.drawnKey) {
		k.pixels.stretch(ctx, b, scale, k.shown, wanted)
	}
	if p.last != nil {
		p.last.pixels.stretch(ctx, b, scale, p.last.shown, wanted)
	}
}

// like says whether two pictures differ in their spans alone.
func (k drawnKey) like(o drawnKey) bool {
	o.view.From, o.view.To = k.view.From, k.view.To
	return k == o
}

// notes writes what is to be said of each pane.
func (g *gantt) notes(c *chart.Gantt, panes []*ganttPane) (density bool) {
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
	}
	return density
}

// counted says whether a run's scheduler only counted processors, so that their
// numbers are those of the display.
func (g *gantt) counted(p *ganttPane) bool {
	site := g.store.Sites[p.run.Repetition]
	return site == nil || len(site.Machines) <= 1
}
