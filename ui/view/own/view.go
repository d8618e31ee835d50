// Package own is the view in which users write schedulers of their own: the
// program with its faults and profile, what it does on a small case, and how it
// differs from another scheduler on the log.
package own

import (
	"batchlab/ui/draw"
	"batchlab/ui/state"
)

// Room is the view. It has a tab while a scheduler of the settings is a program.
var Room = draw.Room{
	Key: "own", Name: "Own scheduler",
	Shown: func(s *state.Store) bool { return len(s.Programs()) > 0 || s.Withheld() },
	Parts: []draw.Part{{Island: "own"}},
}
