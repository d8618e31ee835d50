package state

import (
	"batchlab/ui/draft"
	"batchlab/ui/engine"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// A live run takes the place of the results at once when it is done, and until
// then they stay on show: what a slider changes is followed without flicker.

// quickSeconds is how long the results on show may have taken to compute, on
// all workers together, for a live run to follow.
const quickSeconds = 0.9

// RunLive runs the settings again when that takes less than a second, judged
// by the results on show; ok is false when it does not run.
func (s *Store) RunLive() (ok bool) {
	if s.Varies() || s.CanRun() != "" || !s.quick() || s.Loading || draft.Same(s.Ran, &s.Settings) || s.largeRun(&s.Settings) != nil {
		return false
	}
	s.stop()
	s.live = result.One(s.Settings.Clone())
	s.begin(s.live)
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

// showLive shows a live run once it is done.
func (s *Store) showLive() {
	if s.live.Active() {
		return
	}
	s.Sweep, s.live = s.live, nil
	s.letter()
	s.Results++
	s.Note("Run again: %s", words.Count(len(s.Runs), "run", "runs"))
	s.Clamp()
	s.Touch()
}
