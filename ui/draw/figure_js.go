//go:build js

package draw

import (
	"math"
	"strconv"
	"strings"
	"syscall/js"
)

// FigureCard is a card with a figure: it can be pointed at and, if wanted, zoomed.
type FigureCard struct {
	*Card
	build  func(d *Data, w, h float64) Figure
	Link   *Linked  // with other charts over time
	keys   js.Value // the legend
	stage  js.Value // what is pointed at, undefined before there is a first picture
	drawn  bool     // there is a picture
	legend Markup
	x      float64 // where the reader points, NaN nowhere
	layer  int     // and at which mark, −1 none
	item   int
	other  bool                   // the reader points in another chart
	Moved  func(from, to float64) // the reader zooms; nil: not to be zoomed
	points map[int]float64        // pointers that are down
	held   [3]float64             // place, and span when the drag began
	pinch  float64
	asked  bool
}

func NewFigure(h *Host, file, title string, build func(*Data, float64, float64) Figure) *FigureCard {
	p := &FigureCard{build: build, points: map[int]float64{}, x: math.NaN(), layer: -1, item: -1}
	p.Card = NewCard(h, file, title)
	p.SvgFile = func() (string, float64) { return p.Theme().FigureFile(&p.Now, p.Title.Get("textContent").String()) }
	p.Link = h.Scope.Link(&Linked{El: h.Root, Follow: p.follow})
	p.keys = Node(`<div class="bl-legend" style="display:none"></div>`)
	p.Body.Call("before", p.keys)
	return p
}

func (p *FigureCard) Draw() {
	w, h := p.Body.Get("clientWidth").Float(), p.Body.Get("clientHeight").Float()
	if w < 20 {
		return
	}
	p.Now = p.build(p.Data(), w, h)
	if legend := LegendOf(p.Now.Keys); legend != p.legend {
		p.legend = legend
		Put(p.keys, legend)
		Style(p.keys, "display", map[bool]string{true: "none", false: ""}[legend == ""])
		p.Host.Again() // it may have taken room from the plot
	}
	if p.Now.Empty != "" || p.AsTable {
		p.clear()
		p.Show()
		return
	}
	Style(p.Toggle, "visibility", "visible")
	if !p.Drawn() {
		if !p.stage.Truthy() {
			p.stage = Node(`<div class="bl-stage" role="img"></div>`)
			if p.Moved != nil {
				Attr(p.stage, "tabindex", "0", "role", "application", "aria-roledescription", "chart")
			}
			p.listen()
		}
		p.Body.Call("replaceChildren", p.stage, p.hair, p.Tip)
		p.drawn = true
	}
	Attr(p.stage, "aria-label", p.Now.Aria)
	size := HTML(`{}" height="{}`, p.Now.W, p.Now.H)
	Put(p.stage, HTML(`<svg width="{}" viewBox="0 0 {} {}" aria-hidden="true">{}</svg>`, size, p.Now.W, p.Now.H, p.Now.SVG()))
	p.point()
}

// Drawn says whether there is a picture.
func (p *FigureCard) Drawn() bool { return p.drawn }

// clear takes the picture away.
func (p *FigureCard) clear() {
	if p.drawn { // what comes next is no change of the picture
		p.Body.Call("replaceChildren")
	}
	p.drawn, p.layer, p.item, p.x = false, -1, -1, math.NaN()
	clear(p.points)
}

func (p *FigureCard) Release() { p.clear() }

// point shows what follows the reader: a hairline and words.
func (p *FigureCard) point() {
	html, f := Markup(""), &p.Now
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
	Style(p.Tip, "display", map[bool]string{true: "none", false: "block"}[html == ""])
	Style(p.hair, "display", map[bool]string{true: "block", false: "none"}[hair])
	if html == "" && !hair {
		return
	}
	Put(p.Tip, html)
	top := f.Panels[0].Box.Y
	Style(p.hair, "left", Px(p.x))
	Style(p.hair, "top", Px(top))
	Style(p.hair, "height", Px(f.Panels[len(f.Panels)-1].Box.Bottom()-top))
	PlaceTip(p.Tip, p.x, f.W)
}

// follow says what stands at the time that the reader points at in another chart.
func (p *FigureCard) follow(at float64) {
	line := p.Now.Timeline()
	if !p.Drawn() || line.W <= 0 || p.asked { // the reader, who has just left the other one, is here
		return
	}
	p.x, p.layer, p.item, p.other = math.NaN(), -1, -1, true
	if x, ok := line.Place(at); ok {
		p.x = x
	}
	p.point()
}

// tell lets other charts follow the reader in this one.
func (p *FigureCard) tell() {
	line := p.Now.Timeline()
	at, ok := line.At(p.x)
	if !ok {
		at = math.NaN()
	}
	p.Link.point(at)
}

