//go:build js

package island

import (
	"math"
	"strings"
	"syscall/js"
	"unsafe"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/chart"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// library is the chart library once it has been loaded; it is asked for when
// the first plot is drawn.
var (
	library  js.Value
	asked    bool
	refused  bool
	awaiting []func()
)

func withLibrary(f func()) {
	if library.Truthy() {
		f()
		return
	}
	awaiting = append(awaiting, f)
	done := func() {
		library = global.Get("batchlabCharts")
		refused = !library.Truthy()
		for _, f := range awaiting {
			f()
		}
		awaiting = nil
	}
	if global.Get("batchlabCharts").Truthy() {
		done()
		return
	}
	if asked && !refused {
		return
	}
	asked, refused = true, false
	script := create("script", "")
	script.Set("src", "charts.js")
	var ok, bad js.Func
	end := func(js.Value, []js.Value) any {
		ok.Release()
		bad.Release()
		done()
		return nil
	}
	ok, bad = js.FuncOf(end), js.FuncOf(end)
	script.Set("onload", ok)
	script.Set("onerror", bad)
	doc.Get("head").Call("append", script)
}

// plot is a card whose chart the library draws.
type plot struct {
	*card
	build func(d *chart.Data, w, h float64) chart.Plot
	now   chart.Plot
	el    js.Value // of the library's chart
	chart js.Value
	say   js.Func
	zoom  js.Func
	moved func(from, to float64)
	w, h  float64
}

func newPlot(h *host, file, title string, build func(*chart.Data, float64, float64) chart.Plot) *plot {
	p := &plot{build: build}
	p.card = newCard(h, file, title, nil)
	p.svgFile = p.svgOf
	p.body.Get("classList").Call("add", "bl-plot")
	return p
}

func (p *plot) draw() {
	p.w, p.h = p.body.Get("clientWidth").Float(), p.body.Get("clientHeight").Float()
	if p.w < 20 {
		return
	}
	p.now = p.build(p.data(), p.w, p.h)
	p.last = chart.Drawing{W: p.w, H: p.h, Empty: p.now.Empty, Aria: p.now.Aria, Data: p.now.Data}
	if p.now.Empty != "" || p.asTable {
		p.dispose()
		p.show()
		return
	}
	style(p.toggle, "visibility", "visible")
	withLibrary(p.put)
}

func (p *plot) put() {
	if refused || !p.host.el.Get("isConnected").Bool() {
		p.body.Set("innerHTML", `<p class="bl-empty">The chart library could not be loaded. The numbers are there as a table and as CSV.</p>`)
		return
	}
	fresh := !p.chart.Truthy()
	if fresh {
		p.body.Call("replaceChildren")
		p.el = add(p.body, "div", "bl-ec")
		attr(p.el, "role", "img")
		p.say = js.FuncOf(func(_ js.Value, a []js.Value) any {
			if p.now.Say == nil {
				return ""
			}
			return p.now.Say(a[0].Float(), number(a[1]), number(a[2]))
		})
		p.zoom = js.FuncOf(func(_ js.Value, a []js.Value) any {
			if p.moved != nil && a[0].Type() == js.TypeNumber {
				p.moved(a[0].Float(), a[1].Float())
			}
			return nil
		})
		p.chart = library.Call("create", p.el, p.say, p.zoom)
	} else {
		library.Call("resize", p.chart)
	}
	attr(p.el, "aria-label", p.now.Aria)
	spec, data := p.spec()
	library.Call("set", p.chart, spec, data)
}

func number(v js.Value) int {
	if v.Type() != js.TypeNumber {
		return -1
	}
	return v.Int()
}

func (p *plot) dispose() {
	if !p.chart.Truthy() {
		return
	}
	library.Call("dispose", p.chart)
	p.chart = js.Value{}
	p.say.Release()
	p.zoom.Release()
}

func (p *plot) release() { p.dispose() }

// spec puts the plot into a plain object and its points into one typed array.
func (p *plot) spec() (spec map[string]any, data js.Value) {
	t := p.theme()
	var flat []float64
	lines := []any{}
	for _, l := range p.now.Lines {
		colour := t.SeriesColor(l.Scheduler)
		m := map[string]any{"kind": l.Kind, "grid": l.Grid, "name": l.Name, "at": len(flat), "n": len(l.X), "colour": colour.Hex(), "width": l.Width, "area": l.Area, "front": l.Area, "dash": dashes(chart.Dash(l.Scheduler))}
		for i := range l.X {
			flat = append(flat, l.X[i], l.Y[i])
		}
		if l.Sizes != nil {
			m["sizes"] = anys(l.Sizes)
		}
		if l.Bands != nil {
			b := []any{}
			for _, band := range l.Bands {
				b = append(b, []any{float64(band[0]), float64(band[1])})
			}
			m["bands"] = b
		}
		lines = append(lines, m)
	}
	axes := func(list []chart.PlotAxis) []any {
		out := []any{}
		for _, a := range list {
			ticks := []any{}
			for _, k := range a.Ticks {
				ticks = append(ticks, map[string]any{"at": k.At, "label": k.Label, "bold": k.Bold})
			}
			out = append(out, map[string]any{"min": a.Min, "max": a.Max, "log": a.Log, "labels": !a.Hidden, "name": a.Name, "ticks": ticks})
		}
		return out
	}
	grids := []any{}
	for _, g := range p.now.Grids {
		grids = append(grids, map[string]any{"left": g.Left, "right": g.Right, "top": g.Top, "height": g.Height})
	}
	spec = map[string]any{
		"grids": grids, "x": axes(p.now.X), "y": axes(p.now.Y), "lines": lines, "font": family(), "keep": false, "hover": "axis",
		"colours": map[string]any{"ink": t.Ink.Hex(), "ink3": t.Ink3.Hex(), "line2": t.Line2.Hex(), "line3": t.Line3.Hex(), "grid": t.Grid.Hex(), "panel": t.Panel.Hex(), "sunken": t.Sunken.Hex(), "accent": t.Accent.Hex()},
	}
	if len(p.now.Lines) > 0 && p.now.Lines[0].Kind == "dots" {
		spec["hover"] = "item"
	}
	if p.now.Zoom {
		spec["zoom"] = []any{p.now.From, p.now.To}
	}
	return spec, float64s(flat)
}

func anys(v []float64) []any {
	out := make([]any, len(v))
	for i, x := range v {
		out[i] = x
	}
	return out
}

// float64s copies numbers into a Float64Array.
func float64s(v []float64) js.Value {
	a := global.Get("Float64Array").New(len(v))
	if len(v) > 0 {
		js.CopyBytesToJS(global.Get("Uint8Array").New(a.Get("buffer")), unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), 8*len(v)))
	}
	return a
}

