package state

import (
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/tell"
)

// Stepper is what an engine offers that can tell the instants of a run. The run is
// repeated for it; done is called on the page's thread.
type Stepper interface {
	// Step asks for an instant; done gets nil where nothing more is decided about
	// the job that was asked about. cancel gives it up.
	Step(e experiment.Experiment, run int, ask StepAsk, done func(*tell.Step, error)) (cancel func())
}

// StepAsk says which instant is wanted.
type StepAsk struct {
	Index int        // of the run's instants, from 0; −1: the last one up to At
	At    model.Time // with Index −1
	About int        // index of a job: the first instant from there on at which something is decided about it; −1: none
	Truth bool       // what only the simulator knows, too
}

// Stepped is an instant of a run.
type Stepped struct {
	Of    *Run
	Ask   StepAsk
	Got   *tell.Step // nil: not yet, or nothing more about Ask.About
	Done  bool
	Error string
}

const (
	mostStepped = 200 // instants that are kept
	noSteps     = "instants cannot be told here"
)

// stepping is what has been asked for.
type stepping struct {
	list []*Stepped
	stop func() // gives up what was asked for last
	last *Stepped
}

// WantStep returns an instant of a run, and asks for it when it is not there: Done
// is false until it is. One that is still awaited is given up for another one,
// unless that is wanted beside it.
func (s *Store) WantStep(run int, ask StepAsk, beside bool) *Stepped {
	if run < 0 || run >= len(s.Runs) {
		return nil
	}
	r := s.Runs[run]
	if t := s.stepped(r, ask); t != nil {
		return t
	}
	if l := s.stepping.last; l != nil && !l.Done && !beside && s.stepping.stop != nil {
		s.stepping.list = slices.DeleteFunc(s.stepping.list, func(t *Stepped) bool { return t == l })
		s.stepping.stop()
	}
	t := &Stepped{Of: r, Ask: ask}
	if len(s.stepping.list) >= mostStepped {
		s.stepping.list = slices.Delete(s.stepping.list, 0, mostStepped/4)
	}
	s.stepping.list = append(s.stepping.list, t)
	e, ok := s.engine.(Stepper)
	if !ok {
		t.Done, t.Error = true, noSteps
		return t
	}
	s.stepping.last = t
	s.stepping.stop = e.Step(clone(s.Ran), run, ask, func(step *tell.Step, err error) {
		t.Got, t.Done = step, true
		if err != nil {
			t.Error = err.Error()
		}
		s.touch()
	})
	return t
}

// stepped returns an instant that is there, or on its way.
func (s *Store) stepped(r *Run, ask StepAsk) *Stepped {
	for _, t := range s.stepping.list {
		if t.Of != r || t.Ask.Truth != ask.Truth {
			continue
		}
		if t.Ask == ask || t.Got != nil && ask.About < 0 && (ask.Index >= 0 && t.Got.Index == ask.Index || ask.Index < 0 && t.Got.Now == ask.At) {
			return t
		}
	}
	return nil
}

// StepTo looks at an instant of the runs, in the mode in which they are stepped
// through.
func (s *Store) StepTo(at model.Time) {
	s.Look(func(v *View) { v.Tab, v.Step, v.Instant = "gantt", true, at })
}
