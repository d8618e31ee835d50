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
