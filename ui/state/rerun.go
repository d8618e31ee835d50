package state

import (
	"slices"

	"batchlab/ui/engine"
	"batchlab/ui/result"
)

// CanRerun reports whether scheduler i of the results can be run again: its runs
// have ended, in whatever way.
func (s *Store) CanRerun(i int) bool {
	if _, ok := s.engine.(engine.Rerunner); !ok {
		return false
	}
	runs := s.RunsOf(i)
	return len(runs) > 0 && !slices.ContainsFunc(runs, func(r *result.Run) bool { return r.Status < engine.Done })
}

// Rerun runs scheduler i of the results again, as it was; those of the others
// stay.
func (s *Store) Rerun(i int) {
	again, ok := s.engine.(engine.Rerunner)
	if !ok || !s.CanRerun(i) {
		return
	}
	var list []int
	for k, r := range s.Runs {
		if r.Scheduler == i {
			s.Runs[k] = &result.Run{Scheduler: r.Scheduler, Repetition: r.Repetition}
			list = append(list, k)
		}
	}
	s.Digest, s.NoDigest, s.ended = "", "", s.ended-len(list)
	s.Results++
	s.Note("Run again: %s", s.Label(i))
	number, before := s.running, s.cancel
	stop := again.Again(*s.Ran.Clone(), list, func(ev engine.Event) {
		if number == s.running && ev.Run < len(s.Runs) {
			s.event(ev)
		}
	})
	s.cancel = func() {
		stop()
		if before != nil {
			before()
		}
	}
	s.Touch()
}
