//go:build js

package draw

import (
	"math"
	"strconv"
	"strings"
	"syscall/js"

	"batchlab/core/model"
)

// Measuring is the measuring window on a time axis: a bar between two ends that
// can be dragged or moved by keys. Dragging over the free axis draws a new
// window. What is let go becomes a change of the settings.
type Measuring struct {
	TimeAxis
	h         *Host
	whole     [2]model.Time // all that can be shown, as of the last look at it
	Track     js.Value
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

// TimeAxis is an axis of time that a measuring window can stand on.
type TimeAxis struct {
	Line  func() Timeline      // without a width there is no axis
	Full  func() [2]model.Time // all that it can show
	Clock func() Clock         // that says its times
	Wheel func(ev js.Value)    // a turn of the wheel over it
}

// Init makes the window of an axis, in parent.
func (m *Measuring) Init(h *Host, parent js.Value, axis TimeAxis) {
	m.h, m.TimeAxis, m.held, m.from = h, axis, -1, math.NaN()
	m.Track = add(parent, `<div class="bl-mw" title="Drag to choose the measuring window: only jobs submitted in it count"><div class="bl-mw-bar"></div><button type="button" class="bl-mw-end" role="slider" aria-label="Measuring window starts" aria-orientation="horizontal"></button><button type="button" class="bl-mw-end" role="slider" aria-label="Measuring window ends" aria-orientation="horizontal"></button></div>`)
	m.bar, m.end[0], m.end[1] = m.Track.Get("firstChild"), Find(m.Track, "button"), m.Track.Get("lastChild")
	for i, b := range m.end {
		h.Scope.Listen(b, "pointerdown", func(ev js.Value) {
			b.Call("setPointerCapture", ev.Get("pointerId"))
			m.held, m.unchanged = i, m.span
			ev.Call("stopPropagation")
		})
		h.Scope.Listen(b, "pointermove", func(ev js.Value) {
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
		h.Scope.Listen(b, "pointerup", up)
		h.Scope.Listen(b, "pointercancel", up)
		h.Scope.Listen(b, "keydown", func(ev js.Value) { m.key(i, ev) })
	}
	h.Scope.Listen(m.Track, "pointerdown", func(ev js.Value) {
		if ev.Get("target").Equal(m.Track) || ev.Get("target").Equal(m.bar) {
			m.Track.Call("setPointerCapture", ev.Get("pointerId"))
			m.from, m.downX, m.unchanged = m.at(ev), ev.Get("clientX").Float(), m.span
		}
	})
	h.Scope.Listen(m.Track, "pointermove", func(ev js.Value) {
		if math.IsNaN(m.from) || math.Abs(ev.Get("clientX").Float()-m.downX) < 4 {
			return
		}
		to := m.at(ev)
		m.span = [2]float64{min(m.from, to), max(m.from, to)}
		m.Place()
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
	h.Scope.Listen(m.Track, "pointerup", up)
	h.Scope.Listen(m.Track, "pointercancel", up)
	h.Scope.ListenActive(m.Track, "wheel", axis.Wheel)
}

// at is the time under a pointer, within the whole span.
func (m *Measuring) at(ev js.Value) float64 {
	t := m.Line()
	x := ev.Get("clientX").Float() - m.Track.Call("getBoundingClientRect").Get("left").Float()
	return m.inside(t.From + x/max(1, t.W)*(t.To-t.From))
}

func (m *Measuring) inside(t float64) float64 {
	return min(float64(m.whole[1]), max(float64(m.whole[0]), math.Round(t)))
}

// move moves one end; it stops a minute before the other.
func (m *Measuring) move(i int, to float64) {
	if i == 0 {
		m.span[0] = min(m.inside(to), m.span[1]-60)
	} else {
		m.span[1] = max(m.inside(to), m.span[0]+60)
	}
	m.Place()
}

// key moves an end by a hundredth of what is shown, ten times as far with the
// shift key.
func (m *Measuring) key(i int, ev js.Value) {
	if Modified(ev) {
		return
	}
	t := m.Line()
	step := max(60, math.Round((t.To-t.From)/100))
	if ev.Get("shiftKey").Bool() {
		step *= 10
	}
	key := ev.Get("key").String()
	if !strings.Contains(" ArrowLeft ArrowDown ArrowRight ArrowUp Home End Delete Backspace ", " "+key+" ") {
		return
	}
	ev.Call("preventDefault")
	ev.Call("stopPropagation")
	if m.commit != nil {
		m.commit()
	}
	m.commit = Later(600, m.save) // one change for a row of key presses; until then the span is ours
	switch key {
	case "ArrowLeft", "ArrowDown":
		m.move(i, m.span[i]-step)
	case "ArrowRight", "ArrowUp":
		m.move(i, m.span[i]+step)
	case "Home":
		m.move(i, float64(m.whole[0]))
	case "End":
		m.move(i, float64(m.whole[1]))
	default:
		m.span = [2]float64{float64(m.whole[0]), float64(m.whole[1])}
		m.Place()
	}
}

// save makes the window a change of the settings. An end at the end of
// everything is an open one.
func (m *Measuring) save() {
	if m.commit != nil {
		m.commit()
		m.commit = nil
	}
	var from, to *int64
	if a := int64(m.span[0]); a > int64(m.whole[0]) {
		from = &a
	}
	if b := int64(m.span[1]); b < int64(m.whole[1]) {
		to = &b
	}
	m.h.Store.MeasureWindow(from, to)
	Refresh()
}

// Place puts bar and ends where the settings say, or the hand that moves them.
func (m *Measuring) Place() {
	t := m.Line()
	if Show(m.Track, t.W > 0); t.W <= 0 {
		return
	}
	m.whole = m.Full()
	if m.held < 0 && math.IsNaN(m.from) && m.commit == nil {
		m.span = [2]float64{float64(m.whole[0]), float64(m.whole[1])}
		w := &m.h.Store.Settings.Measures
		if w.From != nil {
			m.span[0] = m.inside(float64(*w.From))
		}
		if w.To != nil {
			m.span[1] = max(m.span[0], m.inside(float64(*w.To)))
		}
	}
	place := func(at float64) float64 { return (at - t.From) / max(1, t.To-t.From) * t.W }
	p := placed{left: t.X, width: t.W, x0: max(0, place(m.span[0])), x1: min(t.W, place(m.span[1])), span: m.span, full: m.whole}
	p.whole = m.span[0] <= float64(m.whole[0]) && m.span[1] >= float64(m.whole[1])
	clock := m.Clock()
	for i, at := range m.span {
		if p.at[i] = place(at); p.at[i] <= -1 || p.at[i] >= t.W+1 {
			p.at[i] = math.Inf(1) // out of view
		}
		p.said[i] = clock.When(model.Time(at))
	}
	if p == m.placed {
		return
	}
	m.placed = p
	Style(m.Track, "left", Px(p.left))
	Style(m.Track, "width", Px(p.width))
	Style(m.bar, "left", Px(p.x0))
	Style(m.bar, "width", Px(max(0, p.x1-p.x0)))
	m.Track.Get("classList").Call("toggle", "whole", p.whole)
	for i, el := range m.end {
		in := !math.IsInf(p.at[i], 1)
		if Show(el, in); in {
			Style(el, "left", Px(p.at[i]))
		}
		Attr(el, "aria-valuemin", strconv.FormatInt(int64(m.whole[0]), 10), "aria-valuemax", strconv.FormatInt(int64(m.whole[1]), 10),
			"aria-valuenow", strconv.FormatInt(int64(m.span[i]), 10), "aria-valuetext", p.said[i], "title", el.Call("getAttribute", "aria-label").String()+": "+p.said[i])
	}
}

// placed is where the window stands on the page: nothing is rewritten while
// it stays the same.
type placed struct {
	left, width, x0, x1 float64
	at, span            [2]float64
	full                [2]model.Time
	said                [2]string
	whole               bool
}
