package draft

import (
	"testing"

	"batchlab/core/experiment"
)

// What is kept of the past is bounded; steps keep their numbers.
func TestUndoIsBounded(t *testing.T) {
	s, _ := opened(t)
	for i := range maxSteps + 50 {
		s.Change(func(e *experiment.Experiment) { e.Measures.Tau = int64(11 + i) })
	}
	if len(s.history.steps) != maxSteps {
		t.Fatalf("%d steps", len(s.history.steps))
	}
	s.GoTo(maxSteps + 49)
	if s.Settings.Measures.Tau != 11+maxSteps+48 {
		t.Errorf("τ %d", s.Settings.Measures.Tau)
	}
	s.GoTo(3) // dropped
	if s.Settings.Measures.Tau != 11+maxSteps+48 {
		t.Error("a step that was dropped is gone to")
	}
}

// A scheduler that is ticked off keeps its settings and its place, and stands
// in no document; the last one stays on.
func TestSwitchOff(t *testing.T) {
	s, _ := opened(t)
	s.SetField("sched.1.order", "saf")
	order := func() string {
		text := ""
		for _, r := range s.Rows() {
			if r.Parked >= 0 {
				text += "-"
			}
			text += r.Scheduler.Key + " "
		}
		return text
	}
	s.SwitchOff(1)
	if got := order(); got != "fcfs -easy conservative " || len(s.Settings.Schedulers) != 2 {
		t.Fatal(got)
	}
	s.SwitchOff(0)
	if got := order(); got != "-fcfs -easy conservative " {
		t.Fatal(got)
	}
	s.SwitchOff(0)
	if len(s.Settings.Schedulers) != 1 {
		t.Error("the last scheduler can be switched off")
	}
	s.SwitchOn(1)
	if got := order(); got != "-fcfs easy conservative " {
		t.Fatal(got)
	}
	if o, _ := s.Settings.Schedulers[0].Params.Get("order"); o != "saf" {
		t.Errorf("its order is %v now", o)
	}
	s.SwitchOn(0)
	if got := order(); got != "fcfs easy conservative " {
		t.Fatal(got)
	}
	s.Undo()
	s.Undo()
	if got := order(); got != "-fcfs -easy conservative " {
		t.Errorf("after undo: %s", got)
	}
}

// In every order of ticking, each scheduler stays in its place.
func TestSwitchOffKeepsOrder(t *testing.T) {
	s, _ := opened(t)
	s.AddScheduler("as-logged")
	want := "fcfs easy conservative as-logged "
	seed := uint32(7)
	for range 400 {
		seed = seed*1664525 + 1013904223
		rows := s.Rows()
		if r := rows[seed>>16%uint32(len(rows))]; r.Parked >= 0 {
			s.SwitchOn(r.Parked)
		} else {
			s.SwitchOff(r.Index)
		}
		got := ""
		for _, r := range s.Rows() {
			got += r.Scheduler.Key + " "
		}
		if got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
}
