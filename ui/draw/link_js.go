//go:build js

package draw

import (
	"math"
	"syscall/js"

	"batchlab/core/model"
)

// Charts over time that stand on the screen together act as one: when the reader
// points at a time in one of them, all others say what they show at that time;
// and they follow the span while a hand moves it.

// Linked is a chart over time.
type Linked struct {
	El     js.Value
	Follow func(at float64) // points at a time; NaN: at none
	Move   func()           // draws the span that is being moved to; nil: it shows another span
}

var (
	timeCharts []*Linked
	pointedAt  *Linked // chart that the reader points at
	// Moving is the span that a hand is moving to, not yet the store's.
	Moving struct {
		On       bool
		From, To model.Time
		Show     func(from, to float64) // moves it; nil where no chart can be zoomed
	}
)

// Link makes a chart one of those over time until the scope is released.
func (s *scope) Link(l *Linked) *Linked {
	timeCharts = append(timeCharts, l)
	s.Undo = append(s.Undo, func() {
		for i, x := range timeCharts {
			if x == l {
				timeCharts = append(timeCharts[:i:i], timeCharts[i+1:]...)
				break
			}
		}
	})
	return l
}

// seen says whether a chart is on the screen.
func (l *Linked) seen() bool { return l.El.Get("offsetParent").Truthy() }

// point tells all other charts that the reader points at a time of this one, or
// (NaN) no longer does.
func (l *Linked) point(at float64) {
	if math.IsNaN(at) {
		if pointedAt != l {
			return
		}
		pointedAt = nil
	} else {
		pointedAt = l
	}
	for _, x := range timeCharts {
		if x != l && x.seen() {
			x.Follow(at)
		}
	}
}

// MoveSpan draws all other charts for a span that a hand is moving to.
func MoveSpan(on bool, from, to model.Time) {
	Moving.On, Moving.From, Moving.To = on, from, to
	for _, x := range timeCharts {
		if on && x.Move != nil && x.seen() {
			x.Move()
		}
	}
}

// WheelOver zooms and moves the span by the wheel over a chart that follows it.
func (s *scope) WheelOver(el js.Value, line func() Timeline) {
	s.ListenActive(el, "wheel", func(ev js.Value) {
		t := line()
		if Moving.Show == nil || t.W <= 0 {
			return
		}
		ev.Call("preventDefault")
		x := ev.Get("clientX").Float() - el.Call("getBoundingClientRect").Get("left").Float()
		from, to := WheelSpan(ev, t, x)
		Moving.Show(from, to)
	})
}

// WheelSpan is the span that a turn of the wheel at x leads to: sideways, or with
// the shift key, it moves; else it zooms around x.
func WheelSpan(ev js.Value, t Timeline, x float64) (from, to float64) {
	dx, dy := ev.Get("deltaX").Float(), ev.Get("deltaY").Float()
	if ev.Get("deltaMode").Int() == 1 {
		dx, dy = dx*30, dy*30
	}
	if math.Abs(dx) > math.Abs(dy) || ev.Get("shiftKey").Bool() {
		d := (dx + dy) / t.W * (t.To - t.From)
		return t.From + d, t.To + d
	}
	return zoomed(t, math.Exp(max(-300, min(300, dy))*.0022), x)
}

// zoomed scales a span around a place on the screen; a minute is the least.
func zoomed(t Timeline, factor, x float64) (from, to float64) {
	f := min(1, max(0, (x-t.X)/t.W))
	c, span := t.From+(t.To-t.From)*f, max(60, (t.To-t.From)*factor)
	return c - span*f, c - span*f + span
}
