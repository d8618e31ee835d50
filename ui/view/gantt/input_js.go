//go:build js

package gantt

import (
	"math"
	"syscall/js"

	"batchlab/ui/draw"
	"batchlab/ui/look"
)

// ganttInput is where pointers and keys stand.
type ganttInput struct {
	hover    int     // job under the pointer, −1 none
	pane     int     // pane of the hovered or selected job
	x, y     float64 // of the pointer, x NaN outside
	points   map[int][2]float64
	down     [2]float64
	from, to float64 // span when the drag began
	rows     Rows    // in view then
	moved    bool
	box      *draw.Box
	pinch    float64 // distance of two fingers when the pinch began
	mini     float64 // where the minimap's frame was taken, in seconds from its middle
	shownJob int
	shownKey string
	card     [2]float64 // width and height of the card
}

// show moves to a span and tells the store once the reader pauses.
func (g *gantt) show(from, to float64) {
	g.span.Show(from, to)
	g.tell()
}

// tell draws what the reader has moved in the next frame, and tells the page of it once
// they rest.
func (g *gantt) tell() {
	g.lastMove, g.held = draw.Now(), true
	if g.commit != nil {
		g.commit()
	}
	g.commit = draw.AtRest(250, func() {
		g.commit = nil
		a, b := g.span.Tell()
		rows := g.chart.Rows
		g.rows.told = rows
		g.Store.Look(func(v *look.View) { v.From, v.To, v.Low, v.High = a, b, rows.From, rows.To })
		draw.Refresh()
	})
	g.ask()
}

// ask draws in the next frame.
func (g *gantt) ask() {
	if g.frameAsked {
		return
	}
	g.frameAsked = true
	draw.Frame(func() {
		g.frameAsked = false
		if g.El.Get("isConnected").Bool() && g.ready() {
			g.render()
		}
	})
}

// zoom scales the span around a place in it (0 left, 1 right).
func (g *gantt) zoom(factor, place float64) {
	span := g.span.To - g.span.From
	next := min(float64(g.span.Full[1]-g.span.Full[0]), max(60, span*factor))
	at := g.span.From + span*place
	g.show(at-next*place, at-next*place+next)
}

func (g *gantt) pan(part float64) {
	d := (g.span.To - g.span.From) * part
	g.show(g.span.From+d, g.span.To+d)
}

// place is where x lies in the span.
func (g *gantt) place(x float64) float64 {
	b := g.chart.Layout.Panes[0].Jobs
	return min(1, max(0, (x-b.X)/b.W))
}

// jobAt finds the job under a point of the page.
func (g *gantt) jobAt(x, y float64) (job, pane int) {
	if !g.ready() {
		return -1, 0
	}
	return g.chart.JobAt(x, y)
}

// selectJob selects a job, −1 none.
func (g *gantt) selectJob(job, pane int) {
	g.input.pane, g.input.hover, g.idle = pane, -1, nil
	g.Store.Look(func(v *look.View) { v.Job = job })
	draw.Refresh()
}

func (g *gantt) listen() {
	el, in := g.over.El, &g.input
	in.points = map[int][2]float64{}
	in.shownJob = -1
	g.Scope.ListenActive(el, "wheel", g.wheel)
	g.Scope.Listen(el, "pointerdown", func(ev js.Value) {
		if !g.ready() || ev.Get("button").Int() > 1 {
			return
		}
		x, y := draw.At(ev)
		in.points[ev.Get("pointerId").Int()] = [2]float64{x, y}
		el.Call("setPointerCapture", ev.Get("pointerId"))
		in.down, in.from, in.to, in.moved, in.box = [2]float64{x, y}, g.span.From, g.span.To, false, nil
		in.rows = g.chart.Rows
		if len(in.points) == 2 {
			in.pinch = g.spread()
		}
		if len(in.points) == 1 && (g.reserve.begin(x, y) || g.rows.begin(x, y)) {
			return
		}
		if ev.Get("shiftKey").Bool() || g.boxZoom {
			b := g.chart.Layout.Panes[0].Jobs
			in.box = &draw.Box{X: min(max(x, b.X), b.Right()), Y: b.Y, H: g.chart.Layout.Bottom() - b.Y}
		}
	})
	g.Scope.Listen(el, "pointermove", g.moved)
	up := func(ev js.Value) {
		id := ev.Get("pointerId").Int()
		if _, ok := in.points[id]; !ok {
			return
		}
		delete(in.points, id)
		if g.rows.held >= 0 {
			g.rows.held = -1
			return
		}
		el.Get("classList").Call("remove", "bl-drag")
		if len(in.points) == 1 { // one finger of two was lifted
			for _, p := range in.points {
				in.down = p
			}
			in.from, in.to, in.moved = g.span.From, g.span.To, true
			return
		}
		box := in.box
		in.box = nil
		x, y := draw.At(ev)
		switch {
		case g.reserve.draft != nil && g.reserve.on:
			if d := g.reserve.draft; ev.Get("type").String() != "pointercancel" && in.moved && d.to > d.from {
				g.reserve.ask()
			} else {
				g.reserve.draft = nil
			}
		case ev.Get("type").String() == "pointercancel":
		case box != nil && box.W > 3:
			a, b := float64(g.chart.At(box.X)), float64(g.chart.At(box.Right()))
			g.show(a, b)
			g.lastMove, g.held = 0, false
			g.boxZoom = false
			draw.Attr(g.boxButton, "aria-pressed", "false")
		case !in.moved:
			if rows, closed := g.chart.BandAt(x, y); closed {
				g.rows.show(rows)
				break
			}
			g.selectJob(g.jobAt(x, y))
			if g.ready() {
				g.askIdle(g.chart.IdleAt(x, y))
			}
		}
		g.overlay()
	}
	g.Scope.Listen(el, "pointerup", up)
	g.Scope.Listen(el, "pointercancel", up)
	g.Scope.Listen(el, "pointerleave", func(js.Value) {
		in.hover, in.x = -1, math.NaN()
		g.overlay()
	})
	g.Scope.Listen(el, "dblclick", func(ev js.Value) {
		if job, _ := g.jobAt(draw.At(ev)); job >= 0 {
			g.fit(job)
		} else {
			g.whole()
		}
	})
	g.Scope.Listen(draw.Global.Get("document"), "keydown", g.keyDown)
	g.listenMini()
}

