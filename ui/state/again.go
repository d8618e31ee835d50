package state

import (
	"slices"

	"batchlab/core/experiment"
)

// Rerunner is what an engine offers that can run parts of the experiment again.
type Rerunner interface {
	// Again runs some runs of the experiment that Run was last asked for again,
	// with events as Run has them. The digest of all comes with the last of them
	// once every run of the experiment has ended well.
	Again(e experiment.Experiment, runs []int, event func(Event)) (cancel func())
}

// CanRerun reports whether scheduler i of the results can be run again: its runs
// have ended, in whatever way.
func (s *Store) CanRerun(i int) bool {
	if _, ok := s.engine.(Rerunner); !ok {
		return false
	}
	runs := s.runsOf(i)
	return len(runs) > 0 && !slices.ContainsFunc(runs, func(r *Run) bool { return r.Status < Done })
}

// Rerun runs scheduler i of the results again, as it was; those of the others
// stay.
func (s *Store) Rerun(i int) {
	again, ok := s.engine.(Rerunner)
	if !ok || !s.CanRerun(i) {
		return
	}
	var list []int
	for k, r := range s.Runs {
		if r.Scheduler == i {
			s.Runs[k] = &Run{Scheduler: r.Scheduler, Repetition: r.Repetition}
			list = append(list, k)
		}
	}
	s.Digest, s.ended = "", s.ended-len(list)
	s.Results++
	s.note("Run again: %s", s.Label(i))
	number, before := s.running, s.cancel
	stop := again.Again(clone(s.Ran), list, func(ev Event) {
		if number == s.running && ev.Run >= 0 && ev.Run < len(s.Runs) {
			s.event(ev)
		}
	})
	s.cancel = func() {
		stop()
		if before != nil {
			before()
		}
	}
	s.touch()
}
