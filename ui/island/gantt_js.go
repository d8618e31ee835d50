//go:build js

package island

import (
	"math"
	"slices"
	"strconv"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/chart"
	"batchlab/ui/state"
	"batchlab/ui/words"
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
	base, over            *canvas
	mini                  *canvas
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

	backfilled, gaps, boxZoom bool
	reserved, listed          bool
	input                     ganttInput
	frameAsked                bool
	painted                   key // what the canvas was painted for
	spoken                    int
	tableButton               js.Func
}

// ganttRun is what is worked out once for a run.
type ganttRun struct {
	index         *chart.Index
	indexing      *chart.Indexing // while index is made
	used, waiting *chart.Steps
	backfilled    []bool
	why           int // length of the record that backfilled was made from
	end           model.Time
	marks         chart.Marks
}

// ganttPane is one pane on the screen.
type ganttPane struct {
	scheduler int
	run       *state.Run
	message   string
	msg       js.Value
	*picture           // of what is to be shown
	last      *picture // what was finished last: stretched while picture is behind
	kept      *picture // of everything, so that going back to it draws nothing
	spare     *picture // memory
	colors    []chart.Color
	colorKey  colorKey
	legend    chart.Legend
}

// picture is one drawing of a pane's jobs.
type picture struct {
	raster   chart.Raster
	pixels   pixels
	shown    chart.View // what pixels show
	behind   bool       // the raster is not finished
	drawn    chart.Drawn
	drawnKey drawnKey
}

// drawnKey is what a pane's raster was drawn for.
type drawnKey struct {
	view   chart.View
	colors colorKey
	index  *chart.Index
	marks  int
	gaps   bool
}

type colorKey struct {
	run, other *report.Run
	mode       string
	dark       bool
}

func newGantt(h *host) island {
	g := &gantt{host: h, known: map[*report.Run]*ganttRun{}, backfilled: true, reserved: true, spoken: -1}
	g.input.hover, g.input.x = -1, math.NaN()
	g.controls()
	g.wrap = add(h.root, "div", "bl-gw bl-card")
	g.base = newCanvas(g.wrap, "")
	g.over = newCanvas(g.wrap, "bl-top")
	attr(g.base.el, "aria-hidden", "true")
	attr(g.over.el, "tabindex", "0", "role", "application", "aria-roledescription", "Gantt chart", "aria-label", "Gantt chart",
		"aria-keyshortcuts", "W S A D F 0 . , R Escape")
	g.card = add(g.wrap, "div", "bl-hc")
	g.card.Set("hidden", true)
	g.note = add(g.wrap, "div", "bl-note")
	g.note.Set("hidden", true)
	g.window.init(g)
	g.list = add(h.root, "div", "bl-list bl-card")
	g.list.Set("hidden", true)
	g.miniBox = add(h.root, "div", "bl-mini bl-card")
	g.mini = newCanvas(g.miniBox, "")
	attr(g.mini.el, "role", "img")
	g.say = add(h.root, "p", "bl-vh")
	attr(g.say, "aria-live", "polite")
	g.listen()
	return g
}

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
	g.render()
	if run := s.View.Job; run >= 0 || g.jobs() != nil && len(g.jobs().Number) <= 100_000 {
		for _, p := range g.panes {
			if p.run != nil {
				g.wantWhy(p.run)
			}
		}
	}
}

func (g *gantt) wantWhy(r *state.Run) {
	for i, x := range g.store.Runs {
		if x == r {
			g.store.WantWhy(i)
		}
	}
}