// wheel zooms around the pointer, or pans sideways.
func (g *gantt) wheel(ev js.Value) {
	if !g.ready() {
		return
	}
	ev.Call("preventDefault")
	x, y := draw.At(ev)
	dx, dy := ev.Get("deltaX").Float(), ev.Get("deltaY").Float()
	if unit := ev.Get("deltaMode").Int(); unit == 1 {
		dx, dy = dx*30, dy*30
	}
	if g.rows.wheel(x, y, dy) {
		return
	}
	if math.Abs(dx) > math.Abs(dy) || ev.Get("shiftKey").Bool() {
		g.pan((dx + dy) / max(200, g.over.W))
		return
	}
	g.zoom(math.Exp(max(-300, min(300, dy))*.0022), g.place(x))
}

func (g *gantt) spread() float64 {
	var xs []float64
	for _, p := range g.input.points {
		xs = append(xs, p[0])
	}
	return max(20, math.Abs(xs[0]-xs[1]))
}

func (g *gantt) moved(ev js.Value) {
	in := &g.input
	if !g.ready() {
		return
	}
	x, y := draw.At(ev)
	id := ev.Get("pointerId").Int()
	if _, held := in.points[id]; held {
		in.points[id] = [2]float64{x, y}
		if math.Abs(x-in.down[0]) > 4 || math.Abs(y-in.down[1]) > 4 {
			in.moved = true
		}
		b := g.chart.Layout.Panes[0].Jobs
		switch {
		case g.rows.held >= 0:
			g.rows.drag(y)
		case g.reserve.draft != nil && len(in.points) == 1:
			g.reserve.drag(x, y)
			in.hover, in.x = -1, x
			g.overlay()
		case len(in.points) >= 2:
			in.moved = true
			factor := in.pinch / g.spread()
			mid := g.place((x + in.down[0]) / 2)
			span := (in.to - in.from) * factor
			c := in.from + (in.to-in.from)*mid
			g.show(c-span*mid, c-span*mid+span)
		case in.box != nil:
			a, c := min(max(in.down[0], b.X), b.Right()), min(max(x, b.X), b.Right())
			in.box.X, in.box.W = min(a, c), math.Abs(c-a)
			in.hover, in.x = -1, x
			g.overlay()
		case in.moved:
			g.over.El.Get("classList").Call("add", "bl-drag")
			in.hover, in.x = -1, math.NaN()
			d := (in.down[0] - x) / b.W * (in.to - in.from)
			if n := in.rows.To - in.rows.From; n > 0 {
				g.rows.show(in.rows.Moved(g.rows.procs(), (y-in.down[1])/b.H))
			}
			g.show(in.from+d, in.to+d)
		}
		return
	}
	if ev.Get("pointerType").String() == "touch" {
		return
	}
	in.x, in.y = x, y
	draw.Style(g.over.El, "cursor", g.cursor(x, y))
	job, pane := g.jobAt(x, y)
	in.hover = job
	if job >= 0 {
		in.pane = pane
	}
	g.askOverlay()
}

// cursor says what pressing at a point does.
func (g *gantt) cursor(x, y float64) string {
	if g.rows.at(x, y, false) >= 0 {
		return "ns-resize"
	}
	if _, closed := g.chart.BandAt(x, y); closed {
		return "pointer"
	}
	return ""
}

var overlayAsked bool

// askOverlay draws what follows the pointer in the next frame.
func (g *gantt) askOverlay() {
	if overlayAsked {
		return
	}
	overlayAsked = true
	draw.Frame(func() {
		overlayAsked = false
		g.overlay()
	})
}
