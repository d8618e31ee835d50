package state

import "batchlab/ui/words"

// Prefs are how times and numbers are written. They change no number, belong to
// the reader, and stand in no link.
type Prefs struct {
	Relative bool   // times count from the workload's beginning, not by the calendar
	Unit     string // of durations: "" as fits, or "s", "min", "h", "d"
}

// Units are the units of durations to choose from.
var Units = []string{"", "s", "min", "h", "d"}

// Prefer changes how times and numbers are written.
func (s *Store) Prefer(f func(*Prefs)) {
	f(&s.Prefs)
	words.SetUnit(s.Prefs.Unit)
	s.touch()
}

// Calendar reports whether the workload says when it began, so that there are
// dates to show.
func (s *Store) Calendar() bool { return s.Preview != nil && s.Preview.UnixStart != 0 }
