package gantt

import (
	"math"
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/scene"
	"batchlab/ui/words"
)

// GanttPane is one run in the Gantt chart.
type GanttPane struct {
	Scheduler     int
	Name          string
	MeanWait      string
	Which         string // repeat that is drawn; "" where there is one only
	Procs         int
	Cols          *report.Columns
	Index         *draw.Index // nil: no processor numbers
	Used, Waiting *draw.Steps
	Notes         []string     // small remarks in the gutter: "density view"
	Colors        []draw.Color // by job
	Labels        []draw.Label
	Scale         float64        // device pixels per page pixel of the labels
	Entries       []report.Entry // names of what Cols.Away says
	HideAway      bool           // neither reservations nor outages are drawn
}

// Gantt is what the Gantt chart shows: its scene is all but the jobs
// themselves, which the raster draws.
type Gantt struct {
	Layout   Layout
	From, To model.Time
	Clock    draw.Clock
	Theme    *draw.Theme
	Jobs     *report.Jobs
	Panes    []GanttPane
	Rows     Rows   // the processors in view, the same in all panes
	Parts    []Part // of the machine that have names
}

// time is the axis of all panes.
func (g *Gantt) time() scene.Axis {
	b := &g.Layout.Panes[0].Jobs
	return scene.Axis{From: g.From, To: g.To, Left: b.X, Right: b.Right()}
}

// frame is where times and processors stand in a pane: those in view, and closed rows.
func (g *Gantt) frame(i int) scene.Frame {
	p, r := &g.Layout.Panes[i], g.shown(i)
	view := scene.Lane{First: int32(r.From), Count: int32(r.To - r.From), Y: p.Jobs.Y, H: p.Jobs.H}
	return scene.Frame{Axis: g.time(), Lanes: append([]scene.Lane{view}, p.Bands...), Top: p.Whole.Y, Bottom: p.Whole.Bottom()}
}

// X is where a time stands.
func (g *Gantt) X(t model.Time) float64 { return g.time().X(t) }

// At is the time at a place.
func (g *Gantt) At(x float64) model.Time { return g.time().At(x) }

func (g *Gantt) ticks() []draw.Tick {
	if !g.Clock.Calendar() {
		return g.time().Ticks(g.Clock, 84)
	}
	return g.time().Ticks(g.Clock, 72)
}

// Ground returns the colours behind the jobs by pixel column: ground, weekend
// bands, grid lines; and, by column, whether jobs wait there, if waiting says
// how many do.
func (g *Gantt) Ground(w int, scale float64, waiting *draw.Steps) (ground []draw.Color, idle []bool) {
	t := g.Theme
	ground, idle = make([]draw.Color, w), make([]bool, w)
	for x := range ground {
		ground[x] = t.Side
	}
	at := func(tm model.Time) int {
		return int(float64(tm-g.From) / float64(max(1, g.To-g.From)) * float64(w))
	}
	for _, band := range draw.Weekends(g.Clock, g.From, g.To) {
		for x := max(0, at(band[0])); x < min(w, at(band[1])); x++ {
			ground[x] = t.Sunken
		}
	}
	for _, k := range g.ticks() {
		for x := at(model.Time(k.At)); x < at(model.Time(k.At))+max(1, int(scale+.5)); x++ {
			if x >= 0 && x < w {
				ground[x] = t.Grid
				if k.Bold {
					ground[x] = t.Line2
				}
			}
		}
	}
	if waiting != nil {
		for x, v := range waiting.Columns(g.From, g.To, w) {
			idle[x] = v > 0
		}
	}
	return ground, idle
}

// Base is everything that stays while the pointer moves: axis, names, strips
// and labels.
func (g *Gantt) Base() *draw.Scene {
	s := g.Axis()
	s.Ops = append(append(s.Ops, g.Gutter().Ops...), g.Plot(true).Ops...)
	return s
}

// Axis is the time axis above all panes.
func (g *Gantt) Axis() *draw.Scene {
	s := &draw.Scene{Ops: make([]draw.Op, 0, 24)}
	g.axis(s)
	return s
}

// Gutter is what stands left of the panes. It does not change with the span.
func (g *Gantt) Gutter() *draw.Scene {
	s := &draw.Scene{Ops: make([]draw.Op, 0, 14*len(g.Panes))}
	for i := range g.Panes {
		g.gutter(s, i)
	}
	x := g.Layout.Panes[0].Jobs.X
	for _, y := range g.Layout.Breaks {
		s.HLine(0, x, y, g.Theme.Line)
	}
	return s
}

