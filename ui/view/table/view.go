// Package table is the view of all jobs as a table that sorts, filters and
// compares.
package table

import (
	"batchlab/ui/draw"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// Room is the view; its tab says how many jobs there are.
var Room = draw.Room{Key: "table", Name: "Table", Parts: []draw.Part{{Island: "table"}}, Count: func(s *state.Store) string {
	if j := s.Jobs[s.View.Repetition]; j != nil {
		return words.Int(len(j.Number))
	}
	return ""
}}
