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

// tick is a box to be ticked in the row above the chart.
func tick(key, label, title string, on bool) draw.Markup {
	return draw.HTML(`<label class="bl-tog hide-s" title="{}" data-part="{}"><input class="bl-chk" type="checkbox"{}>{}</label>`, title, key, draw.When(on, " checked"), label)
}

func newGantt(h *draw.Host) draw.Island {
	g := &gantt{Host: h, known: map[*report.Run]*ganttRun{}, backfilled: true, reserved: true, spoken: -1}
	g.input.hover, g.input.x = -1, math.NaN()
	options := draw.Markup("")
	for _, m := range Colourings {
		options += draw.HTML(`<option value="{}">{}</option>`, m.Key, m.Name)
	}
	part := draw.Build(h.Root, draw.HTML(`<div class="bl-gt bl-days" data-part="days"><span class="row" style="display:none" data-part="ways">{}<b data-part="day"></b>{}<span class="mut" data-part="text"></span></span><span class="grow"></span><select class="bl-seek bl-rows hide-s" aria-label="Rows" title="Rows: which part of the machine is shown" data-part="choice"></select><input class="bl-seek" type="search" placeholder="Find a job" aria-label="Find a job by its number" inputmode="numeric" autocomplete="off" data-part="find"><button type="button" class="bl-btn" id="gantt-step" title="Step through the decisions, instant by instant (E)" data-part="step">Step</button><span class="row" style="gap:2px">{}{}{}{}{}{}{}</span></div>
<div class="bl-gt"><span class="row bl-panes" role="group" aria-label="Runs shown, up to four" data-part="panes"></span><label class="row">Colour<select class="bl-seek bl-rows" aria-label="Colour jobs by" data-part="colour">{}</select></label><span class="row hide-s" data-part="legend"><span class="mut" data-part="low"></span><span class="bl-ramp" data-part="ramp"></span><span class="mut" data-part="high"></span><span class="row" data-part="swatches"></span></span><span class="row" data-part="marks"></span><span class="grow"></span>{}{}{}</div>
<div class="bl-gw bl-card" data-part="wrap"></div><div class="bl-list bl-card" hidden data-part="list"></div><div class="bl-mini bl-card" data-part="mini"></div><p class="bl-vh" aria-live="polite" data-part="say"></p>`,
		draw.IconButton("left", "The day before it by difference"), draw.IconButton("chevron", "The next day by difference"),
		draw.IconButton("table", "Reservations and outages as a table"), draw.IconButton("reserve", "Draw a reservation: drag over the chart (R: with the keys)"), draw.IconButton("box", "Zoom to a box: drag over the chart (or shift and drag)"),
		draw.IconButton("minus", "Zoom out (S)"), draw.IconButton("plus", "Zoom in (W)"), draw.IconButton("fit", "Show everything (0)"), draw.IconButton("more", "Save this chart"), options,
		tick("backfilled", "Backfilled", "A corner notch marks jobs that were started before their turn", g.backfilled), tick("gaps", "Gaps", "Hatch processors that stand idle while jobs wait", false), tick("reserved", "Reserved", "Show what is reserved or out of order", g.reserved)))
	g.miniBox, g.wrap, g.list, g.say = part("mini"), part("wrap"), part("list"), part("say") // mini is shown on top by its style, read last
	g.mini, g.frame = draw.NewCanvas(g.miniBox, ""), draw.NewCanvas(g.miniBox, "")
	draw.Attr(g.mini.El, "role", "img")
	draw.Attr(g.frame.El, "aria-hidden", "true")
	g.days.init(g, part)
	g.rows.init(g, part("choice"))
	g.controls(part)
	g.axis.Canvas, g.gutter.Canvas, g.plot = draw.NewCanvas(g.wrap, "bl-part"), draw.NewCanvas(g.wrap, "bl-part"), draw.NewCanvas(g.wrap, "bl-part")
	g.over = draw.NewCanvas(g.wrap, "bl-top")
	for _, c := range [...]*draw.Canvas{g.axis.Canvas, g.gutter.Canvas, g.plot} {
		draw.Attr(c.El, "aria-hidden", "true")
	}
	draw.Attr(g.over.El, "tabindex", "0", "role", "application", "aria-roledescription", "Gantt chart", "aria-label", "Gantt chart",
		"aria-keyshortcuts", "W S A D F 0 . , R I Shift+ArrowUp Shift+ArrowDown PageUp PageDown Escape")
	g.card, g.note = draw.Node(`<div class="bl-hc" hidden></div>`), draw.Node(`<div class="bl-note" hidden></div>`)
	g.wrap.Call("append", g.card, g.note)
	g.window.Init(g.Host, g.wrap, g.measures())
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

// controls makes the two rows above the chart do something: where it looks, and what it shows.
func (g *gantt) controls(part func(string) js.Value) {
	g.chooser, g.colour, g.legend, g.marks, g.find = part("panes"), part("colour"), part("legend"), part("marks"), part("find")
	g.low, g.ramp, g.high, g.swatches = part("low"), part("ramp"), part("high"), part("swatches")
	g.byDeadline, g.closed = draw.Find(g.colour, "[value=deadline]"), part("reserved")
	g.listButton, g.boxButton = part("table"), part("box")
	g.Scope.Listen(g.chooser, "click", func(ev js.Value) {
		if b := ev.Get("target").Call("closest", "button[data-i]"); b.Truthy() {
			g.Store.TogglePane(draw.Number(b, "i"))
			draw.Refresh()
		}
	})
	g.Scope.Listen(g.colour, "change", func(js.Value) {
		g.Store.Look(func(v *look.View) { v.Colour = g.colour.Get("value").String() })
		draw.Refresh()
	})
	g.Scope.Listen(g.find, "change", func(js.Value) { g.findJob(g.find.Get("value").String()) })
	for key, on := range map[string]*bool{"backfilled": &g.backfilled, "gaps": &g.gaps, "reserved": &g.reserved} {
		g.Scope.Listen(part(key), "change", func(ev js.Value) {
			*on = ev.Get("target").Get("checked").Bool()
			g.Again()
		})
	}
	press := func(key string, f func()) { g.Scope.Listen(part(key), "click", func(js.Value) { f() }) }
	press("step", g.stepIn)
	press("table", func() {
		g.listed = !g.listed
		g.Again()
	})
	g.reserve.init(g, part("reserve"))
	press("box", func() {
		g.boxZoom = !g.boxZoom
		draw.Attr(g.boxButton, "aria-pressed", strconv.FormatBool(g.boxZoom))
	})
	press("minus", func() { g.zoom(1/.7, .5) })
	press("plus", func() { g.zoom(.7, .5) })
	press("fit", g.whole)
	g.Scope.Menu(part("more"), g.exports)
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
