//go:build js

package island

import (
	"math"
	"strings"
	"syscall/js"
	"unsafe"

	"batchlab/ui/chart"
)

// figure is a card whose chart the page's chart library draws: it can be pointed
// at and, if wanted, zoomed.
type figure struct {
	*card
	build  func(d *chart.Data, w, h float64) chart.Figure
	now    chart.Figure
	keys   js.Value // the legend
	stage  js.Value // what is pointed at; the library's element is inside
	legend string
	drawn  js.Value // the library's chart, undefined while there is none
	hit    js.Func
	x      float64 // where the reader points, NaN nowhere
	layer  int     // and at which mark, −1 none
	item   int
	other  bool                   // the reader points in another chart
	moved  func(from, to float64) // the reader zooms; nil: not to be zoomed
	points map[int]float64        // pointers that are down
	held   [3]float64             // place, and span when the drag began
	pinch  float64
	asked  bool
}

func newFigure(h *host, file, title string, build func(*chart.Data, float64, float64) chart.Figure) *figure {
	p := &figure{build: build, points: map[int]float64{}, x: math.NaN(), layer: -1, item: -1}
	p.card = newCard(h, file, title, nil)
	p.svgFile = func() string {
		svg := ""
		if p.drawn.Truthy() { // else the library is still on its way
			svg = p.drawn.Call("export").String()
		}
		file, high := p.theme().FigureFile(&p.now, svg, p.title.Get("textContent").String())
		p.last.H = high
		return file
	}
	p.link = h.scope.link(&linked{el: h.root, follow: p.follow})
	p.keys = create("div", "bl-legend")
	style(p.keys, "display", "none")
	p.body.Call("before", p.keys)
	return p
}

func (p *figure) draw() {
	w, h := p.body.Get("clientWidth").Float(), p.body.Get("clientHeight").Float()
	if w < 20 {
		return
	}
	p.now = p.build(p.data(), w, h)
	if legend := chart.LegendOf(p.now.Keys); legend != p.legend {
		p.legend = legend
		p.keys.Set("innerHTML", legend)
		style(p.keys, "display", map[bool]string{true: "none", false: ""}[legend == ""])
		p.host.again() // it may have taken room from the plot
	}
	p.last = chart.Drawing{W: w, H: h, Empty: p.now.Empty, Aria: p.now.Aria, Data: p.now.Table, Fill: p.now.Numbers}
	if p.now.Empty == "" && !p.asTable {
		switch charts.state {
		case "":
			loadCharts()
			fallthrough
		case "loading":
			charts.waiting = append(charts.waiting, p.host.again)
			return
		case "failed":
			charts.state = "" // the next look tries again
			p.last.Empty = "This chart could not be loaded. Check the connection; the table button shows its numbers."
		}
	}
	if p.last.Empty != "" || p.asTable {
		p.clear()
		p.show()
		style(p.toggle, "visibility", visible(p.now.Empty == ""))
		return
	}
	style(p.toggle, "visibility", "visible")
	if p.drawn.IsUndefined() {
		p.body.Call("replaceChildren")
		p.stage = add(p.body, "div", "bl-stage")
		attr(p.stage, "role", "img")
		if p.moved != nil {
			attr(p.stage, "tabindex", "0", "role", "application", "aria-roledescription", "chart")
		}
		inside := add(p.stage, "div", "")
		attr(inside, "aria-hidden", "true")
		p.body.Call("append", p.hair, p.tip)
		p.hit = js.FuncOf(func(_ js.Value, args []js.Value) any {
			p.layer, p.item = args[0].Int(), args[1].Int()
			p.ask()
			return nil
		})
		p.drawn = charts.lib.Call("create", inside, p.hit)
		p.listen()
	}
	attr(p.stage, "aria-label", p.now.Aria)
	text, numbers := p.now.Encode()
	p.drawn.Call("setData", text, floatsToJS(numbers), strings.ReplaceAll(family(), `"`, "'"))
	p.point()
}