// svgOf is a plot as an SVG file.
func (p *plot) svgOf() string {
	if !p.chart.Truthy() {
		return ""
	}
	s := library.Call("svg", p.chart).String()
	if i := strings.Index(s, ">"); i > 0 && !strings.Contains(s, "<title>") {
		s = s[:i+1] + "<title>" + chart.Escape(p.title.Get("textContent").String()) + "</title><desc>" + chart.Escape(p.now.Aria) + `</desc><rect width="100%" height="100%" fill="` + p.theme().Panel.Hex() + `"/>` + s[i+1:]
	}
	return s
}

// series is the tab of busy processors and waiting jobs over time.
type series struct {
	*plot
	legend   js.Value
	steps    map[*report.Run][2]*chart.Steps
	from, to float64
	told     [2]model.Time
	commit   func()
}

func newSeries(h *host) island {
	s := &series{steps: map[*report.Run][2]*chart.Steps{}}
	s.plot = newPlot(h, "series", "Busy processors and waiting jobs", s.reduce)
	s.sub.Set("textContent", "wheel to zoom, drag to move; the Gantt chart follows")
	reset := add(s.extra, "button", "bl-btn")
	reset.Set("textContent", "Show everything")
	attr(reset, "type", "button")
	h.scope.listen(reset, "click", func(js.Value) {
		h.store.Look(func(v *state.View) { v.From, v.To = 0, 0 })
		Refresh()
	})
	s.legend = create("div", "bl-legend")
	s.body.Call("before", s.legend)
	s.moved = func(from, to float64) {
		s.from, s.to = from, to
		if s.commit != nil {
			s.commit()
		}
		s.commit = later(120, func() {
			s.commit = nil
			s.told = [2]model.Time{model.Time(math.Floor(s.from)), model.Time(math.Ceil(s.to))}
			h.store.Look(func(v *state.View) { v.From, v.To = s.told[0], s.told[1] })
			Refresh()
		})
	}
	return s
}

func (s *series) release() {
	if s.commit != nil {
		s.commit()
	}
	s.plot.release()
}

func (s *series) reduce(d *chart.Data, w, h float64) chart.Plot {
	from, to, ok := d.Span()
	if !ok {
		s.legend.Call("replaceChildren")
		return d.Series(0, 0, [2]model.Time{}, nil, w, h)
	}
	live := map[*report.Run][2]*chart.Steps{}
	for _, r := range d.Shown {
		if r == nil {
			continue
		}
		k, ok := s.steps[r]
		if !ok {
			k[0], k[1] = chart.UsedAndWaiting(r)
		}
		live[r] = k
	}
	s.steps = live
	whole := [2]model.Time{from, to}
	if v := s.store.View; v.From != v.To {
		from, to = max(from, v.From), min(to, v.To)
	}
	p := d.Series(from, to, whole, s.steps, w, h)
	var b strings.Builder
	for i, r := range d.Shown {
		if r != nil {
			b.WriteString(`<span>` + chart.Mark(i) + `<b>` + words.Letter(i) + `</b> ` + chart.Escape(s.store.Label(i)) + `</span>`)
		}
	}
	s.legend.Set("innerHTML", b.String())
	return p
}

// stack is an island made of several cards.
type stack struct {
	*host
	parts []island
}

func (s *stack) draw() {
	for _, p := range s.parts {
		p.draw()
	}
}

func (s *stack) release() {
	for _, p := range s.parts {
		p.release()
	}
}

// part makes room for one card of a stack. It shares the host's life, but has
// a root of its own.
func (s *stack) part(parent js.Value, class string) *host {
	h := &host{el: s.el, root: add(parent, "div", "bl "+class), store: s.store, scope: s.scope, outer: s.host}
	return h
}