// choose decides what stands in the panes. It works on indices for a part of a
// frame, since large ones take long, and says whether more is left.
func (g *gantt) choose() (made bool) {
	s := g.store
	wanted := s.View.Panes()
	for len(g.panes) > len(wanted) {
		last := g.panes[len(g.panes)-1]
		last.msg.Call("remove")
		g.panes = g.panes[:len(g.panes)-1]
	}
	live := map[*report.Run]*ganttRun{}
	var first *state.Run
	for i, sch := range wanted {
		if i == len(g.panes) {
			m := add(g.wrap, "p", "bl-msg")
			g.panes = append(g.panes, &ganttPane{msg: m, picture: &picture{}})
		}
		p := g.panes[i]
		p.scheduler, p.run, p.message = sch, s.Finished(sch), ""
		if p.run != nil && (len(p.run.Result.Columns.Start) == 0 || s.Jobs[p.run.Repetition] == nil) {
			p.run = nil
		}
		switch {
		case p.run == nil:
			p.message = waitingFor(s)
			if p.message == "" {
				p.message = "Nothing has run yet."
			}
			continue
		case first == nil:
			first = p.run
		case p.run.Repetition != first.Repetition:
			p.message = "The same repeat of " + g.title(sch) + " has not finished yet."
			p.run = nil
			continue
		}
		r := p.run.Result
		k := g.known[r]
		if k == nil {
			if made {
				continue
			}
			k = &ganttRun{}
			for j, e := range r.Columns.End {
				if r.Columns.Start[j] >= 0 {
					k.end = max(k.end, e)
				}
			}
			k.marks = chart.MarksOf(s.Jobs[p.run.Repetition], &r.Columns)
			k.used, k.waiting = g.steps(r)
			if len(r.Columns.Spans) > 0 {
				k.indexing = chart.StartIndex(&r.Columns, r.Processors)
			}
			made = len(r.Columns.Start) > largeLog
		}
		if k.indexing != nil && !made {
			if made = g.makeIndex(k); made {
				p.message = "Drawing …"
			}
		} else if k.indexing != nil {
			p.message = "Drawing …"
		}
		if n := len(r.Columns.Why); n > 0 && k.why != n {
			k.why = n
			k.backfilled = make([]bool, n)
			for j := range r.Columns.Why {
				k.backfilled[j] = chart.Backfilled(&r.Columns.Why[j])
			}
		}
		live[r] = k
		if k.index == nil && k.indexing == nil {
			p.message = "Nothing ran, so there is nothing to draw."
			if r.Logged {
				p.message = "The log’s own schedule needs more processors at times than the machine has, so jobs cannot be given processor numbers. Busy processors and waiting jobs are below."
			}
		}
	}
	g.known = live
	return made
}

// makeIndex goes on with an index for a part of a frame and says whether more
// is left.
func (g *gantt) makeIndex(k *ganttRun) bool {
	for stop := now() + frameBudget; !k.indexing.Step(indexStep); {
		if now() > stop {
			return true
		}
	}
	k.index, k.indexing = k.indexing.Index(), nil
	return false
}

func (g *gantt) jobs() *report.Jobs {
	for _, p := range g.panes {
		if p.run != nil {
			return g.store.Jobs[p.run.Repetition]
		}
	}
	return nil
}

// follow works out the whole span and takes over a span that another part of
// the page has set.
func (g *gantt) follow() {
	var first *report.Run
	before := g.full
	for _, p := range g.panes {
		if p.run == nil {
			continue
		}
		a, b := model.Never, model.Time(0)
		if k := g.known[p.run.Result]; k != nil {
			b = k.end
		}
		if jobs := g.store.Jobs[p.run.Repetition]; len(jobs.Submit) > 0 {
			a = jobs.Submit[0]
		}
		if first == nil {
			first, g.full = p.run.Result, [2]model.Time{a, max(a+60, b)}
		} else {
			g.full[0], g.full[1] = min(g.full[0], a), max(g.full[1], b)
		}
	}
	v := &g.store.View
	told := [2]model.Time{v.From, v.To}
	whole := float64(before[0]) == g.from && float64(before[1]) == g.to
	switch {
	case told != g.stored:
		g.stored = told
		if told[0] == told[1] {
			g.from, g.to = float64(g.full[0]), float64(g.full[1])
		} else {
			g.from, g.to = float64(told[0]), float64(told[1])
		}
	case g.to <= g.from || whole || told[0] == told[1] && g.commit == nil:
		g.from, g.to = float64(g.full[0]), float64(g.full[1])
	}
	g.clamp()
}

func (g *gantt) clamp() {
	a, b := float64(g.full[0]), float64(g.full[1])
	span := min(b-a, max(60, g.to-g.from))
	if g.from < a {
		g.from = a
	}
	g.to = g.from + span
	if g.to > b {
		g.from, g.to = b-span, b
	}
}

