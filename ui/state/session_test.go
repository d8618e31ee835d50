package state

import (
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/look"
)

// Intent: the address opens what is on show, settings and view, also while they
// have not been run; the first visit's needs none; and while something is being
// read or waited for the address stays.
func TestSessionOpensWhatIsThere(t *testing.T) {
	s, _ := opened(t)
	if hash, ok := s.Session(); !ok || hash != "" {
		t.Errorf("the first visit: %q, %v", hash, ok)
	}
	s.ShowTab("gantt")
	s.Look(func(v *look.View) { v.From, v.To, v.A = 100, 900, 2 })
	hash, ok := s.Session()
	if !ok || !strings.HasPrefix(hash, "#x=") || !strings.Contains(hash, "&v=") {
		t.Fatalf("%q, %v", hash, ok)
	}
	s.SetField("tau", "60")
	stale, ok := s.Session()
	if !ok || stale == hash {
		t.Error("a change that has not been run is not in the address")
	}
	other, g := opened(t)
	other.FollowLink(stale)
	if hash, ok := other.Session(); ok {
		t.Errorf("while it is read: %q", hash)
	}
	g.answer(&report.Preview{Name: "daily", Jobs: 2000, Processors: 100}, nil)
	if other.Settings.Measures.Tau != 60 || other.View.Tab != "gantt" || other.View.From != 100 || other.View.To != 900 || other.View.A != 2 {
		t.Errorf("opened: τ %d, %+v", other.Settings.Measures.Tau, other.View)
	}
	if again, ok := other.Session(); !ok || again != stale {
		t.Errorf("the address changes when it is opened:\n%s\n%s", stale, again)
	}
	s.Undo()
	if back, _ := s.Session(); back != hash {
		t.Error("undone, but not in the address")
	}
	s.Settings.Workload.Source.Log = &experiment.Log{Name: "kth.swf", SHA256: strings.Repeat("ab", 32), Size: 5}
	s.Wanted = s.Settings.Workload.Source.Log
	if _, ok := s.Session(); ok {
		t.Error("the address of an experiment whose log is waited for is written anew")
	}
}

// Intent: back and forward bring the view of an earlier moment, with all that it
// did not say at its default.
func TestReturn(t *testing.T) {
	s, _ := opened(t)
	s.View.Dark, s.View.Own = true, 2
	plain := s.ViewText()
	s.ShowTab("series")
	s.Look(func(v *look.View) { v.From, v.To, v.Colour, v.Scale = 5, 500, "user", "log" })
	there := s.ViewText()
	s.Return(plain)
	if s.ViewText() != plain || s.View.Tab != "overview" || s.View.From != s.View.To || s.View.Colour != "wait" || !s.View.Dark || s.View.Own != 2 {
		t.Errorf("back: %+v", s.View)
	}
	s.Return(there)
	if s.ViewText() != there || s.View.Tab != "series" || s.View.To != 500 {
		t.Errorf("forward: %+v", s.View)
	}
	s.Return("9_tgantt") // of a newer page: left alone
	if s.ViewText() != there {
		t.Error("changed by what cannot be read")
	}
}

// Intent: going back to before a reload reads and runs again only what is another
// experiment.
func TestRevisit(t *testing.T) {
	s, f := opened(t)
	s.ShowTab("gantt")
	there, _ := s.Session()
	s.ShowTab("series")
	s.Revisit(there)
	if s.View.Tab != "gantt" || len(f.runs) != 1 {
		t.Errorf("tab %s, %d times run", s.View.Tab, len(f.runs))
	}
	s.SetField("tau", "60")
	s.Revisit("")
	if s.View.Tab != "overview" || len(f.runs) != 2 || s.Settings.Measures.Tau != 10 {
		t.Errorf("tab %s, %d times run, τ %d", s.View.Tab, len(f.runs), s.Settings.Measures.Tau)
	}
}
