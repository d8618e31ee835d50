//go:build js

package paper

import (
	_ "embed"
	"strconv"
	"syscall/js"

	"batchlab/ui/draw"
	"batchlab/ui/engine"
	"batchlab/ui/look"
)

//go:embed papers.css
var styles string

func init() {
	Room.Islands = map[string]draw.Maker{"papers": newView}
	Room.Styles = styles
}

// view is the place on the screen: a list at the left, and at the right a head,
// charts, and what stands below them.
type view struct {
	*draw.Stack
	box, nav, main  js.Value
	head, figs, end js.Value
	said, reads     js.Value
	cards           []*card
	reading         map[string]string // chosen reading by the preset's key
	shown           string            // item on show
}

// card is one of the charts.
type card struct {
	*draw.FigureCard
	chart Chart
}

func newView(h *draw.Host) draw.Island {
	v := &view{Stack: &draw.Stack{Host: h}, reading: map[string]string{}}
	part := draw.Build(h.Root, `<div class="papers" data-part="box"><nav class="studies-list" aria-label="Tables and figures" tabindex="0" data-part="nav"></nav><div class="papers-main" data-part="main"><div class="papers-head" data-part="head"></div><section class="papers-figs" aria-label="Charts" hidden data-part="figs"><div class="papers-said"><p data-part="said"></p><div class="papers-read" data-part="reads"></div></div><div class="papers-charts" data-part="grid"></div></section><div class="papers-end" data-part="end"></div></div></div>`)
	v.box, v.nav, v.main, v.head, v.figs, v.said, v.reads, v.end = part("box"), part("nav"), part("main"), part("head"), part("figs"), part("said"), part("reads"), part("end")
	grid := part("grid")
	for i := range mostStudyCharts {
		c := &card{}
		c.FigureCard = draw.NewFigure(v.Part(grid, ""), "paper-"+strconv.Itoa(i+1), "", func(_ *draw.Data, w, _ float64) draw.Figure { return c.chart.Draw(w) })
		c.Root.Set("hidden", true)
		v.cards = append(v.cards, c)
	}
	h.Scope.Listen(h.Root, "click", v.click)
	h.Scope.Listen(h.Root, "change", func(ev js.Value) {
		el := ev.Get("target")
		switch el.Get("id").String() {
		case "study-on":
			h.Store.SetPaperLog(el.Get("value").String())
		case "study-quick":
			h.Store.SetQuick(el.Get("checked").Bool())
		case "study-reading":
			v.reading[h.Store.Studies.Chosen] = el.Get("value").String()
			h.Again()
		}
	})
	return v
}

func (v *view) click(ev js.Value) {
	button := ev.Get("target").Call("closest", "button")
	if !button.Truthy() || button.Call("getAttribute", "aria-disabled").Equal(js.ValueOf("true")) {
		return
	}
	s, data := v.Store, button.Get("dataset")
	switch {
	case data.Get("open").Type() == js.TypeString:
		s.OpenPapers(data.Get("open").String())
	case data.Get("sort").Truthy():
		s.SortPaper(draw.Number(button, "sort"))
	case data.Get("experiment").Truthy():
		s.OpenPaper(draw.Number(button, "experiment"))
	case data.Get("do").Truthy():
		v.act(data.Get("do").String())
	}
}

func (v *view) act(what string) {
	s := v.Store
	switch what {
	case "retry":
		s.AskPapers()
	case "run":
		s.RunPaper()
	case "stop":
		s.StopPaper()
	case "document":
		s.OpenStudy(func() {})
	case "csv":
		draw.Save(s.Studies.Chosen+".csv", "text/csv", s.PaperCSV())
	case "copy":
		draw.Copy(string(s.PaperCSV()), func(ok bool) {
			text := "The rows are copied."
			if !ok {
				text = "The rows could not be copied here; the file holds them."
			}
			if el := draw.Find(v.Root, "#study-said"); el.Truthy() {
				el.Set("textContent", text)
			}
		})
	}
}

