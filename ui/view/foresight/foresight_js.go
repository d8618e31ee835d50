//go:build js

package foresight

import (
	"strconv"
	"syscall/js"

	"batchlab/core/report"
	"batchlab/ui/draw"
)

func init() {
	Room.Islands = map[string]draw.Maker{"foresight": newForesight}
	Room.Styles = `.bl-foretold{font-size:13px;color:var(--ink-2);margin:0 16px 8px;max-width:90ch}#panel-foresight .bl-pair{margin-bottom:12px}.bl-foretold:first-child{font-size:17px;font-weight:600;color:var(--ink);margin-top:12px}.bl-foretold:empty{display:none}.bl-choice{display:block;margin:0 14px;font-size:12px;color:var(--ink-2)}.bl-choice input{width:100%}`
}

// room is the tab: sentences, then charts.
type room struct {
	*draw.Stack
	run  *report.Run // whose choices are shown
	at   int         // which of them
	pick js.Value    // where it is chosen
	said js.Value
}

func newForesight(h *draw.Host) draw.Island {
	f := &room{Stack: &draw.Stack{Host: h}}
	part := draw.Build(h.Root, `<p class="bl-foretold"></p><p class="bl-foretold"></p><p class="bl-foretold"></p><p class="bl-foretold"></p><div class="bl-pair" data-part="jobs"></div><div class="bl-pair" data-part="time"></div><p class="bl-foretold" data-part="chose"></p><div class="bl-pair" data-part="chosen"></div><div class="bl-pair" data-part="costs"></div>`)
	lines := h.Root.Get("children")
	f.Parts = append(f.Parts, draw.DrawFunc(func() {
		d := f.Data()
		texts := [...]string{Verdict(d), Tail(d), Sentence(d), Missing(d)}
		if r := f.Store.Finished(Which(d)); r != nil {
			f.Store.WantWhy(r)
			if r.WhyError != "" {
				texts[2] = "The predictions are not available: " + r.WhyError
			}
		}
		for i, text := range texts {
			lines.Index(i).Set("textContent", text)
		}
	}))
	figure := func(row js.Value, key, title, sub string, of func(d *draw.Data, w, h float64) draw.Figure) *draw.FigureCard {
		c := draw.NewFigure(f.Part(row, ""), key, title, of)
		c.Sub.Set("textContent", sub)
		f.Parts = append(f.Parts, c)
		return c
	}
	plain := func(of func(d *draw.Data) *draw.Result) func(*draw.Data, float64, float64) draw.Figure {
		return func(d *draw.Data, w, h float64) draw.Figure { return of(d).Figure(w, h) }
	}
	two := part("jobs")
	figure(two, "requested", "Requested against run time", "one dot a job", plain(func(d *draw.Data) *draw.Result { return Truth(d, true) }))
	figure(two, "predicted", "Predicted against run time", "one dot a job, at its submission", plain(func(d *draw.Data) *draw.Result { return Truth(d, false) }))
	two = part("time")
	figure(two, "weeks", "Slowdown week by week", "beside the other scheduler", Weeks)
	figure(two, "error", "Error and bias over time", "median factor", plain(Error))
	chose, chosen := part("chose"), part("chosen")
	f.Parts = append(f.Parts, draw.DrawFunc(func() {
		d := f.Data()
		chose.Set("textContent", ChoicesSentence(d))
		chosen.Set("hidden", len(choices(d)) == 0)
		f.choose(d)
	}))
	figure(chosen, "chosen", "Queue order that the rollouts chose", "share of the choices", plain(Chosen))
	one := figure(chosen, "choice", "One choice", "what each order would cost", plain(func(d *draw.Data) *draw.Result { return One(d, f.at) }))
	box := draw.Node(`<label class="bl-choice"><span></span><input type="range" min="0" aria-label="Choice"></label>`)
	one.Body.Call("before", box)
	f.said, f.pick = box.Get("firstChild"), box.Get("lastChild")
	h.Scope.Listen(f.pick, "input", func(js.Value) {
		f.at, _ = strconv.Atoi(f.pick.Get("value").String())
		f.choose(f.Data())
		one.Draw()
	})
	two = part("costs")
	figure(two, "costs", "What each order would have cost", "beside p̂ q", plain(Costs))
	figure(two, "error-by-user", "Error by user", "median factor, users with most jobs", plain(ByUser))
	return f
}

// choose shows a choice: of a run that was not shown before, the clearest.
func (f *room) choose(d *draw.Data) {
	if r := d.RunOf(Which(d)); r != f.run && len(choices(d)) > 0 {
		f.run, f.at = r, Clearest(d)
	}
	text := OneSentence(d, f.at)
	f.said.Set("textContent", text)
	draw.Attr(f.pick, "max", strconv.Itoa(max(0, len(choices(d))-1)), "aria-valuetext", text)
	f.pick.Set("value", f.at)
}
