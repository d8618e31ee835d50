package state

import "batchlab/core/report"

// WantWhy asks for the record of decisions of a finished run, once. It is
// computed by running again with the record switched on; when it is there,
// Columns.Why holds it and the page is told. Columns that already carry the
// record are left alone.
func (s *Store) WantWhy(run int) {
	if run < 0 || run >= len(s.Runs) || s.Ran == nil {
		return
	}
	r := s.Runs[run]
	if r.WhyAsked || r.Result == nil || r.Result.Logged || len(r.Result.Columns.Why) > 0 {
		return
	}
	r.WhyAsked = true
	s.engine.Why(clone(s.Ran), run, func(why []report.Why, err error) {
		if run >= len(s.Runs) || s.Runs[run] != r || r.Result == nil {
			return // another experiment has been run meanwhile
		}
		switch {
		case err != nil:
			r.WhyError = err.Error()
		case len(why) != len(r.Result.Columns.Start):
			r.WhyError = "the record does not fit the run"
		default:
			r.Result.Columns.Why = why
		}
		s.touch()
	})
}
