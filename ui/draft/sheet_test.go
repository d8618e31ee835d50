package draft

import (
	"fmt"
	"strings"
	"testing"

	"batchlab/ui/words"
)

// Every cell of every table shows what it would read back: setting each to its
// own text changes nothing, and the settings are a valid document.
func TestCellsRoundTrip(t *testing.T) {
	s, _ := farmed(t)
	s.SetCell("jobs", 0, "due", "2d 3h")
	s.SetCell("jobs", 0, "licences", "L1:2, L2")
	before := *s.Settings.Clone()
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
	if !Same(&before, &s.Settings) || cells < 20 {
		t.Errorf("%d cells, settings changed:\n%+v\n%+v", cells, before, s.Settings)
	}
	if err := s.Settings.Validate(); err != nil {
		t.Error(err)
	}
}

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

// Outages name machines as people do; what is no machine of the cluster, or more
// than it has, is said at the cell.
func TestOutageCells(t *testing.T) {
	s, _ := farmed(t)
	s.SetCell("outages", 0, "cluster", "farm")
	for text, want := range map[string]string{
		"farm3": "farm3", "farm1 farm2,farm3 farm7-8": "farm1-3, farm7-8", "": "",
		"farm0": "farm0 is no machine of farm: they are called farm1, farm2 and so on", "3": "3 is no machine of farm", "firm3": "firm3 is no machine",
		"farm9-11": "there is no machine farm9-11: farm has 10 machines", "farm5-3": "farm5-3 is no machine",
	} {
		s.SetCell("outages", 0, "nodes", text)
		shown, _ := s.Sheet("outages")
		for k, c := range shown.Columns {
			if got := shown.Cells[0][k]; c.Key == "nodes" && got.Text != want && !strings.HasPrefix(strings.ReplaceAll(got.Error, words.NB, " "), want) {
				t.Errorf("%q: %+v, not %s", text, got, want)
			}
		}
	}
	s.SetCell("outages", 0, "nodes", "farm2")
	s.SetCell("outages", 0, "to", "1h")
	shown, _ := s.Sheet("outages")
	if got := shown.Cells[0][1]; !strings.Contains(got.Error, "must be later than from") {
		t.Errorf("%+v", got)
	}
	s.SetCell("outages", 0, "to", "3d")
	s.SetFailures(true)
	s.SetField("limit.user", "40")
	s.SetMachines("count")
	if p := s.Settings.Platform; len(p.Outages) != 1 || p.Failures == nil || p.Limits.UserProcessors != 40 || len(p.Limits.Classes) != 1 {
		t.Errorf("another way to describe machines forgets the guards: %+v", p)
	}
	shown, _ = s.Sheet("outages")
	if all := fmt.Sprint(shown.Cells); !strings.Contains(all, `unknown cluster "farm"`) {
		t.Errorf("a cluster that is not there any more is not named: %s", all)
	}
}

// Files fill tables: CSV a table whose columns its first line names, a platform
// by itself what it speaks of. What cannot be used stays at its cell.
func TestImports(t *testing.T) {
	s, _ := opened(t)
	s.ImportTable("groups", "machines.csv", ReadTable("\ufeffCount;Processors;memory;gpus;properties\r\n4;16;64;2;x86 nfs4\r\n\r\n2;x;;0;\"arm, big\"\r\n"))
	g := s.Settings.Platform.Clusters[0].Groups
	if len(g) != 2 || g[0].Count != 4 || g[0].Processors != 16 || g[0].Memory != 64e9 || g[0].GPUs != 2 || len(g[0].Properties) != 2 || g[1].Properties[0] != "arm" || s.Fields["groups.1.processors"].Error == "" {
		t.Errorf("%+v %v", g, s.Fields)
	}
	s.SetCell("groups", 1, "processors", "8")
	for text, want := range map[string]string{
		"from,to,nodes": "outages", "from,to,cluster,announced,name": "outages", "longer_than,share": "classes", "name,copies": "licences", "job,due": "", "a,b": "", "from,to,colour": "", "name,processors,from,to": "outages",
	} {
		if got := s.TableFor(ReadTable(text)[0]); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	s.ImportTable("outages", "outages.csv", ReadTable("nodes,from,to,announced,cluster\nfarm1-2,1d,1d 4h,yes,farm\nfarm9,5,9,false,farm\n"))
	o := s.Settings.Platform.Outages
	if len(o) != 2 || len(o[0].Nodes) != 2 || o[0].To != 86400+4*3600 || !o[0].Announced || o[1].From != 5 || o[1].Announced || !strings.Contains(s.Fields["outages.1.nodes"].Error, "no machine farm9") {
		t.Errorf("%+v %v", o, s.Fields)
	}
	s.Undo()
	if len(s.Settings.Platform.Outages) != 0 {
		t.Error("an import is more than one step")
	}
	s.OpenPlatform("limits.json", []byte(`{"limits":{"user_processors":12},"outages":[{"from":0,"to":60}]}`))
	if p := s.Settings.Platform; p.Limits.UserProcessors != 12 || len(p.Outages) != 1 || len(p.Clusters) != 1 {
		t.Errorf("%+v", p)
	}
	s.OpenPlatform("bad.json", []byte(`{"limits":{"user_procs":12}}`))
	if !strings.Contains(s.board.Notice, "bad.json") || !strings.Contains(s.board.Notice, "platform.limits.user_procs: unknown key") || s.Settings.Platform.Limits.UserProcessors != 12 {
		t.Errorf("%q", s.board.Notice)
	}
}
