//go:build js

package plan

import (
	"strconv"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/look"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

func init() { Room.Islands = map[string]draw.Maker{"plan": newPlan} }

// plan is the tab of plans: the Gantt of the future beside the past at one
// instant, how one prediction moved, the optimiser's trace, and how good the
// predictions were.
type plan struct {
	*draw.Stack
	bar, when, slide, find, say js.Value
	way                         js.Value // buttons that lead on where there is no plan
	gantt                       *draw.FigureCard
	table                       *draw.GridCard
	of                          *report.Run // that at belongs to
	at                          model.Time  // shown, or about to be
	from, to                    model.Time
	last                        *report.Plan // shown while the next one is computed
	commit                      func()
	asking                      *asking
	rest                        []js.Value // what is hidden where there is no plan but a grid
}

func newPlan(h *draw.Host) draw.Island {
	p := &plan{Stack: &draw.Stack{Host: h}}
	part := draw.Build(h.Root, draw.HTML(`<div class="bl" data-part="asking"></div><div class="bl-gt" data-part="bar">{}<input class="bl-slide" type="range" min="0" max="1000" step="1" aria-label="Instant of the plan" data-part="slide">{}<span class="mut" id="plan-at" data-part="when"></span>
<button type="button" class="bl-btn" title="The instant at which most jobs wait" data-part="peak">Longest queue</button><span class="grow"></span><span class="bl-find"><input type="search" placeholder="History of job" aria-label="Number of the job whose prediction is followed" inputmode="numeric" autocomplete="off" data-part="find"></span></div><p class="bl-vh" aria-live="polite" data-part="say"></p><div class="bl bl-plan-gantt" data-part="gantt"></div><div class="bl-pair bl-plans" data-part="pair"></div>`, draw.IconButton("up", "Event before"), draw.IconButton("down", "Next event")))
	p.bar, p.slide, p.when, p.find, p.say = part("bar"), part("slide"), part("when"), part("find"), part("say")
	p.asking = newAsking(p.At(part("asking")))
	h.Scope.Listen(part("up"), "click", func(js.Value) { p.step(-1) })
	h.Scope.Listen(part("down"), "click", func(js.Value) { p.step(1) })
	h.Scope.Listen(p.slide, "input", func(js.Value) {
		v, _ := strconv.Atoi(p.slide.Get("value").String())
		p.goTo(p.from + (p.to-p.from)*model.Time(v)/1000)
	})
	h.Scope.Listen(part("peak"), "click", func(js.Value) { p.Store.Look(func(v *look.View) { v.Planned = false }) })
	h.Scope.Listen(p.find, "change", func(js.Value) { p.byNumber(p.find.Get("value").String()) })

	pair := part("pair")
	ganttAt := p.At(part("gantt"))
	p.gantt = draw.NewFigure(ganttAt, "plan", "Plan", func(d *draw.Data, w, hh float64) draw.Figure {
		if got, busy := p.shown(); got == nil {
			return draw.Figure{W: w, H: hh, Empty: busy}
		}
		return Plan(d, p.last, p.Store.View.Job, w, hh)
	})
	h.Scope.Listen(p.gantt.Body, "click", func(ev js.Value) {
		if j := draw.Number(ev.Get("target"), "j"); j > 0 {
			p.Store.Look(func(v *look.View) { v.Job = j - 1 })
		}
	})
	history := draw.NewFigure(p.Part(pair, ""), "prediction", "How a prediction moved", func(d *draw.Data, w, hh float64) draw.Figure {
		return PlanHistory(d, p.last, w, hh)
	})
	accuracy := draw.NewFigure(p.Part(pair, ""), "accuracy", "How good predictions were", func(d *draw.Data, w, hh float64) draw.Figure {
		if f, busy := p.foresight(); f == nil {
			return draw.Figure{W: w, H: hh, Empty: busy}
		} else {
			return PlanAccuracy(d, f, w, hh)
		}
	})
	trace := draw.NewFigure(p.Part(pair, ""), "trace", "What the optimiser improved", func(d *draw.Data, w, hh float64) draw.Figure {
		f, busy := p.foresight()
		if f == nil {
			return draw.Figure{W: w, H: hh, Empty: busy}
		}
		return PlanTrace(d, f, w, hh)
	})
	p.table = draw.NewGridCard(p.Part(pair, ""), "plan-jobs", "Waiting jobs", func(d *draw.Data) draw.Grid {
		if p.last == nil {
			return draw.Grid{}
		}
		return PlanGrid(d, p.last)
	})
	p.Parts = []draw.Island{p.gantt, history, accuracy, trace, p.table}
	p.rest = []js.Value{ganttAt.Root, pair}
	p.way = draw.Node(`<p class="bl-plan-way"></p>`)
	ganttAt.Root.Call("append", p.way)
	h.Scope.Listen(p.way, "click", func(ev js.Value) {
		switch to := ev.Get("target").Get("dataset").Get("to"); {
		case !to.Truthy():
		case to.String() == "add":
			p.Store.AddScheduler("conservative")
		default:
			i, _ := strconv.Atoi(to.String())
			p.Store.Pick(i)
		}
	})
	return p
}

// run is the run that is looked at, and its index; nil without a plan.
func (p *plan) run() (*result.Run, int) { return p.Store.Watched(p.Store.HasPlan) }

const noPlan = "This scheduler does not plan all waiting jobs; Plan-RS and conservative backfilling do. A grid can be asked here what could be reserved."

// lead says where there is a plan to look at, while the scheduler looked at has
// none; it reports whether that is so.
func (p *plan) lead() bool {
	html := draw.Markup("")
	if draw.WaitingFor(p.Store) == "" {
		for i := range p.Store.Schedulers() {
			if r := p.Store.Finished(i); r != nil && p.Store.HasPlan(r) {
				html += draw.HTML(`<button type="button" class="bl-btn" data-to="{}">Show the plan of {}</button> `, i, words.Letter(i)+" "+p.Store.Label(i))
			}
		}
		if html == "" && !p.Store.Full() {
			html = `<button type="button" class="bl-btn" data-to="add">Add conservative backfilling</button>`
		}
	}
	draw.Put(p.way, html)
	return html != ""
}

// none says why there is no plan: one may be about to come.
func (p *plan) none() string {
	if busy := draw.WaitingFor(p.Store); busy != "" {
		return busy
	}
	return noPlan
}

// shown asks for the plan of the instant; the last one stays until it is there.
func (p *plan) shown() (*report.Plan, string) {
	r, i := p.run()
	if r == nil {
		return nil, p.none()
	}
	want := p.Store.WantPlan(i, p.at, p.Store.View.Job)
	switch {
	case want.Got != nil:
		p.last = want.Got
	case want.Error != "":
		return nil, want.Error
	case p.last == nil:
		return nil, "Computing the plan …"
	}
	return p.last, ""
}

func (p *plan) foresight() (*report.Foresight, string) {
	_, i := p.run()
	switch want := p.Store.WantForesight(i); {
	case want == nil:
		return nil, p.none()
	case want.Got != nil:
		return want.Got, ""
	case want.Error != "":
		return nil, want.Error
	}
	return nil, "Following the whole run …"
}

func (p *plan) Draw() {
	p.asking.draw()
	asks, _ := p.asking.run()
	for _, el := range p.rest {
		draw.Style(el, "display", map[bool]string{true: "none", false: ""}[asks != nil])
	}
	if asks != nil {
		draw.Style(p.bar, "display", "none")
		p.of, p.last = nil, nil
		return
	}
	r, _ := p.run()
	none := r == nil && p.lead()
	draw.Style(p.way, "display", map[bool]string{true: "", false: "none"}[none])
	for _, of := range []string{"height", "min-height"} {
		draw.Style(p.gantt.Body, of, map[bool]string{true: "90px", false: ""}[none])
	}
	for _, el := range p.rest[1:] {
		draw.Style(el, "display", map[bool]string{true: "none", false: ""}[none])
	}
	if r == nil {
		p.of, p.last = nil, nil
		draw.Style(p.bar, "display", "none")
	} else {
		draw.Style(p.bar, "display", "")
		if p.of != r.Result {
			p.of, p.last = r.Result, nil
			at := r.Result.Columns.Full.At
			if len(at) > 0 {
				p.from, p.to = at[0], at[len(at)-1]
			}
		}
		if p.commit == nil { // else a slider moves
			p.at = p.Store.View.Instant
			if !p.Store.View.Planned {
				p.at = peak(&r.Result.Columns.Full)
			}
			p.at = min(max(p.at, p.from), p.to)
		}
	}
	d := p.Data()
	p.Stack.Draw()
	draw.Attr(p.Root, "data-plan", "")
	if p.last != nil {
		text := d.Clock.When(p.last.At) + ": " + words.Count(p.last.Total, "job waits", "jobs wait")
		p.when.Set("textContent", text)
		p.gantt.Sub.Set("textContent", d.Title(d.A)+", "+text)
		p.table.Sub.Set("textContent", "in the order of their expected starts")
		if job := p.Store.View.Job; p.last.At <= p.at && int(p.last.Job) == max(job, -1) && p.settled() {
			draw.Attr(p.Root, "data-plan", strconv.FormatInt(int64(p.last.At), 10))
		}
		if jobs := p.Store.Jobs[p.Store.View.Repetition]; !draw.Doc.Get("activeElement").Equal(p.find) {
			number := ""
			if j := p.Store.View.Job; jobs != nil && j >= 0 && j < len(jobs.Number) {
				number = strconv.FormatInt(jobs.Number[j], 10)
			}
			p.find.Set("value", number)
		}
		if p.to > p.from {
			p.slide.Set("value", strconv.FormatInt(int64((p.at-p.from)*1000/(p.to-p.from)), 10))
		}
		draw.Attr(p.slide, "aria-valuetext", text)
	}
}

// goTo shows the plan of a time once the reader pauses.
func (p *plan) goTo(at model.Time) {
	p.at = at
	p.when.Set("textContent", p.Data().Clock.When(at))
	if p.commit != nil {
		p.commit()
	}
	p.commit = draw.AtRest(150, func() {
		p.commit = nil
		p.choose(at)
	})
}

// choose shows the plan of a time, which is part of the view from then on.
func (p *plan) choose(at model.Time) {
	p.Store.Look(func(v *look.View) { v.Planned, v.Instant = true, at })
}

// settled says whether what is shown is what was asked for last.
func (p *plan) settled() bool {
	_, i := p.run()
	want := p.Store.WantPlan(i, p.at, p.Store.View.Job)
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
	if jobs := p.Store.Jobs[p.Store.View.Repetition]; r != nil && jobs != nil && err == nil {
		for j, x := range jobs.Number {
			if x == n {
				job = j
			}
		}
	}
	if text != "" && job < 0 {
		p.say.Set("textContent", "There is no job "+text)
	}
	p.Store.Look(func(v *look.View) { v.Job = job })
}
