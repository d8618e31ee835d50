//go:build js

package gantt

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/ui/draw"
)

// keyDown serves the keys of the chart wherever the focus is, unless someone
// is typing.
func (g *gantt) keyDown(ev js.Value) {
	if g.El.Get("clientWidth").Int() == 0 { // another tab is shown
		return
	}
	if draw.Typing(ev) || draw.Modified(ev) || !g.ready() || g.jobs() == nil || draw.Doc.Call("querySelector", "[role=dialog][aria-modal=true]").Truthy() {
		return
	}
	if g.reserve.key(ev) {
		ev.Call("preventDefault")
		ev.Call("stopPropagation")
		return
	}
	focused := draw.Doc.Get("activeElement").Equal(g.over.El)
	if focused && g.rows.key(ev.Get("key").String(), ev.Get("shiftKey").Bool()) {
		ev.Call("preventDefault")
		ev.Call("stopPropagation")
		return
	}
	done := true
	switch k := ev.Get("key").String(); k {
	case "w", "W":
		g.zoom(.7, .5)
	case "s", "S":
		g.zoom(1/.7, .5)
	case "a", "A":
		g.pan(-.2)
	case "d", "D":
		g.pan(.2)
	case "0":
		g.whole()
	case "f", "F":
		if job := g.Store.View.Job; job >= 0 {
			g.fit(job)
		} else {
			g.whole()
		}
	case "e", "E":
		g.stepIn()
	case "[":
		g.onNode(-1)
	case "]":
		g.onNode(1)
	case ".":
		g.step(1)
	case ",":
		g.step(-1)
	case "i", "I":
		g.idleHere()
	case "Escape":
		if done = g.Store.View.Job >= 0 || g.idle != nil; done {
			g.selectJob(-1, 0)
			g.overlay()
		}
	case "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown":
		if done = focused; !done {
			break
		}
		switch k {
		case "ArrowLeft":
			g.pan(-.1)
		case "ArrowRight":
			g.pan(.1)
		case "ArrowUp":
			g.step(-1)
		case "ArrowDown":
			g.step(1)
		}
	default:
		done = false
	}
	if done {
		ev.Call("preventDefault")
		ev.Call("stopPropagation")
	}
}

// stepIn steps through the schedule, from the submission of the selected job, the
// instant that was stepped to before, or the beginning of what is shown.
func (g *gantt) stepIn() {
	at := g.Store.View.Instant
	if job, jobs := g.Store.View.Job, g.jobs(); job >= 0 && jobs != nil && job < len(jobs.Submit) {
		at = jobs.Submit[job]
	} else if float64(at) < g.span.From || float64(at) > g.span.To {
		at = model.Time(max(g.span.From, float64(g.span.Full[0])))
	}
	g.Store.StepTo(at)
	draw.Refresh()
}

// fit zooms to a job, with room for its wait where it can then still be seen: of a job
// that waited for weeks and ran for an hour, or ran at another time in the other run,
// only what is near its start in the pane that is looked at. Rows come near, too.
func (g *gantt) fit(job int) {
	from, to := math.Inf(1), math.Inf(-1)
	at, end := math.NaN(), 0.0
	pane := min(g.input.pane, len(g.panes)-1)
	for i, p := range g.panes {
		if p.run == nil || job >= len(p.run.Result.Columns.Start) {
			continue
		}
		c := &p.run.Result.Columns
		from = min(from, float64(c.Submitted(g.jobs())[job]))
		to = max(to, float64(c.End[job]))
		if c.Start[job] >= 0 && (i == pane || math.IsNaN(at)) {
			at, end = float64(c.Start[job]), float64(c.End[job])
		}
	}
	if to <= from {
		return
	}
	room := max(300, (to-from)*.25)
	from, to = from-room, to+room
	if most := max(leastSpan, (end-at)*g.chart.Layout.Panes[0].Jobs.W/foundWide); !math.IsNaN(at) && to-from > most {
		from, to = max(from, at-most*.7), min(to, end+most*.3)
		from = max(from, to-most)
	}
	g.rows.show(g.chart.RowsOf(pane, job, foundHigh))
	g.show(from, to)
}

// step selects the next or previous job in order of submission and moves it
// into view.
func (g *gantt) step(by int) {
	jobs := g.jobs()
	if jobs == nil || len(jobs.Number) == 0 {
		return
	}
	job := g.Store.View.Job
	if job < 0 {
		job = 0
		for job < len(jobs.Submit)-1 && float64(jobs.Submit[job]) < g.span.From {
			job++
		}
	} else {
		job = min(len(jobs.Number)-1, max(0, job+by))
	}
	g.reveal(job)
	g.selectJob(job, min(g.input.pane, len(g.panes)-1))
}

// whole shows everything, drawn at once as far as that goes.
func (g *gantt) whole() {
	g.rows.show(Rows{})
	g.show(float64(g.span.Full[0]), float64(g.span.Full[1]))
	g.lastMove, g.held = 0, false
}

// onNode selects the job that follows or goes before the selected one on its
// processors, in the pane where it was selected.
func (g *gantt) onNode(by int) {
	pane := min(g.input.pane, len(g.panes)-1)
	ix := g.chart.Panes[pane].Index
	if ix == nil || g.Store.View.Job < 0 {
		return
	}
	job := ix.Neighbour(g.Store.View.Job, by)
	if job < 0 {
		g.say.Set("textContent", map[bool]string{true: "No later job on these processors.", false: "No earlier job on these processors."}[by > 0])
		return
	}
	g.reveal(job)
	g.selectJob(job, pane)
}

// findJob selects a job by its number and zooms to it.
func (g *gantt) findJob(text string) {
	jobs := g.jobs()
	text = strings.TrimSpace(text)
	number, err := strconv.ParseInt(text, 10, 64)
	if text == "" || jobs == nil {
		return
	}
	job := -1
	if err == nil {
		job = slices.Index(jobs.Number, number)
	}
	if job < 0 {
		g.say.Set("textContent", "There is no job "+text+" in this workload.")
		draw.Attr(g.find, "aria-invalid", "true")
		return
	}
	draw.Attr(g.find, "aria-invalid", "false")
	g.selectJob(job, min(g.input.pane, len(g.panes)-1))
	g.fit(job)
}

// reveal pans until a job lies in view.
func (g *gantt) reveal(job int) {
	p := g.panes[min(g.input.pane, len(g.panes)-1)]
	if p.run == nil {
		return
	}
	c := &p.run.Result.Columns
	a, b := float64(c.Start[job]), float64(c.End[job])
	if b > g.span.From && a < g.span.To {
		return
	}
	half := (g.span.To - g.span.From) / 2
	g.show(a-half, a+half)
}
