//go:build js

package island

import (
	"math"
	"strconv"
	"syscall/js"

	"batchlab/core/model"
)

// measuring is the measuring window on the axis of the Gantt chart: a bar
// between two ends that can be dragged or moved by keys. Dragging over the free
// axis draws a new window. What is let go becomes a change of the settings.
type measuring struct {
	g         *gantt
	track     js.Value
	bar       js.Value
	end       [2]js.Value
	span      [2]float64 // while it is moved; else as the settings say
	held      int        // end that is dragged, −1 none
	from      float64    // where a new window was begun, NaN none
	downX     float64
	commit    func() // cancels the change that keys wait with
	unchanged [2]float64
	placed    placed
}

func (m *measuring) init(g *gantt) {
	m.g, m.held, m.from = g, -1, math.NaN()
	m.track = add(g.wrap, "div", "bl-mw")
	attr(m.track, "title", "Drag to choose the measuring window: only jobs submitted in it count")
	m.bar = add(m.track, "div", "bl-mw-bar")
	for i, name := range [...]string{"Measuring window starts", "Measuring window ends"} {
		b := add(m.track, "button", "bl-mw-end")
		m.end[i] = b
		attr(b, "type", "button", "role", "slider", "aria-label", name, "aria-orientation", "horizontal")
		g.scope.listen(b, "pointerdown", func(ev js.Value) {
			b.Call("setPointerCapture", ev.Get("pointerId"))
			m.held, m.unchanged = i, m.span
			ev.Call("stopPropagation")
		})
		g.scope.listen(b, "pointermove", func(ev js.Value) {
			if m.held == i {
				m.move(i, m.at(ev))
			}
		})
		up := func(ev js.Value) {
			if m.held == i {
				m.held = -1
				if ev.Get("type").String() == "pointercancel" {
					m.span = m.unchanged
				}
				m.save()
			}
		}
		g.scope.listen(b, "pointerup", up)
		g.scope.listen(b, "pointercancel", up)
		g.scope.listen(b, "keydown", func(ev js.Value) { m.key(i, ev) })
	}
	g.scope.listen(m.track, "pointerdown", func(ev js.Value) {
		if ev.Get("target").Equal(m.track) || ev.Get("target").Equal(m.bar) {
			m.track.Call("setPointerCapture", ev.Get("pointerId"))
			m.from, m.downX, m.unchanged = m.at(ev), ev.Get("clientX").Float(), m.span
		}
	})
	g.scope.listen(m.track, "pointermove", func(ev js.Value) {
		if math.IsNaN(m.from) || math.Abs(ev.Get("clientX").Float()-m.downX) < 4 {
			return
		}
		to := m.at(ev)
		m.span = [2]float64{min(m.from, to), max(m.from, to)}
		m.place()
	})
	up := func(ev js.Value) {
		if math.IsNaN(m.from) {
			return
		}
		m.from = math.NaN()
		if ev.Get("type").String() == "pointercancel" {
			m.span = m.unchanged
		}
		if m.span != m.unchanged {
			m.save()
		}
	}
	g.scope.listen(m.track, "pointerup", up)
	g.scope.listen(m.track, "pointercancel", up)
	g.scope.listenActive(m.track, "wheel", g.wheel)
}

// at is the time under a pointer, within the whole span.
func (m *measuring) at(ev js.Value) float64 {
	g := m.g
	x := ev.Get("clientX").Float() - m.track.Call("getBoundingClientRect").Get("left").Float()
	w := g.chart.Layout.Panes[0].Jobs.W
	return m.inside(g.from + x/w*(g.to-g.from))
}

func (m *measuring) inside(t float64) float64 {
	return min(float64(m.g.full[1]), max(float64(m.g.full[0]), math.Round(t)))
}

// move moves one end; it stops a minute before the other.
func (m *measuring) move(i int, to float64) {
	if i == 0 {
		m.span[0] = min(m.inside(to), m.span[1]-60)
	} else {
		m.span[1] = max(m.inside(to), m.span[0]+60)
	}
	m.place()
}

