//go:build js

package island

import (
	"math"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/chart"
	"batchlab/ui/state"
)

// series is the tab of busy processors and waiting jobs over time.
type series struct {
	*figure
	whole    [2]model.Time
	from, to float64 // while the reader moves the span
	commit   func()  // cancels the message to the store
	drawing  bool
	window   measuring // the measuring window, below the time axis
}

func newSeries(h *host) island {
	s := &series{}
	s.figure = newFigure(h, "series", "Busy processors and waiting jobs", s.reduce)
	reset := add(s.extra, "button", "bl-btn")
	reset.Set("textContent", "Show everything")
	attr(reset, "type", "button")
	h.scope.listen(reset, "click", func(js.Value) {
		h.store.Look(func(v *state.View) { v.From, v.To = 0, 0 })
		Refresh()
	})
	s.moved, moving.show = s.show, s.show
	h.scope.undo = append(h.scope.undo, func() { moving.show = nil })
	s.window.init(h, s.body, timeAxis{
		line:  s.shown,
		full:  func() [2]model.Time { return s.whole },
		clock: h.clock,
		wheel: func(ev js.Value) {
			ev.Call("preventDefault")
			s.show(wheelSpan(ev, s.shown(), s.place(ev)))
		},
	})
	s.window.track.Get("classList").Call("add", "below")
	return s
}

// shown is the time axis, while the picture stands.
func (s *series) shown() chart.Timeline {
	if s.drawn.IsUndefined() {
		return chart.Timeline{}
	}
	return s.now.Timeline()
}

func (s *series) draw() {
	s.figure.draw()
	if s.drawn.Truthy() && len(s.now.Panels) > 0 {
		if !s.window.track.Get("isConnected").Bool() {
			s.body.Call("append", s.window.track)
		}
		style(s.window.track, "top", px(s.now.Panels[len(s.now.Panels)-1].Box.Bottom()))
	}
	s.window.place()
}

// show moves to a span, and tells the store once the reader pauses.
func (s *series) show(from, to float64) {
	a, b := float64(s.whole[0]), float64(s.whole[1])
	span := min(b-a, max(60, to-from))
	if math.IsInf(from, -1) {
		from, span = a, b-a
	}
	s.from = min(max(a, from), b-span)
	s.to = s.from + span
	if s.commit != nil {
		s.commit()
	}
	s.commit = later(250, func() {
		s.commit = nil
		v := [2]model.Time{model.Time(math.Floor(s.from)), model.Time(math.Ceil(s.to))}
		if v[0] <= s.whole[0] && v[1] >= s.whole[1] {
			v = [2]model.Time{}
		}
		moveSpan(false, 0, 0)
		s.store.Look(func(w *state.View) { w.From, w.To = v[0], v[1] })
		Refresh()
	})
	if !s.drawing {
		s.drawing = true
		frame(func() {
			s.drawing = false
			s.draw()
			moveSpan(s.commit != nil, model.Time(math.Floor(s.from)), model.Time(math.Ceil(s.to)))
		})
	}
}

func (s *series) release() {
	if s.commit != nil {
		s.commit()
		moveSpan(false, 0, 0)
	}
	s.figure.release()
}

func (s *series) reduce(d *chart.Data, w, h float64) chart.Figure {
	from, to, ok := d.Span()
	if !ok {
		return d.Series(0, 0, nil, w, h)
	}
	// A run's step functions take a moment to make with many jobs: one a frame.
	known := map[*report.Run][2]*chart.Steps{}
	made := false
	for _, r := range d.Shown {
		if _, ready := stepsKnown[r]; r == nil || made && !ready {
			continue
		} else if !ready {
			made = true
			s.again()
		}
		u, q := s.steps(r)
		known[r] = [2]*chart.Steps{u, q}
	}
	s.whole = [2]model.Time{from, to}
	switch v := s.store.View; {
	case s.commit != nil:
		from, to = model.Time(math.Floor(s.from)), model.Time(math.Ceil(s.to))
	case v.From < v.To && v.To > from && v.From < to:
		from, to = max(from, v.From), min(to, v.To)
	}
	p := d.Series(from, to, known, w, h)
	note := p.Note
	if note == "" {
		note = "wheel to zoom, drag to move; the Gantt chart follows · drag below the axis for the measuring window"
	}
	s.sub.Set("textContent", note)
	return p
}
