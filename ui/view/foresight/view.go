// Package foresight is the view of predictions: run times foretold against the
// truth, over time and by user, and which queue order rollouts chose.
package foresight

import (
	"batchlab/core/experiment"
	"batchlab/ui/draw"
	"batchlab/ui/state"
)

// Room is the view: it is there while some run has predictions.
var Room = draw.Room{Key: "foresight", Name: "Foresight", Parts: []draw.Part{{Island: "foresight"}}, Shown: func(s *state.Store) bool {
	for i := range experiment.MaxSchedulers {
		if r := s.Finished(i); r != nil && len(r.Result.Columns.Foretold) > 0 {
			return true
		}
	}
	return false
}}