// Plot is what stands over the jobs and right of them, with the strips as
// paths or without them where they are drawn as pixels.
func (g *Gantt) Plot(strips bool) *draw.Scene {
	s, t, l := &draw.Scene{Ops: make([]draw.Op, 0, 32)}, g.Theme, &g.Layout
	waits := g.waits()
	for i := range g.Panes {
		g.pane(s, i, waits, strips)
		if g.Jobs != nil && few(g.Jobs) {
			g.arrows(s, i, -1)
		}
	}
	for _, y := range l.Breaks {
		s.HLine(l.Panes[0].Jobs.X, l.W, y, t.Line)
	}
	for i := 1; i < len(g.Panes) && i <= len(l.Diffs); i++ {
		g.difference(s, i, strips)
	}
	return s
}

func (g *Gantt) axis(s *draw.Scene) {
	t, l := g.Theme, &g.Layout
	b := l.Panes[0].Jobs
	before := -100.0
	for _, k := range g.ticks() {
		x := g.X(model.Time(k.At))
		if x <= b.X+14 || x >= b.Right()-10 || x-before < 34 {
			continue
		}
		c := t.Ink3
		if k.Bold {
			c = t.Ink
		}
		s.Text(x, 15, k.Label, 'c', c, k.Bold)
		before = x
	}
	if !l.Small {
		name := g.Clock.Day(g.From)
		if g.Clock.Long == draw.Years {
			name = g.Clock.ShortDay(g.From)
		}
		s.Text(14, 15, name, 'l', t.Ink, true)
	}
	s.HLine(0, l.W, axisHeight-1, t.Line)
}

// gridPath is the grid lines of a strip.
func (g *Gantt) gridPath(b draw.Box) string {
	var p draw.Path
	for _, k := range g.ticks() {
		if x := draw.Crisp(g.X(model.Time(k.At))); x > b.X && x < b.Right() {
			p.Cmd('M', x, b.Y)
			p.Cmd('V', b.Bottom())
		}
	}
	return string(p.B)
}

// head names a pane at full length, above it.
func (g *Gantt) head(s *draw.Scene, i int) {
	p, b, t := &g.Panes[i], g.Layout.Panes[i].Whole, g.Theme
	if g.Layout.Small {
		return
	}
	x, y := b.X+2, b.Y-headHeight/2-1
	s.Stroke("M"+draw.Num(x)+" "+draw.Num(y)+"h22", t.SeriesColor(p.Scheduler), 2.6, draw.Dash(p.Scheduler))
	name := words.Letter(p.Scheduler) + " " + p.Name
	s.Ops = append(s.Ops, draw.Op{Kind: draw.OpText, X: x + 30, Y: y, Text: name, Align: 'l', Fill: t.Ink, Filled: true, Bold: true, Size: 12})
	var said []string
	if p.MeanWait != "" {
		wait := "mean wait " + p.MeanWait
		if p.Which != "" { // not the mean over repeats, which stands on the overview
			wait = "mean wait of " + p.Which + ": " + p.MeanWait
		}
		said = append(said, wait)
	}
	x += 48 + float64(len([]rune(name)))*7.4
	s.Text(x, y, draw.Clip(strings.Join(append(said, p.Notes...), " · "), g.Layout.W-14-x), 'l', t.Ink3, false)
}

// leastCycle is how many pixels lie between two cycles at least, so that they are drawn.
const leastCycle = 5

// hasCycles says whether cycles of a pane's scheduler are drawn.
func (g *Gantt) hasCycles(i int) bool {
	p := &g.Panes[i]
	return p.Cols != nil && len(p.Cols.Cycles) == 2 && float64(p.Cols.Cycles[1])*g.Layout.Panes[i].Jobs.W >= leastCycle*float64(g.To-g.From)
}

// cycles marks when a loop came that comes at fixed times, as ticks above the jobs.
func (g *Gantt) cycles(s *draw.Scene, i int) {
	if !g.hasCycles(i) {
		return
	}
	b, c := g.Layout.Panes[i].Jobs, g.Panes[i].Cols.Cycles
	var p draw.Path
	for at := c[0] + max(0, (g.From-c[0])/c[1])*c[1]; at <= g.To; at += c[1] {
		if x := draw.Crisp(g.X(at)); x > b.X && x < b.Right() {
			p.Cmd('M', x, b.Y-4)
			p.Cmd('V', b.Y)
		}
	}
	s.Stroke(string(p.B), g.Theme.Ink3, 1, "")
}