// clear takes the library's chart away.
func (p *figure) clear() {
	if p.drawn.IsUndefined() {
		return
	}
	p.drawn.Call("dispose")
	p.hit.Release()
	p.drawn, p.layer, p.item, p.x = js.Undefined(), -1, -1, math.NaN()
}

func (p *figure) release() { p.clear() }

// point shows what follows the reader: a hairline and words.
func (p *figure) point() {
	html, f := "", &p.now
	v, ok := f.At(p.x)
	places := f.Places() && ok && p.x == p.x
	if f.Say != nil && len(p.points) == 0 {
		switch {
		case places:
			html = f.Say(v, -1, -1)
		case p.item >= 0 && p.layer < len(f.Layers):
			html = f.Say(0, p.layer, p.item)
		}
	}
	hair := ok && p.x == p.x && f.Panels[0].X.Names == nil && (places && html != "" || p.other)
	style(p.tip, "display", map[bool]string{true: "none", false: "block"}[html == ""])
	style(p.hair, "display", map[bool]string{true: "block", false: "none"}[hair])
	if html == "" && !hair {
		return
	}
	p.tip.Set("innerHTML", html)
	top := f.Panels[0].Box.Y
	style(p.hair, "left", px(p.x))
	style(p.hair, "top", px(top))
	style(p.hair, "height", px(f.Panels[len(f.Panels)-1].Box.Bottom()-top))
	placeTip(p.tip, p.x, f.W)
}

// follow says what stands at the time that the reader points at in another chart.
func (p *figure) follow(at float64) {
	line := p.now.Timeline()
	if p.drawn.IsUndefined() || line.W <= 0 {
		return
	}
	p.x, p.layer, p.item, p.other = math.NaN(), -1, -1, true
	if x, ok := line.Place(at); ok {
		p.x = x
	}
	p.point()
}

// tell lets other charts follow the reader in this one.
func (p *figure) tell() {
	line := p.now.Timeline()
	at, ok := line.At(p.x)
	if !ok {
		at = math.NaN()
	}
	p.link.point(at)
}

func (p *figure) listen() {
	el := p.stage
	p.scope.listen(el, "pointermove", func(ev js.Value) {
		x := p.place(ev)
		id := ev.Get("pointerId").Int()
		if _, down := p.points[id]; down && p.moved != nil {
			p.points[id] = x
			span := p.held[2] - p.held[1]
			if len(p.points) == 2 {
				p.zoomTo(p.held[1], p.held[2], p.pinch/p.spread(), p.held[0])
			} else if math.Abs(x-p.held[0]) > 3 {
				d := (p.held[0] - x) / p.box().W * span
				p.moved(p.held[1]+d, p.held[2]+d)
			}
			return
		}
		p.x = x
		p.ask()
	})
	p.scope.listen(el, "pointerleave", func(js.Value) {
		p.x, p.layer, p.item = math.NaN(), -1, -1
		p.ask()
	})
	if p.moved == nil {
		return
	}
	p.scope.listen(el, "pointerdown", func(ev js.Value) {
		x := p.place(ev)
		el.Call("setPointerCapture", ev.Get("pointerId"))
		p.points[ev.Get("pointerId").Int()] = x
		p.hold(x)
		if len(p.points) == 2 {
			p.pinch = p.spread()
		}
	})
	up := func(ev js.Value) {
		delete(p.points, ev.Get("pointerId").Int())
		p.hold(p.place(ev))
	}
	p.scope.listen(el, "pointerup", up)
	p.scope.listen(el, "pointercancel", up)
	p.scope.listenActive(el, "wheel", func(ev js.Value) {
		ev.Call("preventDefault")
		p.moved(wheelSpan(ev, p.line(p.axis().Min, p.axis().Max), p.place(ev)))
	})
	p.scope.listen(el, "dblclick", func(js.Value) { p.moved(math.Inf(-1), math.Inf(1)) })
	p.scope.listen(el, "keydown", func(ev js.Value) {
		from, to := p.axis().Min, p.axis().Max
		d, middle := (to-from)*.15, p.box().X+p.box().W/2
		switch ev.Get("key").String() {
		case "ArrowLeft", "a", "A":
			p.moved(from-d, to-d)
		case "ArrowRight", "d", "D":
			p.moved(from+d, to+d)
		case "ArrowUp", "w", "W", "+":
			p.zoomTo(from, to, .7, middle)
		case "ArrowDown", "s", "S", "-":
			p.zoomTo(from, to, 1/.7, middle)
		case "0":
			p.moved(math.Inf(-1), math.Inf(1))
		default:
			return
		}
		ev.Call("preventDefault")
	})
}

