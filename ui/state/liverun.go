package state

import (
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/draft"
	"batchlab/ui/engine"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// A live run takes the place of the results at once when it is done, and until
// then they stay on show: what a slider changes is followed without flicker.

// liveRun is such a run under way.
type liveRun struct {
	doc    experiment.Experiment
	runs   []*result.Run
	jobs   map[int]*report.Jobs
	sites  map[int]*report.Site
	digest string
}

// quickSeconds is how long the results on show may have taken to compute, on
// all workers together, for a live run to follow.
const quickSeconds = 0.9

// RunLive runs the settings again when that takes less than a second, judged
// by the results on show; ok is false when it does not run.
func (s *Store) RunLive() (ok bool) {
	if s.Varies() || s.CanRun() != "" || !s.quick() || s.Loading || draft.Same(s.Ran, &s.Settings) || s.largeRun(&s.Settings) != nil {
		return false
	}
	if s.cancel != nil {
		s.cancel()
	}
	q := &liveRun{doc: *s.Settings.Clone(), jobs: map[int]*report.Jobs{}, sites: map[int]*report.Site{}}
	q.runs = result.Queued(&q.doc)
	s.live = q
	s.running++
	number := s.running
	s.cancel = s.engine.Run(*q.doc.Clone(), func(ev engine.Event) {
		if number == s.running && ev.Run >= 0 && ev.Run < len(q.runs) {
			s.liveEvent(q, ev)
		}
	})
	s.Touch()
	return true
}

// Refreshing reports whether a live run is under way.
func (s *Store) Refreshing() bool { return s.live != nil }

// quick reports whether all results are there and took little time.
func (s *Store) quick() bool {
	if s.Ran == nil || len(s.Runs) == 0 {
		return false
	}
	seconds := 0.0
	for _, r := range s.Runs {
		if r.Status != engine.Done || r.Result == nil {
			return false
		}
		seconds += r.Result.Simulate
	}
	return seconds/float64(max(1, s.Workers())) < quickSeconds
}

func (s *Store) liveEvent(q *liveRun, ev engine.Event) {
	r := q.runs[ev.Run]
	if r.Status >= engine.Done {
		return
	}
	r.Status, r.Progress = ev.Status, ev.Progress
	switch ev.Status {
	case engine.Done:
		r.Progress, r.Result = 1, ev.Result
		if ev.Jobs != nil {
			q.jobs[r.Repetition], q.sites[r.Repetition] = ev.Jobs, ev.Site
		}
	case engine.Failed:
		r.Error = "stopped without a message"
		if ev.Err != nil {
			r.Error = ev.Err.Error()
		}
	}
	if ev.Digest != "" {
		q.digest = ev.Digest
	}
	for _, r := range q.runs {
		if r.Status < engine.Done {
			return
		}
	}
	s.live = nil
	s.Ran, s.Runs, s.Jobs, s.Sites, s.Digest, s.NoDigest = &q.doc, q.runs, q.jobs, q.sites, q.digest, ""
	s.letter()
	s.Results++
	s.Note("Run again: %s", words.Count(len(q.runs), "run", "runs"))
	s.Clamp()
	s.Touch()
}
