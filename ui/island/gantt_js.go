//go:build js

package island

import (
	"math"
	"strconv"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/chart"
	"batchlab/ui/state"
)

// gantt is the Gantt chart with its controls and minimap.
type gantt struct {
	*host
	press                 func(string)
	legend, low, high     js.Value
	byDeadline            js.Value // button of the mode, where jobs have deadlines
	terms                 ganttTerms
	ramp, swatches        js.Value
	boxButton, listButton js.Value
	wrap, card, note, say js.Value
	axis, gutter          layer
	plot, over            *canvas
	mini, frame           *canvas // the whole log, and which part of it is shown
	miniBox               js.Value

	known  map[*report.Run]*ganttRun
	panes  []*ganttPane
	chart  chart.Gantt
	map1   chart.Minimap
	full   [2]model.Time
	from   float64 // visible span in seconds, as the reader moves it
	to     float64
	stored [2]model.Time // what the store was last told, or said
	commit func()        // cancels the pending message to the store

	chooser  js.Value  // which runs are shown
	chosen   string    // what chooser was written for
	marks    js.Value  // legend of reservations and outages
	closed   js.Value  // switches them on and off
	list     js.Value  // the calendar as a table
	find     js.Value  // field to find a job
	window   measuring // the measuring window on the axis
	reserve  reserving // draws reservations
	lastMove float64   // when the reader moved the view last, ms
	held     bool      // it was moved since the last frame

	backfilled, gaps, boxZoom bool
	reserved, listed          bool
	input                     ganttInput
	frameAsked                bool
	painted                   key // what the canvas was painted for
	strip                     []*strip
	mapped                    bool // mini is up to date
	marked                    bool // something stands on over
	stands                    string
	spoken                    int
	tableButton               js.Func
}

func newGantt(h *host) island {
	g := &gantt{host: h, known: map[*report.Run]*ganttRun{}, backfilled: true, reserved: true, spoken: -1}
	g.input.hover, g.input.x = -1, math.NaN()
	g.controls()
	g.wrap = add(h.root, "div", "bl-gw bl-card")
	g.axis.canvas, g.gutter.canvas, g.plot = newCanvas(g.wrap, "bl-part"), newCanvas(g.wrap, "bl-part"), newCanvas(g.wrap, "bl-part")
	g.over = newCanvas(g.wrap, "bl-top")
	for _, c := range [...]*canvas{g.axis.canvas, g.gutter.canvas, g.plot} {
		attr(c.el, "aria-hidden", "true")
	}
	attr(g.over.el, "tabindex", "0", "role", "application", "aria-roledescription", "Gantt chart", "aria-label", "Gantt chart",
		"aria-keyshortcuts", "W S A D F 0 . , R Escape")
	g.card = add(g.wrap, "div", "bl-hc")
	g.card.Set("hidden", true)
	g.note = add(g.wrap, "div", "bl-note")
	g.note.Set("hidden", true)
	g.window.init(g.host, g.wrap, g.measures())
	g.list = add(h.root, "div", "bl-list bl-card")
	g.list.Set("hidden", true)
	g.miniBox = add(h.root, "div", "bl-mini bl-card")
	g.mini, g.frame = newCanvas(g.miniBox, ""), newCanvas(g.miniBox, "")
	attr(g.mini.el, "role", "img")
	attr(g.frame.el, "aria-hidden", "true")
	g.say = add(h.root, "p", "bl-vh")
	attr(g.say, "aria-live", "polite")
	g.listen()
	return g
}

// ready says whether what is laid out are the panes that there are: a new one
// of a large log takes some frames to come.
func (g *gantt) ready() bool { return len(g.panes) > 0 && len(g.chart.Panes) == len(g.panes) }

func (g *gantt) release() {
	if g.commit != nil {
		g.commit()
	}
}

