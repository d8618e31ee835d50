package state

import (
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// SweepNow is the experiment that varies whose results are here, nil while there
// is none.
func (s *Store) SweepNow() *Sweep { return s.swept }

// Varies reports whether the settings vary.
func (s *Store) Varies() bool { return len(s.Settings.Vary) > 0 }

// Sweeping reports whether a sweep is under way.
func (s *Store) Sweeping() bool { return s.swept != nil && s.swept.Status == Running }

// SweepStale reports whether the settings are neither those of the sweep on show
// nor one of its points.
func (s *Store) SweepStale() bool {
	w := s.swept
	return w != nil && !same(&w.Doc, &s.Settings) && !s.AtPoint()
}

// SweepHalted reports whether the sweep of the settings was stopped, so that a
// run goes on with it.
func (s *Store) SweepHalted() bool {
	w := s.swept
	return w != nil && (w.Status == Cancelled || w.Status == Failed) && w.Done < float64(w.Total) && same(&w.Doc, &s.Settings)
}

// runSweep runs settings that vary, or goes on where the same was stopped.
func (s *Store) runSweep(doc *experiment.Experiment) {
	engine, ok := s.engine.(Sweeper)
	if !ok {
		s.tell("This page cannot run experiments that vary.")
		return
	}
	if s.Active() {
		s.Cancel()
	}
	s.View.Tab = "vary"
	if s.SweepHalted() {
		w := s.swept
		w.Status, w.Error = Running, ""
		s.note("Go on with %s", SweepTitle(w))
		w.control.GoOn()
		s.touch()
		return
	}
	s.dropSweep()
	w, err := newSweep(doc)
	if err != nil {
		s.tell("This experiment cannot run: " + err.Error())
		return
	}
	s.swept, w.Status = w, Running
	s.pickVary(w)
	if s.fresh {
		if s.fresh = false; s.asked != nil {
			s.show(s.asked)
		}
		s.View.Tab = "vary"
	}
	s.clampView()
	s.note("Run: %s", SweepTitle(w))
	w.control = engine.Sweep(clone(doc), func(n SweepNews) {
		if s.swept == w {
			s.sweepNews(w, n)
		}
	})
	s.touch()
}

// SweepTitle is "13 points, 780 runs".
func SweepTitle(w *Sweep) string {
	return words.Count(w.Points.Len(), "point", "points") + ", " + words.Count(w.Total, "run", "runs")
}

// sweepNews takes what is told of a sweep.
func (s *Store) sweepNews(w *Sweep, n SweepNews) {
	for i := range n.Parts {
		w.take(&n.Parts[i])
	}
	if len(n.Parts) > 0 {
		w.Version++
	}
	w.Done, w.Seconds = n.Done, n.Seconds
	if w.Left = 0; w.Done > 0 && w.Seconds > 1 && w.Status == Running {
		w.Left = w.Seconds * max(0, float64(w.Total)-w.Done) / w.Done
	}
	if n.Digest != "" {
		w.Digest = n.Digest
	}
	switch {
	case !n.Over:
		if w.Seconds-w.drawn < drawEvery && w.drawn > 0 {
			s.progress()
			return
		}
		w.drawn = max(w.Seconds, 1e-9)
		s.touch()
		return
	case n.Err != nil:
		w.Status, w.Error = Failed, n.Err.Error()
		s.note("%s: %s", SweepTitle(w), w.Error)
	case w.Done < float64(w.Total):
		w.Status = Cancelled
	default:
		w.Status = Done
		s.note("%s in %s", SweepTitle(w), words.Took(w.Seconds))
		if w.Digest != "" {
			s.note("Digest %s", w.Digest)
		}
	}
	w.Left, w.drawn = 0, w.Seconds
	s.touch()
}

// StopSweep stops the sweep under way; what is done stays, and a run goes on with
// the rest.
func (s *Store) StopSweep() {
	if !s.Sweeping() {
		return
	}
	s.swept.Status = Cancelled
	s.swept.control.Stop()
	s.note("Stopped: %s of %s", words.Int(int(s.swept.Done)), words.Count(s.swept.Total, "run", "runs"))
	s.touch()
}

// dropSweep gives the results of a sweep up.
func (s *Store) dropSweep() {
	if s.swept != nil {
		s.swept.control.Drop()
		s.swept = nil
	}
}

// OpenPoint makes a point of the sweep the settings and runs it: all views show
// it, and BackToSweep leads back.
func (s *Store) OpenPoint(i int) {
	w := s.swept
	if w == nil || i < 0 || i >= w.Points.Len() {
		return
	}
	e, err := w.Points.At(i)
	if err != nil {
		s.tell(err.Error())
		return
	}
	e.Title = w.Doc.Title
	w.Opened = i
	s.varying = nil
	s.Fields = map[string]Field{}
	next := s.current()
	next.doc = clone(e)
	if s.put(next) {
		s.reload()
	}
	s.View.Tab = "overview"
	if s.Ran == nil || !same(s.Ran, e) || len(s.Runs) == 0 {
		s.fresh = s.Ran == nil
		s.Run()
	}
	s.touch()
}

// AtPoint reports whether the settings are the point of the sweep that was opened.
func (s *Store) AtPoint() bool {
	return s.swept != nil && s.swept.Opened >= 0 && !s.Varies() && s.atPoint(&s.Settings)
}

// ShowsPoint reports whether the results in all other views are those of the
// point that was opened.
func (s *Store) ShowsPoint() bool {
	return s.swept != nil && s.swept.Opened >= 0 && s.Ran != nil && s.atPoint(s.Ran)
}

func (s *Store) atPoint(e *experiment.Experiment) bool {
	one, err := s.swept.Points.At(s.swept.Opened)
	return err == nil && same(one, e)
}

// PointName says which point of the sweep it is: "Load × 0.9, Threshold of B 5d".
func (s *Store) PointName(i int) string {
	w := s.swept
	if w == nil {
		return ""
	}
	text := ""
	for k, c := range w.Points.Choice(i) {
		if k > 0 {
			text += ", "
		}
		a := &w.Doc.Vary[k]
		text += s.AxisName(&w.Doc, a.Path) + " " + s.PointText(&w.Doc, a, c)
		if unit := s.AxisUnit(&w.Doc, a.Path); unit != "" && a.Names == nil {
			text += words.NB + unit
		}
	}
	return text
}

// BackToSweep makes the experiment of the sweep the settings again and shows its
// results.
func (s *Store) BackToSweep() {
	w := s.swept
	if w == nil {
		return
	}
	s.View.Tab = "vary"
	s.Fields = map[string]Field{}
	next := s.current()
	next.doc = clone(&w.Doc)
	if s.put(next) {
		s.reload()
	}
	s.touch()
}

// pickVary looks at what a new sweep shows first.
func (s *Store) pickVary(w *Sweep) {
	v := &s.View
	if v.VaryPoint >= w.Points.Len() {
		v.VaryPoint = 0
	}
	if v.VaryOver >= len(w.Doc.Vary) {
		v.VaryOver = 0
	}
	if n := w.Schedulers(); s.Ran == nil || len(s.Ran.Schedulers) != n {
		v.A, v.B, v.Baseline = 0, -1, -1
		if n > 1 {
			v.A, v.B, v.Baseline = 1, 0, 0
		}
		for i := range n { // the one whose settings vary, against the first that has none
			own := func(i int) bool {
				return slices.ContainsFunc(w.Doc.Vary, func(a experiment.Axis) bool { return strings.HasPrefix(a.Path, "schedulers["+strconv.Itoa(i)+"].") })
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

// SweepVerdict compares the digest of the sweep with the expected one, as Verdict
// does.
func (s *Store) SweepVerdict() string {
	w := s.swept
	switch {
	case w == nil || w.Doc.Expect == "" || w.Digest == "":
		return ""
	case w.Doc.Expect == w.Digest:
		return "reproduced"
	}
	return "differs"
}

// maxMeasures is how many measures a sweep shows under each other.
const maxMeasures = 4

// Measures are the measures that a sweep shows, first the one that its sentence
// is about.
func (s *Store) Measures() []string {
	if s.View.Measures == "" {
		return []string{"mean-wait", "mean-bounded-slowdown"}
	}
	return strings.Split(s.View.Measures, ",")
}

// ShowMeasure shows a measure of a sweep below those that are there, or takes it
// away; the last one stays.
func (s *Store) ShowMeasure(key string) {
	list := slices.Clone(s.Measures())
	switch i := slices.Index(list, key); {
	case catalog.FindMetric(key) == nil:
		return
	case i < 0 && len(list) == maxMeasures:
		list[maxMeasures-1] = key
	case i < 0:
		list = append(list, key)
	case len(list) > 1:
		list = slices.Delete(list, i, i+1)
	}
	s.Look(func(v *View) { v.Measures = strings.Join(list, ",") })
}
