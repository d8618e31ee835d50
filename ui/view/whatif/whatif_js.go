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

	lined                     string // what the line of fields was made for
	inputs                    map[string]js.Value
	who, many, others, payers *card
	chipped, tiled            draw.Markup
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
<div class="whatif-run" role="status" data-part="run"><progress max="1" aria-label="Runs done" data-part="bar"></progress><span data-part="label"></span></div><p class="whatif-empty" data-part="empty">Each question runs the experiment as it is and with one change, on the same draws of the same jobs, and says who gains, who pays, and what it costs.</p>
<section class="whatif-said bl-card" aria-live="polite" aria-label="The answer" data-part="said"><h2 data-part="head"></h2><p data-part="cost"></p><div class="whatif-chips" data-part="chips"></div><div class="whatif-do" data-part="do"></div></section>
<div class="whatif-tiles" data-part="tiles"></div><div class="whatif-charts" data-part="charts"><div data-part="left"></div><div data-part="right"></div></div>`, cards))
	s.line, s.fault, s.run, s.bar, s.label, s.empty = part("line"), part("fault"), part("run"), part("bar"), part("label"), part("empty")
	s.said, s.head, s.cost, s.chips, s.tiles, s.cards = part("said"), part("head"), part("cost"), part("chips"), part("tiles"), part("cards").Get("children")
	do, left, right := part("do"), part("left"), part("right")
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
	s.button(s.run, "Stop and keep", "", func() { s.v.Stop(); s.Again() })
	s.button(do, "Print one page", "whatif-primary", s.print)
	s.button(do, "Open in Vary", "", func() {
		if s.v.Plan != nil {
			s.v.Page.Edit(s.v.Plan.Doc, true)
		}
	})
	s.button(do, "Copy link", "", func() {
		if s.v.Plan != nil {
			draw.CopyLink(experiment.EncodeLink(s.v.Plan.Doc))
		}
	})
	s.button(do, "Save document", "", func() {
		if s.v.Plan != nil {
			draw.Save("what-if.json", "application/json", experiment.Encode(s.v.Plan.Doc))
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

func (s *view) button(parent js.Value, text, class string, click func()) js.Value {
	b := draw.Add(parent, "button", "bl-btn "+class)
	draw.Attr(b, "type", "button")
	b.Set("textContent", text)
	s.Scope.Listen(b, "click", func(js.Value) { click() })
	return b
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

// fields makes the line of fields, where it is another one than before.
func (s *view) fields() {
	list := s.v.fields()
	key := s.v.Question
	for _, f := range list {
		key += "|" + f.Key + f.First
		for _, o := range f.Options {
			key += "," + o.Key
		}
	}
	schedulers := s.v.schedulers()
	for _, o := range schedulers {
		key += ";" + o.Name
	}
	wave := questionOf(s.v.Question).ladder != nil
	if key == s.lined {
		if !s.v.Running {
			s.marks()
		}
		return
	}
	active := "" // a list that makes another line keeps the focus
	for k, el := range s.inputs {
		if el.Equal(draw.Doc.Get("activeElement")) {
			active = k
		}
	}
	s.lined, s.inputs = key, map[string]js.Value{}
	s.line.Call("replaceChildren")
	for i, f := range list {
		s.field(f)
		if i == 0 && wave {
			b := s.button(s.line, "", "whatif-wave", func() {})
			draw.Inner(b, draw.Icon("wave"))
			draw.Attr(b, "aria-label", "Also with half, one less and twice as many", "title", "Also with half, one less and twice as many")
			draw.Listen(b, "click", func(js.Value) {
				s.v.Several = !s.v.Several
				s.marks()
			})
			s.inputs["wave"] = b
		}
	}
	if len(schedulers) > 1 {
		s.input(Field{Key: "scheduler", Name: "Scheduler", Before: "under", Options: schedulers}, strconv.Itoa(s.v.Scheduler), func(text string) { s.v.Scheduler, _ = strconv.Atoi(text) })
	}
	s.input(Field{Key: "draws", Name: "Draws", Before: "on", After: "draws"}, strconv.Itoa(s.proposedDraws()), func(text string) { s.v.Draws = text })
	b := draw.Add(s.line, "button", "bl-btn whatif-primary whatif-go")
	draw.Attr(b, "type", "submit")
	b.Set("textContent", "Ask")
	s.inputs["go"] = b
	s.marks()
	if el, ok := s.inputs[active]; ok {
		el.Call("focus")
	}
}

func (s *view) proposedDraws() int {
	if n, err := s.v.draws(); err == nil {
		return n
	}
	return s.v.proposed()
}

func (s *view) field(f Field) {
	s.input(f, s.v.getOf(f), func(text string) { s.v.Put(f.Key, text) })
}

// input adds one field with the words around it.
func (s *view) input(f Field, value string, put func(string)) {
	event, which := "input", draw.HTML(`id="whatif-{}" aria-label="{}"`, strings.ReplaceAll(f.Key, ".", "-"), f.Name)
	field := draw.HTML(`<input class="bl-seek" type="text" autocomplete="off" spellcheck="false" {}>`, which)
	if f.Options != nil {
		options := draw.Markup("")
		for _, o := range f.Options {
			options += draw.HTML(`<option value="{}">{}</option>`, o.Key, o.Name)
		}
		event, field = "change", draw.HTML(`<select {}>{}</select>`, which, options)
	} else {
		value = words.Shown(value)
	}
	if f.Before != "" {
		field = draw.HTML(`<span>{}</span>{}`, f.Before, field)
	}
	if f.After != "" {
		field = draw.HTML(`{}<span>{}</span>`, field, f.After)
	}
	label := draw.Add(s.line, "label", "")
	draw.Inner(label, field)
	el := draw.Find(label, "input,select")
	el.Set("value", value)
	s.inputs[f.Key] = el
	draw.Listen(el, event, func(js.Value) {
		put(el.Get("value").String())
		s.v.Failed = ""
		s.changed()
	})
}

// marks shows which field holds a fault, and whether other sizes are asked about.
func (s *view) marks() {
	_, err := s.v.Make()
	var f fault
	bad := errors.As(err, &f)
	for key, el := range s.inputs {
		draw.Attr(el, "aria-invalid", strconv.FormatBool(bad && f.field == key))
	}
	if b, ok := s.inputs["wave"]; ok {
		draw.Attr(b, "aria-pressed", strconv.FormatBool(s.v.Several))
	}
	if err != nil && s.v.Failed == "" {
		s.v.Failed = err.Error()
	}
	s.inputs["go"].Set("disabled", err != nil)
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
	if html != s.chipped {
		s.chipped = html
		draw.Inner(s.chips, html)
	}
	html = ""
	for _, t := range a.Tiles() {
		html += draw.HTML(`<div class="whatif-tile bl-card">{}<b>{}</b>{}</div>`, t.Name, t.Value, t.Was)
	}
	if html != s.tiled {
		s.tiled = html
		draw.Inner(s.tiles, html)
	}
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
	dialog := draw.Create("dialog", "whatif-print")
	draw.Attr(dialog, "aria-label", "One page to print")
	part := draw.Build(dialog, `<div class="bl"><b>One page to print</b><button type="button" class="bl-btn whatif-primary" data-part="print">Print</button><button type="button" class="bl-btn" data-part="close">Close</button></div><div class="whatif-sheet" data-part="sheet"></div>`)
	sheet := part("sheet")
	fill := func(qr string, side int) { draw.Inner(sheet, a.Sheet(s.v.Relative, qr, side)) }
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
