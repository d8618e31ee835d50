package result

import (
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/engine"
)

// Terms are the priorities of the jobs that waited in a run at an instant.
type Terms struct {
	Of    *Run
	At    model.Time // asked for
	Got   *report.Priorities
	Error string
}

// HasPriorities reports whether a run's scheduler ranks jobs by priorities that
// can be taken apart.
func (s *Tray) HasPriorities(r *Run) bool {
	if r == nil || r.Result == nil || s.Ran == nil {
		return false
	}
	return strings.HasPrefix(r.Result.Key, "bf-")
}

// WantTerms returns the priorities in a run at an instant, and asks for them
// when they are not there: Got is nil until they are, and then is called, as
// nothing else of the page changes. Those of the last few instants are kept.
func (s *Tray) WantTerms(run int, at model.Time, then func()) *Terms {
	if run < 0 || run >= len(s.Runs) || !s.HasPriorities(s.Runs[run]) {
		return nil
	}
	r := s.Runs[run]
	for _, t := range s.terms {
		if t.Of == r && t.At == at {
			return t
		}
	}
	t := &Terms{Of: r, At: at}
	const kept = 16
	if len(s.terms) >= kept {
		s.terms = append(s.terms[:0], s.terms[1:]...)
	}
	s.terms = append(s.terms, t)
	e, ok := s.engine.(engine.Prioritizer)
	if !ok {
		t.Error = "the priorities cannot be had here"
		return t
	}
	e.Priorities(*s.Ran.Clone(), run, at, func(p *report.Priorities, err error) {
		t.Got = p
		if err != nil {
			t.Error = err.Error()
		}
		then()
	})
	return t
}
