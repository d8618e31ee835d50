//go:build js

package gantt

import (
	"math"
	"syscall/js"

	"batchlab/ui/draw"
)

// listenMini lets the frame of the minimap be dragged, or set by a click.
func (g *gantt) listenMini() {
	el := g.frame.El
	held := byte(0) // 'm' the frame, 'l' and 'r' its edges
	g.Scope.Listen(el, "pointerdown", func(ev js.Value) {
		if !g.ready() {
			return
		}
		el.Call("setPointerCapture", ev.Get("pointerId"))
		x, _ := draw.At(ev)
		t := float64(g.all.time().At(x))
		x0, x1 := g.all.time().X(g.chart.From), g.all.time().X(g.chart.To)
		whole := g.span.To-g.span.From >= float64(g.span.Full[1]-g.span.Full[0])-1
		switch {
		case math.Abs(x-x0) < 6:
			held = 'l'
		case math.Abs(x-x1) < 6:
			held = 'r'
		case whole: // nothing to move: draw a new frame
			held = 'r'
			g.span.From = t
		default:
			held = 'm'
			g.input.mini = 0
			if x > x0 && x < x1 {
				g.input.mini = t - (g.span.From+g.span.To)/2
			}
		}
		g.dragMini(held, t)
	})
	g.Scope.Listen(el, "pointermove", func(ev js.Value) {
		x, _ := draw.At(ev)
		if held != 0 {
			g.dragMini(held, float64(g.all.time().At(x)))
			return
		}
		cursor := "grab"
		if math.Abs(x-g.all.time().X(g.chart.From)) < 6 || math.Abs(x-g.all.time().X(g.chart.To)) < 6 {
			cursor = "ew-resize"
		}
		draw.Style(el, "cursor", cursor)
	})
	end := func(js.Value) { held = 0 }
	g.Scope.Listen(el, "pointerup", end)
	g.Scope.Listen(el, "pointercancel", end)
}

func (g *gantt) dragMini(held byte, t float64) {
	switch held {
	case 'l':
		g.show(min(t, g.span.To-60), g.span.To)
	case 'r':
		g.show(g.span.From, max(t, g.span.From+60))
	default:
		half := (g.span.To - g.span.From) / 2
		c := t - g.input.mini
		g.show(c-half, c+half)
	}
}
