package own

import (
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
)

func table(n int) *report.Jobs {
	jobs := &report.Jobs{}
	for j := range n {
		jobs.Number = append(jobs.Number, int64(j+1))
		jobs.Submit = append(jobs.Submit, model.Time(j))
		jobs.Procs = append(jobs.Procs, 2)
		jobs.Limit = append(jobs.Limit, 100)
	}
	return jobs
}

// run is a finished run with starts, whose jobs run for ten seconds.
func run(starts ...model.Time) *report.Run {
	r := &report.Run{Processors: 10}
	for _, at := range starts {
		r.Columns.Start, r.Columns.End = append(r.Columns.Start, at), append(r.Columns.End, at+10)
	}
	return r
}

// Intent: the first instant at which two schedules do not do the same is named, with
// who starts the job there and who later, and what came before is counted.
func TestCompare(t *testing.T) {
	jobs := table(5)
	for _, c := range []struct {
		mine, other *report.Run
		agree       int
		title, says string
	}{
		{run(0, 10, 50, 30, 40), run(0, 10, 20, 30, 60), 2, "The same as EASY up to job 3", "EASY starts job 3 (2"},
		{run(0, 5, 6, 7, 8), run(0, 9, 6, 7, 8), 1, "The same as EASY up to job 2", "your program starts job 2 (2"},
		{run(0, -1, 6, 7, 8), run(0, 9, 6, 7, 8), 4, "The same as EASY up to job 2", "your program does not: it never runs there."},
		{run(4, 5, 6, 7, 8), run(4, 5, 6, 7, 8), 5, "The same as EASY", "Every one of the 5"},
	} {
		b := Compare(jobs, c.mine, c.other, true)
		if got := b.Title("EASY"); got != c.title || b.Agree != c.agree {
			t.Errorf("%s, %d agree: %+v", got, b.Agree, b.Apart)
		}
		if got := b.Sentence(jobs, "EASY", draw.Clock{}); !strings.Contains(got, c.says) {
			t.Error(got)
		}
	}
}

// Intent: what holds is told in words, with the job that is worst off and the instant
// where it does not.
func TestPromises(t *testing.T) {
	jobs := &report.Jobs{Number: []int64{1, 2, 3}, Submit: []model.Time{0, 1, 2}, Procs: []int32{6, 6, 4}, Limit: []model.Time{100, 50, 300}}
	mine, other := run(0, 302, 2), run(0, 100, 150)
	mine.Columns.End, other.Columns.End = []model.Time{100, 350, 302}, []model.Time{100, 150, 450}
	mine.Metrics, other.Metrics = []report.Value{{Key: "mean-wait", Value: 50, Valid: true}}, []report.Value{{Key: "mean-wait", Value: 100, Valid: true}}
	b := Compare(jobs, mine, other, true)
	list := b.Promises(jobs, mine, other, "EASY")
	if len(list) != 5 || !list[0].Holds || list[1].Holds || list[1].Job != 1 || list[2].Holds || list[2].Job != 1 || list[2].At != 2 && list[2].At != 1 {
		t.Fatalf("%+v", list)
	}
	if !strings.HasPrefix(list[1].Says, "No job starves") || !strings.Contains(list[1].Value, "against") || !strings.Contains(list[2].Value, "broken 1") || list[3].Value != "−50.0 %" || list[4].Value != "2" {
		t.Errorf("%+v", list)
	}
	if b = Compare(jobs, other, other, false); len(b.Promises(jobs, other, other, "EASY")) != 4 {
		t.Error("a promise to heads is told where it cannot be")
	}
}

// Intent: faults stand at their line, with words that say which; counts have bars of
// the square root, and what a run was ended by is found in its message.
func TestLines(t *testing.T) {
	trial := &report.Trial{Check: report.ProgramCheck{Faults: []report.CodeFault{{Line: 3, Column: 7, Message: "undefined: shadwo"}}}}
	if got := Faults(trial); len(got) != 1 || got[0].Text != "Line 3, column 7: undefined: shadwo" || got[0].Line != 3 {
		t.Errorf("%+v", got)
	}
	got := Counts(&report.CodeProfile{Lines: []report.CodeLine{{Line: 1, Calls: 100, Steps: 4}, {Line: 2, Calls: 25, Steps: 0}}}, "calls")
	if len(got) != 2 || got[0].Share != 1 || got[1].Share != .5 || got[0].Words != "100" {
		t.Errorf("%+v", got)
	}
	if n := len(Counts(nil, "calls")) + len(Counts(&report.CodeProfile{}, "")); n != 0 {
		t.Error(n)
	}
	if f := RunFault("schedulers[1].params.code: line 4, column 2: too many steps"); f.Line != 4 || f.Column != 2 || f.Text != "Line 4, column 2: too many steps" {
		t.Errorf("%+v", f)
	}
	if f := RunFault("stopped"); f.Line != 0 || f.Text != "stopped" {
		t.Errorf("%+v", f)
	}
	if names := Names(); !strings.Contains(names, `"name":"earliest"`) || !strings.Contains(names, `"name":"decide"`) {
		t.Error(names)
	}
}

// Intent: the small case is told in one sentence, drawn for whoever sees it, and a
// program that does not run leaves EASY alone there.
func TestSmallCase(t *testing.T) {
	easy := []report.TrialBar{{Job: 1, End: 3600, Held: 4}, {Job: 2, Start: 3600, End: 7200, Held: 8}}
	own := []report.TrialBar{{Job: 1, End: 3600, Held: 4}, {Job: 2, Start: 7200, End: 10800, Held: 8}}
	same := &report.Trial{Processors: 10, EASY: easy, Own: easy, Like: []string{"easy"}}
	moved := &report.Trial{Processors: 10, EASY: easy, Own: own}
	for trial, want := range map[*report.Trial]string{
		same: "it does what EASY does", moved: "it starts job 2 1\u00a0h later", {Processors: 10, EASY: easy}: "does not run",
	} {
		if got := SmallCaseSays(trial); !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
		if svg := SmallCase(trial, nil, 400, 190); !strings.Contains(string(svg), "<svg") || !strings.Contains(string(svg), want) || strings.Contains(string(svg), "NaN") || strings.Contains(string(svg), "%!") {
			t.Errorf("drawn: %s", svg)
		}
	}
}

// Intent: a program is set beside the scheduler that does the same, wherever it
// stands; only where none does, beside the baseline, EASY, or whoever is there.
func TestRival(t *testing.T) {
	mine := run(0, 5, 6)
	numbered := func(i int, starts ...model.Time) *report.Run {
		r := run(starts...)
		r.Scheduler = i
		return r
	}
	easy := func(i int) bool { return i == 1 }
	fcfs, other, same := numbered(0, 0, 9, 20), numbered(1, 0, 5, 7), numbered(2, 0, 5, 6)
	for _, c := range []struct {
		baseline int
		others   []*report.Run
		want     *report.Run
	}{
		{0, []*report.Run{fcfs, other, same}, same},
		{0, []*report.Run{fcfs, other}, fcfs},
		{3, []*report.Run{fcfs, other}, other},
		{3, []*report.Run{fcfs}, fcfs},
		{0, nil, nil},
	} {
		if got := Rival(mine, c.others, c.baseline, easy); got != c.want {
			t.Errorf("baseline %d: %+v", c.baseline, got)
		}
	}
}
