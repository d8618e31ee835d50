//go:build js

package gantt

import (
	"math"
	"strconv"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/look"
)

func init() { Room.Islands = map[string]draw.Maker{"gantt": newGantt} }

// gantt is the Gantt chart with its controls and minimap.
type gantt struct {
	*draw.Host
	colour                js.Value // the list of colourings
	legend, low, high     js.Value
	byDeadline            js.Value // the colouring that is there where jobs have deadlines
	terms                 ganttTerms
	ramp, swatches        js.Value
	boxButton, listButton js.Value
	wrap, card, note, say js.Value
	axis, gutter          layer
	plot, over            *draw.Canvas
	mini, frame           *draw.Canvas // the whole log, and which part of it is shown
	miniBox               js.Value

	known  map[*report.Run]*ganttRun
	panes  []*ganttPane
	chart  Gantt
	all    Minimap
	inked  bool   // the colours of all jobs are there: before, nothing is drawn
	span   Span   // on show, as the reader moves it
	commit func() // cancels the pending message to the store

	idle     *Idle          // what was idle where the reader pressed
	days     dayBar         // which day is shown, of those on which the runs differ
	chooser  js.Value       // which runs are shown
	chosen   draw.Markup    // what chooser was written for
	marks    js.Value       // legend of reservations and outages
	closed   js.Value       // switches them on and off
	list     js.Value       // the calendar as a table
	find     js.Value       // field to find a job
	window   draw.Measuring // the measuring window on the axis
	scaled   scaleKey
	end      model.Time // of the colour scale
	rows     rowBar     // which processors are in view
	parts    []Part     // of the machine
	reserve  reserving  // draws reservations
	lastMove float64    // when the reader moved the view last, ms
	held     bool       // it was moved since the last frame

	backfilled, gaps, boxZoom bool
	reserved, listed          bool
	input                     ganttInput
	frameAsked                bool
	painted                   draw.Seen // what the canvas was painted for
	strip                     []*strip
	band                      []*strip // pictures of closed rows
	mapped                    bool     // mini is up to date
	marked                    bool     // something stands on over
	stands                    string
	spoken                    int
	told                      int  // promises that were spoken of
	promises                  bool // the chosen job has some
	tableButton               js.Func
}

func newGantt(h *draw.Host) draw.Island {
	g := &gantt{Host: h, known: map[*report.Run]*ganttRun{}, backfilled: true, reserved: true, spoken: -1}
	g.input.hover, g.input.x = -1, math.NaN()
	g.miniBox = draw.Add(h.Root, "div", "bl-mini bl-card")
	g.mini, g.frame = draw.NewCanvas(g.miniBox, ""), draw.NewCanvas(g.miniBox, "")
	draw.Attr(g.mini.El, "role", "img")
	draw.Attr(g.frame.El, "aria-hidden", "true")
	g.days.init(g)
	g.controls()
	g.wrap = draw.Add(h.Root, "div", "bl-gw bl-card")
	g.axis.Canvas, g.gutter.Canvas, g.plot = draw.NewCanvas(g.wrap, "bl-part"), draw.NewCanvas(g.wrap, "bl-part"), draw.NewCanvas(g.wrap, "bl-part")
	g.over = draw.NewCanvas(g.wrap, "bl-top")
	for _, c := range [...]*draw.Canvas{g.axis.Canvas, g.gutter.Canvas, g.plot} {
		draw.Attr(c.El, "aria-hidden", "true")
	}
	draw.Attr(g.over.El, "tabindex", "0", "role", "application", "aria-roledescription", "Gantt chart", "aria-label", "Gantt chart",
		"aria-keyshortcuts", "W S A D F 0 . , R I Shift+ArrowUp Shift+ArrowDown PageUp PageDown Escape")
	g.card = draw.Add(g.wrap, "div", "bl-hc")
	g.card.Set("hidden", true)
	g.note = draw.Add(g.wrap, "div", "bl-note")
	g.note.Set("hidden", true)
	g.window.Init(g.Host, g.wrap, g.measures())
	g.list = draw.Add(h.Root, "div", "bl-list bl-card")
	g.list.Set("hidden", true)
	h.Root.Call("append", g.miniBox) // shown on top by its style, read last
	g.say = draw.Add(h.Root, "p", "bl-vh")
	draw.Attr(g.say, "aria-live", "polite")
	g.listen()
	return g
}

// ready says whether what is laid out are the panes that there are: a new one
// of a large log takes some frames to come.
func (g *gantt) ready() bool { return len(g.panes) > 0 && len(g.chart.Panes) == len(g.panes) }

func (g *gantt) Release() {
	if g.commit != nil {
		g.commit()
	}
}