// Draw brings the place up to date.
func (v *view) Draw() {
	s := v.Store
	if s.Place.Key != look.PapersPlace {
		return
	}
	item, st := s.Place.Item, &s.Studies
	moved := item != v.shown
	if st.Papers != nil {
		v.shown = item
	}
	alone := func(yes bool) { v.box.Get("classList").Call("toggle", "alone", yes) }
	p := s.Paper(st.Chosen)
	switch {
	case st.Papers == nil:
		alone(true)
		v.put(v.head, WaitHTML(st))
	case item == "":
		alone(true)
		v.put(v.head, ListHTML(s))
		p = nil
	case p == nil:
		study := s.Study(item)
		alone(false)
		v.put(v.nav, NavHTML(s, study, ""))
		v.put(v.head, StudyHTML(study, papersOf(&s.Studies, study.Key)))
	default:
		study := s.Study(p.Study)
		alone(false)
		v.put(v.nav, NavHTML(s, study, p.Key))
		v.put(v.head, HeadHTML(s, study, p))
		v.put(v.end, RestHTML(s, study, p))
	}
	v.figures(p)
	v.end.Set("hidden", p == nil || !st.Settled)
	if moved && st.Papers != nil {
		v.arrive(p != nil)
	}
}

// figures draws the charts of a table or figure.
func (v *view) figures(p *engine.Paper) {
	v.figs.Set("hidden", p == nil)
	if p == nil {
		return
	}
	s := v.Store
	rows := s.PaperRows()
	if s.Studies.Sort != 0 { // charts keep the paper's order
		sort, down := s.Studies.Sort, s.Studies.Down
		s.Studies.Sort = 0
		rows = s.PaperRows()
		s.Studies.Sort, s.Studies.Down = sort, down
	}
	list, usual := Readings(rows, p.Quoted.Rows)
	reading := v.reading[p.Key]
	if reading == "" {
		reading = usual
	}
	v.put(v.reads, ReadingsHTML(list, reading))
	v.put(v.said, KeyHTML(s, p, InReading(rows, reading)))
	charts := Charts(s, p, rows, reading)
	v.figs.Get("classList").Call("toggle", "single", len(charts) == 1)
	for i, c := range v.cards {
		c.Root.Set("hidden", i >= len(charts))
		if i >= len(charts) {
			continue
		}
		c.chart = charts[i]
		c.Title.Set("textContent", c.chart.Title)
		high := c.chart.High
		if w := c.Body.Get("clientWidth").Float(); high == 0 && w > 20 {
			d := c.chart.Draw(w)
			high = d.H
		}
		draw.Style(c.Body, "height", draw.Px(high))
		c.Draw()
	}
}

// arrive shows the beginning of what was opened, and its line in the list. On a
// narrow screen the list stands above a study, and what is chosen from it below.
func (v *view) arrive(chosen bool) {
	if at := draw.Find(v.nav, "[aria-current=true]"); at.Truthy() {
		at.Call("scrollIntoView", map[string]any{"block": "nearest"})
	}
	if narrow := js.Global().Call("matchMedia", "(max-width: 900px)").Get("matches").Bool(); narrow && chosen {
		v.main.Call("scrollIntoView", map[string]any{"block": "start"})
	} else if place := v.El.Call("closest", ".place"); place.Truthy() {
		place.Set("scrollTop", 0)
	}
	v.main.Set("scrollTop", 0)
}

// put shows one of the parts where it has changed; the focus stays, or goes to the
// head of what was opened where that which was pressed has gone.
func (v *view) put(el js.Value, html draw.Markup) {
	inside := draw.Doc.Get("activeElement")
	had := inside.Truthy() && el.Call("contains", inside).Bool()
	draw.Put(el, html)
	if now := draw.Doc.Get("activeElement"); had && !el.Call("contains", now).Bool() {
		if h := draw.Find(v.main, "h2"); h.Truthy() {
			h.Call("focus", map[string]any{"preventScroll": true})
		}
	}
}

// Release implements draw.Island.
func (v *view) Release() {}
