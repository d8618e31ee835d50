//go:build js

package island

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/ui/chart"
	"batchlab/ui/state"
)

// ganttInput is where pointers and keys stand.
type ganttInput struct {
	hover    int     // job under the pointer, −1 none
	pane     int     // pane of the hovered or selected job
	x, y     float64 // of the pointer, x NaN outside
	points   map[int][2]float64
	down     [2]float64
	from, to float64 // span when the drag began
	moved    bool
	box      *chart.Box
	pinch    float64 // distance of two fingers when the pinch began
	mini     float64 // where the minimap's frame was taken, in seconds from its middle
	shownJob int
	shownKey string
}

// show moves to a span and tells the store once the reader pauses.
func (g *gantt) show(from, to float64) {
	g.from, g.to = from, to
	g.clamp()
	g.lastMove = now()
	if g.commit != nil {
		g.commit()
	}
	g.commit = later(250, func() {
		g.commit = nil
		a, b := model.Time(math.Floor(g.from)), model.Time(math.Ceil(g.to))
		if a <= g.full[0] && b >= g.full[1] {
			a, b = 0, 0
		}
		g.stored = [2]model.Time{a, b}
		g.store.Look(func(v *state.View) { v.From, v.To = a, b })
		Refresh()
	})
	g.ask()
}

// ask draws in the next frame.
func (g *gantt) ask() {
	if g.frameAsked {
		return
	}
	g.frameAsked = true
	frame(func() {
		g.frameAsked = false
		if g.el.Get("isConnected").Bool() && len(g.chart.Panes) > 0 {
			g.render()
		}
	})
}

// zoom scales the span around a place in it (0 left, 1 right).
func (g *gantt) zoom(factor, place float64) {
	span := g.to - g.from
	next := min(float64(g.full[1]-g.full[0]), max(60, span*factor))
	at := g.from + span*place
	g.show(at-next*place, at-next*place+next)
}

func (g *gantt) pan(part float64) {
	d := (g.to - g.from) * part
	g.show(g.from+d, g.to+d)
}

// place is where x lies in the span.
func (g *gantt) place(x float64) float64 {
	b := g.chart.Layout.Panes[0].Jobs
	return min(1, max(0, (x-b.X)/b.W))
}

// jobAt finds the job under a point of the page.
func (g *gantt) jobAt(x, y float64) (job, pane int) {
	for i, p := range g.panes {
		b := g.chart.Layout.Panes[i].Jobs
		if p.run == nil || !b.Inside(x, y) {
			continue
		}
		dx, dy := int((x-b.X)*g.base.scale), int((y-b.Y)*g.base.scale)
		for _, d := range [...][2]int{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			if j := p.raster.At(dx+d[0], dy+d[1]); j >= 0 && g.chart.Panes[i].Index != nil {
				job, _ := g.chart.Panes[i].Index.Job(j)
				return job, i
			}
		}
	}
	return -1, 0
}

// selectJob selects a job, −1 none.
func (g *gantt) selectJob(job, pane int) {
	g.input.pane, g.input.hover = pane, -1
	g.store.Look(func(v *state.View) { v.Job = job })
	Refresh()
}

func at(ev js.Value) (x, y float64) {
	return ev.Get("offsetX").Float(), ev.Get("offsetY").Float()
}

func (g *gantt) listen() {
	el, in := g.over.el, &g.input
	in.points = map[int][2]float64{}
	in.shownJob = -1
	g.scope.listenActive(el, "wheel", g.wheel)
	g.scope.listen(el, "pointerdown", func(ev js.Value) {
		if len(g.chart.Panes) == 0 || ev.Get("button").Int() > 1 {
			return
		}
		x, y := at(ev)
		in.points[ev.Get("pointerId").Int()] = [2]float64{x, y}
		el.Call("setPointerCapture", ev.Get("pointerId"))
		in.down, in.from, in.to, in.moved, in.box = [2]float64{x, y}, g.from, g.to, false, nil
		if len(in.points) == 2 {
			in.pinch = g.spread()
		}
		if len(in.points) == 1 && g.reserve.begin(x, y) {
			return
		}
		if ev.Get("shiftKey").Bool() || g.boxZoom {
			b := g.chart.Layout.Panes[0].Jobs
			in.box = &chart.Box{X: min(max(x, b.X), b.Right()), Y: b.Y, H: g.chart.Layout.Bottom() - b.Y}
		}
	})
	g.scope.listen(el, "pointermove", g.moved)
	up := func(ev js.Value) {
		id := ev.Get("pointerId").Int()
		if _, ok := in.points[id]; !ok {
			return
		}
		delete(in.points, id)
		el.Get("classList").Call("remove", "bl-drag")
		if len(in.points) == 1 { // one finger of two was lifted
			for _, p := range in.points {
				in.down = p
			}
			in.from, in.to, in.moved = g.from, g.to, true
			return
		}
		box := in.box
		in.box = nil
		x, y := at(ev)
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
			g.lastMove = 0
			g.boxZoom = false
			attr(g.boxButton, "aria-pressed", "false")
		case !in.moved:
			g.selectJob(g.jobAt(x, y))
		}
		g.overlay()
	}
	g.scope.listen(el, "pointerup", up)
	g.scope.listen(el, "pointercancel", up)
	g.scope.listen(el, "pointerleave", func(js.Value) {
		in.hover, in.x = -1, math.NaN()
		g.overlay()
	})
	g.scope.listen(el, "dblclick", func(ev js.Value) {
		if job, _ := g.jobAt(at(ev)); job >= 0 {
			g.fit(job)
		} else {
			g.whole()
		}
	})
	g.scope.listen(global.Get("document"), "keydown", g.keyDown)
	g.listenMini()
}

