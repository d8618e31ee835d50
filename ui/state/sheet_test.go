package state

import (
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/engine"
)

// farmed is a store whose platform is a list of machines, with a row in every
// table of the left column.
func farmed(t *testing.T) (*Store, *fake) {
	s, f := opened(t)
	s.SetMachines("list")
	s.SetCell("groups", 0, "memory", "64")
	for _, id := range []string{"clusters", "groups", "licences", "rules", "jobs", "eligible", "needs", "outages", "classes"} {
		if s.AddRow(id) < 0 {
			t.Fatalf("%s: no row", id)
		}
	}
	return s, f
}

// What is typed into a cell is understood, or refused at the cell in words
// that help; the settings keep the value before, and nothing runs meanwhile.
func TestTypedCells(t *testing.T) {
	for _, c := range []struct{ id, key, text, shows, wrong string }{
		{"groups", "count", "12", "12", ""},
		{"groups", "count", "0", "", "between 1 and 10,000"},
		{"groups", "speed", "x", "", "x is not a number"},
		{"groups", "memory", "", "", ""},
		{"groups", "memory", "1.5", "1.5", ""},
		{"groups", "licences", "L1 mesh;cad", "L1, mesh, cad", ""},
		{"clusters", "name", "", "", "a name is missing"},
		{"clusters", "packing", "stacked", "", "not one of the choices"},
		{"rules", "share", "30", "", "between 0 and 1"},
		{"jobs", "due", "1h 30m", "1h 30m", ""},
		{"jobs", "licences", "-", "-", ""},
		{"jobs", "licences", "", "", ""},
	} {
		s, _ := farmed(t)
		s.SetCell(c.id, 0, c.key, c.text)
		shown, _ := s.Sheet(c.id)
		for k := range shown.Columns {
			if shown.Columns[k].Key != c.key {
				continue
			}
			got := shown.Cells[0][k]
			if c.wrong == "" && (got.Text != c.shows || got.Error != "") || c.wrong != "" && (!strings.Contains(got.Error, c.wrong) || got.Text != c.text || s.CanRun() == "") {
				t.Errorf("%s %s %q: %+v, want %q, %q", c.id, c.key, c.text, got, c.shows, c.wrong)
			}
		}
	}
}

// A fault of the whole document stands at its cell, and such settings are
// neither read nor run.
func TestFaultsAtCells(t *testing.T) {
	s, f := farmed(t)
	reads := len(f.loads)
	s.SetCell("clusters", 1, "name", "farm")
	shown, _ := s.Sheet("clusters")
	if !strings.Contains(shown.Cells[1][0].Error, "stands already in the list") || s.CanRun() == "" || len(f.loads) != reads {
		t.Errorf("%+v, %q, %d readings", shown.Cells, s.CanRun(), len(f.loads)-reads)
	}
	s.SetCell("clusters", 1, "name", "other")
	if len(f.loads) != reads+1 {
		t.Error("mended settings are not read")
	}
	f.answer(&report.Preview{Jobs: 1, Processors: 8}, nil)
	s.RemoveRow("classes", 0)
	f.answer(&report.Preview{Jobs: 1, Processors: 8}, nil)
	if why := s.CanRun(); why != "" {
		t.Error(why)
	}
	// What a worker says of an entry stands at its cell, too.
	s.SetCell("rules", 0, "licence", "nix")
	f.answer(nil, errText(`workload.annotate.licences[0]: nobody has licence "nix"`))
	if shown, _ := s.Sheet("rules"); !strings.Contains(shown.Cells[0][0].Error, "nobody has licence") || !strings.Contains(s.CanRun(), "nobody has") {
		t.Errorf("%+v, %q", shown.Cells, s.CanRun())
	}
}

type errText string

func (e errText) Error() string { return string(e) }

// Machines are counted, listed or drawn; each of the three is a valid document
// that comes back from a link.
func TestSetMachines(t *testing.T) {
	for _, kind := range []string{"list", "generator", "count"} {
		s, _ := opened(t)
		s.SetMachines(kind)
		e, err := experiment.Decode(s.Document(false))
		if err != nil || s.Machines() != kind || e.Identity() != s.Settings.Identity() {
			t.Errorf("%s: %v, %s", kind, err, s.Machines())
		}
		for _, section := range slices.Concat(s.Folds(), s.Sections("platform"), s.Sections("workload")) {
			for _, it := range section.Items {
				if _, ok := s.Input(it.Field); it.Field != "" && !ok {
					t.Errorf("there is no input %s", it.Field)
				}
				if _, ok := s.Sheet(it.Sheet); it.Sheet != "" && !ok {
					t.Errorf("there is no table %s", it.Sheet)
				}
			}
		}
	}
}

// The machines that a generator drew for the results can be listed, and give
// the same platform one by one.
func TestListMachines(t *testing.T) {
	s, f := opened(t)
	s.SetMachines("generator")
	f.answer(&report.Preview{Jobs: 1, Processors: 8}, nil)
	if s.Act("machines.copy"); s.Machines() == "list" {
		t.Error("there is nothing to list yet")
	}
	s.Run()
	site := &report.Site{Machines: []report.Machine{{Cluster: "farm", Procs: 4, Power: 2, Licences: []string{"L1"}}, {Cluster: "farm", First: 4, Procs: 4, Power: 2, Licences: []string{"L1"}}, {Cluster: "farm", First: 8, Procs: 2, Power: 1}},
		Licences: []report.SiteLicence{{Name: "L1", Copies: 1, Suitable: 2}}}
	for i := range s.Runs {
		f.runs[len(f.runs)-1].event(engine.Event{Run: i, Status: engine.Done, Result: &report.Run{}, Jobs: &report.Jobs{}, Site: site})
	}
	if !s.Act("machines.copy") {
		t.Fatal("the machines cannot be listed")
	}
	p := s.Settings.Platform
	if s.Machines() != "list" || len(p.Clusters) != 1 || len(p.Clusters[0].Groups) != 2 || p.Clusters[0].Groups[0].Count != 2 || p.Licences[0] != (experiment.Licence{Name: "L1", Copies: 1}) {
		t.Errorf("%+v", p)
	}
	if err := s.Settings.Validate(); err != nil {
		t.Error(err)
	}
}

// A scheduler that cannot run on machines is named at its row, or at the input
// that is to blame, before the run; without it the others run.
func TestUnsuitedScheduler(t *testing.T) {
	s, f := opened(t)
	s.SetMachines("list")
	f.answer(&report.Preview{Jobs: 1, Processors: 8}, nil)
	s.Change(func(e *experiment.Experiment) {
		e.Schedulers = append(e.Schedulers[:1:1], experiment.Scheduler{Key: "as-logged", Repeat: 1})
	})
	reads := len(f.loads)
	if why := s.CanRun(); why != "" {
		t.Errorf("the log's own schedule on machines: %q", why)
	}
	s.SwitchOff(1)
	if why := s.CanRun(); why != "" || len(f.loads) != reads {
		t.Errorf("%q, %d readings", why, len(f.loads)-reads)
	}
	s.Change(func(e *experiment.Experiment) {
		one, _ := e.Add("bf-mod")
		one.SetParam("deadline-min", 30)
	})
	_, id := s.SchedulerFault(1)
	if in, _ := s.Input("sched.1.deadline-max"); id != "sched.1.deadline-max" || !strings.Contains(in.Error, "less than deadline-min") {
		t.Errorf("at %q: %+v", id, in)
	}
	s.SetField("sched.1.deadline-max", "40")
	if why := s.CanRun(); why != "" {
		t.Error(why)
	}
}
