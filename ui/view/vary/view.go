// Package vary is the view of an experiment that varies: a line for each
// scheduler over an axis with intervals, the paired differences, a map over two
// axes, and the point that is looked at. What cannot be told apart looks hollow.
package vary

import (
	"strconv"
	"strings"

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
		{Island: "vary-map", Class: part("vary-map"), Hidden: func(s *state.Store) bool { return nothing(s) || len(s.SweepNow().Ran.Vary) < 2 }},
		{Island: "vary-point", Class: part("vary-point"), Hidden: nothing},
	},
	Acts: map[string]func(*state.Store, string){
		"wave":        Open,
		"vary-close":  func(s *state.Store, _ string) { Close(s) },
		"vary-keep":   func(s *state.Store, _ string) { kept(s) },
		"vary-list":   func(s *state.Store, _ string) { s.VaryAs(false, logs(s)) },
		"vary-range":  func(s *state.Store, _ string) { s.VaryAs(true, logs(s)) },
		"vary-linear": func(s *state.Store, _ string) { s.VaryAs(true, false) },
		"vary-log":    func(s *state.Store, _ string) { s.VaryAs(true, true) },
		"vary-text": func(s *state.Store, arg string) {
			key, text, _ := strings.Cut(arg, "=")
			s.VaryText(key, text)
		},
		"vary-choose": func(s *state.Store, arg string) {
			key, on := arg[:strings.LastIndexByte(arg, '=')], strings.HasSuffix(arg, "=true")
			s.VaryChoose(key, on)
		},
		"vary-run": func(s *state.Store, _ string) {
			if kept(s) {
				s.Shell.Act("run")
			}
		},
		"vary-drop": func(s *state.Store, axis string) {
			if i, err := strconv.Atoi(axis); err == nil {
				s.DropAxis(i)
			}
		},
	},
}

func part(class string) func(*state.Store) string { return func(*state.Store) string { return class } }

// nothing reports whether no experiment that varies has been run.
func nothing(s *state.Store) bool { return s.SweepNow() == nil }

// logs reports whether steps between values are logarithmic.
func logs(s *state.Store) bool {
	v := s.VaryNow()
	return v != nil && v.Log
}
