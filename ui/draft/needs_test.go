package draft

import (
	"strings"
	"testing"

	"batchlab/core/experiment"
)

// Intent: a new rule of needs asks for what the machines have; its cells are GB;
// it counts in the section's sum, and its fault stands beside it.
func TestNeedRules(t *testing.T) {
	s, _ := opened(t)
	s.Change(func(e *experiment.Experiment) { // as a file may have it: the table offers none here
		e.Workload.Annotate.Needs = []experiment.NeedRule{{Share: 0.3, GPUs: 1}}
	})
	if f := s.Faults(); len(f) != 1 || f[0].Path != "workload.annotate.needs[0]" || !strings.Contains(f[0].Message, "only counts processors") {
		t.Errorf("%+v", f)
	}
	s.RemoveRow("needs", 0)
	s.SetMachines("list")
	s.SetCell("groups", 0, "memory", "64")
	s.AddRow("needs")
	if r := s.Settings.Workload.Annotate.Needs[0]; r != (experiment.NeedRule{Share: 0.3, Memory: 32e9}) || len(s.Faults()) != 0 {
		t.Errorf("%+v, %v", r, s.Faults())
	}
	s.SetCell("needs", 0, "gpus", "2")
	s.SetCell("needs", 0, "disk", "0.5")
	s.SetCell("needs", 0, "memory", "")
	if r := s.Settings.Workload.Annotate.Needs[0]; r != (experiment.NeedRule{Share: 0.3, GPUs: 2, Disk: 5e8}) {
		t.Errorf("%+v", r)
	}
	s.AddRow("jobs")
	s.SetCell("jobs", 0, "memory", "1.5")
	s.SetCell("jobs", 0, "gpus", "0")
	if a := s.Settings.Workload.Annotate.Jobs[0]; a.Memory == nil || *a.Memory != 15e8 || a.GPUs == nil || *a.GPUs != 0 || a.Disk != nil {
		t.Errorf("%+v", a)
	}
	if sum := needsSum(&s.Settings.Workload.Annotate); sum != "1\u00a0rule, 1\u00a0job" {
		t.Errorf("%q", sum)
	}
}

// Intent: a table that a file made very long shows its first rows and says how
// many more there are; nothing of it is lost.
func TestLongTables(t *testing.T) {
	s, _ := opened(t)
	s.Change(func(e *experiment.Experiment) {
		for i := range int64(3000) {
			e.Platform.Outages = append(e.Platform.Outages, experiment.Outage{From: i, To: i + 1})
		}
	})
	table, _ := s.Sheet("outages")
	if len(table.Cells) != 1000 || table.More != 2000 || table.Full == "" || s.AddRow("outages") != -1 || len(s.Settings.Platform.Outages) != 3000 {
		t.Errorf("%d rows, %d more, %d outages", len(table.Cells), table.More, len(s.Settings.Platform.Outages))
	}
	if s.RemoveRow("outages", 5); len(s.Settings.Platform.Outages) != 2999 {
		t.Error("no row was removed")
	}
}
