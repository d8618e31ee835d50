package state

import "batchlab/ui/engine"

// SetFetching takes news of the second program.
func (s *Store) SetFetching(f engine.Fetching) {
	before := s.Fetching
	s.Fetching = f
	switch {
	case f.Err != nil:
		s.Note("%s", f.Err)
	case f.Active && before.Active:
		s.Moved()
		return
	case f.Active:
		s.Note("Loading more of Batchlab")
	}
	s.Touch()
}

// WorkerLost tells that a worker ended by itself, and that what it did is done again.
func (s *Store) WorkerLost(reason string) {
	s.Tell("A simulation worker stopped (" + reason + "). What it was doing is done once more by another.")
}
