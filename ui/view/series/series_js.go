//go:build js

package series

import (
	"math"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/look"
)

func init() {
	Room.Islands = map[string]draw.Maker{
		"series":   newSeries,
		"licences": newLicences,
	}
}

// series is the tab of busy processors and waiting jobs over time.
type series struct {
	*draw.FigureCard
	whole    [2]model.Time
	from, to float64 // while the reader moves the span
	commit   func()  // cancels the message to the store
	drawing  bool
	window   draw.Measuring // the measuring window, below the time axis
}

func newSeries(h *draw.Host) draw.Island {
	s := &series{}
	s.FigureCard = draw.NewFigure(h, "series", "Busy processors and waiting jobs", s.reduce)
	part := draw.Build(s.Extra, `<button type="button" class="bl-btn" data-part="reset">Show everything</button>`)
	h.Scope.Listen(part("reset"), "click", func(js.Value) {
		h.Store.Look(func(v *look.View) { v.From, v.To = 0, 0 })
		draw.Refresh()
	})
	s.Moved, draw.Moving.Show = s.show, s.show
	h.Scope.Undo = append(h.Scope.Undo, func() { draw.Moving.Show = nil })
	s.window.Init(h, s.Body, draw.TimeAxis{
		Line:  s.shown,
		Full:  func() [2]model.Time { return s.whole },
		Clock: h.Clock,
		Wheel: func(ev js.Value) {
			ev.Call("preventDefault")
			s.show(draw.WheelSpan(ev, s.shown(), s.Place(ev)))
		},
	})
	s.window.Track.Get("classList").Call("add", "below")
	return s
}

// shown is the time axis, while the picture stands.
func (s *series) shown() draw.Timeline {
	if !s.Drawn() {
		return draw.Timeline{}
	}
	return s.Now.Timeline()
}

func (s *series) Draw() {
	s.FigureCard.Draw()
	if s.Drawn() && len(s.Now.Panels) > 0 {
		if !s.window.Track.Get("isConnected").Bool() {
			s.Body.Call("append", s.window.Track)
		}
		draw.Style(s.window.Track, "top", draw.Px(s.Now.Panels[len(s.Now.Panels)-1].Box.Bottom()))
	}
	s.window.Place()
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
	s.commit = draw.AtRest(250, func() {
		s.commit = nil
		v := [2]model.Time{model.Time(math.Floor(s.from)), model.Time(math.Ceil(s.to))}
		if v[0] <= s.whole[0] && v[1] >= s.whole[1] {
			v = [2]model.Time{}
		}
		draw.MoveSpan(false, 0, 0)
		s.Store.Look(func(w *look.View) { w.From, w.To = v[0], v[1] })
		draw.Refresh()
	})
	if !s.drawing {
		s.drawing = true
		draw.Frame(func() {
			s.drawing = false
			s.Draw()
			draw.MoveSpan(s.commit != nil, model.Time(math.Floor(s.from)), model.Time(math.Ceil(s.to)))
		})
	}
}

func (s *series) Release() {
	if s.commit != nil {
		s.commit()
		draw.MoveSpan(false, 0, 0)
	}
	s.FigureCard.Release()
}

func (s *series) reduce(d *draw.Data, w, h float64) draw.Figure {
	from, to, ok := d.Span()
	if !ok {
		return Series(d, 0, 0, nil, w, h)
	}
	// A run's step functions take a moment to make with many jobs: one a frame.
	known := map[*report.Run][2]*draw.Steps{}
	made := false
	for _, r := range d.Shown {
		if _, ready := draw.StepsKnown[r]; r == nil || made && !ready {
			continue
		} else if !ready {
			made = true
			s.Again()
		}
		u, q := s.Steps(r)
		known[r] = [2]*draw.Steps{u, q}
	}
	s.whole = [2]model.Time{from, to}
	switch v := s.Store.View; {
	case s.commit != nil:
		from, to = model.Time(math.Floor(s.from)), model.Time(math.Ceil(s.to))
	case v.From < v.To && v.To > from && v.From < to:
		from, to = max(from, v.From), min(to, v.To)
	}
	p := Series(d, from, to, known, w, h)
	note := p.Note
	if note == "" {
		note = "wheel to zoom, drag to move; the Gantt chart follows · drag below the axis for the measuring window"
	}
	s.Sub.Set("textContent", note)
	return p
}

func newLicences(h *draw.Host) draw.Island {
	var c *draw.FigureCard
	c = draw.NewFigure(h, "licences", "Licences", func(d *draw.Data, w, hh float64) draw.Figure {
		c.Sub.Set("textContent", LicencesSub(d))
		want := LicencesHeight(d)
		draw.Style(c.Body, "height", draw.Px(want))
		from, to := h.Store.View.From, h.Store.View.To
		if draw.Moving.On {
			from, to = draw.Moving.From, draw.Moving.To
		}
		return Licences(d, from, to, w, want)
	})
	c.Link.Move = c.Draw
	h.Scope.WheelOver(c.Body, func() draw.Timeline { return c.Now.Timeline() })
	return c
}