// box and axis are those of the first panel, which the others follow.
func (p *figure) box() chart.Box    { return p.now.Panels[0].Box }
func (p *figure) axis() *chart.Axis { return &p.now.Panels[0].X }

// place is where a pointer is in the figure; the element that it is on changes.
func (p *figure) place(ev js.Value) float64 {
	return ev.Get("clientX").Float() - p.stage.Call("getBoundingClientRect").Get("left").Float()
}

// hold remembers place and span at the beginning of a drag.
func (p *figure) hold(x float64) { p.held = [3]float64{x, p.axis().Min, p.axis().Max} }

func (p *figure) spread() float64 {
	var xs []float64
	for _, x := range p.points {
		xs = append(xs, x)
	}
	return max(20, math.Abs(xs[0]-xs[1]))
}

// zoomTo scales a span around a place on the screen.
func (p *figure) zoomTo(from, to, factor, x float64) { p.moved(zoomed(p.line(from, to), factor, x)) }

// line is the horizontal axis, were it to show this span.
func (p *figure) line(from, to float64) chart.Timeline {
	return chart.Timeline{X: p.box().X, W: p.box().W, From: from, To: to}
}

func (p *figure) ask() {
	if p.asked {
		return
	}
	p.asked, p.other = true, false
	frame(func() {
		p.asked = false
		p.point()
		p.tell()
	})
}

// charts is the chart library, a script of its own that is loaded when the first
// figure is shown.
var charts struct {
	state   string // "", "loading", "there", "failed"
	lib     js.Value
	waiting []func()
}

// LoadCharts fetches the chart library before a figure needs it.
func LoadCharts() {
	if charts.state == "" {
		loadCharts()
	}
}

func loadCharts() {
	charts.state = "loading"
	script := create("script", "")
	script.Set("src", global.Get("batchlabBoot").Get("charts"))
	var loaded, failed js.Func
	end := func(state string) {
		loaded.Release()
		failed.Release()
		charts.state, charts.lib = state, global.Get("batchlabCharts")
		waiting := charts.waiting
		charts.waiting = nil
		for _, again := range waiting {
			again()
		}
	}
	loaded = js.FuncOf(func(js.Value, []js.Value) any { end("there"); return nil })
	failed = js.FuncOf(func(js.Value, []js.Value) any { end("failed"); return nil })
	script.Set("onload", loaded)
	script.Set("onerror", failed)
	doc.Get("head").Call("append", script)
}

// floatsToJS copies numbers into a new Uint8Array.
func floatsToJS(v []float64) js.Value {
	if len(v) == 0 {
		return bytesToJS(nil)
	}
	return bytesToJS(unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), 8*len(v)))
}

// stack is an island made of several cards.
type stack struct {
	*host
	parts []island
	next  int // part to be drawn next
	asked bool
}

// draw draws one card after the other; what a frame has no room for follows in
// the next ones.
func (s *stack) draw() {
	s.next = 0
	s.goOn()
}

func (s *stack) goOn() {
	for began := now(); s.next < len(s.parts) && now()-began <= frameBudget; s.next++ {
		s.parts[s.next].draw()
	}
	if s.next == len(s.parts) || s.asked {
		return
	}
	s.asked = true
	frame(func() {
		s.asked = false
		if s.el.Get("isConnected").Bool() && s.el.Get("clientWidth").Int() > 0 {
			s.goOn()
		} else {
			s.next = 0
			s.again() // it is drawn as a whole when it is seen again
		}
	})
}

// drawing is a part of a stack that nothing but draws.
type drawing func()

func (d drawing) draw()    { d() }
func (d drawing) release() {}

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
