//go:build js

package whatif

import (
	_ "embed"
	"errors"
	"strconv"
	"strings"
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/ui/annex"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

//go:embed whatif.css
var styles string

var styled bool

// view is the view on the screen.
type view struct {
	draw.Stack
	v      View
	answer *Answer

	cards, line, fault, run, said, head, cost, chips, tiles, empty, bar, label js.Value

	who, many, others, payers *card
	drawnFor                  *Plan
	doneAt                    float64
}

// card is a part of the charts with its element.
type card struct {
	draw.Island
	el    js.Value
	chart *draw.Card
}

// New makes the view.
func New(h *draw.Host, page *annex.Page) draw.Island {
	if !styled {
		styled = true
		draw.AddStyles(styles)
	}
	s := &view{v: View{Page: page}}
	s.Host = h
	s.parts()
	return s
}

// parts makes the cards of questions, the line of fields, and what an answer consists of.
func (s *view) parts() {
	cards := draw.Markup("")
	for _, q := range questions {
		cards += draw.HTML(`<button type="button" data-question="{}"><b>{}</b><span>{}</span></button>`, q.key, q.name, q.what)
	}
	part := draw.Build(s.Root, draw.HTML(`<div class="whatif-cards" role="group" aria-label="What if?" data-part="cards">{}</div><form class="whatif-line bl-card" aria-label="The question" data-part="line"></form><p class="whatif-fault" role="alert" data-part="fault"></p>
<div class="whatif-run" role="status" data-part="run"><progress max="1" aria-label="Runs done" data-part="bar"></progress><span data-part="label"></span><button type="button" class="bl-btn" data-do="stop">Stop and keep</button></div><p class="whatif-empty" data-part="empty">Each question runs the experiment as it is and with one change, on the same draws of the same jobs, and says who gains, who pays, and what it costs.</p>
<section class="whatif-said bl-card" aria-live="polite" aria-label="The answer" data-part="said"><h2 data-part="head"></h2><p data-part="cost"></p><div class="whatif-chips" data-part="chips"></div><div class="whatif-do"><button type="button" class="bl-btn whatif-primary" data-do="print">Print one page</button><button type="button" class="bl-btn" data-do="vary">Open in Vary</button><button type="button" class="bl-btn" data-do="link">Copy link</button><button type="button" class="bl-btn" data-do="save">Save document</button></div></section>
<div class="whatif-tiles" data-part="tiles"></div><div class="whatif-charts" data-part="charts"><div data-part="left"></div><div data-part="right"></div></div>`, cards))
	s.line, s.fault, s.run, s.bar, s.label, s.empty = part("line"), part("fault"), part("run"), part("bar"), part("label"), part("empty")
	s.said, s.head, s.cost, s.chips, s.tiles, s.cards = part("said"), part("head"), part("cost"), part("chips"), part("tiles"), part("cards").Get("children")
	left, right := part("left"), part("right")
	s.Scope.Listen(part("cards"), "click", func(ev js.Value) {
		if b := ev.Get("target").Call("closest", "button"); b.Truthy() {
			s.v.Question, s.v.Failed = b.Get("dataset").Get("question").String(), ""
			s.changed()
		}
	})
	s.Scope.Listen(s.line, "submit", func(ev js.Value) {
		ev.Call("preventDefault")
		s.ask()
	})
	s.Scope.Listen(s.line, "input", s.typed)
	s.Scope.Listen(s.Root, "click", func(ev js.Value) {
		if b := ev.Get("target").Call("closest", "[data-do]"); b.Truthy() {
			s.act(b.Get("dataset").Get("do").String())
		}
	})
	s.who = s.chart(left, "who-pays", "Who gains, who pays", func(_ *draw.Data, w, _ float64) draw.Figure {
		if s.answer == nil {
			return draw.Figure{Empty: "Nothing has run yet."}
		}
		return s.answer.WhoChart(w, s.v.Relative, s.v.Weeks)
	})
	unit := s.Scope.Segments(s.who.chart.Extra, "In", []string{"", "%"}, []string{"Time", "Per cent"}, func(key string) {
		s.v.Relative = key != ""
		s.Again()
	})
	kind := s.Scope.Segments(s.who.chart.Extra, "By", []string{"", "weeks"}, []string{"Jobs", "Weeks"}, func(key string) {
		s.v.Weeks = key != ""
		s.Again()
	})
	s.who.Island = pressing{s.who.Island, func() {
		unit(map[bool]string{true: "%"}[s.v.Relative])
		kind(map[bool]string{true: "weeks"}[s.v.Weeks])
	}}
	s.many = s.chart(right, "how-many", "How many?", func(_ *draw.Data, w, h float64) draw.Figure {
		if s.answer == nil || s.answer.Plan.Sizes == nil {
			return draw.Figure{Empty: "Nothing has run yet."}
		}
		return s.answer.HowMany(w, h)
	})
	s.others = s.grid(s.Root, "questions", "Beside the other questions", func(*draw.Data) draw.Grid { return s.v.Others() })
	s.payers = s.grid(right, "payers", "Who pays most, job by job", func(*draw.Data) draw.Grid {
		if s.answer == nil {
			return draw.Grid{}
		}
		return s.answer.Payers()
	})
	s.Parts = []draw.Island{s.who, s.many, s.others, s.payers}
}

// pressing draws an island and presses its buttons.
type pressing struct {
	draw.Island
	press func()
}

func (p pressing) Draw() {
	p.press()
	p.Island.Draw()
}

func (s *view) chart(parent js.Value, file, title string, paint func(*draw.Data, float64, float64) draw.Figure) *card {
	h := s.Part(parent, "whatif-"+file)
	c := draw.NewFigure(h, "what-if-"+file, title, paint)
	return &card{c, h.Root, c.Card}
}

func (s *view) grid(parent js.Value, file, title string, build func(*draw.Data) draw.Grid) *card {
	h := s.Part(parent, "whatif-"+file)
	g := draw.NewGridCard(h, "what-if-"+file, title, build)
	return &card{g, h.Root, g.Card}
}

// act does what a button says.
func (s *view) act(what string) {
	plan := s.v.Plan
	switch {
	case what == "wave":
		s.v.Several = !s.v.Several
		s.Again()
	case what == "stop":
		s.v.Stop()
		s.Again()
	case what == "print":
		s.print()
	case plan == nil:
	case what == "vary":
		s.v.Page.Edit(plan.Doc, true)
	case what == "link":
		draw.CopyLink(experiment.EncodeLink(plan.Doc))
	case what == "save":
		draw.Save("what-if.json", "application/json", experiment.Encode(plan.Doc))
	}
}

// ask asks the question as it stands in the fields.
func (s *view) ask() {
	s.v.Run()
	s.changed()
}

// changed draws after a change of the question, and keeps it in the link.
func (s *view) changed() {
	state := s.v.state()
	s.v.seen, s.v.Page.State = &state, state
	s.v.Page.Keep(state)
	s.Again()
}

// Draw shows what stands now.
func (s *view) Draw() {
	if s.v.Follow(s.Again) {
		s.ask()
	}
	for i, q := range questions {
		draw.Attr(s.cards.Index(i), "aria-pressed", strconv.FormatBool(q.key == s.v.Question))
	}
	s.fields()
	s.fault.Set("textContent", s.v.Failed)
	s.running()
	s.show()
	if s.answer != nil || len(s.v.Asked) > 0 {
		s.Stack.Draw()
	}
}

// fields shows the line of fields, which of them holds a fault, and whether other sizes are asked about.
func (s *view) fields() {
	var err error
	if !s.v.Running {
		_, err = s.v.Make()
	}
	var f fault
	if errors.As(err, &f); err != nil && s.v.Failed == "" {
		s.v.Failed = err.Error()
	}
	line := draw.Markup("")
	for i, field := range s.v.fields() {
		line += inputHTML(field, s.v.getOf(field), f)
		if i == 0 && questionOf(s.v.Question).ladder != nil {
			const also = "Also with half, one less and twice as many"
			line += draw.HTML(`<button type="button" class="bl-btn whatif-wave" data-do="wave" aria-label="{}" title="{}" aria-pressed="{}">{}</button>`, also, also, s.v.Several, draw.Icon("wave"))
		}
	}
	if list := s.v.schedulers(); len(list) > 1 {
		line += inputHTML(Field{Key: "scheduler", Name: "Scheduler", Before: "under", Options: list}, strconv.Itoa(s.v.Scheduler), f)
	}
	draws := s.v.Draws
	if draws == "" {
		draws = strconv.Itoa(s.v.proposed())
	}
	line += inputHTML(Field{Key: "draws", Name: "Draws", Before: "on", After: "draws"}, draws, f)
	draw.Put(s.line, draw.HTML(`{}<button type="submit" class="bl-btn whatif-primary whatif-go"{}>Ask</button>`, line, draw.When(err != nil, " disabled")))
}

// inputHTML is one field with the words around it.
func inputHTML(f Field, value string, bad fault) draw.Markup {
	which := draw.HTML(`id="whatif-{}" data-key="{}" aria-label="{}" aria-invalid="{}"`, strings.ReplaceAll(f.Key, ".", "-"), f.Key, f.Name, bad.field == f.Key)
	var field draw.Markup
	if f.Options != nil {
		options := draw.Markup("")
		for _, o := range f.Options {
			options += draw.HTML(`<option value="{}">{}</option>`, o.Key, o.Name)
		}
		field = draw.HTML(`<select data-value="{}" {}>{}</select>`, value, which, options)
	} else {
		field = draw.HTML(`<input class="bl-seek" type="text" autocomplete="off" spellcheck="false" data-value="{}" {}>`, words.Shown(value), which)
	}
	if f.Before != "" {
		field = draw.HTML(`<span>{}</span>{}`, f.Before, field)
	}
	if f.After != "" {
		field = draw.HTML(`{}<span>{}</span>`, field, f.After)
	}
	return draw.HTML(`<label>{}</label>`, field)
}

// typed takes what was typed or chosen.
func (s *view) typed(ev js.Value) {
	el := ev.Get("target")
	text := el.Get("value").String()
	switch key := el.Get("dataset").Get("key").String(); key {
	case "scheduler":
		s.v.Scheduler, _ = strconv.Atoi(text)
	case "draws":
		s.v.Draws = text
	default:
		s.v.Put(key, text)
	}
	s.v.Failed = ""
	s.changed()
}

// running shows how far the runs are.
func (s *view) running() {
	draw.Show(s.run, s.v.Running)
	if !s.v.Running {
		return
	}
	done, of := s.v.Done()
	s.bar.Set("value", done/float64(max(1, of)))
	s.label.Set("textContent", words.Int(int(done))+" of "+words.Count(of, "run", "runs"))
}

// show shows the answer, as far as it is there.
func (s *view) show() {
	if done, _ := s.v.Done(); s.drawnFor != s.v.Plan || int(done) != int(s.doneAt) {
		s.drawnFor, s.doneAt = s.v.Plan, done
		s.answer = s.v.Answer()
	}
	a := s.answer
	draw.Show(s.empty, a == nil && !s.v.Running && s.v.Failed == "")
	for _, el := range []js.Value{s.said, s.tiles, s.who.el} {
		draw.Show(el, a != nil)
	}
	draw.Show(s.many.el, a != nil && a.Plan.Sizes != nil)
	draw.Show(s.others.el, len(s.v.Asked) > 1)
	draw.Show(s.payers.el, a != nil && len(a.Payers().Cells) > 0)
	if a == nil {
		return
	}
	s.head.Set("textContent", a.Headline())
	s.cost.Set("textContent", a.CostLine())
	html := draw.Markup("")
	for _, c := range a.Chips() {
		html += draw.HTML(`<span{}>{}</span>`, draw.When(c.Warn, ` class="warn"`), c.Text)
	}
	draw.Put(s.chips, html)
	html = ""
	for _, t := range a.Tiles() {
		html += draw.HTML(`<div class="whatif-tile bl-card">{}<b>{}</b>{}</div>`, t.Name, t.Value, t.Was)
	}
	draw.Put(s.tiles, html)
	draw.Style(s.who.chart.Body, "height", draw.Px(a.Height(s.v.Weeks)))
}

// print opens the page to print.
func (s *view) print() {
	a := s.answer
	if a == nil {
		return
	}
	link, _, _ := strings.Cut(draw.Global.Get("location").Get("href").String(), "#")
	link += experiment.EncodeLink(a.Plan.Doc)
	dialog := draw.Node(`<dialog class="whatif-print" aria-label="One page to print"></dialog>`)
	part := draw.Build(dialog, `<div class="bl"><b>One page to print</b><button type="button" class="bl-btn whatif-primary" data-part="print">Print</button><button type="button" class="bl-btn" data-part="close">Close</button></div><div class="whatif-sheet" data-part="sheet"></div>`)
	sheet := part("sheet")
	fill := func(qr string, side int) { draw.Put(sheet, a.Sheet(s.v.Relative, qr, side)) }
	fill("", 0)
	if len(link) <= 2900 {
		draw.QR(link, fill)
	}
	draw.Listen(part("print"), "click", func(js.Value) { draw.Global.Call("print") })
	draw.Listen(part("close"), "click", func(js.Value) { dialog.Call("close") })
	draw.Listen(dialog, "close", func(js.Value) { dialog.Call("remove") })
	draw.Doc.Get("body").Call("append", dialog)
	dialog.Call("showModal")
}
