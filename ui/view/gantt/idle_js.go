//go:build js

package gantt

import (
	"strconv"

	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// askIdle shows why processors are idle, nil takes the card away; what kept out
// the jobs that would have fitted is asked for, one after the other.
func (g *gantt) askIdle(d *Idle) {
	g.idle = d
	if d == nil {
		return
	}
	p := g.panes[d.Pane]
	g.say.Set("textContent", d.Said(p.run.Result.Processors))
	fit := d.Fit()
	var next func(k int)
	next = func(k int) {
		if g.idle != d || k == len(fit) || k == mostIdle {
			return
		}
		g.Store.AskHistory(p.run, fit[k], func(phases []report.Phase) {
			d.Learn(fit[k], phases)
			if g.idle == d {
				g.input.shownKey = ""
				g.askOverlay()
			}
			next(k + 1)
		})
	}
	next(0)
}

// idleHere asks about the moment under the pointer, else about the one at which most
// processors are idle while jobs wait.
func (g *gantt) idleHere() {
	if !g.ready() {
		return
	}
	d := g.chart.IdleAt(g.input.x, g.input.y)
	if d == nil {
		d = g.chart.MostIdle()
	}
	g.selectJob(-1, 0)
	g.askIdle(d)
	if d == nil {
		g.say.Set("textContent", "No processor is idle here while jobs wait.")
	}
	g.overlay()
}

// showIdle writes the card of what is idle and puts it beside it.
func (g *gantt) showIdle() {
	d, in := g.idle, &g.input
	if d.Pane >= len(g.panes) || g.panes[d.Pane].run == nil || in.box != nil || g.reserve.draft != nil {
		g.card.Set("hidden", true)
		return
	}
	if key := "idle/" + strconv.Itoa(len(d.Held)) + "/" + strconv.FormatInt(int64(d.From), 10) + "/" + strconv.Itoa(d.Pane); key != in.shownKey {
		in.shownKey = key
		other := ""
		for i := range g.chart.Panes {
			if q := g.panes[i]; i != d.Pane && q.run != nil && g.chart.Panes[i].Used != nil {
				other = "In " + g.Title(q.scheduler) + " " + words.Int(g.chart.Panes[i].Used.Value(d.From)) + " of " + words.Int(q.run.Result.Processors) + " were busy then."
				break
			}
		}
		draw.Put(g.card, g.chart.IdleCard(d, g.Title(g.panes[d.Pane].scheduler), other))
		in.card = [2]float64{}
	}
	g.card.Get("classList").Call("remove", "hover")
	g.card.Set("hidden", false)
	g.putCard(d.Box(&g.chart))
}
