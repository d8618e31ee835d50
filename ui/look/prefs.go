package look

import (
	"batchlab/ui/words"
)

// Prefs are how times and numbers are written. They change no number, belong to
// the reader, and stand in no link.
type Prefs struct {
	Relative bool   // times count from the workload's beginning, not by the calendar
	Unit     string // of durations: "" as fits, or "s", "min", "h", "d"
}

// Units are the units of durations to choose from.
var Units = []string{"", "s", "min", "h", "d"}

// Prefer changes how times and numbers are written.
func (s *Page) Prefer(f func(*Prefs)) {
	f(&s.Prefs)
	words.SetUnit(s.Prefs.Unit)
	s.board.Touch()
}
