//go:build js

package island

import (
	"math"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/ui/chart"
)

// Charts over time that stand on the screen together act as one: when the reader
// points at a time in one of them, all others say what they show at that time;
// and they follow the span while a hand moves it.

// linked is a chart over time.
type linked struct {
	el     js.Value
	follow func(at float64) // points at a time; NaN: at none
	move   func()           // draws the span that is being moved to; nil: it shows another span
}

var (
	timeCharts []*linked
	pointedAt  *linked // chart that the reader points at
	// moving is the span that a hand is moving to, not yet the store's.
	moving struct {
		on       bool
		from, to model.Time
		show     func(from, to float64) // moves it; nil where no chart can be zoomed
	}
)

// link makes a chart one of those over time until the scope is released.
func (s *scope) link(l *linked) *linked {
	timeCharts = append(timeCharts, l)
	s.undo = append(s.undo, func() {
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
func (l *linked) seen() bool { return l.el.Get("offsetParent").Truthy() }

// point tells all other charts that the reader points at a time of this one, or
// (NaN) no longer does.
func (l *linked) point(at float64) {
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
			x.follow(at)
		}
	}
}

// moveSpan draws all other charts for a span that a hand is moving to.
func moveSpan(on bool, from, to model.Time) {
	moving.on, moving.from, moving.to = on, from, to
	for _, x := range timeCharts {
		if on && x.move != nil && x.seen() {
			x.move()
		}
	}
}

// wheelOver zooms and moves the span by the wheel over a chart that follows it.
func (s *scope) wheelOver(el js.Value, line func() chart.Timeline) {
	s.listenActive(el, "wheel", func(ev js.Value) {
		t := line()
		if moving.show == nil || t.W <= 0 {
			return
		}
		ev.Call("preventDefault")
		x := ev.Get("clientX").Float() - el.Call("getBoundingClientRect").Get("left").Float()
		from, to := wheelSpan(ev, t, x)
		moving.show(from, to)
	})
}

// wheelSpan is the span that a turn of the wheel at x leads to: sideways, or with
// the shift key, it moves; else it zooms around x.
func wheelSpan(ev js.Value, t chart.Timeline, x float64) (from, to float64) {
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
func zoomed(t chart.Timeline, factor, x float64) (from, to float64) {
	f := min(1, max(0, (x-t.X)/t.W))
	c, span := t.From+(t.To-t.From)*f, max(60, (t.To-t.From)*factor)
	return c - span*f, c - span*f + span
}
