// Package intake is the view that says how a cluster's own files were understood: what
// became of every row, what was assumed, what looks wrong, and the machine that its
// configuration tells.
package intake

import (
	"batchlab/ui/draw"
	"batchlab/ui/look"
	"batchlab/ui/state"
)

// Room is the view. It has a tab while the workload is made of a file that is no log,
// or a configuration was read.
var Room = draw.Room{
	Key: look.ImportTab, Name: "Import",
	Shown: func(s *state.Store) bool {
		return s.Preview != nil && s.Preview.Import != nil || s.Machine != nil || s.Mapping != nil
	},
	Parts: []draw.Part{{Island: "import"}},
}