// controls builds the two rows above the chart: where it looks, and what it shows.
func (g *gantt) controls() {
	row := draw.Add(g.Root, "div", "bl-gt")
	g.chooser = draw.Add(row, "span", "row bl-panes")
	draw.Attr(g.chooser, "role", "group", "aria-label", "Runs shown, up to four")
	g.Scope.Listen(g.chooser, "click", func(ev js.Value) {
		if b := ev.Get("target").Call("closest", "button[data-i]"); b.Truthy() {
			i, _ := strconv.Atoi(b.Get("dataset").Get("i").String())
			g.Store.TogglePane(i)
			draw.Refresh()
		}
	})
	options := draw.Markup("")
	for _, m := range Colourings {
		options += draw.HTML(`<option value="{}">{}</option>`, m.Key, m.Name)
	}
	name := draw.Add(row, "label", "row")
	draw.Inner(name, draw.HTML(`Colour<select class="bl-seek bl-rows" aria-label="Colour jobs by">{}</select>`, options))
	g.colour, g.byDeadline = draw.Find(name, "select"), draw.Find(name, "[value=deadline]")
	g.Scope.Listen(g.colour, "change", func(js.Value) {
		g.Store.Look(func(v *look.View) { v.Colour = g.colour.Get("value").String() })
		draw.Refresh()
	})
	g.legend = draw.Add(row, "span", "row hide-s")
	part := draw.Build(g.legend, `<span class="mut" data-part="low"></span><span class="bl-ramp" data-part="ramp"></span><span class="mut" data-part="high"></span><span class="row" data-part="swatches"></span>`)
	g.low, g.ramp, g.high, g.swatches = part("low"), part("ramp"), part("high"), part("swatches")
	g.marks = draw.Add(row, "span", "row")
	draw.Add(row, "span", "grow")
	g.rows.init(g, g.days.row)
	g.find = draw.Add(g.days.row, "input", "bl-seek")
	draw.Attr(g.find, "type", "search", "placeholder", "Find a job", "aria-label", "Find a job by its number", "inputmode", "numeric", "autocomplete", "off")
	g.Scope.Listen(g.find, "change", func(js.Value) { g.findJob(g.find.Get("value").String()) })
	toggle := func(label, title string, v *bool) js.Value {
		l := draw.Add(row, "label", "bl-tog hide-s")
		draw.Attr(l, "title", title)
		draw.Inner(l, draw.HTML(`<input class="bl-chk" type="checkbox">{}`, label))
		c := draw.Find(l, "input")
		c.Set("checked", *v)
		g.Scope.Listen(c, "change", func(js.Value) {
			*v = c.Get("checked").Bool()
			g.Again()
		})
		return l
	}
	toggle("Backfilled", "A corner notch marks jobs that were started before their turn", &g.backfilled)
	toggle("Gaps", "Hatch processors that stand idle while jobs wait", &g.gaps)
	g.closed = toggle("Reserved", "Show what is reserved or out of order", &g.reserved)
	step := draw.Add(g.days.row, "button", "bl-btn")
	step.Set("textContent", "Step")
	draw.Attr(step, "type", "button", "id", "gantt-step", "title", "Step through the decisions, instant by instant (E)")
	g.Scope.Listen(step, "click", func(js.Value) { g.stepIn() })
	buttons := draw.Add(g.days.row, "span", "row")
	draw.Style(buttons, "gap", "2px")
	press := func(icon, label string, f func()) js.Value {
		b := draw.IconButton(buttons, icon, label)
		g.Scope.Listen(b, "click", func(js.Value) { f() })
		return b
	}
	g.listButton = press("table", "Reservations and outages as a table", func() {
		g.listed = !g.listed
		g.Again()
	})
	g.reserve.init(g, press)
	g.boxButton = press("box", "Zoom to a box: drag over the chart (or shift and drag)", func() {
		g.boxZoom = !g.boxZoom
		draw.Attr(g.boxButton, "aria-pressed", strconv.FormatBool(g.boxZoom))
	})
	press("minus", "Zoom out (S)", func() { g.zoom(1/.7, .5) })
	press("plus", "Zoom in (W)", func() { g.zoom(.7, .5) })
	press("fit", "Show everything (0)", g.whole)
	more := draw.IconButton(buttons, "more", "Save this chart")
	g.Scope.Menu(more, g.exports)
}

// Draw brings everything up to date.
func (g *gantt) Draw() {
	s := g.Store
	colouring := s.View.Colour
	if colouring == "" {
		colouring = "wait"
	}
	g.colour.Set("value", colouring)
	if g.choose() {
		g.Again() // an index has been made; the next frame draws it
		return
	}
	g.follow()
	g.days.update()
	g.layout()
	g.days.open()
	if g.inked = !g.colours(colouring); !g.inked {
		g.Again() // colours of a large log have been made; the next frame goes on
		return
	}
	if w, h := g.size(); w != g.over.W || h != g.over.H {
		g.layout() // the row above the chart has got another line
	}
	g.render()
	if run := s.View.Job; run >= 0 || g.jobs() != nil && len(g.jobs().Number) <= 100_000 {
		for _, p := range g.panes {
			if p.run != nil {
				g.Store.WantWhy(p.run)
			}
		}
	}
}
