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
		t := float64(g.all.At(x))
		x0, x1 := g.all.X(g.chart.From), g.all.X(g.chart.To)
		whole := g.to-g.from >= float64(g.full[1]-g.full[0])-1
		switch {
		case math.Abs(x-x0) < 6:
			held = 'l'
		case math.Abs(x-x1) < 6:
			held = 'r'
		case whole: // nothing to move: draw a new frame
			held = 'r'
			g.from = t
		default:
			held = 'm'
			g.input.mini = 0
			if x > x0 && x < x1 {
				g.input.mini = t - (g.from+g.to)/2
			}
		}
		g.dragMini(held, t)
	})
	g.Scope.Listen(el, "pointermove", func(ev js.Value) {
		x, _ := draw.At(ev)
		if held != 0 {
			g.dragMini(held, float64(g.all.At(x)))
			return
		}
		cursor := "grab"
		if math.Abs(x-g.all.X(g.chart.From)) < 6 || math.Abs(x-g.all.X(g.chart.To)) < 6 {
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
		g.show(min(t, g.to-60), g.to)
	case 'r':
		g.show(g.from, max(t, g.from+60))
	default:
		half := (g.to - g.from) / 2
		c := t - g.input.mini
		g.show(c-half, c+half)
	}
}
