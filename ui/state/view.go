package state

// Schedulers is how many schedulers the view can refer to: those of the
// results, or of the settings while nothing has run.
func (s *Store) Schedulers() int {
	switch {
	case s.View.Tab == "vary" && s.Swept != nil:
		return s.Swept.Schedulers()
	case s.Ran != nil:
		return len(s.Ran.Schedulers)
	}
	return len(s.Settings.Schedulers)
}
