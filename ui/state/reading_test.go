package state

import (
	"testing"

	"batchlab/ui/engine"
)

// Intent: reading can be stopped while the page knows of it; what was loaded before stays,
// it is said, and files that were dropped with the log are not opened.
func TestStopReading(t *testing.T) {
	f := &fake{t: t}
	s := New(f)
	before := s.Settings.Clone()
	s.OpenFiles([]Dropped{{Name: "a.psv", Size: 1, File: "a"}, {Name: "b.psv", Size: 2, File: "b"}})
	begun := len(f.loads)
	s.StopReading()
	if f.halted != 0 {
		t.Fatal("what is not known to be read is stopped")
	}
	f.reading(engine.Fetching{Active: true, Got: 1, Total: 2})
	s.StopReading()
	f.reading(engine.Fetching{})
	f.loads[begun-1].done(nil, engine.ErrStopped)
	if f.halted != 1 || s.Loading || s.Reading.Active || s.LoadError != "a.psv: reading was stopped" || len(f.loads) != begun {
		t.Errorf("halted %d, loading %v, %q, %d readings", f.halted, s.Loading, s.LoadError, len(f.loads)-begun)
	}
	if s.Settings.Workload.Source.Log != before.Workload.Source.Log {
		t.Error("the workload is another one")
	}
}
