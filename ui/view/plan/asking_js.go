//go:build js

package plan

import (
	"errors"
	"strconv"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// asking is the tab of plans for a grid: a question for a reservation, and its
// answer as a sentence, a picture and a table from which reservations are added.
type asking struct {
	*draw.Host
	form, fault, said, body js.Value
	in                      map[string]js.Value
	provider                js.Value
	picture                 *draw.FigureCard
	of                      *report.Run
	ask                     report.Ask
	asked                   bool
	shown                   *report.Answer
	offers                  []Offer
}

var askInputs = [...]struct{ key, name, help string }{
	{"procs", "Processors", "How many are wanted"},
	{"length", "For", "How long, for example 2 h"},
	{"from", "From", "When the interval begins, counted from the start of the log"},
	{"to", "Until", "When the reservation must be over"},
	{"at", "Requested at", "When it is requested: it has to fit next to the jobs and reservations of that time"},
}

func newAsking(h *draw.Host) *asking {
	a := &asking{Host: h, in: map[string]js.Value{}}
	h.Root.Get("classList").Call("add", "bl-ask")
	fields := draw.Markup("")
	for _, f := range askInputs {
		fields += draw.HTML(`<label class="bl-field"><span>{}</span><input class="bl-seek" id="ask-{}" title="{}" autocomplete="off" spellcheck="false"></label>`, f.name, f.key, f.help)
	}
	part := draw.Build(h.Root, draw.HTML(`<form class="bl-gt" aria-label="When could a reservation start?" novalidate data-part="form">{}<label class="bl-field"><span>Provider</span><select class="input" id="ask-provider"></select></label><button class="bl-btn" type="submit" id="ask">Ask</button></form>
<p class="bl-fault" role="alert" id="ask-fault" data-part="fault"></p><p class="bl-said" aria-live="polite" id="ask-said" data-part="said"></p><div class="bl bl-ask-picture" data-part="picture"></div><div class="bl-wide bl-card" data-part="body"></div>`, fields))
	a.form, a.fault, a.said, a.body, a.provider = part("form"), part("fault"), part("said"), part("body"), draw.Find(h.Root, "#ask-provider")
	for _, f := range askInputs {
		a.in[f.key] = draw.Find(h.Root, "#ask-"+f.key)
	}
	h.Scope.ListenActive(a.form, "submit", func(ev js.Value) {
		ev.Call("preventDefault")
		a.read()
	})
	a.picture = draw.NewFigure(h.Outer.At(part("picture")), "free-processors", "Free processors and feasible starts", func(d *draw.Data, w, hh float64) draw.Figure {
		if a.shown == nil {
			return draw.Figure{W: w, H: hh, Empty: "Asks when these processors could be reserved: all feasible starts, next to running jobs (until their requests end) and earlier reservations."}
		}
		return AnswerChart(d.Clock, a.shown, w, hh)
	})
	draw.Style(a.body, "display", "none")
	h.Scope.Listen(a.body, "click", func(ev js.Value) {
		b := ev.Get("target").Call("closest", "button[data-i]")
		if !b.Truthy() {
			return
		}
		if i, err := strconv.Atoi(b.Get("dataset").Get("i").String()); err == nil && i < len(a.offers) {
			a.take(&a.offers[i])
		}
	})
	return a
}

// run is the run that is looked at when it is of a grid, and its index.
func (a *asking) run() (*result.Run, int) { return a.Store.Watched(a.Store.HasGrid) }

// propose fills the form for a run: the middle of it, a quarter of a provider.
func (a *asking) propose(r *report.Run) {
	names := []string{}
	most := int32(r.Processors)
	if len(r.Providers) > 0 {
		most = 0
	}
	for _, p := range r.Providers {
		names, most = append(names, p.Name), max(most, p.Procs)
	}
	options := draw.Markup("")
	for i, name := range append([]string{"any"}, names...) {
		options += draw.HTML(`<option value="{}">{}</option>`, i-1, name)
	}
	draw.Put(a.provider, options)
	draw.Style(a.provider.Get("parentElement"), "display", map[bool]string{true: "none", false: ""}[len(names) < 2])
	at := model.Time(0)
	if full := r.Columns.Full.At; len(full) > 0 {
		at = (full[0] + (full[len(full)-1]-full[0])*2/5) / 3600 * 3600
		at = max(at, full[0])
	}
	for key, text := range map[string]string{
		"procs": strconv.Itoa(int(max(1, most/4))), "length": words.Typed(7200),
		"from": words.Typed(int64(at)), "to": words.Typed(int64(at) + 86400), "at": words.Typed(int64(at)),
	} {
		a.in[key].Set("value", text)
	}
}

// read reads the form and asks; what cannot be read is named at its field.
func (a *asking) read() {
	ask := report.Ask{}
	first := js.Value{}
	text := ""
	for _, f := range askInputs {
		in := a.in[f.key]
		typed := in.Get("value").String()
		var v int64
		var err error
		if f.key == "procs" {
			if v, err = strconv.ParseInt(words.Typing(typed), 10, 32); err != nil || v < 1 {
				err = errors.New("a whole number of processors, at least 1, is expected")
			}
		} else {
			v, err = words.Seconds(typed)
		}
		in.Call("removeAttribute", "aria-invalid")
		if err != nil {
			draw.Attr(in, "aria-invalid", "true", "aria-describedby", "ask-fault")
			if text == "" {
				text, first = f.name+": "+err.Error(), in
			}
			continue
		}
		switch f.key {
		case "procs":
			ask.Procs = int32(v)
		case "length":
			ask.Length = model.Time(v)
		case "from":
			ask.From = model.Time(v)
		case "to":
			ask.To = model.Time(v)
		default:
			ask.At = model.Time(v)
		}
	}
	a.fault.Set("textContent", text)
	if text != "" {
		first.Call("focus")
		return
	}
	n, _ := strconv.Atoi(a.provider.Get("value").String())
	ask.Cluster = int32(n)
	a.ask, a.asked = ask, true
	a.Again()
}

// take adds an offer to the list of reservations.
func (a *asking) take(o *Offer) {
	row := a.Store.AddAnswer(a.shown, o.Provider, o.Procs, int64(o.Window.From), int64(o.Length))
	text := "The list of reservations is full."
	if row >= 0 {
		text = "Reservation " + a.Store.Settings.Platform.Reservations[row].Name + " of " + words.Count(int(o.Procs), "processor", "processors") + " at " + o.Provider + " is in the list; run again to see it."
	}
	a.said.Set("textContent", text)
	draw.Refresh()
}

func (a *asking) draw() {
	r, i := a.run()
	draw.Style(a.Root, "display", map[bool]string{true: "none", false: ""}[r == nil])
	if r == nil {
		a.of = nil
		return
	}
	if a.of != r.Result {
		if a.of == nil {
			a.propose(r.Result)
		}
		a.of, a.shown = r.Result, nil
		draw.Put(a.body, "")
		draw.Style(a.body, "display", "none")
		if a.asked {
			a.said.Set("textContent", "")
		}
		draw.Attr(a.Root, "data-answer", "")
	}
	if a.asked {
		want := a.Store.WantAnswer(i, a.ask)
		switch {
		case want == nil:
		case want.Error != "":
			a.fault.Set("textContent", want.Error)
			a.shown = nil
			a.said.Set("textContent", "")
			draw.Put(a.body, "")
			draw.Style(a.body, "display", "none")
		case want.Got == nil:
			a.said.Set("textContent", "Asking …")
		case want.Got != a.shown:
			a.fault.Set("textContent", "")
			a.shown = want.Got
			a.write()
		}
	}
	a.picture.Draw()
}

// mostOffers is how many offers the table shows; the file has all.
const mostOffers = 60

// write writes the answer's sentence and table.
func (a *asking) write() {
	c := a.Data().Clock
	a.said.Set("textContent", AnswerSentence(c, a.shown))
	a.offers = Offers(a.shown)
	grid := AnswerGrid(c, a.shown)
	html := draw.Markup(`<table class="bl-grid" aria-label="What could be reserved"><thead><tr>`)
	for k, head := range grid.Head {
		html += draw.HTML(`<th scope="col"{}>{}</th>`, draw.When(k >= grid.Left, ` class="num"`), head)
	}
	html += `<th scope="col"></th></tr></thead><tbody>`
	for i, cells := range grid.Cells {
		if i == mostOffers {
			break
		}
		html += `<tr>`
		for k, cell := range cells {
			html += draw.HTML(`<td{}>{}</td>`, draw.When(k >= grid.Left, ` class="num"`), cell)
		}
		html += draw.HTML(`<td><button type="button" class="bl-btn" data-i="{}" aria-label="Add as reservation: {}">Add as reservation</button></td></tr>`, i, cells[4]+" processors at "+cells[0]+" from "+cells[2])
	}
	if n := len(grid.Cells) - mostOffers; n > 0 {
		html += draw.HTML(`<tr><td colspan="7" class="mut">{} more stand in the file</td></tr>`, words.Int(n))
	}
	draw.Put(a.body, html+`</tbody></table>`)
	draw.Style(a.body, "display", "")
	draw.Attr(a.Root, "data-answer", strconv.Itoa(len(a.offers)))
}
