//go:build js

package foresight

import "batchlab/ui/draw"

func init() {
	Room.Islands = map[string]draw.Maker{"foresight": newForesight}
	Room.Styles = `.bl-foretold{font-size:13px;color:var(--ink-2);margin:12px 16px 4px;max-width:90ch}#panel-foresight .bl-pair{margin-bottom:12px}.bl-foretold:first-child{font-size:17px;font-weight:600;color:var(--ink)}`
}

// room is the tab: a sentence, then charts.
type room struct {
	*draw.Stack
}

func newForesight(h *draw.Host) draw.Island {
	f := &room{&draw.Stack{Host: h}}
	say := draw.Add(h.Root, "p", "bl-foretold")
	missing := draw.Add(h.Root, "p", "bl-foretold")
	f.Parts = append(f.Parts, draw.DrawFunc(func() {
		say.Set("textContent", Sentence(f.Data()))
		text := Missing(f.Data())
		missing.Set("textContent", text)
		missing.Set("hidden", text == "")
	}))
	pair := func(left, right *draw.FigureCard) {
		f.Parts = append(f.Parts, left, right)
	}
	figure := func(in *draw.Host, key, title, sub string, of func(d *draw.Data) *draw.Result) *draw.FigureCard {
		c := draw.NewFigure(in, key, title, func(d *draw.Data, w, hh float64) draw.Figure { return of(d).Figure(w, hh) })
		c.Sub.Set("textContent", sub)
		return c
	}
	two := draw.Add(h.Root, "div", "bl-pair")
	pair(figure(f.Part(two, ""), "requested", "Requested against run time", "one dot a job", func(d *draw.Data) *draw.Result { return Truth(d, true) }),
		figure(f.Part(two, ""), "predicted", "Predicted against run time", "one dot a job, at its submission", func(d *draw.Data) *draw.Result { return Truth(d, false) }))
	two = draw.Add(h.Root, "div", "bl-pair")
	pair(figure(f.Part(two, ""), "error", "Error and bias over time", "median factor", Error),
		figure(f.Part(two, ""), "error-by-user", "Error by user", "median factor, users with most jobs", ByUser))
	chose := draw.Add(h.Root, "p", "bl-foretold")
	two = draw.Add(h.Root, "div", "bl-pair")
	f.Parts = append(f.Parts, draw.DrawFunc(func() {
		chose.Set("textContent", ChoicesSentence(f.Data()))
		two.Set("hidden", len(choices(f.Data())) == 0)
	}))
	left := figure(f.Part(two, ""), "chosen", "Queue order that the rollouts chose", "share of the choices", Chosen)
	right := figure(f.Part(two, ""), "costs", "What each order would have cost", "beside p̂ q", Costs)
	for _, c := range []*draw.FigureCard{left, right} {
		f.Parts = append(f.Parts, draw.DrawFunc(func() {
			if len(choices(f.Data())) > 0 {
				c.Draw()
			}
		}))
	}
	return f
}
