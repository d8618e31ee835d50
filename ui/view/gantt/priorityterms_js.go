//go:build js

package gantt

import (
	"strconv"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/ui/draw"
	"batchlab/ui/result"
)

// ganttTerms is the part of a job's card that takes its priority apart at an
// instant of its wait.
type ganttTerms struct {
	job   int
	run   *result.Run
	at    model.Time // chosen
	moved int        // how often the slider moved
	slide js.Func
}

// termsPlace is the markup of that part, "" where a scheduler has no
// priorities or the job did not wait.
func (g *gantt) termsPlace(r *result.Run, job int) draw.Markup {
	jobs, cols := g.jobs(), &r.Result.Columns
	if !g.Store.HasPriorities(r) || cols.Start[job] <= jobs.Submit[job] {
		return ""
	}
	t := &g.terms
	if t.run != r || t.job != job {
		t.run, t.job, t.at = r, job, cols.Start[job]
	}
	return draw.HTML(`<div class="bl-terms"><label><span>Priority at <b class="at"></b></span><input type="range" aria-label="Instant of the wait" min="{}" max="{}" data-value="{}"></label><div class="parts"></div></div>`, strconv.FormatInt(int64(jobs.Submit[job]), 10), strconv.FormatInt(int64(cols.Start[job]), 10), strconv.FormatInt(int64(t.at), 10))
}

// writeTerms fills the part in, and asks for what is not there yet.
func (g *gantt) writeTerms(r *result.Run, job int) {
	box := g.card.Call("querySelector", ".bl-terms")
	if !box.Truthy() {
		return
	}
	t := &g.terms
	if t.slide.Value.Type() != js.TypeFunction {
		t.slide = js.FuncOf(func(_ js.Value, args []js.Value) any {
			v, _ := strconv.ParseInt(args[0].Get("target").Get("value").String(), 10, 64)
			t.at = model.Time(v)
			draw.Find(g.card, ".at").Set("textContent", g.chart.Clock.When(t.at))
			t.moved++
			last := t.moved
			draw.Later(120, func() {
				if last == t.moved {
					g.fillTerms()
				}
			})
			return nil
		})
		f := t.slide
		g.Scope.Undo = append(g.Scope.Undo, func() { f.Release() })
	}
	draw.Find(box, "input").Set("oninput", t.slide)
	g.fillTerms()
}

// termsCame shows terms that were asked for; the card may grow and need another
// place.
func (g *gantt) termsCame() {
	g.fillTerms()
	g.overlay()
}

// fillTerms writes the terms at the chosen instant.
func (g *gantt) fillTerms() {
	box := g.card.Call("querySelector", ".bl-terms")
	if !box.Truthy() {
		return
	}
	t := &g.terms
	draw.Find(box, ".at").Set("textContent", g.chart.Clock.When(t.at))
	html := draw.Markup(`<p class="sec">Computing …</p>`)
	for i, r := range g.Store.Runs {
		if r != t.run {
			continue
		}
		switch got := g.Store.WantTerms(i, t.at, g.termsCame); {
		case got == nil:
		case got.Error != "":
			html = draw.HTML(`<p class="sec">{}</p>`, got.Error)
		case got.Got != nil:
			html = Terms(g.chart.Clock, got.Got, model.JobID(t.job))
		}
	}
	draw.Put(draw.Find(box, ".parts"), html)
}