// gutter names a pane, its strips and its processors.
func (g *Gantt) gutter(s *draw.Scene, i int) {
	p, box, l := &g.Panes[i], g.Layout.Panes[i], &g.Layout
	t := g.Theme
	if p.Index != nil {
		g.rowNames(s, i)
	}
	name := func(b draw.Box, n string) { s.Text(b.X-6, b.Y+b.H/2, n, 'r', t.Ink3, false) }
	if p.Used != nil {
		name(box.Busy, "busy")
	}
	if p.Waiting != nil {
		word := "waiting"
		if l.Small { // there is less room beside the pane
			word = "queue"
		}
		name(box.Waiting, word)
	}
	if i == 0 || i > len(l.Diffs) || g.Panes[0].Used == nil || p.Used == nil {
		return
	}
	n := words.Letter(g.Panes[0].Scheduler) + " − " + words.Letter(p.Scheduler)
	if !l.Small {
		n = "busy, " + n
	}
	name(l.Diffs[i-1], n)
}

func (g *Gantt) pane(s *draw.Scene, i int, waits float64, strips bool) {
	p, box, t, l := &g.Panes[i], g.Layout.Panes[i], g.Theme, &g.Layout
	b := box.Jobs
	col := t.SeriesColor(p.Scheduler)
	g.head(s, i)
	s.HLine(b.X, b.Right(), box.Whole.Bottom(), t.Line3)
	g.borders(s, i)
	g.cycles(s, i)
	g.bar(s, i)
	g.blocked(s, i)
	g.deadlines(s, i)
	g.labels(s, i)
	strip := func(v *draw.Steps, limit float64, b draw.Box, said string) {
		if v == nil {
			return
		}
		if strips {
			s.Stroke(g.gridPath(b), t.Grid, 1, "")
			line, area := draw.StripPaths(v.Columns(g.From, g.To, int(b.W)), limit, b.X, b.Y, b.W, b.H)
			s.Clip(draw.Box{X: b.X, Y: b.Y - 1, W: b.W, H: b.H + 2})
			s.Fill(area, col, stripFill)
			s.Stroke(line, col, stripLine, "")
			s.Unclip()
		}
		s.HLine(b.X, b.Right(), b.Bottom(), t.Line)
		if !l.Small {
			s.Text(b.Right()+8, b.Y+b.H/2, said, 'l', t.Ink2, false)
		}
	}
	mean := 0.0
	if p.Used != nil {
		mean = p.Used.Mean(float64(g.From), float64(g.To)) / float64(max(1, p.Procs))
	}
	strip(p.Used, float64(max(1, p.Procs)), box.Busy, words.Number(mean*100, 0)+words.NB+"%")
	if p.Waiting != nil {
		strip(p.Waiting, waits, box.Waiting, "max "+words.Int(p.Waiting.Max(g.From, g.To)))
	}
}

// labels writes job numbers into the rectangles that have room for them.
func (g *Gantt) labels(s *draw.Scene, i int) {
	p, b := &g.Panes[i], g.Layout.Panes[i].Jobs
	for _, l := range p.Labels {
		number := strconv.FormatInt(g.Jobs.Number[l.Job], 10)
		x, y, w, h := l.X/p.Scale, l.Y/p.Scale, l.W/p.Scale, l.H/p.Scale
		if float64(len(number))*6.2+12 > w {
			continue
		}
		s.Text(b.X+x+7, b.Y+y+h/2+.5, number, 'l', draw.Ink(p.Colors[l.Job]), false)
	}
}

