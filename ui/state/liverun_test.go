package state

import (
	"testing"

	"batchlab/core/report"
	"batchlab/ui/engine"
)

// A live run leaves the results on show until all of its own are there, keeps
// what is looked at, and happens only where the last results came quickly.
func TestRunQuietly(t *testing.T) {
	s, f := opened(t)
	if s.RunLive() {
		t.Error("it runs quietly before there are results")
	}
	for i := range s.Runs {
		f.finish(s, i, 10, "one")
		s.Runs[i].Result.Simulate = 0.01
	}
	if s.RunLive() {
		t.Error("it runs though nothing has changed")
	}
	s.View.From, s.View.To = 5, 50
	s.SetField("tau", "20")
	if !s.RunLive() || !s.Refreshing() {
		t.Fatalf("it does not run: %s", s.CanRun())
	}
	runs := f.runs[len(f.runs)-1]
	old := s.Runs
	for i := range old {
		if &s.Runs[0] != &old[0] || s.Digest != "one" || s.Ran.Measures.Tau != 10 {
			t.Fatal("results went before the new ones were there")
		}
		digest := ""
		if i+1 == len(old) {
			digest = "two"
		}
		runs.event(engine.Event{Run: i, Status: engine.Done, Digest: digest, Result: &report.Run{Scheduler: old[i].Scheduler, Repetition: old[i].Repetition, Simulate: 3}})
	}
	if s.Refreshing() || s.Digest != "two" || s.Ran.Measures.Tau != 20 || s.Stale() || s.View.From != 5 || s.View.To != 50 {
		t.Errorf("%v %s %+v", s.Refreshing(), s.Digest, s.View)
	}
	s.SetField("tau", "30")
	if s.RunLive() {
		t.Error("it runs quietly though that takes long")
	}
	// A run by hand takes over.
	s.Run()
	if s.Refreshing() || !s.Active() {
		t.Error("a run by hand is not one")
	}
}
