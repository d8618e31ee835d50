package result

import (
	"slices"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/tell"
	"batchlab/ui/engine"
)

// Answer is a question about a run and what came of it. A is a pointer, nil
// until the answer is there, and where there is none.
type Answer[A any] struct {
	Of    *Run
	Ask   any // comparable, and of one type for each A
	Got   A
	Done  bool // the answer is there, or Error
	Error string
}

// The answers that rooms hold.
type (
	Stepped = Answer[*tell.Step] // an instant; nil without an error: nothing more about StepAsk.About
	Terms   = Answer[*report.Priorities]
)

// asked are the questions of one kind with their answers, the oldest first.
type asked[A any] struct {
	list []*Answer[A]
	last *Answer[A] // asked for last
	stop func()     // gives it up, nil where that cannot be
}

// noAnswer is said where the engine does not answer questions of that kind.
const noAnswer = "this is not available here"

// want returns the answer to a question about a run, and asks it when that is not
// there: begin does, if there is who answers, and returns what gives the question
// up. One that is still awaited is given up for the next; keep bounds how many are
// kept. then is called when the answer comes.
func want[A any](s *Tray, l *asked[A], run int, ask any, keep int, then func(), answers bool, begin func(e experiment.Experiment, done func(A, error)) func()) *Answer[A] {
	of := s.Runs[run]
	for _, t := range l.list {
		if t.Of == of && t.Ask == ask {
			return t
		}
	}
	if late := l.last; late != nil && !late.Done && l.stop != nil {
		l.list = slices.DeleteFunc(l.list, func(t *Answer[A]) bool { return t == late })
		l.stop()
	}
	if len(l.list) >= keep {
		l.list = slices.Delete(l.list, 0, max(1, keep/4))
	}
	t := &Answer[A]{Of: of, Ask: ask}
	l.list = append(l.list, t)
	if !answers {
		t.Done, t.Error = true, noAnswer
		return t
	}
	l.last = t
	l.stop = begin(*s.Ran.Clone(), func(a A, err error) {
		if t.Got, t.Done = a, true; err != nil {
			t.Error = err.Error()
		}
		then()
	})
	return t
}

// HasGrid reports whether reservations can be asked for in a run: of a grid, and
// of any other scheduler that makes no plan where jobs are reserved or no plan
// could be shown instead.
func (s *Tray) HasGrid(r *Run) bool {
	row := s.row(r)
	if row == nil || row.Logged || row.Plans {
		return false
	}
	return row.Key == "grid" || s.Ran.Reserves() || !slices.ContainsFunc(s.Runs, s.HasPlan)
}

// WantAnswer returns the answer to a question about reservations in a run, and
// asks it when that is another than the last one.
func (s *Tray) WantAnswer(run int, ask report.Ask) *Answer[*report.Answer] {
	if run < 0 || run >= len(s.Runs) || !s.HasGrid(s.Runs[run]) {
		return nil
	}
	by, ok := s.engine.(engine.ReservationAsker)
	return want(s, &s.answered, run, ask, 1, s.board.Touch, ok, func(e experiment.Experiment, done func(*report.Answer, error)) func() {
		by.Ask(e, run, ask, done)
		return nil
	})
}

// planAsk asks for the plan of an instant.
type planAsk struct {
	at  model.Time
	job int
}

// WantPlan returns the plan of a run at an instant, with the history of the
// predicted start of a job (its index; −1 none), and asks for it when it is not there.
func (s *Tray) WantPlan(run int, at model.Time, job int) *Answer[*report.Plan] {
	if run < 0 || run >= len(s.Runs) || !s.HasPlan(s.Runs[run]) {
		return nil
	}
	by, ok := s.engine.(engine.Planner)
	return want(s, &s.planned, run, planAsk{at, job}, 12, s.board.Touch, ok, func(e experiment.Experiment, done func(*report.Plan, error)) func() {
		return by.Plan(e, run, at, job, done)
	})
}

// WantForesight returns what a whole run says of its planning, and asks for it
// when it is not there.
func (s *Tray) WantForesight(run int) *Answer[*report.Foresight] {
	if run < 0 || run >= len(s.Runs) || !s.HasPlan(s.Runs[run]) {
		return nil
	}
	by, ok := s.engine.(engine.Planner)
	return want(s, &s.foreseen, run, nil, 8, s.board.Touch, ok, func(e experiment.Experiment, done func(*report.Foresight, error)) func() {
		by.Foresight(e, run, done)
		return nil
	})
}

// WantTerms returns the priorities of the jobs that waited in a run at an instant,
// and asks for them when they are not there; then is called when they are, as
// nothing else of the page changes.
func (s *Tray) WantTerms(run int, at model.Time, then func()) *Terms {
	if run < 0 || run >= len(s.Runs) || !s.HasPriorities(s.Runs[run]) {
		return nil
	}
	by, ok := s.engine.(engine.Prioritizer)
	return want(s, &s.terms, run, at, 16, then, ok, func(e experiment.Experiment, done func(*report.Priorities, error)) func() {
		by.Priorities(e, run, at, done)
		return nil
	})
}

// WantStep returns an instant of a run, and asks for it when it is not there. One
// that is still awaited is given up for it, unless that is wanted beside it.
func (s *Tray) WantStep(run int, ask engine.StepAsk, beside bool) *Stepped {
	if run < 0 || run >= len(s.Runs) {
		return nil
	}
	if t := s.alike(s.Runs[run], ask); t != nil {
		return t
	}
	if beside {
		s.stepped.last = nil
	}
	by, ok := s.engine.(engine.Stepper)
	return want(s, &s.stepped, run, ask, 200, s.board.Touch, ok, func(e experiment.Experiment, done func(*tell.Step, error)) func() { return by.Step(e, run, ask, done) })
}

// alike returns an instant that is there under another question: its place in the
// run, or its time.
func (s *Tray) alike(r *Run, ask engine.StepAsk) *Stepped {
	for _, t := range s.stepped.list {
		if t.Of == r && t.Ask.(engine.StepAsk).Truth == ask.Truth && t.Got != nil && ask.About < 0 &&
			(ask.Index >= 0 && t.Got.Index == ask.Index || ask.Index < 0 && t.Got.Now == ask.At) {
			return t
		}
	}
	return nil
}

// HasPriorities reports whether a run's scheduler ranks jobs by priorities that
// can be taken apart.
func (s *Tray) HasPriorities(r *Run) bool {
	row := s.row(r)
	return row != nil && strings.HasPrefix(row.Key, "bf-")
}

// HasPlan reports whether a run's scheduler makes a plan of all waiting jobs.
func (s *Tray) HasPlan(r *Run) bool {
	row := s.row(r)
	return row != nil && row.Plans
}

// row is the catalog's row of a finished run's scheduler, nil while there is none.
func (s *Tray) row(r *Run) *catalog.Scheduler {
	if r == nil || r.Result == nil || s.Ran == nil {
		return nil
	}
	return catalog.FindScheduler(r.Result.Key)
}
