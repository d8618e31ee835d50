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
	at                          model.Time
	job                         int
	from, to                    model.Time
	last                        *report.Plan // shown while the next one is worked out
	commit                      func()
}

func newPlan(h *host) island {
	p := &plan{stack: &stack{host: h}, job: -1}
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
	h.scope.listen(peak, "click", func(js.Value) { p.peak() })
	h.scope.listen(p.find, "change", func(js.Value) { p.byNumber(p.find.Get("value").String()) })

	p.gantt = newCard(p.part(h.root, "bl-plan-gantt"), "plan", "Plan", func(d *chart.Data, w, hh float64) chart.Drawing {
		if got, busy := p.shown(d); got == nil {
			return chart.Drawing{W: w, H: hh, Empty: busy}
		}
		return d.Plan(p.last, p.job, w, hh)
	})
	h.scope.listen(p.gantt.body, "click", func(ev js.Value) {
		if j := ev.Get("target").Get("dataset").Get("j"); j.Truthy() {
			n, _ := strconv.Atoi(j.String())
			p.job = n - 1
			p.again()
		}
	})
	pair := add(h.root, "div", "bl-pair bl-plans")
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
	return p
}

// run is the run that is looked at, and its index; nil without a plan.
func (p *plan) run() (*state.Run, int) {
	r := p.store.Finished(p.store.View.A)
	if !p.store.HasPlan(r) {
		return nil, -1
	}
	for i, x := range p.store.Runs {
		if x == r {
			return r, i
		}
	}
	return nil, -1
}

const noPlan = "This scheduler makes no plan of all waiting jobs. Plan-RS and conservative backfilling do: choose one above, or add one."

// shown asks for the plan of the instant; the last one stays until it is there.
func (p *plan) shown(d *chart.Data) (*report.Plan, string) {
	r, i := p.run()
	if r == nil {
		if d.Busy != "" {
			return nil, d.Busy
		}
		return nil, noPlan
	}
	want := p.store.WantPlan(i, p.at, p.job)
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
	if r, _ := p.run(); r == nil {
		p.of, p.last = nil, nil
		style(p.bar, "display", "none")
	} else {
		style(p.bar, "display", "")
		if p.of != r.Result {
			p.of, p.last, p.job = r.Result, nil, -1
			at := r.Result.Columns.Full.At
			if len(at) > 0 {
				p.from, p.to = at[0], at[len(at)-1]
			}
			p.peak()
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
		if p.last.At == p.at && p.job < 0 || int(p.last.Job) == p.job {
			attr(p.root, "data-plan", strconv.FormatInt(int64(p.last.At), 10))
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
		p.again()
	})
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
		p.at = at[k]
		p.again()
	}
}

// peak goes to the instant at which most jobs wait.
func (p *plan) peak() {
	r, _ := p.run()
	if r == nil {
		return
	}
	full, most := &r.Result.Columns.Full, int32(-1)
	for i, n := range full.Waiting {
		if n > most {
			most, p.at = n, full.At[i]
		}
	}
	p.again()
}

// byNumber follows the job with a number.
func (p *plan) byNumber(text string) {
	p.job = -1
	r, _ := p.run()
	n, err := strconv.ParseInt(text, 10, 64)
	if jobs := p.store.Jobs[p.store.View.Repetition]; r != nil && jobs != nil && err == nil {
		for j, x := range jobs.Number {
			if x == n {
				p.job = j
			}
		}
	}
	if text != "" && p.job < 0 {
		p.say.Set("textContent", "There is no job "+text)
	}
	p.again()
}
