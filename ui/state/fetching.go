package state

// Fetching is how it stands with the studies' simulator, a second program that
// comes when an experiment needs it.
type Fetching struct {
	Active     bool
	Got, Total int   // bytes; total 0: not known yet
	Err        error // why it did not come
}

// SetFetching takes news of the second program.
func (s *Store) SetFetching(f Fetching) {
	before := s.Fetching
	s.Fetching = f
	switch {
	case f.Err != nil:
		s.Note("%s", f.Err)
	case f.Active && before.Active:
		s.Moved()
		return
	case f.Active:
		s.Note("Loading the simulator of the studies")
	}
	s.Touch()
}