func (p *FigureCard) listen() {
	el := p.stage
	p.Scope.Listen(el, "pointermove", func(ev js.Value) {
		x := p.Place(ev)
		id := ev.Get("pointerId").Int()
		if _, down := p.points[id]; down && p.Moved != nil {
			p.points[id] = x
			span := p.held[2] - p.held[1]
			if len(p.points) == 2 {
				p.zoomTo(p.held[1], p.held[2], p.pinch/p.spread(), p.held[0])
			} else if math.Abs(x-p.held[0]) > 3 {
				d := (p.held[0] - x) / p.box().W * span
				p.Moved(p.held[1]+d, p.held[2]+d)
			}
			return
		}
		p.x = x
		p.layer, p.item = marked(ev.Get("target"))
		p.ask()
	})
	p.Scope.Listen(el, "pointerleave", func(js.Value) {
		p.x, p.layer, p.item = math.NaN(), -1, -1
		p.ask()
	})
	if p.Moved == nil {
		return
	}
	p.Scope.Listen(el, "pointerdown", func(ev js.Value) {
		x := p.Place(ev)
		el.Call("setPointerCapture", ev.Get("pointerId"))
		p.points[ev.Get("pointerId").Int()] = x
		p.hold(x)
		if len(p.points) == 2 {
			p.pinch = p.spread()
		}
	})
	up := func(ev js.Value) {
		delete(p.points, ev.Get("pointerId").Int())
		p.hold(p.Place(ev))
	}
	p.Scope.Listen(el, "pointerup", up)
	p.Scope.Listen(el, "pointercancel", up)
	p.Scope.ListenActive(el, "wheel", func(ev js.Value) {
		ev.Call("preventDefault")
		p.Moved(WheelSpan(ev, p.line(p.axis().Min, p.axis().Max), p.Place(ev)))
	})
	p.Scope.Listen(el, "dblclick", func(js.Value) { p.Moved(math.Inf(-1), math.Inf(1)) })
	p.Scope.Listen(el, "keydown", func(ev js.Value) {
		from, to := p.axis().Min, p.axis().Max
		d, middle := (to-from)*.15, p.box().X+p.box().W/2
		switch ev.Get("key").String() {
		case "ArrowLeft", "a", "A":
			p.Moved(from-d, to-d)
		case "ArrowRight", "d", "D":
			p.Moved(from+d, to+d)
		case "ArrowUp", "w", "W", "+":
			p.zoomTo(from, to, .7, middle)
		case "ArrowDown", "s", "S", "-":
			p.zoomTo(from, to, 1/.7, middle)
		case "0":
			p.Moved(math.Inf(-1), math.Inf(1))
		default:
			return
		}
		ev.Call("preventDefault")
	})
}

// box and axis are those of the first panel, which the others follow.
func (p *FigureCard) box() Box { return p.Now.Panels[0].Box }

func (p *FigureCard) axis() *Axis { return &p.Now.Panels[0].X }

// Place is where a pointer is in the figure; the element that it is on changes.
func (p *FigureCard) Place(ev js.Value) float64 {
	return ev.Get("clientX").Float() - p.stage.Call("getBoundingClientRect").Get("left").Float()
}

// hold remembers place and span at the beginning of a drag.
func (p *FigureCard) hold(x float64) { p.held = [3]float64{x, p.axis().Min, p.axis().Max} }

func (p *FigureCard) spread() float64 {
	var xs []float64
	for _, x := range p.points {
		xs = append(xs, x)
	}
	return max(20, math.Abs(xs[0]-xs[1]))
}

// zoomTo scales a span around a place on the screen.
func (p *FigureCard) zoomTo(from, to, factor, x float64) {
	p.Moved(zoomed(p.line(from, to), factor, x))
}

// line is the horizontal axis, were it to show this span.
func (p *FigureCard) line(from, to float64) Timeline {
	return Timeline{X: p.box().X, W: p.box().W, From: from, To: to}
}

func (p *FigureCard) ask() {
	if p.asked {
		return
	}
	p.asked, p.other = true, false
	Frame(func() {
		p.asked = false
		p.point()
		p.tell()
	})
}

// marked is the mark that an element of a figure stands for: its layer and item,
// −1 for none.
func marked(el js.Value) (layer, item int) {
	if at := el.Call("getAttribute", "data-mark"); at.Type() == js.TypeString {
		one, other, _ := strings.Cut(at.String(), " ")
		layer, _ = strconv.Atoi(one)
		item, _ = strconv.Atoi(other)
		return layer, item
	}
	return -1, -1
}

// Stack is an island made of several cards.
type Stack struct {
	*Host
	Parts []Island
	next  int // part to be drawn next
	asked bool
}

// Draw draws one card after the other; what a frame has no room for follows in
// the next ones.
func (s *Stack) Draw() {
	s.next = 0
	s.goOn()
}

func (s *Stack) goOn() {
	for began, full := Now(), false; s.next < len(s.Parts) && !full; s.next++ {
		s.Parts[s.next].Draw()
		full = drew(began)
	}
	if s.next == len(s.Parts) || s.asked {
		return
	}
	s.asked = true
	roomy(func() {
		s.asked = false
		if s.El.Get("isConnected").Bool() && s.El.Get("clientWidth").Int() > 0 {
			s.goOn()
		} else {
			s.next = 0
			s.Again() // it is drawn as a whole when it is seen again
		}
	})
}

// DrawFunc is a part of a stack that nothing but draws.
type DrawFunc func()

func (d DrawFunc) Draw() { d() }

func (d DrawFunc) Release() {}

func (s *Stack) Release() {
	for _, p := range s.Parts {
		p.Release()
	}
}

// Part makes room for one card of a stack. It shares the host's life, but has
// a root of its own.
func (s *Stack) Part(parent js.Value, class string) *Host {
	return s.At(add(parent, HTML(`<div class="bl {}"></div>`, class)))
}

// At is the place of a part of an island in an element that is there.
func (h *Host) At(root js.Value) *Host {
	return &Host{El: h.El, Root: root, Store: h.Store, Scope: h.Scope, Outer: h}
}
