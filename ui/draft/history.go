package draft

import (
	"reflect"
	"slices"

	"batchlab/core/experiment"
)

// step is one state of the settings, as undo and redo walk over them.
type step struct {
	doc      experiment.Experiment
	preset   string
	opened   *experiment.Experiment
	modified string
	parked   []Parked
	places   []int // see Places; nil: another experiment, whose letters begin again
}

// maxSteps bounds how far undo goes back.
const maxSteps = 200

// history is the states that the settings went through.
type history struct {
	steps   []step
	first   int // number of steps[0]: steps keep their numbers when early ones are dropped
	at      int // index of the step that the settings stand at
	visited func(number int, added bool)
}

// OnStep sets the listener that is told which step the settings stand at:
// numbers count from 0, and added tells a new step from an undone or redone one.
func (s *Draft) OnStep(f func(number int, added bool)) { s.history.visited = f }

// current is the state of the settings now.
func (s *Draft) current() step {
	return step{doc: *s.Settings.Clone(), preset: s.Preset, opened: s.opened, modified: s.Modified, parked: cloneParked(s.parked), places: append([]int{}, s.places...)}
}

// put makes next the settings: the one place where they change. It reports
// whether the jobs are others now, so that the workload must be read again.
func (s *Draft) put(next step) (reread bool) {
	next.places = s.placesOf(&next)
	reread = s.install(next)
	h := &s.history
	if len(h.steps) > 0 && sameStep(&h.steps[h.at], &next) {
		return reread
	}
	h.steps = append(h.steps[:min(len(h.steps), h.at+1)], s.current())
	if len(h.steps) > maxSteps {
		h.steps = append(h.steps[:0], h.steps[1:]...)
		h.first++
	}
	h.at = len(h.steps) - 1
	if h.visited != nil {
		h.visited(h.first+h.at, true)
	}
	return reread
}

// install puts a state into effect without recording it.
func (s *Draft) install(next step) (reread bool) {
	reread = !SameWorkload(&s.Settings, &next.doc)
	s.faultsKnown = false
	s.Edits++
	s.Settings, s.Preset, s.opened, s.Modified, s.parked, s.places = *next.doc.Clone(), next.preset, next.opened, next.modified, cloneParked(next.parked), slices.Clone(next.places)
	s.host.Installed()
	return reread
}

func sameStep(a, b *step) bool {
	return reflect.DeepEqual(a.doc, b.doc) && a.preset == b.preset && a.modified == b.modified &&
		len(a.parked) == len(b.parked) && (len(a.parked) == 0 || reflect.DeepEqual(a.parked, b.parked))
}

// CanUndo and CanRedo say whether there is a step before or after this one.
func (s *Draft) CanUndo() bool { return s.history.at > 0 }

func (s *Draft) CanRedo() bool { return s.history.at+1 < len(s.history.steps) }

// Undo takes the last change of the settings back; Redo makes it again.
func (s *Draft) Undo() { s.walk(s.history.at - 1) }

func (s *Draft) Redo() { s.walk(s.history.at + 1) }

// GoTo puts the settings back to a step by its number. One that is not kept any
// more changes nothing.
func (s *Draft) GoTo(number int) {
	if i := number - s.history.first; i != s.history.at {
		s.walk(i)
	}
}

// Step is the number of the step that the settings stand at.
func (s *Draft) Step() int { return s.history.first + s.history.at }

func (s *Draft) walk(i int) {
	h := &s.history
	if i < 0 || i >= len(h.steps) {
		return
	}
	h.at = i
	s.Fields = map[string]Field{}
	if s.install(h.steps[i]) {
		s.host.Settle()
		s.host.Reload()
	}
	if h.visited != nil {
		h.visited(h.first+i, false)
	}
	s.board.Touch()
}

// Reset puts the settings back to the document that they started from.
func (s *Draft) Reset() {
	if s.opened == nil {
		return
	}
	s.Replace(s.opened)
}

// Begin makes a document the settings as something new.
func (s *Draft) Begin(doc *experiment.Experiment, preset string) {
	s.put(step{doc: *doc.Clone(), preset: preset, opened: doc.Clone()})
	s.Fields, s.Modified, s.varying = map[string]Field{}, "", nil
}

// Exchange makes a document the settings that belongs to what was opened, like a
// point of what varies.
func (s *Draft) Exchange(doc *experiment.Experiment) {
	s.Fields, s.varying = map[string]Field{}, nil
	next := s.current()
	next.doc = *doc.Clone()
	if s.put(next) {
		s.host.Reload()
	}
}

// TakeLog makes a document with another log the settings. It is a new one, unless
// the log was waited for.
func (s *Draft) TakeLog(doc *experiment.Experiment, waited bool) {
	next := s.current()
	next.doc = *doc.Clone()
	s.Lost(fitAxes(&next.doc))
	if !waited {
		next.preset, next.modified, next.opened = "", "", nil
	}
	s.put(next)
}

// Replace makes a document the settings that they were before, or are of.
func (s *Draft) Replace(doc *experiment.Experiment) {
	next := s.current()
	next.doc, next.parked = *doc.Clone(), nil
	s.Fields = map[string]Field{}
	if s.put(next) {
		s.host.Settle()
		s.host.Reload()
	}
	s.board.Touch()
}