// wheel zooms around the pointer, or pans sideways.
func (g *gantt) wheel(ev js.Value) {
	if len(g.chart.Panes) == 0 {
		return
	}
	ev.Call("preventDefault")
	x := ev.Get("clientX").Float() - g.over.el.Call("getBoundingClientRect").Get("left").Float()
	dx, dy := ev.Get("deltaX").Float(), ev.Get("deltaY").Float()
	if unit := ev.Get("deltaMode").Int(); unit == 1 {
		dx, dy = dx*30, dy*30
	}
	if math.Abs(dx) > math.Abs(dy) || ev.Get("shiftKey").Bool() {
		g.pan((dx + dy) / max(200, g.base.w))
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
	if len(g.chart.Panes) == 0 {
		return
	}
	x, y := at(ev)
	id := ev.Get("pointerId").Int()
	if _, held := in.points[id]; held {
		in.points[id] = [2]float64{x, y}
		if math.Abs(x-in.down[0]) > 4 || math.Abs(y-in.down[1]) > 4 {
			in.moved = true
		}
		b := g.chart.Layout.Panes[0].Jobs
		switch {
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
			g.over.el.Get("classList").Call("add", "bl-drag")
			in.hover, in.x = -1, math.NaN()
			d := (in.down[0] - x) / b.W * (in.to - in.from)
			g.show(in.from+d, in.to+d)
		}
		return
	}
	if ev.Get("pointerType").String() == "touch" {
		return
	}
	in.x, in.y = x, y
	job, pane := g.jobAt(x, y)
	in.hover = job
	if job >= 0 {
		in.pane = pane
	}
	g.askOverlay()
}

var overlayAsked bool

// askOverlay draws what follows the pointer in the next frame.
func (g *gantt) askOverlay() {
	if overlayAsked {
		return
	}
	overlayAsked = true
	frame(func() {
		overlayAsked = false
		g.overlay()
	})
}

// fit zooms to a job, with room for its wait.
func (g *gantt) fit(job int) {
	from, to := math.Inf(1), math.Inf(-1)
	for _, p := range g.panes {
		if p.run == nil || job >= len(p.run.Result.Columns.Start) {
			continue
		}
		c := &p.run.Result.Columns
		from = min(from, float64(c.Submitted(g.jobs())[job]))
		to = max(to, float64(c.End[job]))
	}
	if to > from {
		room := max(300, (to-from)*.25)
		g.show(from-room, to+room)
	}
}

// step selects the next or previous job in order of submission and moves it
// into view.
func (g *gantt) step(by int) {
	jobs := g.jobs()
	if jobs == nil || len(jobs.Number) == 0 {
		return
	}
	job := g.store.View.Job
	if job < 0 {
		job = 0
		for job < len(jobs.Submit)-1 && float64(jobs.Submit[job]) < g.from {
			job++
		}
	} else {
		job = min(len(jobs.Number)-1, max(0, job+by))
	}
	g.reveal(job)
	g.selectJob(job, min(g.input.pane, len(g.panes)-1))
}

// whole shows everything, drawn at once as far as that goes.
func (g *gantt) whole() {
	g.show(float64(g.full[0]), float64(g.full[1]))
	g.lastMove = 0
}

// onNode selects the job that follows or goes before the selected one on its
// processors, in the pane where it was selected.
func (g *gantt) onNode(by int) {
	pane := min(g.input.pane, len(g.panes)-1)
	ix := g.chart.Panes[pane].Index
	if ix == nil || g.store.View.Job < 0 {
		return
	}
	job := ix.Neighbour(g.store.View.Job, by)
	if job < 0 {
		g.say.Set("textContent", map[bool]string{true: "No later job on these processors.", false: "No earlier job on these processors."}[by > 0])
		return
	}
	g.reveal(job)
	g.selectJob(job, pane)
}

// findJob selects a job by its number and zooms to it.
func (g *gantt) findJob(text string) {
	jobs := g.jobs()
	text = strings.TrimSpace(text)
	number, err := strconv.ParseInt(text, 10, 64)
	if text == "" || jobs == nil {
		return
	}
	job := -1
	if err == nil {
		job = slices.Index(jobs.Number, number)
	}
	if job < 0 {
		g.say.Set("textContent", "There is no job "+text+" in this workload.")
		attr(g.find, "aria-invalid", "true")
		return
	}
	attr(g.find, "aria-invalid", "false")
	g.selectJob(job, min(g.input.pane, len(g.panes)-1))
	g.fit(job)
}

// reveal pans until a job lies in view.
func (g *gantt) reveal(job int) {
	p := g.panes[min(g.input.pane, len(g.panes)-1)]
	if p.run == nil {
		return
	}
	c := &p.run.Result.Columns
	a, b := float64(c.Start[job]), float64(c.End[job])
	if b > g.from && a < g.to {
		return
	}
	half := (g.to - g.from) / 2
	g.show(a-half, a+half)
}

// keyDown serves the keys of the chart wherever the focus is, unless someone
// is typing.
func (g *gantt) keyDown(ev js.Value) {
	if g.el.Get("clientWidth").Int() == 0 { // another tab is shown
		return
	}
	if typing(ev) || modified(ev) || len(g.chart.Panes) == 0 || g.jobs() == nil || doc.Call("querySelector", "[role=dialog][aria-modal=true]").Truthy() {
		return
	}
	if g.reserve.key(ev) {
		ev.Call("preventDefault")
		ev.Call("stopPropagation")
		return
	}
	done := true
	switch k := ev.Get("key").String(); k {
	case "w", "W":
		g.zoom(.7, .5)
	case "s", "S":
		g.zoom(1/.7, .5)
	case "a", "A":
		g.pan(-.2)
	case "d", "D":
		g.pan(.2)
	case "0":
		g.whole()
	case "f", "F":
		if job := g.store.View.Job; job >= 0 {
			g.fit(job)
		} else {
			g.whole()
		}
	case "[":
		g.onNode(-1)
	case "]":
		g.onNode(1)
	case ".":
		g.step(1)
	case ",":
		g.step(-1)
	case "Escape":
		if done = g.store.View.Job >= 0; done {
			g.selectJob(-1, 0)
		}
	case "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown":
		if done = doc.Get("activeElement").Equal(g.over.el); !done {
			break
		}
		switch k {
		case "ArrowLeft":
			g.pan(-.1)
		case "ArrowRight":
			g.pan(.1)
		case "ArrowUp":
			g.step(-1)
		case "ArrowDown":
			g.step(1)
		}
	default:
		done = false
	}
	if done {
		ev.Call("preventDefault")
		ev.Call("stopPropagation")
	}
}

// listenMini lets the frame of the minimap be dragged, or set by a click.
func (g *gantt) listenMini() {
	el := g.mini.el
	held := byte(0) // 'm' the frame, 'l' and 'r' its edges
	g.scope.listen(el, "pointerdown", func(ev js.Value) {
		if len(g.chart.Panes) == 0 {
			return
		}
		el.Call("setPointerCapture", ev.Get("pointerId"))
		x, _ := at(ev)
		t := float64(g.map1.At(x))
		x0, x1 := g.map1.X(g.chart.From), g.map1.X(g.chart.To)
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
	g.scope.listen(el, "pointermove", func(ev js.Value) {
		x, _ := at(ev)
		if held != 0 {
			g.dragMini(held, float64(g.map1.At(x)))
			return
		}
		cursor := "grab"
		if math.Abs(x-g.map1.X(g.chart.From)) < 6 || math.Abs(x-g.map1.X(g.chart.To)) < 6 {
			cursor = "ew-resize"
		}
		style(el, "cursor", cursor)
	})
	end := func(js.Value) { held = 0 }
	g.scope.listen(el, "pointerup", end)
	g.scope.listen(el, "pointercancel", end)
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
