package state

import (
	"slices"

	"batchlab/ui/engine"
	"batchlab/ui/result"
)

// CanRerun reports whether scheduler i of the results can be run again: its runs
// have ended, in whatever way.
func (s *Store) CanRerun(i int) bool {
	runs := s.RunsOf(i)
	return len(runs) > 0 && !slices.ContainsFunc(runs, func(r *result.Run) bool { return r.Status < engine.Done })
}

// Rerun runs scheduler i of the results again, as it was; those of the others
// stay.
func (s *Store) Rerun(i int) {
	if !s.CanRerun(i) {
		return
	}
	s.Again(i)
	s.Results++
	s.Note("Run again: %s", s.Label(i))
	s.Touch()
}
