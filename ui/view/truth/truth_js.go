//go:build js

package truth

import (
	_ "embed"
	"strconv"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/ui/annex"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

//go:embed truth.css
var styles string

// shown is the view on the screen.
type shown struct {
	draw.Stack
	v     View
	all   js.Value
	head  js.Value
	wrong *draw.FigureCard
	bars  *draw.FigureCard
	ranks *draw.FigureCard
	cells *draw.FigureCard
	bys   string // parts that have buttons
	press func(key string)
	main  js.Value // buttons of schedulers
}

// listing is a card that shows HTML, and a table in files.
type listing struct {
	*draw.GridCard
	html func() draw.Markup
	grid func() draw.Grid
}

// Draw implements draw.Island.
func (l *listing) Draw() {
	l.Now = draw.Figure{Table: l.grid()}
	draw.Put(l.Body, l.html())
}

// New makes the view.
func New(h *draw.Host, page *annex.Page) draw.Island {
	draw.AddStyles(styles)
	s := &shown{v: View{Page: page}}
	s.Host = h
	part := draw.Build(h.Root, `<div class="truth" data-part="all"><section class="truth-head bl-card" aria-label="Verdict" aria-live="polite" data-part="head"></section><div class="truth-main" data-part="main"></div></div>`)
	all := part("all")
	s.all, s.head, s.main = all, part("head"), part("main")
	list := func(class, file, title string, html func() draw.Markup, grid func() draw.Grid) {
		s.Parts = append(s.Parts, &listing{draw.NewGridCard(s.Part(all, class), file, title, nil), html, grid})
	}
	figure := func(class, file, title string, build func(*draw.Data, float64, float64) draw.Figure) *draw.FigureCard {
		c := draw.NewFigure(s.Part(all, class), file, title, build)
		s.Parts = append(s.Parts, c)
		return c
	}
	s.ranks = figure("truth-ranks", "truth", "How near each one comes", s.v.Ranking)
	s.cells = figure("truth-density", "truth-waits", "Simulated against logged waits", s.v.Density)
	s.wrong = figure("truth-wrong", "truth-parts", "Where it is wrong", s.v.Wrong)
	list("truth-worst", "truth-jobs", "Jobs that differ most", s.v.JobsHTML, s.v.Jobs)
	list("truth-told", "truth-not-told", "What the simulator was not told, and what that may cost", s.v.ToldHTML, s.v.Told)
	s.bars = figure("truth-carries", "truth-without", "What carries the result", s.v.Carries)
	list("truth-fit", "truth-calibration", "Calibrate", s.v.FitHTML, s.v.Fitted)
	h.Scope.Listen(all, "click", s.click)
	return s
}

// click does what buttons say.
func (s *shown) click(ev js.Value) {
	b := ev.Get("target").Call("closest", "button")
	if !b.Truthy() {
		return
	}
	data := b.Get("dataset")
	if i, err := strconv.Atoi(text(data.Get("step"))); err == nil {
		r := s.v.main()
		j := r.first().Worst[i]
		s.v.Page.Step(r.Scheduler, model.Time(j.Submit+j.Logged), j.Job)
		return
	}
	if i, err := strconv.Atoi(text(data.Get("main"))); err == nil {
		s.v.Choose(i)
		return
	}
	switch text(data.Get("do")) {
	case "stop":
		s.v.Stop()
	case "calibrate":
		s.v.Calibrate()
	case "take":
		s.v.Take()
	case "keep":
		s.v.Keep()
	}
}

func text(v js.Value) string {
	if v.Type() == js.TypeString {
		return v.String()
	}
	return ""
}

// Draw asks what is not known, and shows what is.
func (s *shown) Draw() {
	s.v.Follow(s.Again)
	s.all.Get("classList").Call("toggle", "truth-bare", len(s.v.ranked()) == 0)
	draw.Put(s.head, s.v.HeadHTML())
	s.choices()
	rows := len(s.v.ranked()) + 1
	draw.Style(s.ranks.Body, "min-height", draw.Px(float64(78+30*max(3, rows))))
	if r := s.v.main(); r != nil {
		draw.Style(s.wrong.Body, "min-height", draw.Px(float64(60+24*max(6, len(slots(r.first(), s.v.parted()))))))
		if w := s.v.without[r.Scheduler]; w != nil {
			draw.Style(s.bars.Body, "min-height", draw.Px(float64(60+34*max(3, len(w.Parts)+1))))
		}
		high := 380.0
		if wide := s.cells.Body.Get("clientWidth").Float(); wide < narrow-120 && len(s.v.dense()) > 1 {
			high = 2*(wide+10) + 30
		}
		draw.Style(s.cells.Body, "min-height", draw.Px(high))
	}
	s.Stack.Draw()
}

// choices are the buttons: which scheduler is looked at, and what parts are shown.
func (s *shown) choices() {
	html := draw.Markup("")
	if list := s.v.ranked(); len(list) > 1 {
		html = `<span class="faint">Shown</span> <span class="bl-seg" role="group" aria-label="Scheduler shown">`
		for _, r := range list {
			html += draw.HTML(`<button type="button" data-main="{}" aria-pressed="{}">{}</button>`, r.Scheduler, r == s.v.main(), words.Letter(r.Scheduler)+" "+r.Label)
		}
		html += `</span>`
	}
	draw.Put(s.main, html)
	keys, names := s.v.Parted()
	all := ""
	for _, k := range keys {
		all += k + " "
	}
	if all != s.bys {
		s.bys = all
		draw.Put(s.wrong.Extra, "")
		s.press = s.Scope.Segments(s.wrong.Extra, "Parts", keys, names, func(key string) {
			s.v.By = key
			s.Again()
		})
	}
	if s.press != nil {
		s.press(s.v.parted())
	}
}
