//go:build js

package cases

import (
	"syscall/js"

	"batchlab/core/model"
	"batchlab/ui/draw"
)

// listen lets a pointer take hold of jobs in the drawings.
func (v *view) listen() {
	h := v.Host
	h.Scope.ListenActive(v.right, "pointerdown", func(ev js.Value) {
		if v.puzzle != nil || ev.Get("button").Int() > 0 {
			return
		}
		target := ev.Get("target")
		grip := target.Call("closest", "[data-grip]")
		column := "submit" // of a job that is moved as a whole
		if grip.Truthy() {
			column = grip.Get("dataset").Get("grip").String()
		} else if job := target.Call("closest", "[data-j]"); job.Truthy() {
			v.job = int(v.last.Jobs[0].Number[draw.Number(job, "j")-1]) - 1
		} else {
			return
		}
		v.grab = v.hold(target, v.job, column)
		if v.grab == nil {
			return
		}
		board := target.Call("closest", "svg.board").Get("dataset").Get("board").String()
		v.grab.X, v.grab.Y = ev.Get("clientX").Float(), ev.Get("clientY").Float()
		if grip.Truthy() || ev.Get("pointerType").String() == "mouse" {
			ev.Call("preventDefault")
			v.right.Call("setPointerCapture", ev.Get("pointerId"))
			v.table.Hold()
		} else {
			v.grab = nil // a finger on a job scrolls
		}
		v.boards()
		if at := draw.Find(v.right, string(draw.HTML(`[data-at="{}/{}"]`, board, column))); at.Truthy() { // arrow keys go on from here
			at.Call("focus", map[string]any{"preventScroll": true})
		}
	})
	h.Scope.Listen(v.right, "pointermove", func(ev js.Value) {
		g := v.grab
		if g == nil {
			return
		}
		x, y := ev.Get("clientX").Float(), ev.Get("clientY").Float()
		if d := max(x-g.X, g.X-x, y-g.Y, g.Y-y); !g.Moved && d < 4 {
			return
		}
		g.Moved = true
		v.drag(g, g.At(x, y))
	})
	end := func(js.Value) {
		if v.grab != nil {
			v.grab = nil
			v.table.Release()
			v.Draw()
		}
	}
	h.Scope.Listen(v.right, "pointerup", end)
	h.Scope.Listen(v.right, "pointercancel", end)
}

// hold says what dragging means at an element of a board; nil where it is none.
func (v *view) hold(at js.Value, row int, column string) *DraggedNumber {
	board := at.Call("closest", "svg.board")
	if !board.Truthy() || row < 0 || row >= v.table.Rows() || v.last == nil {
		return nil
	}
	data := board.Get("dataset")
	float := func(key string) float64 { return draw.Global.Call("Number", data.Get(key)).Float() }
	g := &DraggedNumber{Row: row, Column: column, From: v.table.Value(row, column), Per: float("per"), Height: float("row"), Grain: model.Time(float("grain")), Until: v.last.Until()}
	for i := range v.last.Ran.Schedulers {
		if r := v.last.Shown(i); r != nil {
			g.Processors = max(g.Processors, r.Processors)
		}
	}
	return g
}

// drag gives what is held a value; table and schedules follow.
func (v *view) drag(g *DraggedNumber, to int64) {
	if v.table.Drag(g.Row, g.Column, to, g.Processors) {
		v.Draw()
		v.say(v.table.Said(g.Row, g.Column))
	}
}

// gripKey moves the grip that has the focus by the arrow keys, or takes the last
// change back.
func (v *view) gripKey(ev js.Value) {
	if key := ev.Get("key").String(); draw.Modified(ev) && !ev.Get("altKey").Bool() && !draw.Typing(ev) && (key == "z" || key == "Z") {
		ev.Call("preventDefault")
		ev.Call("stopPropagation")
		if !ev.Get("shiftKey").Bool() { // nothing that was taken back is kept, so there is none to make again
			v.table.Undo()
			v.Draw()
		}
		return
	}
	grip := ev.Get("target").Call("closest", "[data-grip]")
	if !grip.Truthy() || draw.Modified(ev) {
		return
	}
	by := int64(0)
	switch ev.Get("key").String() {
	case "ArrowLeft", "ArrowDown":
		by = -1
	case "ArrowRight", "ArrowUp":
		by = 1
	default:
		return
	}
	ev.Call("preventDefault")
	ev.Call("stopPropagation")
	if g := v.hold(grip, v.job, grip.Get("dataset").Get("grip").String()); g != nil {
		v.drag(g, g.Key(by, ev.Get("shiftKey").Bool()))
	}
}
