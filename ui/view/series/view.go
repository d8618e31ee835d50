// Package series is the view of use and queue over time, and of licences.
package series

import (
	"batchlab/ui/draw"
	"batchlab/ui/state"
)

// Room is the view: licences stand below where a run has any.
var Room = draw.Room{Key: "series", Name: "Series", Parts: []draw.Part{
	{Island: "series", Class: func(s *state.Store) string {
		if licensed(s) {
			return "full above"
		}
		return "full"
	}},
	{Island: "licences", Class: func(*state.Store) string { return "licences" }, Hidden: func(s *state.Store) bool { return !licensed(s) }},
}}

// licensed reports whether the run looked at has time lines of licences.
func licensed(s *state.Store) bool {
	r := s.Finished(s.View.A)
	return r != nil && len(r.Result.Licences) > 0
}
