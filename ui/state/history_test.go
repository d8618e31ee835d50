package state

import (
	"strings"
	"testing"

	"batchlab/core/report"
	"batchlab/ui/look"
	"batchlab/ui/words"
)

// Every way of changing the settings is one step, that can be taken back and
// made again; looking around and asking for the same again is none.
func TestUndoRedo(t *testing.T) {
	s, f := opened(t)
	var visits []int
	s.OnStep(func(n int, added bool) {
		if !added {
			n = -n
		}
		visits = append(visits, n)
	})
	if s.CanUndo() || s.CanRedo() {
		t.Error("there is something to undo at the beginning")
	}
	s.SetField("tau", "60")
	s.SetField("tau", "60")
	s.Look(func(v *look.View) { v.Tab = "gantt" })
	s.AddScheduler("easy")
	s.UseBundled("demo")
	f.answer(&report.Preview{Name: "demo", Jobs: 2000, Processors: 100}, nil)
	s.OpenFile("a.swf", "file")
	f.answer(&report.Preview{Name: "a.swf", SHA256: "aa", Jobs: 5, Processors: 8}, nil)
	if got := s.Settings.Workload.Source.Log; got == nil || len(visits) != 4 {
		t.Fatalf("%v, visits %v", got, visits)
	}
	s.Undo()
	if s.Settings.Workload.Source.Bundled != "demo" || len(s.Settings.Schedulers) != 4 {
		t.Errorf("one step back: %+v", s.Settings.Workload.Source)
	}
	s.Undo()
	if s.Settings.Workload.Source.Generator == nil || s.Preset != "demo" {
		t.Errorf("two steps back: preset %q", s.Preset)
	}
	s.Undo()
	s.Undo()
	if len(s.Settings.Schedulers) != 3 || s.Settings.Measures.Tau != 10 || s.Edited() || s.CanUndo() {
		t.Errorf("all the way back: %d schedulers, τ %d", len(s.Settings.Schedulers), s.Settings.Measures.Tau)
	}
	s.Undo() // nothing left
	s.Redo()
	s.Redo()
	if len(s.Settings.Schedulers) != 4 || s.Settings.Measures.Tau != 60 || !s.CanRedo() {
		t.Error("two steps forward")
	}
	s.SetField("tau", "30")
	if s.CanRedo() || s.Step() != 3 {
		t.Error("a change does not end what could be made again")
	}
	s.GoTo(0)
	if s.Settings.Measures.Tau != 10 {
		t.Error("going to a step by its number")
	}
	s.GoTo(99)
	s.GoTo(-1)
	if s.Settings.Measures.Tau != 10 {
		t.Error("a step that is not there changes something")
	}
	s.Redo()
	s.Reset()
	if s.Edited() || !s.CanUndo() {
		t.Error("reset does not go back to the document, as a step of its own")
	}
}

// A text that cannot be used is dropped when its settings go.
func TestUndoDropsFaults(t *testing.T) {
	s, _ := opened(t)
	s.SetField("tau", "60")
	s.SetField("seed", "many")
	s.Undo()
	if len(s.Fields) != 0 || s.CanRun() != "" {
		t.Errorf("%v", s.Fields)
	}
}

// Where the comma stands before decimals, inputs show and read it, a point is
// understood, and files keep the point.
func TestTypingInAnotherStyle(t *testing.T) {
	words.SetSeparators(".", ",")
	defer words.SetSeparators("", "")
	s, f := opened(t)
	for id, c := range map[string][2]string{"gen.load": {"1,25", "1,25"}, "time": {"0.5", "0,5"}, "gen.jobs": {"12.000", "12" + words.NB + "000"}, "measure-to": {"200" + words.NB + "000", "200" + words.NB + "000"}} {
		s.SetField(id, c[0])
		in, _ := s.Input(id)
		if in.Error != "" || in.Text != c[1] {
			t.Errorf("%s %q: %+v", id, c[0], in)
		}
		s.SetField(id, in.Text)
		if again, _ := s.Input(id); again.Text != in.Text || again.Error != "" {
			t.Errorf("%s: %q does not survive being typed again: %+v", id, in.Text, again)
		}
	}
	g := s.Settings.Workload.Source.Generator
	if load, _ := g.Params.Number("load"); load != 1.25 {
		t.Errorf("load %v", load)
	}
	if jobs, _ := g.Params.Int("jobs"); jobs != 12000 || *s.Settings.Measures.To != 200000 {
		t.Errorf("jobs %v", jobs)
	}
	f.finish(s, 0, 1234.5, "")
	if csv := string(s.SummaryCSV()); !strings.Contains(csv, ",1234.5") {
		t.Errorf("CSV: %s", csv)
	}
	if got := words.Number(1234567.5, 1); got != "1.234.567,5" {
		t.Errorf("on the page: %s", got)
	}
}
