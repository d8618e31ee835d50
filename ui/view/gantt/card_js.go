//go:build js

package gantt

import (
	"math"
	"strconv"
	"syscall/js"

	"batchlab/ui/draw"
	"batchlab/ui/look"
)

// overlay draws outlines, the hairline and the card.
func (g *gantt) overlay() {
	if !g.ready() {
		return
	}
	in := &g.input
	in.pane = min(in.pane, len(g.panes)-1)
	if in.hover >= 0 && !math.IsNaN(in.x) && len(in.points) == 0 { // the view may have moved under the pointer
		if j, pane := g.jobAt(in.x, in.y); j >= 0 {
			in.hover, in.pane = j, pane
		} else {
			in.hover = -1
		}
	}
	job, strong := in.hover, false
	if job < 0 {
		job, strong = g.Store.View.Job, true
	}
	if jobs := g.jobs(); jobs == nil || job >= len(jobs.Number) {
		job = -1
	}
	if strong && job >= 0 && g.panes[in.pane].run == nil {
		in.pane = 0
	}
	var waited []Stretch
	var promised []Promise
	if strong {
		waited, promised = g.waitedOf(in.pane, job)
	}
	if has := len(promised) > 0; has != g.promises {
		g.promises = has
		g.writeMarks()
	}
	mark := in.box
	if box := g.reserve.box(); box != nil {
		mark = box
	}
	over := g.chart.Over(Pointer{Job: job, Pane: in.pane, X: in.x, Zoom: mark, Waited: waited, Promised: promised, Idle: g.idle})
	if g.marked {
		g.over.Clear()
	}
	if g.marked = len(over.Ops) > 0; g.marked {
		g.over.Paint(over)
	}
	g.showCard(job, strong)
	if strong && (job != g.spoken || len(promised)+len(waited) != g.told) { // once more when its promises are known
		g.spoken, g.told = job, len(promised)+len(waited)
		text := ""
		if job >= 0 && g.panes[in.pane].run != nil {
			text = Speech(g.chart.Clock, g.jobs(), job, g.subject(in.pane)) + WaitedSpeech(g.chart.Clock, waited) + PromisedSpeech(g.chart.Clock, promised, g.panes[in.pane].run.Result.Columns.Start[job])
		}
		g.say.Set("textContent", text)
	}
}

// waitedOf is the history of a job's wait, and what it was promised, which is asked
// for when it is wanted for the first time.
func (g *gantt) waitedOf(pane, job int) ([]Stretch, []Promise) {
	r := g.panes[pane].run
	if r == nil || job < 0 {
		return nil, nil
	}
	c := &r.Result.Columns
	submit := c.Submitted(g.jobs())[job]
	if c.Start[job] <= submit && g.Store.Ran.Foretells(r.Scheduler) == nil {
		return nil, nil
	}
	for i, x := range g.Store.Runs {
		if x == r {
			g.Store.WantPast(i, job)
		}
	}
	if r.Past == nil || r.Past.Job != job || c.Start[job] <= submit {
		return nil, nil
	}
	return Stretches(r.Past.Phases, submit, c.Start[job]), Promises(r.Past.Phases, submit, c.Start[job])
}

func (g *gantt) subject(pane int) Subject {
	r := g.panes[pane].run
	s := Subject{Title: g.Title(g.panes[pane].scheduler), Cols: &r.Result.Columns, Site: g.Store.Sites[r.Repetition]}
	if p := r.Result.Program; p != nil {
		s.Notes = p.Notes
	}
	return s
}

