package own

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

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

// Intent: the first instant at which two schedules do not do the same is named, with
// the job that the other scheduler starts there, and what came before is counted.
func TestCompare(t *testing.T) {
	jobs := table(5)
	b := Compare([]model.Time{0, 10, 50, 30, 40}, []model.Time{0, 10, 20, 30, 60})
	if b.Job != 2 || b.At != 20 || b.Mine || b.Agree != 2 || b.Differ != 2 || b.Starting != 50 {
		t.Errorf("%+v", b)
	}
	if got := b.Title(jobs, "EASY"); got != "The same as EASY up to job 3" {
		t.Error(got)
	}
	if got := b.Sentence(jobs, "EASY", draw.Clock{}); !strings.Contains(got, "starts agree. ") || !strings.Contains(got, "EASY starts job 3 (2") || !strings.Contains(got, "later there") {
		t.Error(got)
	}
	if b = Compare([]model.Time{0, 5}, []model.Time{0, 9}); !b.Mine || b.At != 5 || b.Starting != 9 {
		t.Errorf("%+v", b)
	}
	if b = Compare([]model.Time{0, -1}, []model.Time{0, 9}); b.Mine || b.Starting != -1 || !strings.HasSuffix(b.Sentence(jobs, "EASY", draw.Clock{}), "it never runs there.") {
		t.Errorf("%+v", b)
	}
	if b = Compare([]model.Time{4, 5}, []model.Time{4, 5}); b.Job != -1 || b.Title(jobs, "FCFS") != "The same as FCFS" || b.Agree != 2 {
		t.Errorf("%+v", b)
	}
}

// Intent: whatever two schedules are, before the instant at which they part all
// starts are the same, and at it they are not.
func TestCompareAnyTwo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mine := rapid.SliceOfN(rapid.Int64Range(-1, 6), 0, 12).Draw(t, "mine")
		var a, b []model.Time
		for i, x := range mine {
			a = append(a, model.Time(x))
			b = append(b, model.Time(rapid.Int64Range(-1, 6).Draw(t, "other")))
			if i%3 == 0 {
				b[i] = a[i]
			}
		}
		got := Compare(a, b)
		differ, agree := 0, 0
		for j := range a {
			if a[j] != b[j] {
				differ++
				if x := max(a[j], b[j]); min(a[j], b[j]) >= 0 && min(a[j], b[j]) < got.At || min(a[j], b[j]) < 0 && x < got.At {
					t.Fatalf("job %d parts before %d", j, got.At)
				}
			} else if a[j] >= 0 && (a[j] < got.At || got.Job < 0) {
				agree++
			}
		}
		if differ != got.Differ || got.Job >= 0 && agree != got.Agree || (differ == 0) != (got.Job < 0) {
			t.Fatalf("%+v of %v and %v", got, a, b)
		}
	})
}

// Intent: a promise is the earliest time by requests when a job has become the one
// that has waited longest; starting later breaks it.
func TestDelayed(t *testing.T) {
	jobs := &report.Jobs{Number: []int64{1, 2, 3}, Submit: []model.Time{0, 1, 2}, Procs: []int32{6, 6, 4}, Limit: []model.Time{100, 50, 300}}
	for _, c := range []struct {
		start, end       []model.Time
		broken, promises int
		first            int
	}{
		{[]model.Time{0, 100, 2}, []model.Time{100, 150, 90}, 0, 1, -1}, // job 3 passes and ends before
		{[]model.Time{0, 302, 2}, []model.Time{100, 350, 302}, 1, 1, 1}, // job 3 delays job 2, which was promised 100
		{[]model.Time{0, 40, 40}, []model.Time{40, 90, 100}, 0, 1, -1},  // all earlier than promised; job 3 starts with 2
		{[]model.Time{0, 40, 120}, []model.Time{40, 90, 300}, 1, 2, 2},  // job 3 could have started with job 2
	} {
		broken, first, promises := Delayed(jobs, &report.Columns{Start: c.start, End: c.end}, 10)
		if broken != c.broken || promises != c.promises || first != c.first {
			t.Errorf("%v: %d broken of %d, first %d", c.start, broken, promises, first)
		}
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
		if svg := SmallCase(trial, nil, 400, 190); !strings.Contains(svg, "<svg") || !strings.Contains(svg, want) || strings.Contains(svg, "NaN") || strings.Contains(svg, "%!") {
			t.Errorf("drawn: %s", svg)
		}
	}
}