// key moves an end by a hundredth of what is shown, ten times as far with the
// shift key.
func (m *measuring) key(i int, ev js.Value) {
	if modified(ev) {
		return
	}
	step := max(60, math.Round((m.g.to-m.g.from)/100))
	if ev.Get("shiftKey").Bool() {
		step *= 10
	}
	switch ev.Get("key").String() {
	case "ArrowLeft", "ArrowDown":
		m.move(i, m.span[i]-step)
	case "ArrowRight", "ArrowUp":
		m.move(i, m.span[i]+step)
	case "Home":
		m.move(i, float64(m.g.full[0]))
	case "End":
		m.move(i, float64(m.g.full[1]))
	case "Delete", "Backspace":
		m.span = [2]float64{float64(m.g.full[0]), float64(m.g.full[1])}
		m.place()
	default:
		return
	}
	ev.Call("preventDefault")
	ev.Call("stopPropagation")
	if m.commit != nil {
		m.commit()
	}
	m.commit = later(600, m.save) // one change for a row of key presses
}

// save makes the window a change of the settings. An end at the end of
// everything is an open one.
func (m *measuring) save() {
	if m.commit != nil {
		m.commit()
		m.commit = nil
	}
	var from, to *int64
	if a := int64(m.span[0]); a > int64(m.g.full[0]) {
		from = &a
	}
	if b := int64(m.span[1]); b < int64(m.g.full[1]) {
		to = &b
	}
	m.g.store.MeasureWindow(from, to)
	Refresh()
}

// place puts bar and ends where the settings say, or the hand that moves them.
func (m *measuring) place() {
	g := m.g
	if !g.ready() || g.jobs() == nil {
		show(m.track, false)
		return
	}
	show(m.track, true)
	if m.held < 0 && math.IsNaN(m.from) && m.commit == nil {
		m.span = [2]float64{float64(g.full[0]), float64(g.full[1])}
		if w := &g.store.Settings.Measures; true {
			if w.From != nil {
				m.span[0] = m.inside(float64(*w.From))
			}
			if w.To != nil {
				m.span[1] = max(m.span[0], m.inside(float64(*w.To)))
			}
		}
	}
	b := g.chart.Layout.Panes[0].Jobs
	place := func(t float64) float64 { return (t - g.from) / max(1, g.to-g.from) * b.W }
	p := placed{left: b.X, width: b.W, x0: max(0, place(m.span[0])), x1: min(b.W, place(m.span[1])), span: m.span, full: g.full}
	p.whole = m.span[0] <= float64(g.full[0]) && m.span[1] >= float64(g.full[1])
	for i, t := range m.span {
		if p.at[i] = place(t); p.at[i] <= -1 || p.at[i] >= b.W+1 {
			p.at[i] = math.Inf(1) // out of view
		}
		p.said[i] = g.chart.Clock.When(model.Time(t))
	}
	if p == m.placed {
		return
	}
	m.placed = p
	style(m.track, "left", px(p.left))
	style(m.track, "width", px(p.width))
	style(m.bar, "left", px(p.x0))
	style(m.bar, "width", px(max(0, p.x1-p.x0)))
	m.track.Get("classList").Call("toggle", "whole", p.whole)
	for i, el := range m.end {
		in := !math.IsInf(p.at[i], 1)
		if show(el, in); in {
			style(el, "left", px(p.at[i]))
		}
		attr(el, "aria-valuemin", strconv.FormatInt(int64(g.full[0]), 10), "aria-valuemax", strconv.FormatInt(int64(g.full[1]), 10),
			"aria-valuenow", strconv.FormatInt(int64(m.span[i]), 10), "aria-valuetext", p.said[i], "title", el.Call("getAttribute", "aria-label").String()+": "+p.said[i])
	}
}

// placed is where the window stands on the page: nothing is written anew while
// it stays the same.
type placed struct {
	left, width, x0, x1 float64
	at, span            [2]float64
	full                [2]model.Time
	said                [2]string
	whole               bool
}
