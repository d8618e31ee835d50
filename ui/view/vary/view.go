// Package vary is the view of an experiment that varies: a line for each
// scheduler over an axis with intervals, the paired differences, a map over two
// axes, and the point that is looked at. What cannot be told apart looks hollow.
package vary

import (
	"batchlab/ui/draw"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// Room is the view.
var Room = draw.Room{
	Key: "vary", Name: "Vary",
	Shown: func(s *state.Store) bool { return s.Varies() || s.SweepNow() != nil },
	Count: func(s *state.Store) string {
		if w := s.SweepNow(); w != nil {
			return words.Int(w.Points.Len())
		}
		return ""
	},
	Parts: []draw.Part{
		{Island: "vary-say", Class: part("vary-say")},
		{Island: "vary-lines", Class: part("vary-lines"), Hidden: nothing},
		{Island: "vary-map", Class: part("vary-map"), Hidden: func(s *state.Store) bool { return nothing(s) || len(s.SweepNow().Doc.Vary) < 2 }},
		{Island: "vary-point", Class: part("vary-point"), Hidden: nothing},
	},
}

func part(class string) func(*state.Store) string { return func(*state.Store) string { return class } }

// nothing reports whether no experiment that varies has been run.
func nothing(s *state.Store) bool { return s.SweepNow() == nil }
