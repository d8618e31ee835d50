package result

import (
	"slices"

	"batchlab/core/report"
	"batchlab/ui/engine"
)

// keptJobs is Tray.JobsKept at first: about 100 bytes each.
const keptJobs = 2_000_000

// keptRepetitions is how many repetitions of the results keep their columns, of
// runs of so many jobs.
func (s *Tray) keptRepetitions(jobs int) int {
	return max(1, s.JobsKept/max(1, jobs*len(s.Ran.Schedulers)))
}

// lets says whether the columns of a run are not to be kept.
func (s *Tray) lets(r *Run) bool {
	if _, can := s.engine.(engine.Recaller); !can || r.Result == nil || r.Result.Copy || r.Repetition == s.look.View.Repetition {
		return false
	}
	n := len(r.Result.Columns.Start)
	return n > 0 && r.Repetition >= s.keptRepetitions(n)
}

// let gives the columns of a run up, and its jobs where they are its own. The record
// of decisions goes with them and can be asked for again.
func (s *Tray) let(r *Run) {
	one := *r.Result
	one.Columns = report.Columns{}
	r.Result, r.Let = &one, true
	r.WhyAsked, r.WhyError = false, ""
	delete(s.Jobs, r.Repetition)
	delete(s.Sites, r.Repetition)
}

// recall asks for the columns of the repetition that is looked at where they were
// given up, and gives those up that were looked at before.
func (s *Tray) recall() {
	e, ok := s.engine.(engine.Recaller)
	if !ok || s.Ran == nil {
		return
	}
	for k, r := range s.Runs {
		if r.Status != engine.Done || r.Result == nil {
			continue
		}
		if s.lets(r) {
			s.let(r)
		}
		if !r.Let || r.recalled || r.Repetition != s.look.View.Repetition {
			continue
		}
		r.recalled = true
		e.Recall(*s.Ran.Clone(), k, func(got *report.Run, jobs *report.Jobs, site *report.Site, err error) {
			if k >= len(s.Runs) || s.Runs[k] != r {
				return // another experiment has been run meanwhile
			}
			r.recalled = false
			switch {
			case err != nil:
				r.recalled, r.lost = true, true // it would go wrong again
				s.board.Tell("The jobs of " + s.RunName(r) + " could not be computed again: " + err.Error())
			case r.Repetition == s.look.View.Repetition:
				one := *r.Result
				one.Columns = got.Columns
				r.Result, r.Let = &one, false
				if s.Jobs[r.Repetition] == nil {
					s.Jobs[r.Repetition], s.Sites[r.Repetition] = jobs, site
				}
				s.Results++
				s.look.FindJob()
			}
			s.board.Touch()
		})
	}
}

// Looked is called when another repetition is looked at.
func (s *Tray) Looked() { s.recall() }

// Recalling says whether jobs of the repetition that is looked at are computed again.
func (s *Tray) Recalling() bool {
	return slices.ContainsFunc(s.Runs, func(r *Run) bool { return r.Let && !r.lost && r.Repetition == s.look.View.Repetition })
}

// Given is how many runs keep their measures alone.
func (s *Tray) Given() (n int) {
	for _, r := range s.Runs {
		if r.Let {
			n++
		}
	}
	return n
}
