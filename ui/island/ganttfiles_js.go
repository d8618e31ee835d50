//go:build js

package island

import (
	"batchlab/ui/chart"
)

// exports are the files that the chart can be saved as.
func (g *gantt) exports() []item {
	if g.jobs() == nil || !g.ready() {
		return nil
	}
	c := g.chart
	items := []item{{"PNG, twice the size", g.savePNG}, {"CSV: what is shown", g.saveCSV}}
	for _, p := range c.Panes {
		if len(p.Entries) > 0 {
			items = append(items, item{"CSV: reservations and outages", func() { save(g.fileName("calendar", ".csv"), "text/csv", []byte(chart.CalendarCSV(p.Entries))) }})
			break
		}
	}
	if svg, ok := c.File("Gantt chart"); ok {
		items = append(items, item{"SVG", func() { save(g.fileName("gantt", ".svg"), "image/svg+xml", []byte(svg)) }})
	} else {
		items = append(items, item{"SVG: zoom in to 5,000 jobs first", func() {}})
	}
	return items
}

// saveCSV lists what is shown, in pieces that leave the page's thread free.
func (g *gantt) saveCSV() {
	c := g.chart
	list, parts, name := c.List(), global.Get("Array").New(), g.fileName("gantt", ".csv")
	inTurns(func() (more bool) {
		piece, more := list.Next(indexStep)
		parts.Call("push", bytesToJS(piece))
		return more
	}, func() {
		saveBlob(name, global.Get("Blob").New(parts, map[string]any{"type": "text/csv"}))
	})
}

// savePNG draws the chart once more at twice the size, step by step.
func (g *gantt) savePNG() {
	to := &canvas{el: create("canvas", "")}
	to.ctx = to.el.Call("getContext", "2d")
	to.resize(g.over.w, g.over.h, 2)
	to.ctx.Set("fillStyle", g.theme().Panel.Hex())
	to.ctx.Call("fillRect", 0, 0, 2*to.w, 2*to.h)
	c, full, name := g.chart, g.full, g.fileName("gantt", ".png")
	c.Panes = append([]chart.GanttPane(nil), c.Panes...)
	panes := make([]*ganttPane, len(g.panes))
	for i, p := range g.panes {
		panes[i] = &ganttPane{run: p.run, colors: p.colors, colorKey: p.colorKey, picture: &picture{}}
	}
	i, begun := 0, false
	inTurns(func() (more bool) {
		q := panes[i]
		if !begun {
			begun = true
			g.begin(&c, i, q, to.scale)
		} else if q.raster.Step(rasterStep) {
			q.finish(full)
			q.put(to, c.Layout.Panes[i].Jobs, c.Theme.Side)
			panes[i].picture = &picture{drawn: q.drawn, drawnKey: q.drawnKey} // its memory is not needed any more
			i, begun = i+1, false
		}
		return i < len(panes)
	}, func() {
		g.strips(to, &c)
		g.notes(&c, panes)
		for _, s := range [...]*chart.Scene{c.Axis(), c.Gutter(), c.Plot(false)} {
			to.paint(s)
		}
		saveCanvas(name, to.el)
	})
}

// inTurns calls step until there is no more, with room for others in between,
// and then done.
func inTurns(step func() (more bool), done func()) {
	for stop := now() + frameBudget; step(); {
		if now() > stop {
			later(0, func() { inTurns(step, done) })
			return
		}
	}
	later(0, done)
}