// layout sizes the canvases and fills in what the chart shows.
func (g *gantt) layout() {
	style(g.wrap, "min-height", px(max(400, chart.CosyHeight(len(g.panes)))))
	w, h := g.wrap.Get("clientWidth").Float(), g.wrap.Get("clientHeight").Float()
	scale := screenScale()
	g.base.resize(w, h, scale)
	g.over.resize(w, h, scale)
	g.mini.resize(g.miniBox.Get("clientWidth").Float(), 64, scale)
	l := chart.NewLayout(w, h, len(g.panes))
	g.chart = chart.Gantt{Layout: l, Clock: g.clock(), Theme: g.theme(), Jobs: g.jobs(), Panes: make([]chart.GanttPane, len(g.panes))}
	g.map1 = chart.Minimap{W: g.mini.w, H: g.mini.h, Small: l.Small, From: g.full[0], To: g.full[1], Clock: g.chart.Clock, Theme: g.theme()}
	marks := chart.Marks{}
	for i, p := range g.panes {
		c := &g.chart.Panes[i]
		c.HideAway = !g.reserved
		c.Scheduler, c.Name, c.Scale = p.scheduler, g.store.Label(p.scheduler), scale
		b := l.Panes[i].Jobs
		p.msg.Set("textContent", p.message)
		for name, v := range map[string]float64{"left": b.X, "top": b.Y, "width": b.W, "height": b.H} {
			style(p.msg, name, px(v))
		}
		if p.run == nil || g.known[p.run.Result] == nil {
			continue
		}
		r := p.run.Result
		k := g.known[r]
		c.Procs, c.Cols, c.Index, c.Used, c.Waiting = r.Processors, &r.Columns, k.index, k.used, k.waiting
		if site := g.store.Sites[p.run.Repetition]; site != nil {
			c.Entries = site.Calendar
		}
		marks = marks.Plus(k.marks)
		for _, m := range r.Metrics {
			if m.Key == "mean-wait" && m.Valid {
				c.MeanWait = words.Dur(m.Value)
			}
		}
		if g.map1.Used == nil {
			g.map1.Used, g.map1.Waiting, g.map1.Procs, g.map1.Letter = k.used, k.waiting, r.Processors, words.Letter(p.scheduler)
			if g.reserved {
				g.map1.Away = r.Columns.Away
			}
		}
	}
	marks.Late = marks.Late && g.store.View.Colour != "deadline" // its swatches say so
	g.writeMarks(marks)
	show(g.byDeadline, g.jobs() != nil && len(g.jobs().Due) > 0)
	g.writeChooser()
}

