package result

import (
	"slices"

	"batchlab/core/tell"
	"batchlab/ui/engine"
)

// Stepped is an instant of a run.
type Stepped struct {
	Of    *Run
	Ask   engine.StepAsk
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
func (s *Tray) WantStep(run int, ask engine.StepAsk, beside bool) *Stepped {
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
	e, ok := s.engine.(engine.Stepper)
	if !ok {
		t.Done, t.Error = true, noSteps
		return t
	}
	s.stepping.last = t
	s.stepping.stop = e.Step(*s.Ran.Clone(), run, ask, func(step *tell.Step, err error) {
		t.Got, t.Done = step, true
		if err != nil {
			t.Error = err.Error()
		}
		s.board.Touch()
	})
	return t
}

// stepped returns an instant that is there, or on its way.
func (s *Tray) stepped(r *Run, ask engine.StepAsk) *Stepped {
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
