//go:build js

package gantt

import (
	"math"
	"strconv"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// reserving draws an advance reservation on the Gantt chart: by dragging a box
// over a time and processors, or with the keys: R begins one in the middle of
// the view, arrows move it, with shift they change its size, Enter asks for it
// and Escape gives it up. Which processors are drawn says how many, and of
// which provider; the schedule decides which they are.
type reserving struct {
	g      *gantt
	button js.Value
	on     bool
	draft  *draft
}

// draft is a reservation that is being drawn.
type draft struct {
	pane         int
	from, to     float64 // seconds
	first, count int     // processors
}

func (r *reserving) init(g *gantt, button js.Value) {
	r.g, r.button = g, button
	g.Scope.Listen(button, "click", func(js.Value) { r.set(!r.on) })
	draw.Attr(r.button, "aria-pressed", "false")
}

func (r *reserving) set(on bool) {
	r.on = on
	draw.Attr(r.button, "aria-pressed", strconv.FormatBool(on))
	r.g.over.El.Get("classList").Call("toggle", "bl-cross", on)
	if !on {
		r.draft = nil
	}
	r.g.overlay()
}

// paneAt returns the pane under a point, −1 none, and the processor there.
func (r *reserving) paneAt(x, y float64) (pane, processor int) {
	for i := range r.g.chart.Panes {
		b := r.g.chart.Layout.Panes[i].Jobs
		if b.Inside(x, y) {
			return i, r.processor(i, y)
		}
	}
	return -1, 0
}

// processor is the processor at a height of a pane; numbers rise from its
// bottom.
func (r *reserving) processor(pane int, y float64) int {
	f := r.g.chart.frame(pane)
	return min(r.g.chart.Panes[pane].Procs-1, max(0, int(f.Processor(y))))
}

// begin starts a box at a point; false when the point is in no pane.
func (r *reserving) begin(x, y float64) bool {
	pane, processor := r.paneAt(x, y)
	if !r.on || pane < 0 {
		return false
	}
	at := float64(r.g.chart.At(x))
	r.draft = &draft{pane, at, at, processor, 1}
	return true
}

// drag draws the box from where it was begun to a point.
func (r *reserving) drag(x, y float64) {
	d, g := r.draft, r.g
	b := g.chart.Layout.Panes[d.pane].Jobs
	from := float64(g.chart.At(g.input.down[0]))
	to := float64(g.chart.At(min(b.Right(), max(b.X, x))))
	a, c := r.processor(d.pane, g.input.down[1]), r.processor(d.pane, y)
	d.from, d.to, d.first, d.count = min(from, to), max(from, to), min(a, c), max(a, c)-min(a, c)+1
	r.within()
}

// within keeps the draft within the provider where it begins.
func (r *reserving) within() {
	d := r.draft
	_, first := r.g.Store.Provider(d.first)
	end := r.g.chart.Panes[d.pane].Procs
	for p := d.first + 1; p < end && p < d.first+d.count; p++ {
		if _, other := r.g.Store.Provider(p); other != first {
			end = p
		}
	}
	d.count = max(1, min(d.count, end-d.first))
}

// box is where the draft stands.
func (r *reserving) box() *draw.Box {
	d, g := r.draft, r.g
	if d == nil || d.pane >= len(g.chart.Panes) {
		return nil
	}
	f := g.chart.frame(d.pane)
	box := f.Box(int32(d.first), int32(d.count), model.Time(d.from), model.Time(d.to))
	return &box
}

// said is "8 processors of Provider 1, …".
func (r *reserving) said() string {
	d := r.draft
	text := words.Count(d.count, "processor", "processors")
	if name, _ := r.g.Store.Provider(d.first); name != "" {
		text += " of " + name
	}
	return text + " from " + r.g.chart.Clock.When(model.Time(d.from)) + " for " + words.Dur(d.to-d.from)
}

// ask makes the draft a reservation of the settings.
func (r *reserving) ask() {
	d := r.draft
	name, _ := r.g.Store.Provider(d.first)
	said := r.said()
	row := r.g.Store.AddReservation(name, int64(d.count), int64(math.Floor(d.from)), int64(math.Ceil(d.to)))
	r.set(false)
	if row >= 0 {
		r.g.say.Set("textContent", "Reservation of "+said+" is in the list; run again to see it.")
	}
	draw.Refresh()
}

// key serves the keys of a draft; true when it was one of them.
func (r *reserving) key(ev js.Value) bool {
	g, k := r.g, ev.Get("key").String()
	if (k == "r" || k == "R") && r.draft == nil {
		r.set(true)
		span := g.span.To - g.span.From
		procs := g.chart.Panes[0].Procs
		r.draft = &draft{0, math.Round(g.span.From + span*.4), math.Round(g.span.From + span*.6), 0, max(1, procs/8)}
		r.within()
		g.say.Set("textContent", "Reservation of "+r.said()+". Arrows move it, with shift they change its size, Enter asks for it, Escape gives it up.")
		g.overlay()
		return true
	}
	d := r.draft
	if d == nil {
		if k == "Escape" && r.on {
			r.set(false)
			return true
		}
		return false
	}
	step, resize := max(60, math.Round((g.span.To-g.span.From)/100)), ev.Get("shiftKey").Bool()
	procs := g.chart.Panes[d.pane].Procs
	switch k {
	case "Enter":
		if d.to > d.from {
			r.ask()
		}
		return true
	case "Escape":
		r.set(false)
		g.say.Set("textContent", "No reservation.")
		return true
	case "ArrowLeft", "ArrowRight":
		if k == "ArrowLeft" {
			step = -step
		}
		if d.to += step; !resize {
			d.from += step
		}
		d.to = max(d.to, d.from+60)
	case "ArrowUp", "ArrowDown":
		by := 1
		if k == "ArrowDown" {
			by = -1
		}
		if resize {
			d.count = max(1, min(procs-d.first, d.count+by))
		} else {
			d.first = max(0, min(procs-d.count, d.first+by))
		}
	default:
		return false
	}
	r.within()
	g.say.Set("textContent", r.said())
	g.overlay()
	return true
}