// difference draws busy processors of the first pane minus those of pane i.
func (g *Gantt) difference(s *draw.Scene, i int, strips bool) {
	b, t := g.Layout.Diffs[i-1], g.Theme
	first, second := &g.Panes[0], &g.Panes[i]
	if first.Used == nil || second.Used == nil {
		return
	}
	if strips {
		n := int(b.W / 2)
		up, down := draw.DifferencePaths(first.Used.Columns(g.From, g.To, n), second.Used.Columns(g.From, g.To, n), float64(max(1, first.Procs)), b.X, b.Y, b.W, b.H)
		s.Stroke(g.gridPath(b), t.Grid, 1, "")
		s.Fill(up, t.SeriesColor(first.Scheduler), 1)
		s.Fill(down, t.SeriesColor(second.Scheduler), 1)
	}
	s.HLine(b.X, b.Right(), b.Y+b.H/2, t.Line3)
	switch a, c := words.Letter(first.Scheduler), words.Letter(second.Scheduler); {
	case g.Layout.Small:
	case b.H < 30:
		s.Text(b.Right()+8, b.Y+b.H/2, a+"↑ "+c+"↓", 'l', t.Ink2, false)
	default:
		s.Text(b.Right()+8, b.Y+b.H/2-9, a+" more", 'l', t.Ink2, false)
		s.Text(b.Right()+8, b.Y+b.H/2+9, c+" more", 'l', t.Ink2, false)
	}
}

// Pointer is what follows the reader.
type Pointer struct {
	Job      int       // outlined job, −1 none
	Pane     int       // the pane in which it was pointed at; others are dashed
	X        float64   // hairline through all panes; NaN none
	Zoom     *draw.Box // stretch that a drag marks
	Waited   []Stretch // of Job in Pane: reasons over time
	Promised []Promise // of the same: starts that it was promised
	Idle     *Idle     // stretch that is asked about; nil none
}

// Over is what moves with the reader: outlines, the hairline with its time.
func (g *Gantt) Over(p Pointer) *draw.Scene {
	s, t, l := &draw.Scene{}, g.Theme, &g.Layout
	if p.Job >= 0 {
		for i := range g.Panes {
			if g.Jobs != nil && len(g.Jobs.After) > 0 {
				g.arrows(s, i, p.Job)
			}
			var waited []Stretch
			if i == p.Pane {
				waited = p.Waited
				g.promised(s, i, p.Job, p.Promised)
			}
			g.outline(s, i, p.Job, i != p.Pane, waited)
		}
	}
	if p.Idle != nil && p.Idle.Pane < len(g.Panes) {
		p.Idle.outline(g, s)
	}
	if p.Zoom != nil {
		s.Fill(draw.BoxPath(*p.Zoom), t.Accent, .14)
		s.Stroke(draw.BoxPath(*p.Zoom), t.Accent, 1.5, "")
	}
	b := l.Panes[0].Jobs
	if !math.IsNaN(p.X) && p.X >= b.X && p.X <= b.Right() {
		x := draw.Crisp(p.X - .5)
		s.Stroke("M"+draw.Num(x)+" "+draw.Num(axisHeight)+"V"+draw.Num(l.Bottom()), t.Ink3, 1, "2 2")
		label := g.stamp(g.At(p.X))
		w := float64(len([]rune(label)))*6.1 + 14
		cx := min(max(x, w/2+2), l.W-w/2-2)
		s.Fill(draw.Pill(draw.Box{X: cx - w/2, Y: 6, W: w, H: 18}, 4), t.Ink, 1)
		s.Text(cx, 15.5, label, 'c', t.Panel, true)
	}
	return s
}

// stamp writes a time as finely as the view can show it.
func (g *Gantt) stamp(at model.Time) string {
	s := g.Clock.ShortDay(at) + words.NB + g.Clock.Hour(at)
	if float64(g.To-g.From)/max(1, g.Layout.Panes[0].Jobs.W) < 20 {
		sec := g.Clock.Local(at) % draw.Minute
		s += ":" + draw.Pad2((sec+draw.Minute)%draw.Minute)
	}
	return s
}

