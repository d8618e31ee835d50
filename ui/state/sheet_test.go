package state

import (
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
)

// farmed is a store whose platform is a list of machines, with a row in every
// table of the left column.
func farmed(t *testing.T) (*Store, *fake) {
	s, f := opened(t)
	s.SetMachines("list")
	for _, id := range []string{"clusters", "groups", "licences", "rules", "jobs"} {
		if s.AddRow(id) < 0 {
			t.Fatalf("%s: no row", id)
		}
	}
	return s, f
}

// Every cell of every table shows what it would read back: setting each to its
// own text changes nothing, and the settings are a valid document.
func TestCellsRoundTrip(t *testing.T) {
	s, _ := farmed(t)
	s.SetCell("jobs", 0, "due", "2d 3h")
	s.SetCell("jobs", 0, "licences", "L1:2, L2")
	before := clone(&s.Settings)
	cells := 0
	for _, table := range sheets {
		shown, _ := s.Sheet(table.id)
		for row := range shown.Cells {
			for k, c := range shown.Columns {
				cells++
				s.SetCell(table.id, row, c.Key, shown.Cells[row][k].Text)
				if len(s.Fields) > 0 {
					t.Fatalf("%s %d %s: its own text %q is refused: %v", table.id, row, c.Key, shown.Cells[row][k].Text, s.Fields)
				}
			}
		}
	}
	if !same(&before, &s.Settings) || cells < 20 {
		t.Errorf("%d cells, settings changed:\n%+v\n%+v", cells, before, s.Settings)
	}
	if err := s.Settings.Validate(); err != nil {
		t.Error(err)
	}
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

// Removing a row takes its message along and moves those below up; undo brings
// the row back.
func TestRemoveRow(t *testing.T) {
	s, _ := farmed(t)
	s.AddRow("rules")
	s.AddRow("rules")
	s.SetCell("rules", 0, "share", "x")
	s.SetCell("rules", 1, "share", "0.5")
	s.SetCell("rules", 2, "share", "y")
	s.RemoveRow("rules", 0)
	shown, _ := s.Sheet("rules")
	if len(shown.Cells) != 2 || shown.Cells[0][1] != (Cell{Text: "0.5"}) || shown.Cells[1][1].Text != "y" || shown.Cells[1][1].Error == "" {
		t.Errorf("%+v", shown.Cells)
	}
	s.Undo()
	if n := len(s.Settings.Workload.Annotate.Licences); n != 3 {
		t.Errorf("%d rules after undo", n)
	}
}

// A licence that gets another name keeps its machines and rules; one that is
// removed leaves no machine naming it.
func TestLicencesGoAlong(t *testing.T) {
	s, _ := farmed(t)
	s.SetCell("rules", 0, "licence", "L1")
	s.SetCell("licences", 0, "name", "cad")
	groups := s.Settings.Platform.Clusters[0].Groups
	if groups[0].Licences[0] != "cad" || s.Settings.Workload.Annotate.Licences[0].Licence != "cad" {
		t.Errorf("%+v %+v", groups, s.Settings.Workload.Annotate.Licences)
	}
	s.RemoveRow("licences", 0)
	if len(s.Settings.Platform.Clusters[0].Groups[0].Licences) != 0 || s.Settings.Validate() != nil {
		t.Errorf("%+v, %v", s.Settings.Platform, s.Settings.Validate())
	}
}

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
		for _, section := range append(s.Sections("platform"), s.Sections("workload")...) {
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

// Cells of a spreadsheet fill a table from a cell on, add the rows they need,
// and are one step to undo; what cannot be used stays at its cell.
func TestPaste(t *testing.T) {
	s, _ := opened(t)
	s.SetMachines("list")
	s.Paste("groups", 0, "count", [][]string{{"2", "16", "1.5"}, {"3", "x", "2", "64", "cad mesh", "too much"}})
	g := s.Settings.Platform.Clusters[0].Groups
	if len(g) != 2 || g[0].Count != 2 || g[0].Processors != 16 || g[0].Speed != 1.5 || g[1].Count != 3 || g[1].Memory != 64e9 || len(g[1].Licences) != 2 {
		t.Errorf("%+v", g)
	}
	shown, _ := s.Sheet("groups")
	if shown.Cells[1][1].Text != "x" || shown.Cells[1][1].Error == "" || len(s.Fields) != 1 {
		t.Errorf("%+v %v", shown.Cells, s.Fields)
	}
	s.Undo()
	if g := s.Settings.Platform.Clusters[0].Groups; len(g) != 1 || g[0].Count != 10 || len(s.Fields) != 0 {
		t.Errorf("after undo %+v, %v", g, s.Fields)
	}
}

// The machines that a generator drew for the results can be listed, and give
// the same platform one by one.
func TestListMachines(t *testing.T) {
	s, f := opened(t)
	s.SetMachines("generator")
	f.answer(&report.Preview{Jobs: 1, Processors: 8}, nil)
	if s.canList() {
		t.Error("there is nothing to list yet")
	}
	s.Run()
	site := &report.Site{Machines: []report.Machine{{Cluster: "farm", Procs: 4, Power: 2, Licences: []string{"L1"}}, {Cluster: "farm", First: 4, Procs: 4, Power: 2, Licences: []string{"L1"}}, {Cluster: "farm", First: 8, Procs: 2, Power: 1}},
		Licences: []report.SiteLicence{{Name: "L1", Copies: 1, Suitable: 2}}}
	for i := range s.Runs {
		f.runs[len(f.runs)-1].event(Event{Run: i, Status: Done, Result: &report.Run{}, Jobs: &report.Jobs{}, Site: site})
	}
	if !s.canList() || !s.Act("machines.copy") {
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