// showCard writes the card of a job and puts it beside the job.
func (g *gantt) showCard(job int, strong bool) {
	in := &g.input
	box, ok := draw.Box{}, false
	if job >= 0 && in.box == nil && g.reserve.draft == nil {
		box, ok = g.chart.JobBox(in.pane, job)
	}
	if !ok {
		if g.idle != nil && in.hover < 0 {
			g.showIdle()
		} else {
			g.showBlock()
		}
		return
	}
	p := g.panes[in.pane]
	note := ""
	switch r := p.run; {
	case len(r.Result.Columns.Why) > 0:
	case r.Result.Logged:
		note = "The log does not say why."
	case r.WhyError != "":
		note = "Why is not known: " + r.WhyError
	case r.WhyAsked:
		note = "Finding out why …"
	default:
		note = "Select the job to learn why."
	}
	key := strconv.Itoa(job) + "/" + strconv.Itoa(in.pane) + "/" + strconv.FormatBool(strong) + note + strconv.Itoa(g.Key.Version)
	if key != in.shownKey {
		in.shownKey = key
		var other *Subject
		for i, q := range g.panes {
			if i != in.pane && q.run != nil {
				o := g.subject(i)
				other = &o
			}
		}
		waited, limit := draw.Markup(""), ""
		if strong {
			stretches, promised := g.waitedOf(in.pane, job)
			waited = WaitHTML(g.chart.Clock, stretches) + PromisedHTML(g.chart.Clock, promised, p.run.Result.Columns.Start[job])
			limit = LimitOf(g.chart.Clock, stretches)
		}
		this := g.subject(in.pane)
		this.Limit = limit
		if past := p.run.Past; strong && past != nil && past.Job == job {
			this.Basis = past.Basis
		}
		html := Card(g.chart.Clock, g.jobs(), job, this, other, note, waited)
		if strong { // a card that is only hovered over asks for nothing
			html += g.termsPlace(p.run, job)
		}
		html += `<div class="foot"><button type="button" class="bl-btn">Show in table</button><span class="mut"><kbd>,</kbd> <kbd>.</kbd> jobs · <kbd>[</kbd> <kbd>]</kbd> same processors</span></div>`
		draw.Put(g.card, html)
		draw.Find(g.card, "button").Set("onclick", g.toTable())
		g.writeTerms(p.run, job)
	}
	g.card.Get("classList").Call("toggle", "hover", !strong)
	g.card.Set("hidden", false)
	g.putCard(box)
}

// showBlock writes the card of a reservation or outage under the pointer.
func (g *gantt) showBlock() {
	in := &g.input
	pane, block := 0, -1
	if in.hover < 0 && in.box == nil && g.reserve.draft == nil && !math.IsNaN(in.x) {
		pane, block = g.chart.BlockAt(in.x, in.y)
	}
	if block < 0 {
		g.card.Set("hidden", true)
		in.shownKey = ""
		return
	}
	if key := "block/" + strconv.Itoa(pane) + "/" + strconv.Itoa(block); key != in.shownKey {
		in.shownKey = key
		draw.Put(g.card, g.chart.BlockCard(pane, block))
	}
	g.card.Get("classList").Call("add", "hover")
	g.card.Set("hidden", false)
	g.putCard(draw.Box{X: in.x - 6, Y: in.y - 10, W: 12, H: 20})
}

// putCard puts the card beside a box.
func (g *gantt) putCard(box draw.Box) {
	b := g.chart.Layout.Panes[0].Jobs
	bounds := draw.Box{X: b.X + 4, Y: g.chart.Layout.Axis + 6, W: g.over.W - b.X - 12, H: g.over.H - g.chart.Layout.Axis - 14}
	size := &g.input.card
	if !g.moving() || size[0] == 0 { // asking makes the browser lay out the page
		size[0], size[1] = g.card.Get("offsetWidth").Float(), g.card.Get("offsetHeight").Float()
	}
	x, y := draw.BesideBox(box, bounds, size[0], size[1])
	draw.Style(g.card, "left", draw.Px(x))
	draw.Style(g.card, "top", draw.Px(y))
}

// toTable is the handler of the card's button, made once.
func (g *gantt) toTable() js.Func {
	if g.tableButton.Value.Type() != js.TypeFunction {
		g.tableButton = js.FuncOf(func(js.Value, []js.Value) any {
			g.Store.Look(func(v *look.View) { v.Tab = "table" })
			draw.Refresh()
			return nil
		})
		f := g.tableButton
		g.Scope.Undo = append(g.Scope.Undo, func() { f.Release() })
	}
	return g.tableButton
}
