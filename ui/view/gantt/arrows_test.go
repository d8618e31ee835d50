package gantt

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
)

// follow makes each of some jobs of a chart wait for one before it that had ended.
func follow(g *Gantt) {
	c := g.Panes[0].Cols
	for j := range g.Jobs.Number {
		for p := j - 1; p >= 0 && j%4 == 0; p-- {
			if c.End[p] <= c.Start[j] {
				g.Jobs.After = append(g.Jobs.After, report.After{Job: int32(j), On: int32(p), What: int32(j % 4), Delay: model.Time(j % 3)})
				break
			}
		}
	}
}

// Intent: the chain of a job is what leads to it and what follows from it, however far,
// and nothing else; else arrows would be missing, or show what it never waited for.
func TestChain(t *testing.T) {
	jobs := &report.Jobs{}
	edge := func(job, on int32) {
		jobs.After = append(jobs.After, report.After{Job: job, On: on})
	}
	for _, e := range [][2]int32{{1, 0}, {2, 1}, {3, 1}, {4, 3}, {6, 5}, {7, 6}, {7, 4}, {8, 8}} {
		edge(e[0], e[1])
	}
	jobs.After = append(jobs.After, report.After{Job: 9, On: -1, What: report.AfterBegin})
	read := func(job int) (list []string) {
		chain(jobs, job, func(a *report.After) { list = append(list, fmt.Sprint(a.On, a.Job)) })
		slices.Sort(list)
		return list
	}
	for job, want := range map[int][]string{
		3:  {"0 1", "1 3", "3 4", "4 7"},
		2:  {"0 1", "1 2"},
		7:  {"0 1", "1 3", "3 4", "4 7", "5 6", "6 7"},
		0:  {"0 1", "1 2", "1 3", "3 4", "4 7"},
		8:  {"8 8"},
		9:  nil,
		-1: {"0 1", "1 2", "1 3", "3 4", "4 7", "5 6", "6 7", "8 8"},
	} {
		if got := read(job); !slices.Equal(got, want) {
			t.Errorf("of job %d: %v, want %v", job, got, want)
		}
	}
}

// Intent: as many arrows are drawn as dependencies in view, each from the end of one job
// to the start of the other; a start that was waited for is dashed.
func TestArrows(t *testing.T) {
	g := testGantt(80)
	follow(g)
	if !few(g.Jobs) {
		t.Fatalf("%d dependencies", len(g.Jobs.After))
	}
	heads := func(s *draw.Scene) (n int) {
		for _, op := range s.Ops {
			if op.Filled {
				n += strings.Count(op.Path, "l-9 -4.5v9z")
			}
		}
		return n
	}
	s := &draw.Scene{}
	g.arrows(s, 0, -1)
	if n := heads(s); n != len(g.Jobs.After) {
		t.Errorf("%d arrows for %d dependencies", n, len(g.Jobs.After))
	}
	a := &g.Jobs.After[0]
	want := "M" + draw.Num(g.X(g.Panes[0].Cols.Start[a.Job])) + " " + draw.Num(g.middle(0, int(a.Job))) + "l-9"
	if !slices.ContainsFunc(s.Ops, func(op draw.Op) bool { return strings.Contains(op.Path, want) }) {
		t.Errorf("no arrow ends at %s", want)
	}
	for i := range g.Jobs.After {
		g.Jobs.After[i].What = int32(model.Started)
	}
	s = &draw.Scene{}
	g.arrows(s, 0, -1)
	if !slices.ContainsFunc(s.Ops, func(op draw.Op) bool { return op.Dash == "5 3" }) {
		t.Error("what waited for a start is not dashed")
	}
	if n, all := heads(g.Plot(true)), len(g.Jobs.After)*len(g.Panes); n > all || n == 0 {
		t.Errorf("%d arrows in the plot of %d panes", n, len(g.Panes))
	}
	if svg, ok := g.File("x"); !ok || !strings.Contains(svg, "l-9 -4.5v9z") {
		t.Error("the file has no arrows")
	}
	csv := string(AfterCSV(g.Jobs, g.Panes[0].Cols))
	if n := strings.Count(csv, "\r\n"); n != 1+len(g.Jobs.After) {
		t.Errorf("%d lines for %d dependencies", n, len(g.Jobs.After))
	}
	a = &g.Jobs.After[0]
	if c := g.Panes[0].Cols; !strings.Contains(csv, fmt.Sprintf("\n%d,start,%d,%d,%d,,%d\r", g.Jobs.Number[a.Job], g.Jobs.Number[a.On], a.Delay, c.Start[a.On], c.Start[a.Job])) {
		t.Error(csv)
	}
}

// Intent: what a job waited for stands over its wait with its times, as steps say it; a
// limit by its name.
func TestWaitSaysWhatFor(t *testing.T) {
	list := Stretches([]report.Phase{
		{From: 0, Reason: report.WaitOthers, Head: -1, Text: "Waits for job 12, which runs until {7200} at most."}, {From: 3600, Reason: report.WaitOthers, Head: -1, Text: "Waits until {3660}, 1 min after the end of job 12."},
		{From: 3660, Reason: report.WaitLimit, Head: -1, Text: "Account 3 may hold 32, and job 1 holds 30."}, {From: 4000, Reason: report.WaitNone, Head: -1},
	}, 0, 4000)
	html := WaitHTML(draw.Clock{}, list)
	for _, want := range []string{"Waits for job 12, which runs until 02:00 at most.", "Waits until 01:01, 1 min after the end of job 12.", "Account 3 may hold 32, and job 1 holds 30.", `class="r-others"`, `class="r-limit"`} {
		if !strings.Contains(string(html), want) {
			t.Errorf("%q is missing in %s", want, html)
		}
	}
	if said := WaitedSpeech(draw.Clock{}, list); !strings.Contains(said, "until 02:00 at most") {
		t.Error(said)
	}
	jobs := &report.Jobs{Number: []int64{7}, Submit: []model.Time{0}, Limit: []model.Time{60}, Run: []model.Time{60}, Procs: []int32{1}, User: []int32{1}, Queue: []int32{0}}
	cols := &report.Columns{Start: []model.Time{4000}, End: []model.Time{4060}, Record: report.Record{Why: []report.Why{{Head: -1}}}}
	cols.Why[0].Waited[report.WaitLimit] = 4000
	limit := LimitOf(draw.Clock{}, append(list, Stretch{From: 0, To: 300, Reason: report.WaitLimit, Text: "User 1 may run 2 jobs."}))
	if got := Card(draw.Clock{}, jobs, 0, Subject{Cols: cols, Limit: limit}, nil, "", ""); !strings.Contains(string(got), "because of a limit: Account 3 may hold 32, and job 1 holds 30.") {
		t.Errorf("the card does not name the limit: %s", got)
	}
	if got := Card(draw.Clock{}, jobs, 0, Subject{Cols: cols}, nil, "", ""); !strings.Contains(string(got), "had reached a limit") {
		t.Errorf("while it is not known which: %s", got)
	}
}
