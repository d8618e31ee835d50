//go:build js

package island

import (
	"strconv"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/chart"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// plan is the tab of plans: the Gantt of the future beside the past at one
// instant, how one prediction moved, the optimiser's trace, and how good the
// predictions were.
type plan struct {
	*stack
	bar, when, slide, find, say js.Value
	gantt                       *card
	table                       *gridCard
	of                          *report.Run // that at belongs to
	at                          model.Time  // shown, or about to be
	from, to                    model.Time
	last                        *report.Plan // shown while the next one is worked out
	commit                      func()
	asking                      *asking
	rest                        []js.Value // what is hidden where there is no plan but a grid
}

func newPlan(h *host) island {
	p := &plan{stack: &stack{host: h}}
	p.asking = newAsking(p.part(h.root, ""))
	p.bar = add(h.root, "div", "bl-gt")
	step := func(icon, label string, by int) {
		h.scope.listen(iconButton(p.bar, icon, label), "click", func(js.Value) { p.step(by) })
	}
	step(iconUp, "Event before", -1)
	p.slide = add(p.bar, "input", "bl-slide")
	attr(p.slide, "type", "range", "min", "0", "max", "1000", "step", "1", "aria-label", "Instant of the plan")
	step(iconDown, "Next event", 1)
	p.when = add(p.bar, "span", "mut")
	attr(p.when, "id", "plan-at")
	peak := add(p.bar, "button", "bl-btn")
	peak.Set("textContent", "Longest queue")
	attr(peak, "type", "button", "title", "The instant at which most jobs wait")
	add(p.bar, "span", "grow")
	p.find = add(add(p.bar, "span", "bl-find"), "input", "")
	attr(p.find, "type", "search", "placeholder", "History of job", "aria-label", "Number of the job whose prediction is followed", "inputmode", "numeric", "autocomplete", "off")
	p.say = add(h.root, "p", "bl-vh")
	attr(p.say, "aria-live", "polite")
	h.scope.listen(p.slide, "input", func(js.Value) {
		v, _ := strconv.Atoi(p.slide.Get("value").String())
		p.goTo(p.from + (p.to-p.from)*model.Time(v)/1000)
	})
	h.scope.listen(peak, "click", func(js.Value) { p.store.Look(func(v *state.View) { v.Planned = false }) })
	h.scope.listen(p.find, "change", func(js.Value) { p.byNumber(p.find.Get("value").String()) })

	ganttAt := p.part(h.root, "bl-plan-gantt")
	p.gantt = newCard(ganttAt, "plan", "Plan", func(d *chart.Data, w, hh float64) chart.Drawing {
		if got, busy := p.shown(d); got == nil {
			return chart.Drawing{W: w, H: hh, Empty: busy}
		}
		return d.Plan(p.last, p.store.View.Job, w, hh)
	})
	h.scope.listen(p.gantt.body, "click", func(ev js.Value) {
		if j := ev.Get("target").Get("dataset").Get("j"); j.Truthy() {
			n, _ := strconv.Atoi(j.String())
			p.store.Look(func(v *state.View) { v.Job = n - 1 })
		}
	})
	pair := add(h.root, "div", "bl-pair bl-plans")
	pairs := []js.Value{pair}
	history := newFigure(p.part(pair, ""), "prediction", "How a prediction moved", func(d *chart.Data, w, hh float64) chart.Figure {
		return d.PlanHistory(p.last, w, hh)
	})
	accuracy := newFigure(p.part(pair, ""), "accuracy", "How good predictions were", func(d *chart.Data, w, hh float64) chart.Figure {
		if f, busy := p.foresight(); f == nil {
			return chart.Figure{W: w, H: hh, Empty: busy}
		} else {
			return d.PlanAccuracy(f, w, hh)
		}
	})
	trace := newFigure(p.part(pair, ""), "trace", "What the optimiser improved", func(d *chart.Data, w, hh float64) chart.Figure {
		f, busy := p.foresight()
		if f == nil {
			return chart.Figure{W: w, H: hh, Empty: busy}
		}
		return d.PlanTrace(f, w, hh)
	})
	p.table = newGridCard(p.part(pair, ""), "plan-jobs", "Waiting jobs", func(d *chart.Data) chart.Grid {
		if p.last == nil {
			return chart.Grid{}
		}
		return d.PlanGrid(p.last)
	})
	p.parts = []island{p.gantt, history, accuracy, trace, p.table}
	p.rest = append([]js.Value{ganttAt.root}, pairs...)
	return p
}

// run is the run that is looked at, and its index; nil without a plan.
func (p *plan) run() (*state.Run, int) { return p.store.Watched(p.store.HasPlan) }

const noPlan = "This scheduler makes no plan of all waiting jobs. Plan-RS and conservative backfilling do: choose one above, or add one. Of a grid it can be asked here what could be reserved."

// shown asks for the plan of the instant; the last one stays until it is there.
func (p *plan) shown(d *chart.Data) (*report.Plan, string) {
	r, i := p.run()
	if r == nil {
		if d.Busy != "" {
			return nil, d.Busy
		}
		return nil, noPlan
	}
	want := p.store.WantPlan(i, p.at, p.store.View.Job)
	switch {
	case want.Got != nil:
		p.last = want.Got
	case want.Error != "":
		return nil, want.Error
	case p.last == nil:
		return nil, "Working out the plan …"
	}
	return p.last, ""
}

func (p *plan) foresight() (*report.Foresight, string) {
	_, i := p.run()
	switch want := p.store.WantForesight(i); {
	case want == nil:
		return nil, noPlan
	case want.Got != nil:
		return want.Got, ""
	case want.Error != "":
		return nil, want.Error
	}
	return nil, "Following the whole run …"
}

func (p *plan) draw() {
	p.asking.draw()
	asks, _ := p.asking.run()
	for _, el := range p.rest {
		style(el, "display", map[bool]string{true: "none", false: ""}[asks != nil])
	}
	if asks != nil {
		style(p.bar, "display", "none")
		p.of, p.last = nil, nil
		return
	}
	if r, _ := p.run(); r == nil {
		p.of, p.last = nil, nil
		style(p.bar, "display", "none")
	} else {
		style(p.bar, "display", "")
		if p.of != r.Result {
			p.of, p.last = r.Result, nil
			at := r.Result.Columns.Full.At
			if len(at) > 0 {
				p.from, p.to = at[0], at[len(at)-1]
			}
		}
		if p.commit == nil { // else a slider moves
			p.at = p.store.View.Instant
			if !p.store.View.Planned {
				p.at = peak(&r.Result.Columns.Full)
			}
			p.at = min(max(p.at, p.from), p.to)
		}
	}
	d := p.data()
	p.stack.draw()
	attr(p.root, "data-plan", "")
	if p.last != nil {
		text := d.Clock.When(p.last.At) + ": " + words.Count(p.last.Total, "job waits", "jobs wait")
		p.when.Set("textContent", text)
		p.gantt.sub.Set("textContent", d.Title(d.A)+", "+text)
		p.table.sub.Set("textContent", "in the order of their expected starts")
		if job := p.store.View.Job; p.last.At <= p.at && int(p.last.Job) == max(job, -1) && p.settled() {
			attr(p.root, "data-plan", strconv.FormatInt(int64(p.last.At), 10))
		}
		if jobs := p.store.Jobs[p.store.View.Repetition]; !doc.Get("activeElement").Equal(p.find) {
			number := ""
			if j := p.store.View.Job; jobs != nil && j >= 0 && j < len(jobs.Number) {
				number = strconv.FormatInt(jobs.Number[j], 10)
			}
			p.find.Set("value", number)
		}
		if p.to > p.from {
			p.slide.Set("value", strconv.FormatInt(int64((p.at-p.from)*1000/(p.to-p.from)), 10))
		}
		attr(p.slide, "aria-valuetext", text)
	}
}

// goTo shows the plan of a time once the reader pauses.
func (p *plan) goTo(at model.Time) {
	p.at = at
	p.when.Set("textContent", p.data().Clock.When(at))
	if p.commit != nil {
		p.commit()
	}
	p.commit = later(150, func() {
		p.commit = nil
		p.choose(at)
	})
}

// choose shows the plan of a time, which is part of the view from then on.
func (p *plan) choose(at model.Time) {
	p.store.Look(func(v *state.View) { v.Planned, v.Instant = true, at })
}

// settled says whether what is shown is what was asked for last.
func (p *plan) settled() bool {
	_, i := p.run()
	want := p.store.WantPlan(i, p.at, p.store.View.Job)
	return want != nil && want.Got == p.last
}

// step goes to the event before or the next one.
func (p *plan) step(by int) {
	r, _ := p.run()
	if r == nil {
		return
	}
	at := r.Result.Columns.Full.At
	lo, hi := 0, len(at)
	for lo < hi { // the first after p.at
		if mid := (lo + hi) / 2; at[mid] > p.at {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	k := lo - 1 // at or before p.at
	if by > 0 {
		k = lo
	} else if k >= 0 && at[k] == p.at {
		k--
	}
	if k >= 0 && k < len(at) {
		p.choose(at[k])
	}
}

// peak returns the instant at which most jobs wait, the first of equals.
func peak(full *report.Series) (at model.Time) {
	most := int32(-1)
	for i, n := range full.Waiting {
		if n > most {
			most, at = n, full.At[i]
		}
	}
	return at
}

// byNumber follows the job with a number.
func (p *plan) byNumber(text string) {
	job := -1
	r, _ := p.run()
	n, err := strconv.ParseInt(text, 10, 64)
	if jobs := p.store.Jobs[p.store.View.Repetition]; r != nil && jobs != nil && err == nil {
		for j, x := range jobs.Number {
			if x == n {
				job = j
			}
		}
	}
	if text != "" && job < 0 {
		p.say.Set("textContent", "There is no job "+text)
	}
	p.store.Look(func(v *state.View) { v.Job = job })
}