// controls builds the row above the chart.
func (g *gantt) controls() {
	row := add(g.root, "div", "bl-gt")
	g.chooser = add(row, "span", "row bl-panes")
	attr(g.chooser, "role", "group", "aria-label", "Runs shown, up to four")
	g.scope.listen(g.chooser, "click", func(ev js.Value) {
		if b := ev.Get("target").Call("closest", "button[data-i]"); b.Truthy() {
			i, _ := strconv.Atoi(b.Get("dataset").Get("i").String())
			g.store.TogglePane(i)
			Refresh()
		}
	})
	var keys, names []string
	for _, m := range chart.Modes {
		keys, names = append(keys, m.Key), append(names, m.Name)
	}
	g.press = g.scope.segments(row, "Colour jobs by", keys, names, func(k string) {
		g.store.Look(func(v *state.View) { v.Colour = k })
		Refresh()
	})
	for i, m := range chart.Modes {
		if m.Key == "deadline" {
			g.byDeadline = find(row, ".bl-seg").Get("children").Index(i)
		}
	}
	g.legend = add(row, "span", "row hide-s")
	g.low = add(g.legend, "span", "mut")
	g.ramp = add(g.legend, "span", "bl-ramp")
	g.high = add(g.legend, "span", "mut")
	g.swatches = add(g.legend, "span", "row")
	g.marks = add(row, "span", "row")
	add(row, "span", "grow")
	g.find = add(row, "input", "bl-seek")
	attr(g.find, "type", "search", "placeholder", "Find a job", "aria-label", "Find a job by its number", "inputmode", "numeric", "autocomplete", "off")
	g.scope.listen(g.find, "change", func(js.Value) { g.findJob(g.find.Get("value").String()) })
	toggle := func(label, title string, v *bool) js.Value {
		l := add(row, "label", "bl-tog hide-s")
		attr(l, "title", title)
		c := add(l, "input", "bl-chk")
		attr(c, "type", "checkbox")
		c.Set("checked", *v)
		l.Call("append", label)
		g.scope.listen(c, "change", func(js.Value) {
			*v = c.Get("checked").Bool()
			g.again()
		})
		return l
	}
	toggle("Backfilled", "A corner notch marks jobs that were started before their turn", &g.backfilled)
	toggle("Gaps", "Hatch processors that stand idle while jobs wait", &g.gaps)
	g.closed = toggle("Reserved", "Show what is reserved or out of order", &g.reserved)
	buttons := add(row, "span", "row")
	style(buttons, "gap", "2px")
	press := func(icon, label string, f func()) js.Value {
		b := iconButton(buttons, icon, label)
		g.scope.listen(b, "click", func(js.Value) { f() })
		return b
	}
	g.listButton = press(iconTable, "Reservations and outages as a table", func() {
		g.listed = !g.listed
		g.again()
	})
	g.reserve.init(g, press)
	g.boxButton = press(iconBox, "Zoom to a box: drag over the chart (or shift and drag)", func() {
		g.boxZoom = !g.boxZoom
		attr(g.boxButton, "aria-pressed", strconv.FormatBool(g.boxZoom))
	})
	press(iconMinus, "Zoom out (S)", func() { g.zoom(1/.7, .5) })
	press(iconPlus, "Zoom in (W)", func() { g.zoom(.7, .5) })
	press(iconFit, "Show everything (0)", g.whole)
	more := iconButton(buttons, iconMore, "Save this chart")
	g.scope.menu(more, g.exports)
}

// draw brings everything up to date.
func (g *gantt) draw() {
	s := g.store
	mode := s.View.Colour
	if mode == "" {
		mode = "wait"
	}
	g.press(mode)
	if g.choose() {
		g.again() // an index has been made; the next frame draws it
		return
	}
	g.follow()
	g.layout()
	if g.colours(mode) {
		g.again() // colours of a large log have been made; the next frame goes on
		return
	}
	if w, h := g.size(); w != g.over.w || h != g.over.h {
		g.layout() // the row above the chart has got another line
	}
	g.render()
	if run := s.View.Job; run >= 0 || g.jobs() != nil && len(g.jobs().Number) <= 100_000 {
		for _, p := range g.panes {
			if p.run != nil {
				g.wantWhy(p.run)
			}
		}
	}
}

// show takes an element out of the page or puts it back.
func show(el js.Value, shown bool) {
	if shown {
		el.Get("style").Call("removeProperty", "display")
	} else {
		style(el, "display", "none")
	}
}

var performance = global.Get("performance")

// now is the page's clock in milliseconds.
func now() float64 { return performance.Call("now").Float() }
