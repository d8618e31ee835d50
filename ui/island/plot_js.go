//go:build js

package island

import (
	"math"
	"syscall/js"

	"batchlab/ui/chart"
)

// plot is a card whose chart can be pointed at and zoomed.
type plot struct {
	*card
	build      func(d *chart.Data, w, h float64) chart.Plot
	now        chart.Plot
	base, over *canvas
	spot       chart.Spot
	moved      func(from, to float64) // the reader zooms; nil: not to be zoomed
	points     map[int]float64        // pointers that are down
	held       [3]float64             // place, and span when the drag began
	pinch      float64
	asked      bool
}

func newPlot(h *host, file, title string, build func(*chart.Data, float64, float64) chart.Plot) *plot {
	p := &plot{build: build, points: map[int]float64{}, spot: nowhere()}
	p.card = newCard(h, file, title, nil)
	p.svgFile = func() string {
		d := p.last
		d.SVG = p.now.Scene(p.theme(), d.W, d.H).SVG("p")
		return p.theme().File(&d, p.title.Get("textContent").String())
	}
	return p
}

func nowhere() chart.Spot { return chart.Spot{X: math.NaN(), Line: -1, Point: -1} }

func (p *plot) draw() {
	w, h := p.body.Get("clientWidth").Float(), p.body.Get("clientHeight").Float()
	if w < 20 {
		return
	}
	p.now = p.build(p.data(), w, h)
	p.last = chart.Drawing{W: w, H: h, Empty: p.now.Empty, Aria: p.now.Aria, Data: p.now.Data, Fill: p.now.Fill}
	if p.now.Empty != "" || p.asTable {
		p.base = nil
		p.show()
		return
	}
	style(p.toggle, "visibility", "visible")
	if p.base == nil {
		p.body.Call("replaceChildren")
		p.base, p.over = newCanvas(p.body, ""), newCanvas(p.body, "bl-top")
		attr(p.base.el, "aria-hidden", "true")
		attr(p.over.el, "role", "img")
		if p.moved != nil {
			attr(p.over.el, "tabindex", "0", "role", "application", "aria-roledescription", "chart")
		}
		p.body.Call("append", p.tip)
		p.listen()
	}
	attr(p.over.el, "aria-label", p.now.Aria)
	scale := screenScale()
	p.base.resize(w, h, scale)
	p.over.resize(w, h, scale)
	p.base.clear()
	paint(p.base.ctx, scale, p.now.Scene(p.theme(), w, h), family())
	p.point()
}

func (p *plot) release() {}

// point draws what follows the reader, and the words beside it.
func (p *plot) point() {
	if p.base == nil {
		return
	}
	p.over.clear()
	w := p.last.W
	paint(p.over.ctx, p.over.scale, p.now.Over(p.theme(), p.spot, w), family())
	v, ok := p.now.At(p.spot.X, w)
	html := ""
	if p.now.Say != nil && (p.spot.Point >= 0 || ok && !p.now.Dots()) && len(p.points) == 0 {
		html = p.now.Say(v, p.spot.Line, p.spot.Point)
	}
	p.tip.Set("innerHTML", html)
	style(p.tip, "display", map[bool]string{true: "none", false: "block"}[html == ""])
	if html == "" {
		return
	}
	placeTip(p.tip, p.spot.X, w)
}

func (p *plot) listen() {
	el := p.over.el
	width := func() (left, w float64) {
		g := p.now.Grids[0]
		return g.Left, max(10, p.last.W-g.Left-g.Right)
	}
	p.scope.listen(el, "pointermove", func(ev js.Value) {
		x, y := at(ev)
		id := ev.Get("pointerId").Int()
		if _, down := p.points[id]; down && p.moved != nil {
			p.points[id] = x
			_, w := width()
			span := p.held[2] - p.held[1]
			if len(p.points) == 2 {
				p.zoomTo(p.held[1], p.held[2], p.pinch/p.spread(), p.held[0])
			} else if math.Abs(x-p.held[0]) > 3 {
				d := (p.held[0] - x) / w * span
				p.moved(p.held[1]+d, p.held[2]+d)
			}
			return
		}
		p.spot = chart.Spot{X: x, Line: -1, Point: -1}
		if p.now.Dots() {
			p.spot.Line, p.spot.Point = p.now.Near(x, y, p.last.W)
		}
		p.ask()
	})
	p.scope.listen(el, "pointerleave", func(js.Value) {
		p.spot = nowhere()
		p.ask()
	})
	if p.moved == nil {
		return
	}
	p.scope.listen(el, "pointerdown", func(ev js.Value) {
		x, _ := at(ev)
		el.Call("setPointerCapture", ev.Get("pointerId"))
		p.points[ev.Get("pointerId").Int()] = x
		p.held = [3]float64{x, p.now.From, p.now.To}
		if len(p.points) == 2 {
			p.pinch = p.spread()
		}
	})
	up := func(ev js.Value) {
		delete(p.points, ev.Get("pointerId").Int())
		x, _ := at(ev)
		p.held = [3]float64{x, p.now.From, p.now.To}
	}
	p.scope.listen(el, "pointerup", up)
	p.scope.listen(el, "pointercancel", up)
	p.scope.listenActive(el, "wheel", func(ev js.Value) {
		ev.Call("preventDefault")
		x, _ := at(ev)
		dx, dy := ev.Get("deltaX").Float(), ev.Get("deltaY").Float()
		if ev.Get("deltaMode").Int() == 1 {
			dx, dy = dx*30, dy*30
		}
		if math.Abs(dx) > math.Abs(dy) || ev.Get("shiftKey").Bool() {
			_, w := width()
			d := (dx + dy) / w * (p.now.To - p.now.From)
			p.moved(p.now.From+d, p.now.To+d)
			return
		}
		p.zoomTo(p.now.From, p.now.To, math.Exp(max(-300, min(300, dy))*.0022), x)
	})
	p.scope.listen(el, "dblclick", func(js.Value) { p.moved(math.Inf(-1), math.Inf(1)) })
	p.scope.listen(el, "keydown", func(ev js.Value) {
		left, w := width()
		d := (p.now.To - p.now.From) * .15
		switch ev.Get("key").String() {
		case "ArrowLeft", "a", "A":
			p.moved(p.now.From-d, p.now.To-d)
		case "ArrowRight", "d", "D":
			p.moved(p.now.From+d, p.now.To+d)
		case "ArrowUp", "w", "W", "+":
			p.zoomTo(p.now.From, p.now.To, .7, left+w/2)
		case "ArrowDown", "s", "S", "-":
			p.zoomTo(p.now.From, p.now.To, 1/.7, left+w/2)
		case "0":
			p.moved(math.Inf(-1), math.Inf(1))
		default:
			return
		}
		ev.Call("preventDefault")
	})
}

func (p *plot) spread() float64 {
	var xs []float64
	for _, x := range p.points {
		xs = append(xs, x)
	}
	return max(20, math.Abs(xs[0]-xs[1]))
}

// zoomTo scales a span around a place on the screen.
func (p *plot) zoomTo(from, to, factor, x float64) {
	g := p.now.Grids[0]
	f := min(1, max(0, (x-g.Left)/max(10, p.last.W-g.Left-g.Right)))
	c := from + (to-from)*f
	span := max(60, (to-from)*factor)
	p.moved(c-span*f, c-span*f+span)
}

func (p *plot) ask() {
	if p.asked {
		return
	}
	p.asked = true
	frame(func() {
		p.asked = false
		p.point()
	})
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
