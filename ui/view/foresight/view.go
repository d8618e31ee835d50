// Package foresight is the view of predictions: what they are worth week by week, run
// times foretold against the truth, over time and by user, and which queue order
// rollouts chose, at which costs.
package foresight

import (
	"batchlab/ui/draw"
	"batchlab/ui/state"
)

// Room is the view: it is there while some run has predictions.
var Room = draw.Room{Key: "foresight", Name: "Foresight", Parts: []draw.Part{{Island: "foresight"}}, Shown: func(s *state.Store) bool {
	if s.Ran != nil {
		for i := range s.Ran.Schedulers {
			if s.Finished(i) != nil && s.Ran.Foretells(i) != nil {
				return true
			}
		}
	}
	return false
}}
