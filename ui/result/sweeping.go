package result

import (
	"slices"
	"strconv"

	"batchlab/core/experiment"
	"batchlab/ui/engine"
	"batchlab/ui/words"
)

// SweepNow is the experiment that varies whose results are here, nil while there
// is none.
func (s *Tray) SweepNow() *Sweep { return s.Swept }

// Sweeping reports whether a sweep is under way.
func (s *Tray) Sweeping() bool { return s.Swept != nil && s.Swept.Active() }

// NewSweep makes room for the results of a sweep in place of those of the one
// before, and looks at what it shows first.
func (s *Tray) NewSweep(doc *experiment.Experiment) (*Sweep, error) {
	s.DropSweep()
	w, err := newSweep(doc)
	if err == nil {
		s.Swept = w
		s.pickVary(w)
	}
	return w, err
}

// BeginSweep lets the engine begin a new sweep.
func (s *Tray) BeginSweep(w *Sweep, by engine.Sweeper) {
	s.board.Note("Run: %s", SweepTitle(w))
	w.control = by.Sweep(*w.Ran.Clone(), func(n engine.News) {
		if s.Swept == w {
			s.sweepNews(w, n)
		}
	})
	s.board.Touch()
}

// ResumeSweep goes on with the sweep that was stopped.
func (s *Tray) ResumeSweep() {
	w := s.Swept
	w.Status, w.Error = engine.Running, ""
	s.board.Note("Go on with %s", SweepTitle(w))
	w.control.GoOn()
	s.board.Touch()
}

// SweepTitle is "13 points, 780 runs".
func SweepTitle(w *Sweep) string {
	return words.Count(w.Points.Len(), "point", "points") + ", " + words.Count(w.Total, "run", "runs")
}

// sweepNews takes what is told of a sweep.
func (s *Tray) sweepNews(w *Sweep, n engine.News) {
	first := w.Seconds == 0
	for i := range n.Parts {
		w.take(&n.Parts[i])
	}
	if len(n.Parts) > 0 {
		w.Version++
	}
	w.Moved(n.Done, n.Seconds, 1)
	if n.Digest != "" {
		w.Digest = n.Digest
	}
	switch {
	case !n.Over && first:
		s.board.Touch()
		return
	case !n.Over && w.Due():
		s.board.Drawn()
		return
	case !n.Over:
		s.board.Moved()
		return
	case n.Err != nil:
		w.Status, w.Error = engine.Failed, n.Err.Error()
		s.board.Note("%s: %s", SweepTitle(w), w.Error)
	case w.Done < float64(w.Total):
		w.Status = engine.Cancelled
	default:
		w.Status = engine.Done
		s.board.Note("%s in %s", SweepTitle(w), words.Took(w.Seconds))
		if w.Digest != "" {
			s.board.Note("Digest %s", w.Digest)
		}
	}
	w.Left = 0
	s.board.Touch()
}

// StopSweep stops the sweep under way; what is done stays, and a run goes on with
// the rest.
func (s *Tray) StopSweep() {
	if !s.Sweeping() {
		return
	}
	s.Swept.Status = engine.Cancelled
	s.Swept.control.Stop()
	s.board.Note("Stopped: %s of %s", words.Int(int(s.Swept.Done)), words.Count(s.Swept.Total, "run", "runs"))
	s.board.Touch()
}

// DropSweep gives the results of a sweep up.
func (s *Tray) DropSweep() {
	if s.Swept != nil {
		s.Swept.control.Drop()
		s.Swept = nil
	}
}

// pickVary looks at what a new sweep shows first.
func (s *Tray) pickVary(w *Sweep) {
	v := &s.look.View
	if v.VaryPoint >= w.Points.Len() {
		v.VaryPoint = 0
	}
	if v.VaryOver >= len(w.Ran.Vary) {
		v.VaryOver = 0
	}
	if n := w.Schedulers(); s.Ran == nil || len(s.Ran.Schedulers) != n {
		v.A, v.B, v.Baseline = 0, -1, -1
		if n > 1 {
			v.A, v.B, v.Baseline = 1, 0, 0
		}
		for i := range n { // the one whose settings vary, against the first that has none
			own := func(i int) bool {
				return slices.ContainsFunc(w.Ran.Vary, func(a experiment.Axis) bool { return a.Concerns("schedulers[" + strconv.Itoa(i) + "].") })
			}
			if own(i) && n > 1 {
				if v.A, v.B, v.Baseline = i, 0, 0; i == 0 {
					v.B, v.Baseline = 1, 1
				}
				break
			}
		}
	}
}