// outline marks a job in one pane: its rectangles, a dot where it was
// submitted, and a dashed line from there to its start, or the reasons for its
// wait over time.
func (g *Gantt) outline(s *draw.Scene, i, job int, other bool, waited []Stretch) {
	p, b, t := &g.Panes[i], g.Layout.Panes[i].Jobs, g.Theme
	if p.Cols == nil || job >= len(p.Cols.Start) || p.Cols.Start[job] < p.Cols.Submitted(g.Jobs)[job] {
		return
	}
	start, end := p.Cols.Start[job], p.Cols.End[job]
	x0, x1 := g.X(start), max(g.X(end), g.X(start)+1.5)
	dash := ""
	if other {
		dash = "5 3"
	}
	var boxes string
	f, mid := g.frame(i), b.Bottom()-b.H/2
	if p.Index != nil {
		p.Index.Rects(job, func(r draw.Rect) {
			y, h := f.Down(r.First, r.Count)
			h = max(2, h)
			// Cut far outside the view: browsers lose precision there.
			left, right := max(x0, b.X-9), min(x1, b.Right()+9)
			if right > left {
				boxes += draw.BoxPath(draw.Box{X: left - .5, Y: y - .5, W: right - left + .5, H: h + .5})
			}
			if r.Main {
				mid = y + h/2
			}
		})
	}
	whole := g.Layout.Panes[i].Whole
	s.Clip(draw.Box{X: b.X, Y: whole.Y - 2, W: b.W, H: whole.H + 4})
	s.Stroke(boxes, t.Panel, 4, "")
	s.Stroke(boxes, t.Accent, 2, dash)
	if submit := p.Cols.Submitted(g.Jobs)[job]; g.X(start)-g.X(submit) > 4 {
		xs := g.X(submit)
		line := "M" + draw.Num(max(xs, b.X-9)) + " " + draw.Num(mid) + "H" + draw.Num(min(x0-3, b.Right()+9))
		s.Stroke(line, t.Panel, 4, "")
		s.Stroke(line, t.Accent, 1.6, "4 3")
		g.waited(s, waited, mid)
		s.Fill(draw.Circle(xs, mid, 5.5), t.Panel, 1)
		s.Fill(draw.Circle(xs, mid, 3.5), t.Accent, 1)
	}
	g.flag(s, i, job, mid)
	s.Unclip()
}

// JobBox is the part of a job that is in view, from its submission to its
// end: what a card must not cover. ok is false when the job is out of view.
func (g *Gantt) JobBox(i, job int) (box draw.Box, ok bool) {
	p, b := &g.Panes[i], g.Layout.Panes[i].Whole
	if p.Cols == nil || p.Index == nil || job < 0 || job >= len(p.Cols.Start) {
		return b, false
	}
	f, top, bottom := g.frame(i), b.Bottom(), b.Y
	p.Index.Rects(job, func(r draw.Rect) {
		if part, in := f.Part(r.First, r.Count, p.Cols.Start[job], p.Cols.End[job], b); in {
			box, top, bottom = part, min(top, part.Y), max(bottom, part.Bottom())
		}
	})
	return draw.Box{X: box.X, Y: top, W: box.W, H: bottom - top}, bottom > top
}

// VectorLimit is the number of jobs up to which the chart is offered as SVG.
const VectorLimit = 5000

// File writes the chart as an SVG file; ok is false when a pane shows more
// than VectorLimit jobs.
func (g *Gantt) File(title string) (svg string, ok bool) {
	var p draw.Pen
	for i := range g.Panes {
		b := g.Layout.Panes[i].Jobs
		p.Rect(b.X, b.Y, b.W, b.H, g.Theme.Side.Hex(), "")
		ix := g.Panes[i].Index
		if ix == nil {
			continue
		}
		g.bandsFile(&p, i)
		rows := g.shown(i)
		v := draw.View{From: g.From, To: g.To, Low: rows.From, High: rows.To, W: int(b.W), H: int(b.H), Scale: 1}
		lo, hi := ix.Range(g.From, g.To)
		jobs := 0
		for k := lo; k < hi; k++ {
			if ix.All[k].Main && ix.All[k].End > g.From {
				jobs++
			}
		}
		if jobs > VectorLimit {
			return "", false
		}
		var r draw.Raster
		r.Set(ix.Procs, v)
		r.Seen()
		for k := lo; k < hi; k++ {
			if ix.All[k].End <= g.From {
				continue
			}
			q := r.BoxOf(ix, k)
			if q.X1 > q.X0 && q.Y1 > q.Y0 {
				p.Rect(b.X+float64(q.X0)/65536, b.Y+float64(q.Y0)/256, float64(q.X1-q.X0)/65536, float64(q.Y1-q.Y0)/256, g.Panes[i].Colors[ix.All[k].Job].Hex(), "")
			}
		}
	}
	svg, _ = g.Theme.FigureFile(&draw.Figure{W: g.Layout.W, H: g.Layout.H, Art: p.Markup() + g.Base().SVG("c"), Aria: title}, title)
	return svg, true
}
