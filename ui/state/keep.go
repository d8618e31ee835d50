package state

import (
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/report"
)

// keptJobs bounds the jobs, over all runs, whose starts, ends and places are kept:
// about 100 bytes each. Repetitions beyond it keep their measures alone, and are
// computed again when they are looked at.
var keptJobs = 2_000_000

// Recaller is what an engine offers that can compute the columns of a finished
// run again.
type Recaller interface {
	// Recall runs run number run of e once more. The jobs of its repetition come
	// along.
	Recall(e experiment.Experiment, run int, done func(*report.Run, *report.Jobs, *report.Site, error))
}

// keptRepetitions is how many repetitions of the results keep their columns, of
// runs of so many jobs.
func (s *Store) keptRepetitions(jobs int) int {
	return max(1, keptJobs/max(1, jobs*len(s.Ran.Schedulers)))
}

// lets says whether the columns of a run are not to be kept.
func (s *Store) lets(r *Run) bool {
	if _, can := s.engine.(Recaller); !can || r.Result == nil || r.Result.Copy || r.Repetition == s.View.Repetition {
		return false
	}
	n := len(r.Result.Columns.Start)
	return n > 0 && r.Repetition >= s.keptRepetitions(n)
}

// let gives the columns of a run up, and its jobs where they are its own. The record
// of decisions goes with them and can be asked for again.
func (s *Store) let(r *Run) {
	one := *r.Result
	one.Columns = report.Columns{}
	r.Result, r.Let = &one, true
	r.WhyAsked, r.WhyError = false, ""
	delete(s.Jobs, r.Repetition)
	delete(s.Sites, r.Repetition)
}

// recall asks for the columns of the repetition that is looked at where they were
// given up, and gives those up that were looked at before.
func (s *Store) recall() {
	e, ok := s.engine.(Recaller)
	if !ok || s.Ran == nil {
		return
	}
	for k, r := range s.Runs {
		if r.Status != Done || r.Result == nil {
			continue
		}
		if s.lets(r) {
			s.let(r)
		}
		if !r.Let || r.recalled || r.Repetition != s.View.Repetition {
			continue
		}
		r.recalled = true
		e.Recall(clone(s.Ran), k, func(got *report.Run, jobs *report.Jobs, site *report.Site, err error) {
			if k >= len(s.Runs) || s.Runs[k] != r {
				return // another experiment has been run meanwhile
			}
			r.recalled = false
			switch {
			case err != nil:
				r.recalled, r.lost = true, true // it would go wrong again
				s.tell("The jobs of " + s.RunName(r) + " could not be computed again: " + err.Error())
			case r.Repetition == s.View.Repetition:
				one := *r.Result
				one.Columns = got.Columns
				r.Result, r.Let = &one, false
				if s.Jobs[r.Repetition] == nil {
					s.Jobs[r.Repetition], s.Sites[r.Repetition] = jobs, site
				}
				s.Results++
				s.findJob()
			}
			s.touch()
		})
	}
}

// Recalling says whether jobs of the repetition that is looked at are computed again.
func (s *Store) Recalling() bool {
	return slices.ContainsFunc(s.Runs, func(r *Run) bool { return r.Let && !r.lost && r.Repetition == s.View.Repetition })
}

// Given is how many runs keep their measures alone.
func (s *Store) Given() (n int) {
	for _, r := range s.Runs {
		if r.Let {
			n++
		}
	}
	return n
}
