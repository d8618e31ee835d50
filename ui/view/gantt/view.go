// Package gantt is the view of schedules as they run over time: jobs as boxes,
// reservations and outages, and why each job waited.
package gantt

import (
	"batchlab/ui/draw"
	"batchlab/ui/state"
)

// Room is the view. It has two modes: the whole schedule, and one instant of it,
// which the view step shows.
var Room = draw.Room{Key: "gantt", Name: "Gantt", Parts: []draw.Part{
	{Island: "gantt", Hidden: func(s *state.Store) bool { return s.View.Step }},
	{Island: "step", Class: func(*state.Store) string { return "" }, Hidden: func(s *state.Store) bool { return !s.View.Step }},
}}
