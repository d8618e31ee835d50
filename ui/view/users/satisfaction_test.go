package users

import (
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/draw/drawtest"
	"batchlab/ui/words"
)

// loudData is a run of five jobs by two users, with three complaints.
func loudData() *draw.Data {
	r := &report.Run{Processors: 8, Users: []report.UserRow{{User: 3, Jobs: 3}, {User: 9, Jobs: 2}}}
	r.Columns = report.Columns{
		Start: []model.Time{0, 10, 20, 900, 40}, End: []model.Time{10, 20, 30, 1000, -1},
		Complaints: []report.Complaint{{Job: 3, User: 9, Wait: 880, Acceptable: 88, Level: 10}, {Job: 1, User: 3, Wait: 8, Acceptable: 2, Level: 4}, {Job: 2, User: 3, Wait: 15, Acceptable: 10, Level: 1.5}},
	}
	r.Columns.Start[4] = -1
	r.Series = report.Series{At: []model.Time{0, 1000}, Used: []int32{1, 0}, Waiting: []int32{0, 0}}
	return &draw.Data{
		Names: []string{"EASY"}, Runs: [][]*report.Run{{r}}, Shown: []*report.Run{r}, A: 0, B: -1, Base: -1, Theme: draw.Colours(false),
		Jobs:       &report.Jobs{Number: []int64{11, 12, 13, 14, 15}},
		Acceptable: func(procs int32, limit model.Time) model.Time { return model.Time(procs) * limit },
	}
}

// Complaints are plotted in descending order, by user and one by one, and the
// loudest user leads with the job that waited worst.
func TestComplaintPlots(t *testing.T) {
	d := loudData()
	p := ComplaintUsers(d, 600, 300)
	if l := p.Layers[0]; len(l.X) != 2 || l.Y[0] != 2 || l.Y[1] != 1 || l.X[1] != 2 {
		t.Errorf("by user: %v %v", l.X, l.Y)
	}
	p = ComplaintLevels(d, 600, 300)
	if l := p.Layers[0]; len(l.Y) != 3 || l.Y[0] != 10 || l.Y[1] != 4 || l.Y[2] != 1.5 {
		t.Errorf("one by one: %v", l.Y)
	}
	if g := p.File(); len(g.Raw) != 3 && len(g.Cells) != 3 {
		t.Errorf("as a file: %v %v", g.Cells, g.Raw)
	}
	list := Loudest(d)
	if len(list) != 2 || list[0].User != 3 || list[0].Complaints != 2 || list[0].Mean != 2.75 || list[0].Job != 1 || list[1].Worst != 10 {
		t.Errorf("%+v", list)
	}
	if g := LoudGrid(d, list); g.Cells[0][6] != "12" || g.Cells[0][1] != "3" {
		t.Errorf("%v", g.Cells)
	}
	d.Shown[0].Columns.Complaints = nil
	if p := ComplaintLevels(d, 600, 300); p.Empty != "Nobody waited longer than acceptable." {
		t.Errorf("%q", p.Empty)
	}
	d.Shown[0].Users = []report.UserRow{{User: -1, Jobs: 5}}
	if p := ComplaintUsers(d, 600, 300); !strings.Contains(p.Empty, "names no users") {
		t.Errorf("%q", p.Empty)
	}
}

// The map says what the formula says, for every size up to the machine.
func TestAcceptableMap(t *testing.T) {
	out := AcceptableMap(loudData(), 600, 300)
	drawtest.CheckFigure(t, "acceptable waits", &out)
	g := out.Numbers()
	if len(g.Raw) != 4 || g.Raw[0][0] != "8" || g.Raw[3][1] != "900" || g.Raw[0][2] != "28800" || !strings.Contains(string(out.SVG()), "<rect") {
		t.Errorf("%v", g.Raw)
	}
}

// Throughput counts the jobs that have ended, rejected ones not.
func TestThroughput(t *testing.T) {
	p := Throughput(loudData(), 600, 300)
	l := p.Layers[0]
	if last := len(l.Y) - 1; l.Y[0] != 0 || l.Y[last] != 4 || l.X[last] != 1000 {
		t.Errorf("ends at %v, %v", l.X[len(l.X)-1], l.Y[len(l.Y)-1])
	}
	for i := 1; i < len(l.Y); i++ {
		if l.Y[i] < l.Y[i-1] {
			t.Fatal("jobs that have ended become fewer")
		}
	}
}

// What was found is drawn class by class, and its absence said.
func TestFoundBars(t *testing.T) {
	d := loudData()
	if out := Found(d, "think", 400, 300); !strings.Contains(out.Empty, "replayed") {
		t.Errorf("%q", out.Empty)
	}
	d.Reaction = &report.Reaction{Think: report.Spread{Bars: []report.Bar{{From: 0, To: 0, Jobs: 2}, {From: 1, To: 60, Jobs: 6}, {From: 61, To: int64(model.Never)}}}}
	out := Found(d, "think", 400, 300)
	drawtest.CheckFigure(t, "found", &out)
	if g := out.Numbers(); len(g.Raw) != 3 || g.Raw[1][1] != "6" || g.Raw[1][2] != "0.75" || g.Cells[0][0] != words.Dur(0) {
		t.Errorf("%v %v", g.Cells, g.Raw)
	}
	if out := Found(d, "breaks", 400, 300); out.Empty == "" {
		t.Error("no breaks are drawn")
	}
}
