package series

import (
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/draw/drawtest"
)

// The lanes of licences stand in order of the jobs that waited, say a sentence,
// and their file holds every change.
func TestLicences(t *testing.T) {
	run := &report.Run{Processors: 4, Series: report.Series{At: []model.Time{0, 100}, Used: []int32{1, 0}, Waiting: []int32{0, 0}}, Licences: []report.Licence{
		{Name: "cad", Copies: 2, Usage: .25, At: []model.Time{10, 60}, Used: []int32{1, 0}, Blocked: []int32{0, 0}},
		{Name: "me<sh", Copies: 1, Usage: .8, At: []model.Time{10, 20, 90}, Used: []int32{1, 1, 0}, Blocked: []int32{0, 3, 0}},
		{Name: "own", At: []model.Time{5}, Used: []int32{2}, Blocked: []int32{0}},
	}}
	d := &draw.Data{Names: []string{"EASY"}, Shown: []*report.Run{run}, B: -1, Base: -1, Theme: draw.Colours(false)}
	out := Licences(d, 0, 0, 800, LicencesHeight(d))
	if !HasLicences(d) || !strings.Contains(out.Aria, "of me<sh most is in use, 80.0\u00a0%") || !strings.Contains(out.Aria, "copies of 1 of 3\u00a0licences, most of all for me<sh, 2.1") {
		t.Error(out.Aria)
	}
	drawtest.CheckFigure(t, "licences", &out)
	if svg := string(out.SVG()); strings.Contains(svg, "<sh") || !strings.Contains(svg, "max 3 wait") || !strings.Contains(svg, "node-locked") {
		t.Error(svg)
	}
	grid := out.Numbers()
	if grid.Cells[0][0] != "me<sh" || grid.Cells[0][5] != "3" || len(grid.Raw) != 6 || strings.Join(grid.Raw[1], " ") != "me<sh 1 20 1 3" {
		t.Errorf("%+v", grid)
	}
	if said := out.Say(50, -1, -1); !strings.Contains(string(said), "1 of 1") || !strings.Contains(string(said), "me&lt;sh") {
		t.Error(said)
	}
	if empty := Licences((&draw.Data{Names: []string{"EASY"}, Shown: []*report.Run{{Series: run.Series}}, Theme: draw.Colours(false)}), 0, 0, 800, 100); empty.Empty == "" {
		t.Error("a run without licences draws some")
	}
}
