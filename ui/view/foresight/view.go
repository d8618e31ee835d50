// Package foresight is the view of predictions: run times foretold against the
// truth, over time and by user, and which queue order rollouts chose.
package foresight

import (
	"batchlab/ui/draw"
	"batchlab/ui/state"
)

// Room is the view: it is there while the run looked at has predictions.
var Room = draw.Room{Key: "foresight", Name: "Foresight", Parts: []draw.Part{{Island: "foresight"}}, Shown: func(s *state.Store) bool {
	r := s.Finished(s.View.A)
	return r != nil && len(r.Result.Columns.Foretold) > 0
}}
