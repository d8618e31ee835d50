package state

import (
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/draft"
)

// Offer is what the page offers where there is one workload: a question, what
// would be drawn, and how many runs that is. by is "" where nothing can be.
func (s *Store) Offer() (by, question string, runs int) {
	if s.Ran == nil || s.Stale() || !draft.Draws(s.Ran) || s.Ran.Workload.Resample != nil || s.Preview == nil {
		return "", "", 0
	}
	switch {
	case s.Preview.Users >= report.FewestUsers:
		by = "users"
	case s.WholeWeeks() >= report.FewestWeeks:
		by = "weeks"
	case s.Preview.Users >= 2:
		by = "users"
	default:
		by = "shake"
	}
	return by, draft.Questions[by], len(s.Ran.Schedulers) * (draft.OfferedDraws + 1)
}

// TakeOffer draws as Offer says and runs.
func (s *Store) TakeOffer() {
	by, _, _ := s.Offer()
	if by == "" {
		return
	}
	s.Draw(by, draft.OfferedDraws+1)
	s.Run()
}

// BackToLog takes the draws away again and runs the log as it came, once.
func (s *Store) BackToLog() {
	s.Draw(draft.SameJobs, 1)
	s.Run()
}

// MeasureAll takes the measuring window away and runs again.
func (s *Store) MeasureAll() {
	s.Forget("measure")
	s.Change(func(e *experiment.Experiment) { e.Measures.From, e.Measures.To = nil, nil })
	s.Run()
}
