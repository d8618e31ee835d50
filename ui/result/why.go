package result

import (
	"slices"

	"batchlab/core/report"
	"batchlab/ui/engine"
)

// WantWhy asks for the record of decisions of a finished run, once. It is
// computed by running again with the record switched on; when it is there,
// Columns.Record holds it and the page is told. Columns that already carry the
// record are left alone.
func (s *Tray) WantWhy(r *Run) {
	run := slices.Index(s.Runs, r)
	if run < 0 || s.Ran == nil {
		return
	}
	if r.WhyAsked || r.Let || r.Result == nil || r.Result.Logged || len(r.Result.Columns.Why) > 0 {
		return
	}
	r.WhyAsked = true
	s.engine.Why(*s.Ran.Clone(), run, func(record report.Record, err error) {
		if run >= len(s.Runs) || s.Runs[run] != r || r.Result == nil {
			return // another experiment has been run meanwhile
		}
		switch {
		case r.Let: // its columns have been given up meanwhile
			r.WhyAsked = false
		case err != nil:
			r.WhyError = err.Error()
		case len(record.Why) != len(r.Result.Columns.Start):
			r.WhyError = "the record does not fit the run"
		default:
			r.Result.Columns.Record = record
		}
		s.board.Touch()
	})
}

// Past is the history of one job's wait in a run.
type Past struct {
	Job    int            // index into Jobs
	Phases []report.Phase // in order of time; empty while it is computed
	Basis  *report.Basis  // what its prediction came from; nil not known
	Error  string         // why it cannot be had
}

// WantPast asks for the history of a job's wait in a finished run, once while
// the same job is looked at.
func (s *Tray) WantPast(run, job int) {
	h, ok := s.engine.(engine.WaitHistory)
	if !ok || run < 0 || run >= len(s.Runs) || s.Ran == nil {
		return
	}
	r := s.Runs[run]
	jobs := s.Jobs[r.Repetition]
	if r.Result == nil || r.Result.Logged || jobs == nil || job < 0 || job >= len(jobs.Number) || r.Past != nil && r.Past.Job == job {
		return
	}
	p := &Past{Job: job}
	r.Past = p
	h.History(*s.Ran.Clone(), run, jobs.Number[job], func(phases []report.Phase, basis *report.Basis, err error) {
		if err != nil {
			p.Error = err.Error()
		}
		p.Phases, p.Basis = phases, basis
		s.board.Touch()
	})
}

// AskHistory asks for the history of a job's wait in a finished run, beside that of
// the job that is looked at. done is called once with what is known, nothing where
// it cannot be had; not at all when another experiment is run meanwhile.
func (s *Tray) AskHistory(r *Run, job int, done func([]report.Phase)) {
	h, ok := s.engine.(engine.WaitHistory)
	run := slices.Index(s.Runs, r)
	jobs := s.Jobs[r.Repetition]
	if !ok || run < 0 || s.Ran == nil || r.Result == nil || r.Result.Logged || jobs == nil || job < 0 || job >= len(jobs.Number) {
		done(nil)
		return
	}
	h.History(*s.Ran.Clone(), run, jobs.Number[job], func(phases []report.Phase, _ *report.Basis, _ error) {
		if run < len(s.Runs) && s.Runs[run] == r {
			done(phases)
		}
	})
}
