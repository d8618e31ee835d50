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
		s.note("%s", f.Err)
	case f.Active && before.Active:
		s.progress()
		return
	case f.Active:
		s.note("Loading the simulator of the studies")
	}
	s.touch()
}
