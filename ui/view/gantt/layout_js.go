//go:build js

package gantt

import (
	"slices"
	"strconv"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// size is the room for the chart in page pixels.
func (g *gantt) size() (w, h float64) {
	return g.wrap.Get("clientWidth").Float(), g.wrap.Get("clientHeight").Float()
}

// layout sizes the canvases and fills in what the chart shows. The row above
// the chart is written first: it may need another line.
func (g *gantt) layout() {
	draw.Style(g.wrap, "min-height", draw.Px(max(400, CosyHeight(len(g.panes)))))
	g.writeMarks()
	g.writeChooser()
	draw.Show(g.byDeadline, g.jobs() != nil && len(g.jobs().Due) > 0)
	w, h := g.size()
	scale := draw.ScreenScale()
	g.over.Resize(w, h, scale)
	wide := g.miniBox.Get("clientWidth").Float()
	high := 64.0
	if g.days.marked() {
		high += dayMarks
	}
	draw.Style(g.miniBox, "height", draw.Px(high+8))
	g.mini.Resize(wide, high, scale)
	g.frame.Resize(wide, high, scale)
	g.mapped = false
	l := NewLayout(w, h, len(g.panes))
	left := l.Panes[0].Jobs.X
	g.axis.cover(draw.Box{W: w, H: l.Axis}, w, scale)
	g.gutter.cover(draw.Box{Y: l.Axis, W: left, H: h - l.Axis}, w, scale)
	g.plot.Cover(draw.Box{X: left, Y: l.Axis, W: w - left, H: h - l.Axis}, w, scale)
	g.rows.update()
	g.chart = Gantt{Layout: l, Clock: g.Clock(), Theme: g.Theme(), Jobs: g.jobs(), Panes: make([]GanttPane, len(g.panes)), Rows: g.chart.Rows, Parts: g.parts}
	g.all = Minimap{W: g.mini.W, H: g.mini.H, Small: l.Small, From: g.span.Full[0], To: g.span.Full[1], Clock: g.chart.Clock, Theme: g.Theme()}
	if g.days.marked() {
		g.all.Days, g.all.Pair = g.days.list, words.Letter(g.panes[0].scheduler)+" and "+words.Letter(g.panes[1].scheduler)
	}
	for i, p := range g.panes {
		c := &g.chart.Panes[i]
		c.HideAway = !g.reserved
		c.Scheduler, c.Name, c.Scale = p.scheduler, g.Store.Label(p.scheduler), scale
		b := l.Panes[i].Jobs
		p.msg.Set("textContent", p.message)
		for name, v := range map[string]float64{"left": b.X, "top": b.Y, "width": b.W, "height": b.H} {
			draw.Style(p.msg, name, draw.Px(v))
		}
		if p.run == nil || g.known[p.run.Result] == nil {
			continue
		}
		r := p.run.Result
		k := g.known[r]
		c.Procs, c.Cols, c.Index, c.Used, c.Waiting, c.Colors = r.Processors, &r.Columns, k.index, k.used, k.waiting, p.colors
		if site := g.Store.Sites[p.run.Repetition]; site != nil {
			c.Entries = site.Calendar
		}
		if wait, ok := r.Measure("mean-wait"); ok {
			c.MeanWait, c.Which = words.Dur(wait), ""
			if g.Store.Different() > 1 {
				c.Which = g.Store.RepeatName(p.run.Repetition)
			}
		}
		if g.all.Used == nil {
			g.all.Used, g.all.Waiting, g.all.Procs, g.all.Letter = k.used, k.waiting, r.Processors, words.Letter(p.scheduler)
			if g.reserved {
				g.all.Blocks = r.Columns.Away
			}
		}
	}
	g.chart.Carve()
	g.rows.say()
}

// writeMarks writes the legend of what is not an ordinary job, the switch for
// it, and the calendar's table while that is asked for.
func (g *gantt) writeMarks() {
	m := Marks{}
	for _, p := range g.panes {
		if p.run != nil && g.known[p.run.Result] != nil {
			m = m.Plus(g.known[p.run.Result].marks)
		}
	}
	m.Late = m.Late && g.Store.View.Colour != "deadline" // its swatches say so
	m.Promised = g.promises
	html := draw.Markup("")
	for _, l := range m.Legend() {
		html += draw.HTML(`<span class="bl-sw {}"></span><span class="mut">{}</span>`, l[0], l[1])
	}
	draw.Put(g.marks, html)
	calendar := m.Reservation || m.Outage || m.Failure
	draw.Show(g.closed, m.Any())
	draw.Show(g.listButton, calendar)
	draw.Attr(g.listButton, "aria-pressed", strconv.FormatBool(g.listed))
	g.list.Set("hidden", !g.listed || !calendar)
	if g.listed && calendar {
		for _, p := range g.panes {
			if p.run != nil {
				if site := g.Store.Sites[p.run.Repetition]; site != nil {
					grid := CalendarGrid(site.Calendar, g.Clock())
					draw.Put(g.list, `<div class="bl-scroll" tabindex="0" role="region" aria-label="Reservations and outages">`+grid.HTML()+`</div>`)
				}
				break
			}
		}
	}
}

// writeChooser writes the buttons that choose the runs that are shown. With
// two runs there is nothing to choose but to leave one out.
func (g *gantt) writeChooser() {
	s := g.Store
	list := s.View.Panes()
	html := draw.Markup("")
	for i := range s.Schedulers() {
		html += draw.HTML(`<button type="button" data-i="{}" aria-pressed="{}"`, i, slices.Contains(list, i))
		if len(list) == 1 && list[0] == i {
			html += ` aria-disabled="true"`
		}
		html += draw.HTML(` title="{}" aria-label="{}">{}</button>`, g.Title(i), g.Title(i), words.Letter(i))
	}
	draw.Put(g.chooser, `<span class="bl-seg">`+html+`</span>`)
	draw.Show(g.chooser, s.Schedulers() > 1)
}

type colorKey struct {
	run, other *report.Run
	colouring  string
	end        model.Time // of the scale
	dark       bool
}

// colours computes the colour of each job where something has changed.
func (g *gantt) colours(colouring string) (made bool) {
	var a, b *report.Run
	if len(g.panes) > 0 && g.panes[0].run != nil {
		a = g.panes[0].run.Result
	}
	if len(g.panes) > 1 && g.panes[1].run != nil {
		b = g.panes[1].run.Result
	}
	cols := func(r *report.Run) *report.Columns {
		if r == nil {
			return nil
		}
		return &r.Columns
	}
	var l *Legend
	end := g.scaleEnd(colouring)
	for i, p := range g.panes {
		if p.run == nil {
			continue
		}
		r := p.run.Result
		k := colorKey{r, nil, colouring, end, g.Key.Dark}
		if colouring == "difference" {
			k.other = b
			if i > 0 {
				k.other = a
			}
		}
		if k != p.colorKey {
			p.colorKey = k
			tau := int64(10)
			if g.Store.Ran != nil {
				tau = g.Store.Ran.Measures.Tau
			}
			p.colors, p.legend = JobColors(g.Theme(), colouring, g.jobs(), &r.Columns, cols(a), cols(second(i, b, r)), r.Processors, tau, end)
			for _, q := range r.Columns.Before { // stopped attempts are paler
				p.colors = append(p.colors, draw.Mix(p.colors[q.Job], g.Theme().Side, .55))
			}
			if len(p.colors) > largeLog {
				return true
			}
		}
		if l == nil {
			l = &p.legend
		}
		g.chart.Panes[i].Colors = p.colors
	}
	if l == nil {
		l = &Legend{}
	}
	low, high := l.Low, l.High
	if colouring == "difference" && len(g.panes) > 1 {
		low = words.Letter(g.panes[0].scheduler) + " waits " + words.Dur(float64(end)) + " less"
	}
	g.low.Set("textContent", low)
	g.high.Set("textContent", high)
	ramp, swatches := "", draw.Markup("")
	for i, c := range l.Stops {
		if i > 0 {
			ramp += ","
		}
		ramp += c.Hex()
	}
	for _, w := range l.Swatches {
		swatches += draw.HTML(`<span class="bl-sw" style="background:{}"></span><span class="mut">{}</span>`, w.Color.Hex(), w.Name)
	}
	draw.Style(g.ramp, "display", "none")
	if ramp != "" {
		draw.Style(g.ramp, "display", "block")
		draw.Style(g.ramp, "background", "linear-gradient(90deg,"+ramp+")")
	}
	draw.Put(g.swatches, swatches)
	return false
}

// scaleEnd is the end of the colour scale, the same in all panes.
func (g *gantt) scaleEnd(colouring string) model.Time {
	k := scaleKey{colouring: colouring}
	var runs []*report.Columns
	for i, p := range g.panes {
		if p.run != nil && i < len(k.runs) {
			k.runs[i] = p.run.Result
			runs = append(runs, &p.run.Result.Columns)
		}
	}
	if k != g.scaled {
		g.scaled, g.end = k, ScaleOf(colouring, g.jobs(), runs)
	}
	return g.end
}

// scaleKey is what the end of the scale was computed for.
type scaleKey struct {
	colouring string
	runs      [4]*report.Run
}

// second is the run that a pane's difference to the first one refers to: its
// own, and of the first pane itself that of the second one.
func second(pane int, b, own *report.Run) *report.Run {
	if pane > 1 {
		return own
	}
	return b
}
