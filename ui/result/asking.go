package result

import (
	"slices"

	"batchlab/core/report"
	"batchlab/ui/engine"
)

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
func (s *Tray) HasGrid(r *Run) bool {
	row := s.row(r)
	if row == nil || row.Logged || row.Plans {
		return false
	}
	return row.Key == "grid" || s.Ran.Reserves() || !slices.ContainsFunc(s.Runs, s.HasPlan)
}

// WantAnswer returns the answer to a question about a run, and asks it when that
// is another than the last one.
func (s *Tray) WantAnswer(run int, ask report.Ask) *Asked {
	if run < 0 || run >= len(s.Runs) || !s.HasGrid(s.Runs[run]) {
		return nil
	}
	r := s.Runs[run]
	if t := s.answered; t != nil && t.Of == r && t.Ask == ask {
		return t
	}
	t := &Asked{Of: r, Ask: ask}
	s.answered = t
	e, ok := s.engine.(engine.Asker)
	if !ok {
		t.Error = "questions cannot be asked here"
		return t
	}
	e.Ask(*s.Ran.Clone(), run, ask, func(a *report.Answer, err error) {
		if t.Got = a; err != nil {
			t.Error = err.Error()
		}
		s.board.Touch()
	})
	return t
}
