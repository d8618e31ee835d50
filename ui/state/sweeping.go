package state

import (
	"batchlab/core/experiment"
	"batchlab/ui/draft"
	"batchlab/ui/engine"
	"batchlab/ui/words"
)

// SweepStale reports whether the settings are neither those of the sweep on show
// nor one of its points.
func (s *Store) SweepStale() bool {
	w := s.Swept
	return w != nil && !draft.Same(w.Ran, &s.Settings) && !s.AtPoint()
}

// SweepHalted reports whether the sweep of the settings was stopped, so that a
// run goes on with it.
func (s *Store) SweepHalted() bool {
	w := s.Swept
	return w != nil && w.Halted() && draft.Same(w.Ran, &s.Settings)
}

// runSweep runs settings that vary, or goes on where the same was stopped.
func (s *Store) runSweep(doc *experiment.Experiment) {
	sweeper, ok := s.engine.(engine.Sweeper)
	if !ok {
		s.Tell("This page cannot run experiments that vary.")
		return
	}
	if s.Active() {
		s.Cancel()
	}
	s.View.Tab = "vary"
	if s.SweepHalted() {
		s.ResumeSweep()
		return
	}
	w, err := s.NewSweep(doc)
	if err != nil {
		s.Tell("This experiment cannot run: " + err.Error())
		return
	}
	if s.fresh {
		if s.fresh, s.lettered = false, nil; s.Asked != nil {
			s.show(s.Asked)
		}
		s.View.Tab = "vary"
	}
	s.letter()
	s.Clamp()
	s.BeginSweep(w, sweeper)
}

// OpenPoint makes a point of the sweep the settings and runs it: all views show
// it, and BackToSweep leads back.
func (s *Store) OpenPoint(i int) {
	w := s.Swept
	if w == nil || i < 0 || i >= w.Points.Len() {
		return
	}
	e, err := w.Points.At(i)
	if err != nil {
		s.Tell(err.Error())
		return
	}
	e.Title = w.Ran.Title
	w.Opened = i
	s.Exchange(e)
	s.View.Tab = "overview"
	if s.Ran == nil || !draft.Same(s.Ran, e) || len(s.Runs) == 0 {
		s.fresh = s.Ran == nil
		s.Run()
	}
	s.Touch()
}

// AtPoint reports whether the settings are the point of the sweep that was opened.
func (s *Store) AtPoint() bool {
	return s.Swept != nil && s.Swept.Opened >= 0 && !s.Varies() && s.atPoint(&s.Settings)
}

// ShowsPoint reports whether the results in all other views are those of the
// point that was opened.
func (s *Store) ShowsPoint() bool {
	return s.Swept != nil && s.Swept.Opened >= 0 && s.Ran != nil && s.atPoint(s.Ran)
}

func (s *Store) atPoint(e *experiment.Experiment) bool {
	one, err := s.Swept.Points.At(s.Swept.Opened)
	return err == nil && draft.Same(one, e)
}

// PointName says which point of the sweep it is: "Load × 0.9, Threshold of B 5d".
func (s *Store) PointName(i int) string {
	w := s.Swept
	if w == nil {
		return ""
	}
	text := ""
	for k, c := range w.Points.Choice(i) {
		if k > 0 {
			text += ", "
		}
		a := &w.Ran.Vary[k]
		text += s.AxisName(w.Ran, a.Path) + " " + s.PointText(w.Ran, a, c)
		if unit := s.AxisUnit(w.Ran, a.Path); unit != "" && a.Names == nil {
			text += words.NB + unit
		}
	}
	return text
}

// BackToSweep makes the experiment of the sweep the settings again and shows its
// results.
func (s *Store) BackToSweep() {
	w := s.Swept
	if w == nil {
		return
	}
	s.View.Tab = "vary"
	s.Exchange(w.Ran)
	s.Touch()
}
