//go:build js

package myjob

import (
	_ "embed"
	"strconv"
	"syscall/js"

	"batchlab/ui/annex"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

//go:embed myjob.css
var styles string

// screen is the view on the screen.
type screen struct {
	draw.Stack
	v    View
	f    Form
	from Question // that the fields say, unless the reader has written

	fields, sentence, more, chips, wait, bar, said, button, command js.Value
	reasons, kept                                                   js.Value
	kind, top                                                       func(string)
}

var styled bool

// New makes the view.
func New(h *draw.Host, page *annex.Page) draw.Island {
	if !styled {
		draw.AddStyles(styles)
		styled = true
	}
	s := &screen{v: View{Page: page}}
	s.Host = h
	part := draw.Build(h.Root, `<div class="job"><div class="job-top"><section class="job-form" data-part="form"><h3>My job</h3><span class="job-choices" data-part="choices"></span><div data-part="fields"></div><button type="button" class="btn primary" data-part="button"></button></section>
<section class="job-answer" data-part="answer"><h2 role="status" data-part="sentence"></h2><p class="job-more" data-part="more"></p><ul class="job-chips" data-part="chips"></ul><p class="job-wait" data-part="wait"><progress data-part="bar"></progress><span data-part="said"></span></p><div class="bl job-dots" data-part="dots"></div><p class="job-command" data-part="command"></p></section></div>
<div class="job-two" data-part="two"></div><div class="job-half"><section class="job-hold bl-card"><div class="bl job-free" data-part="free"></div><div data-part="reasons"></div></section><section class="job-kept bl-card"><div class="bl job-record" data-part="record"></div><p data-part="kept"></p></section></div></div>`)
	s.fields, s.button, s.command, s.reasons, s.kept = part("fields"), part("button"), part("command"), part("reasons"), part("kept")
	s.listen(part("choices"))
	s.sentence, s.more, s.chips, s.wait, s.bar, s.said = part("sentence"), part("more"), part("chips"), part("wait"), part("bar"), part("said")
	s.Parts = append(s.Parts, draw.NewFigure(s.At(part("dots")), "my-job", "Fifty answers", func(_ *draw.Data, w, h float64) draw.Figure { return s.v.Dots(s.Clock(), w, h) }))
	s.Parts = append(s.Parts, s.newMap(part("two")), s.newWays(part("two")))
	s.Parts = append(s.Parts, draw.NewFigure(s.At(part("free")), "my-job-free", "What holds it back", func(_ *draw.Data, w, h float64) draw.Figure { return s.v.Free(s.Clock(), w, h) }))
	s.Parts = append(s.Parts, draw.NewFigure(s.At(part("record")), "my-job-record", "How good such answers were", func(_ *draw.Data, w, h float64) draw.Figure { return s.v.Record(w, h) }))
	return s
}

func (s *screen) listen(el js.Value) {
	s.kind = s.Scope.Segments(el, "Which job", []string{"new", "waits"}, []string{"A new one", "One that waits"}, func(key string) {
		s.f.Waits = key == "waits"
		s.Again()
	})
	s.top = s.Scope.Segments(el, "On top of what", []string{"log", "queue"}, []string{"The log's jobs", "squeue"}, func(key string) {
		s.f.Queue = key == "queue"
		s.Again()
	})
	read := func(ev js.Value) {
		t := ev.Get("target")
		value := t.Get("value").String()
		switch t.Get("dataset").Get("job").String() {
		case "scheduler":
			s.f.Scheduler, _ = strconv.Atoi(value)
		case "at":
			s.f.At = value
		case "paste":
			s.f.Paste = value
		case "job":
			s.f.Job = value
		case "procs":
			s.f.Procs = value
		case "limit":
			s.f.Limit = value
		case "user":
			s.f.User = value
		}
	}
	s.Scope.Listen(s.fields, "input", read)
	s.Scope.Listen(s.fields, "keydown", func(ev js.Value) {
		if ev.Get("key").String() == "Enter" && ev.Get("target").Get("tagName").String() != "TEXTAREA" {
			s.ask()
		}
	})
	s.Scope.Listen(s.button, "click", func(js.Value) {
		if s.v.Busy() {
			s.v.Stop()
			s.Again()
			return
		}
		s.ask()
	})
}

// ask asks what the fields say.
func (s *screen) ask() {
	q, err := s.v.Read(&s.f)
	s.f.Mistake = ""
	if err != nil {
		s.f.Mistake = err.Error()
		s.Again()
		return
	}
	if s.from = q; q.Queue {
		s.v.Paste(s.f.Paste, q)
	} else {
		s.v.Ask(q)
	}
	s.Again()
}

// Draw asks what is not known, and shows what is.
func (s *screen) Draw() {
	v, c := &s.v, s.Clock()
	words.SetCalendar(c.Unix, c.Offset)
	doc := v.doc
	v.Follow(s.Again)
	if doc != v.doc || s.from != v.Q {
		paste := s.f.Paste
		s.from, s.f = v.Q, form(v.Q, c)
		s.f.Paste = paste
	}
	s.top(map[bool]string{true: "queue", false: "log"}[s.f.Queue])
	s.kind(map[bool]string{true: "waits", false: "new"}[s.f.Waits])
	draw.Put(s.fields, v.formHTML(&s.f))
	draw.Put(s.button, draw.HTML(`{}`, map[bool]string{true: "Stop and keep", false: "When would it start?"}[v.Busy()]))
	draw.Put(s.sentence, draw.HTML(`{}`, v.Sentence(c)))
	draw.Put(s.more, draw.HTML(`{}`, v.More(c)))
	var chips draw.Writer
	for _, chip := range v.Chips() {
		chips.Put(`<li class="{}">{}</li>`, chip.Tone, chip.Text)
	}
	draw.Put(s.chips, chips.Markup())
	draw.Show(s.wait, v.Busy())
	if v.Busy() {
		draw.Attr(s.bar, "max", strconv.Itoa(v.Total), "value", strconv.Itoa(v.Done), "aria-label", "Earlier jobs asked about")
		draw.Put(s.said, draw.HTML(`{}`, "the record grows: "+words.Int(v.Done)+" of "+words.Int(v.Total)))
	}
	command := ""
	if v.Told != nil {
		command = v.Command()
	}
	draw.Put(s.command, draw.HTML(`{}`, command))
	draw.Show(s.command, command != "")
	draw.Put(s.reasons, v.reasonsHTML())
	draw.Put(s.kept, draw.HTML(`{}`, v.Kept()))
	s.Stack.Draw()
}

// listed is a card that shows what is no picture, with a table and a file behind it.
type listed struct {
	*draw.Card
	html func() draw.Markup
	grid func() draw.Grid
}

// Draw writes it, or its table.
func (l *listed) Draw() {
	l.Now = draw.Figure{Table: l.grid()}
	html := draw.Markup("")
	if l.AsTable {
		html = `<div class="bl-scroll" tabindex="0" role="region" aria-label="Numbers">` + l.Now.Table.HTML() + `</div>`
	} else {
		html = l.html()
	}
	draw.Put(l.Body, html)
}

func (s *screen) newMap(parent js.Value) draw.Island {
	v := &s.v
	l := &listed{html: func() draw.Markup { return v.mapHTML(s.Clock(), s.Theme()) }, grid: func() draw.Grid { return v.MapGrid(s.Clock()) }}
	l.Card = draw.NewCard(s.Part(parent, "bl-auto"), "my-job-map", "Another size or limit")
	l.Sub.Set("textContent", "middle wait, submitted at that instant")
	press := s.Scope.Segments(l.Extra, "What the map tells", []string{"wait", "start", "end"}, []string{"Wait", "Start", "End"}, func(key string) {
		v.By = key
		s.Again()
	})
	draw.Attr(l.Extra, "title", "End: at the limit, so that a smaller job is not praised for starting early and ending late")
	s.Scope.Listen(l.Body, "click", func(ev js.Value) {
		b := ev.Get("target").Call("closest", "[data-procs]")
		if !b.Truthy() {
			return
		}
		s.f.Waits = false
		s.f.Procs, s.f.Limit = strconv.Itoa(draw.Number(b, "procs")), words.Typed(int64(draw.Number(b, "limit")))
		s.f.Mistake = ""
		s.Again()
		draw.Later(0, func() { s.button.Call("focus") })
	})
	return &pressed{l, func() {
		press(v.By)
		l.Sub.Set("textContent", map[string]string{"wait": "middle wait, submitted at that instant", "start": "middle start", "end": "middle start and the whole limit"}[v.By])
	}}
}

// pressed is a card whose choice is shown.
type pressed struct {
	*listed
	press func()
}

func (p *pressed) Draw() {
	p.press()
	p.listed.Draw()
}

func (s *screen) newWays(parent js.Value) draw.Island {
	v := &s.v
	l := &listed{html: func() draw.Markup { return v.waysHTML(s.Clock()) }, grid: func() draw.Grid { return v.waysGrid(s.Clock()) }}
	l.Card = draw.NewCard(s.Part(parent, "bl-auto"), "my-job-ways", "Cheaper ways to ask")
	l.Sub.Set("textContent", "compared draw by draw")
	return l
}
