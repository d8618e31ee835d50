//go:build js

package gantt

import (
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// exports are the files that the chart can be saved as.
func (g *gantt) exports() []draw.Item {
	if g.jobs() == nil || !g.ready() {
		return nil
	}
	c := g.chart
	items := []draw.Item{{Label: "PNG, twice the size", Do: g.savePNG}, {Label: "CSV: what is shown", Do: g.saveCSV}}
	for _, p := range c.Panes {
		if len(p.Entries) > 0 {
			items = append(items, draw.Item{Label: "CSV: reservations and outages", Do: func() { draw.Save(g.FileName("calendar", ".csv"), "text/csv", []byte(CalendarCSV(p.Entries))) }})
			break
		}
	}
	if len(g.jobs().After) > 0 {
		for _, p := range g.panes {
			if p.run != nil {
				name := g.FileName("waits-for-"+words.Letter(p.scheduler), ".csv")
				items = append(items, draw.Item{Label: "CSV: what jobs wait for, " + words.Letter(p.scheduler), Do: func() { draw.Save(name, "text/csv", AfterCSV(g.jobs(), &p.run.Result.Columns)) }})
			}
		}
	}
	if svg, ok := c.File("Gantt chart"); ok {
		items = append(items, draw.Item{Label: "SVG", Do: func() { draw.Save(g.FileName("gantt", ".svg"), "image/svg+xml", []byte(svg)) }})
	} else {
		items = append(items, draw.Item{Label: "SVG: zoom in to 5,000 jobs first", Do: func() {}})
	}
	return items
}

// saveCSV lists what is shown, in pieces that leave the page's thread free.
func (g *gantt) saveCSV() {
	c := g.chart
	list, parts, name := c.List(), draw.Global.Get("Array").New(), g.FileName("gantt", ".csv")
	draw.InTurns(func() (more bool) {
		piece, more := list.Next(indexStep)
		parts.Call("push", draw.BytesToJS(piece))
		return more
	}, func() {
		draw.SaveBlob(name, draw.Global.Get("Blob").New(parts, map[string]any{"type": "text/csv"}))
	})
}

// savePNG draws the chart once more at twice the size, step by step.
func (g *gantt) savePNG() {
	to := &draw.Canvas{El: draw.Node(`<canvas></canvas>`)}
	to.Ctx = to.El.Call("getContext", "2d")
	to.Resize(g.over.W, g.over.H, 2)
	to.Ctx.Set("fillStyle", g.Theme().Panel.Hex())
	to.Ctx.Call("fillRect", 0, 0, 2*to.W, 2*to.H)
	c, full, name := g.chart, g.span.Full, g.FileName("gantt", ".png")
	c.Panes = append([]GanttPane(nil), c.Panes...)
	panes := make([]*ganttPane, len(g.panes))
	for i, p := range g.panes {
		panes[i] = &ganttPane{run: p.run, colors: p.colors, colorKey: p.colorKey, picture: &picture{}}
	}
	i, begun := 0, false
	draw.InTurns(func() (more bool) {
		q := panes[i]
		if !begun {
			begun = true
			g.begin(&c, i, q, to.Scale)
		} else if q.raster.PaintJobs(rasterStep) {
			q.finish(full)
			q.put(to, c.Layout.Panes[i].Jobs, c.Theme.Side)
			panes[i].picture = &picture{drawn: q.drawn, drawnKey: q.drawnKey} // its memory is not needed any more
			i, begun = i+1, false
		}
		return i < len(panes)
	}, func() {
		g.bands(to, &c)
		g.strips(to, &c)
		g.notes(&c, panes)
		for _, s := range [...]*draw.Scene{c.Axis(), c.Gutter(), c.Plot(false)} {
			to.Paint(s)
		}
		draw.SaveCanvas(name, to.El)
	})
}
