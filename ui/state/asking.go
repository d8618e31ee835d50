package state

import (
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/report"
)

// Asker is what an engine offers that can say what reservations a grid could
// have accepted. The run is repeated for it; done is called on the page's thread.
type Asker interface {
	Ask(e experiment.Experiment, run int, ask report.Ask, done func(*report.Answer, error))
}

// Asked is a question about a run and its answer, nil until it is there.
type Asked struct {
	Of    *Run
	Ask   report.Ask
	Got   *report.Answer
	Error string
}

// HasGrid reports whether reservations can be asked for in a run: of a grid, and
// of any other scheduler that makes no plan where jobs are reserved or no plan
// could be shown instead.
func (s *Store) HasGrid(r *Run) bool {
	row := s.row(r)
	if row == nil || row.Logged || row.Plans {
		return false
	}
	return row.Key == "grid" || s.Ran.Reserves() || !slices.ContainsFunc(s.Runs, s.HasPlan)
}

// WantAnswer returns the answer to a question about a run, and asks it when that
// is another than the last one.
func (s *Store) WantAnswer(run int, ask report.Ask) *Asked {
	if run < 0 || run >= len(s.Runs) || !s.HasGrid(s.Runs[run]) {
		return nil
	}
	r := s.Runs[run]
	if t := s.answered; t != nil && t.Of == r && t.Ask == ask {
		return t
	}
	t := &Asked{Of: r, Ask: ask}
	s.answered = t
	e, ok := s.engine.(Asker)
	if !ok {
		t.Error = "questions cannot be asked here"
		return t
	}
	e.Ask(clone(s.Ran), run, ask, func(a *report.Answer, err error) {
		if t.Got = a; err != nil {
			t.Error = err.Error()
		}
		s.touch()
	})
	return t
}

// AddAnswer adds a reservation as an answer offers it: at a provider, which is
// named where there are several, asked for at the time of the question. It returns
// its row in the list, −1 when there is no room.
func (s *Store) AddAnswer(a *report.Answer, provider string, procs int32, from, length int64) int {
	if len(s.Settings.Platform.Clusters) < 2 {
		provider = ""
	}
	row := s.AddReservation(provider, int64(procs), from, from+length)
	if row >= 0 {
		s.Change(func(e *experiment.Experiment) {
			at := int64(a.Ask.At)
			e.Platform.Reservations[row].Submit = &at
		})
	}
	return row
}