// writeMarks writes the legend of what is not an ordinary job, the switch for
// it, and the calendar's table while that is asked for.
func (g *gantt) writeMarks(m chart.Marks) {
	html := ""
	for _, l := range m.Legend() {
		html += `<span class="bl-sw ` + l[0] + `"></span><span class="mut">` + l[1] + `</span>`
	}
	g.marks.Set("innerHTML", html)
	calendar := m.Reservation || m.Outage || m.Failure
	show(g.closed, m.Any())
	show(g.listButton, calendar)
	attr(g.listButton, "aria-pressed", strconv.FormatBool(g.listed))
	g.list.Set("hidden", !g.listed || !calendar)
	if g.listed && calendar {
		for _, p := range g.panes {
			if p.run != nil {
				if site := g.store.Sites[p.run.Repetition]; site != nil {
					grid := chart.CalendarGrid(site.Calendar, g.chart.Clock)
					g.list.Set("innerHTML", `<div class="bl-scroll" tabindex="0" role="region" aria-label="Reservations and outages">`+grid.HTML()+`</div>`)
				}
				break
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

// writeChooser writes the buttons that choose the runs that are shown. With
// two runs there is nothing to choose but to leave one out.
func (g *gantt) writeChooser() {
	s := g.store
	list := s.View.Panes()
	html := ""
	for i := range s.Schedulers() {
		html += `<button type="button" data-i="` + strconv.Itoa(i) + `" aria-pressed="` + strconv.FormatBool(slices.Contains(list, i)) + `"`
		if len(list) == 1 && list[0] == i {
			html += ` aria-disabled="true"`
		}
		html += ` title="` + chart.Escape(g.title(i)) + `" aria-label="` + chart.Escape(g.title(i)) + `">` + words.Letter(i) + `</button>`
	}
	if html == g.chosen {
		return
	}
	g.chosen = html
	active, at := doc.Get("activeElement"), ""
	if g.chooser.Call("contains", active).Bool() {
		at = active.Get("dataset").Get("i").String()
	}
	g.chooser.Set("innerHTML", `<span class="bl-seg">`+html+`</span>`)
	show(g.chooser, s.Schedulers() > 1)
	if at != "" {
		find(g.chooser, `[data-i="`+at+`"]`).Call("focus")
	}
}

// colours works out the colour of each job where something has changed.
func (g *gantt) colours(mode string) (made bool) {
	var a, b *report.Run
	if len(g.panes) > 0 && g.panes[0].run != nil {
		a = g.panes[0].run.Result
	}
	if len(g.panes) > 1 && g.panes[1].run != nil {
		b = g.panes[1].run.Result
	}
	cols := func(r *report.Run) *report.Columns {
		if r == nil {
			return nil
		}
		return &r.Columns
	}
	var l *chart.Legend
	for i, p := range g.panes {
		if p.run == nil {
			continue
		}
		r := p.run.Result
		k := colorKey{r, nil, mode, g.key.dark}
		if mode == "difference" {
			k.other = b
			if i > 0 {
				k.other = a
			}
		}
		if k != p.colorKey {
			p.colorKey = k
			tau := int64(10)
			if g.store.Ran != nil {
				tau = g.store.Ran.Measures.Tau
			}
			p.colors, p.legend = g.theme().JobColors(mode, g.jobs(), &r.Columns, cols(a), cols(second(i, b, r)), r.Processors, tau)
			for _, q := range r.Columns.Before { // stopped attempts are paler
				p.colors = append(p.colors, chart.Mix(p.colors[q.Job], g.theme().Side, .55))
			}
			if len(p.colors) > largeLog {
				return true
			}
		}
		if l == nil {
			l = &p.legend
		}
		g.chart.Panes[i].Colors = p.colors
	}
	if l == nil {
		l = &chart.Legend{}
	}
	low, high := l.Low, l.High
	if mode == "difference" && len(g.panes) > 1 {
		low = words.Letter(g.panes[0].scheduler) + " waits 6" + words.NB + "h less"
	}
	g.low.Set("textContent", low)
	g.high.Set("textContent", high)
	ramp, swatches := "", ""
	for i, c := range l.Stops {
		if i > 0 {
			ramp += ","
		}
		ramp += c.Hex()
	}
	for _, w := range l.Swatches {
		swatches += `<span class="bl-sw" style="background:` + w.Color.Hex() + `"></span><span class="mut">` + chart.Escape(w.Name) + `</span>`
	}
	style(g.ramp, "display", "none")
	if ramp != "" {
		style(g.ramp, "display", "block")
		style(g.ramp, "background", "linear-gradient(90deg,"+ramp+")")
	}
	g.swatches.Set("innerHTML", swatches)
	return false
}

// second is the run that a pane's difference to the first one refers to: its
// own, and of the first pane itself that of the second one.
func second(pane int, b, own *report.Run) *report.Run {
	if pane > 1 {
		return own
	}
	return b
}

// largeLog is the number of jobs beyond which new results are drawn step by
// step, one a frame, so that the page's thread stays free.
const largeLog = 50_000

// What a frame may spend on rasters, in milliseconds: less while the reader
// moves the view, so that the picture follows the hand, stretched at first.
const (
	stillBudget  = 42
	movingBudget = 14
	movingFor    = 150 // ms after the last movement
	rasterStep   = 12_000
	indexStep    = 50_000 // rectangles between two looks at the clock
)

// now is the page's clock in milliseconds.
func now() float64 { return global.Get("performance").Call("now").Float() }

// render draws panes, strips and minimap for the span that is shown. What does
// not fit a frame is drawn in the next ones; a picture that has fallen behind
// is stretched to the new span until then.
func (g *gantt) render() {
	began := now()
	g.chart.From, g.chart.To = model.Time(math.Floor(g.from)), model.Time(math.Ceil(g.to))
	scale := g.base.scale
	fresh := false
	for i, p := range g.panes {
		if g.begin(&g.chart, i, p, scale) {
			fresh = true
		}
	}
	budget := float64(stillBudget)
	if began-g.lastMove < movingFor {
		budget = movingBudget
	}
	finished, behind := false, false
	for _, p := range g.panes {
		for p.behind && now()-began < budget {
			if p.raster.Step(rasterStep) {
				p.behind, finished = false, true
				p.drawn, p.shown = p.raster.Drawn(), p.drawnKey.view
				p.pixels.keep(&p.raster)
				p.last = p.picture
				if v := p.shown; v.From <= g.full[0] && v.To >= g.full[1] && p.kept != p.picture {
					p.spare, p.kept = p.kept, p.picture
				}
			}
		}
		behind = behind || p.behind
	}
	if behind {
		g.ask()
	}
	if g.key == g.painted && (!fresh && !finished || behind && budget == stillBudget) {
		return // nothing on the screen has changed, or soon all of it will at once
	}
	g.painted = g.key
	density := g.notes(&g.chart, g.panes)
	g.base.clear()
	for i, p := range g.panes {
		from := p.picture
		if p.behind {
			from = p.last
		}
		from.put(g.base.ctx, g.chart.Layout.Panes[i].Jobs, scale, p.drawnKey.view, g.theme().Side)
	}
	f := family()
	paint(g.base.ctx, scale, g.chart.Base(), f)
	g.mini.clear()
	paint(g.mini.ctx, g.mini.scale, g.map1.Scene(g.chart.From, g.chart.To), f)
	attr(g.mini.el, "aria-label", "Shown: "+g.map1.Said(g.chart.From, g.chart.To))
	g.note.Set("hidden", !(density && g.chart.Layout.Small))
	if density && g.chart.Layout.Small {
		b := g.chart.Layout.Panes[0].Jobs
		g.note.Set("textContent", "density view")
		style(g.note, "right", "14px")
		style(g.note, "top", px(b.Y+4))
	}
	label := "Gantt chart"
	for i, p := range g.panes {
		label += map[bool]string{true: " above ", false: " of "}[i > 0] + g.title(p.scheduler)
	}
	attr(g.over.el, "aria-label", label+", "+g.map1.Said(g.chart.From, g.chart.To))
	attr(g.over.el, "data-drawn", strconv.FormatBool(!behind))
	g.window.place()
	g.overlay()
}

// begin prepares a pane's raster for what is to be shown, unless it stands as
// it is, and says whether it did.
func (g *gantt) begin(c *chart.Gantt, i int, p *ganttPane, scale float64) bool {
	b, pane := c.Layout.Panes[i].Jobs, &c.Panes[i]
	pane.Scale = scale
	v := chart.View{From: c.From, To: c.To, W: int(b.W*scale + .5), H: int(b.H*scale + .5), Scale: scale}
	q := &chart.Paint{Jobs: p.colors, Hatch: c.Theme.Hatch}
	ix := pane.Index
	if ix == nil {
		ix = &chart.Index{}
	} else if k := g.known[p.run.Result]; g.backfilled && k != nil {
		q.Backfilled = k.backfilled
	}
	colors := p.colorKey
	colors.dark = c.Theme.Dark // also of a pane without jobs
	k := drawnKey{v, colors, pane.Index, len(q.Backfilled), g.gaps}
	if k == p.drawnKey {
		return false
	}
	if old := p.drawnKey; old.index != k.index || old.colors.run != k.colors.run || old.view.H != v.H {
		p.last = nil // nothing to stretch
	}
	if p.kept != nil && p.kept.drawnKey == k {
		p.picture, p.last = p.kept, p.kept
		return true
	}
	if p.picture == p.kept {
		p.picture, p.spare = p.spare, nil
		if p.picture == nil {
			p.picture = &picture{}
		}
	}
	p.drawnKey, p.behind = k, true
	ground, idle := c.Ground(v.W, scale, pane.Waiting)
	q.Ground = ground
	if g.gaps {
		q.Idle = idle
	}
	p.raster.Begin(ix, v, q)
	return true
}

// put draws a picture, stretched where it shows another span; nil is the ground
// alone.
func (p *picture) put(ctx js.Value, b chart.Box, scale float64, wanted chart.View, ground chart.Color) {
	if p == nil {
		p = &picture{}
	}
	p.pixels.put(ctx, b, scale, p.shown, wanted, ground)
}

// notes writes what is to be said of each pane.
func (g *gantt) notes(c *chart.Gantt, panes []*ganttPane) (density bool) {
	for i, p := range panes {
		pane := &c.Panes[i]
		pane.Labels, pane.Notes = nil, nil
		if !p.behind {
			pane.Labels = p.drawn.Labels
		}
		if p.drawn.Density {
			pane.Notes = append(pane.Notes, "density view")
			density = true
		}
		if pane.Index != nil && g.counted(p) {
			pane.Notes = append(pane.Notes, "display packing")
		}
	}
	return density
}

// counted says whether a run's scheduler only counted processors, so that their
// numbers are those of the display.
func (g *gantt) counted(p *ganttPane) bool {
	site := g.store.Sites[p.run.Repetition]
	return site == nil || len(site.Machines) <= 1
}
