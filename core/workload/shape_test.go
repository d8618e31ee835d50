package workload_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/workload"
)

func at(t int64) *int64 { return &t }

// Filter, window and scaling, case by case, on six jobs of users 0, 1, 2 in turn.
func TestShape(t *testing.T) {
	l := logOf(t,
		"1 100 0 60 1 1 100", // user 0
		"2 110 0 61 2 2 100", // user 1
		"3 120 0 62 3 3 100", // user 2
		"4 130 0 63 4 4 100", // user 0
		"6 140 0 64 5 5 100", // user 1
		"5 141 0 65 6 6 100", // user 2
	)
	tests := []struct {
		name    string
		options workload.Options
		jobs    string
		report  string
	}{
		{"nothing", workload.Options{}, "1@100 1x60/100, 2@110 2x61/100, 3@120 3x62/100, 4@130 4x63/100, 6@140 5x64/100, 5@141 6x65/100", ""},
		{"some users", workload.Options{Users: []int64{2, 0}}, "1@100 1x60/100, 3@120 3x62/100, 4@130 4x63/100, 5@141 6x65/100", "filtered:2[]"},
		{"without a user", workload.Options{ExcludeUsers: []int64{2, 7}}, "1@100 1x60/100, 2@110 2x61/100, 4@130 4x63/100, 6@140 5x64/100", "filtered:2[]"},
		{"named and excluded is excluded", workload.Options{Users: []int64{0, 1}, ExcludeUsers: []int64{0}}, "2@110 2x61/100, 6@140 5x64/100", "filtered:4[]"},
		{"sizes, inclusive", workload.Options{MinProcs: 2, MaxProcs: 3}, "2@110 2x61/100, 3@120 3x62/100", "filtered:4[]"},
		{"run times, inclusive", workload.Options{MinRun: 64, MaxRun: 65}, "6@140 5x64/100, 5@141 6x65/100", "filtered:4[]"},
		{"a window keeps absolute times and leaves its end out", workload.Options{From: at(110), To: at(130)}, "2@110 2x61/100, 3@120 3x62/100", "outside-window:4[]"},
		{"an open window", workload.Options{From: at(131)}, "6@140 5x64/100, 5@141 6x65/100", "outside-window:4[]"},
		{"filter, then window", workload.Options{Users: []int64{0}, To: at(130)}, "1@100 1x60/100", "filtered:4[] outside-window:1[]"},
		{"twice the load rounds down, and one second orders by number", workload.Options{Load: 2, From: at(120)}, "3@120 3x62/100, 4@125 4x63/100, 5@130 6x65/100, 6@130 5x64/100", "outside-window:2[]"},
		{"a third of the load", workload.Options{Load: 1 / 3.0, To: at(121)}, "1@100 1x60/100, 2@130 2x61/100, 3@160 3x62/100", "outside-window:3[]"},
		{"half of the request beyond the run time, rounded down", workload.Options{Known: 0.5, To: at(111)}, "1@100 1x60/80, 2@110 2x61/80", "outside-window:4[]"},
		{"known run times, then scaled", workload.Options{Known: 1, Time: 0.5, To: at(111)}, "1@100 1x30/30, 2@110 2x30/30", "outside-window:4[]"},
		{"half the times, rounded down", workload.Options{Time: 0.5, To: at(111)}, "1@100 1x30/50, 2@110 2x30/50", "outside-window:4[]"},
		{"at least a second remains", workload.Options{Time: 0.001, To: at(111)}, "1@100 1x1/1, 2@110 2x1/1", "outside-window:4[]"},
		{"the window comes before scaling", workload.Options{Load: 10, From: at(130)}, "4@130 4x63/100, 5@131 6x65/100, 6@131 5x64/100", "outside-window:3[]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, clean, err := workload.FromLog(l, tt.options)
			if err != nil {
				t.Fatal(err)
			}
			if got := jobs(w); got != tt.jobs {
				t.Errorf("jobs are %s, want %s", got, tt.jobs)
			}
			if got := reasons(clean.Counts); got != tt.report {
				t.Errorf("report says %s, want %s", got, tt.report)
			}
			if clean.Kept != 6 {
				t.Errorf("%d kept by cleaning, want 6: filter and window are no cleaning", clean.Kept)
			}
		})
	}
}

// Shape changes nothing in the workload that it is given, and a window alone
// copies no job.
func TestShapeKeepsItsInput(t *testing.T) {
	l := logOf(t, "1 100 0 60 1 1 100", "3 120 0 60 1 1 100", "2 121 0 60 1 1 100")
	w, _, err := workload.Clean(l, workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(w.Jobs)
	for _, o := range []workload.Options{{Load: 5, Time: 2, Users: []int64{0, 1}}, {Load: 5}, {Time: 0.5}, {Known: 1}, {From: at(110)}} {
		if _, _, err := workload.Shape(w, o); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(before, w.Jobs) || w.Truth[0].Run != 60 {
			t.Fatalf("%+v changed the workload", o)
		}
	}
	week, _, err := workload.Shape(w, workload.Options{From: at(110)})
	if err != nil || &week.Jobs[0] != &w.Jobs[1] || cap(week.Jobs) != 2 {
		t.Errorf("a window copies jobs: %v", err)
	}
}

// The weeks of a log are its jobs, each once.
func TestWindowsPartition(t *testing.T) {
	l, err := workload.GenerateSeeded("daily", map[string]any{"jobs": 500}, 5, 0)
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := workload.Clean(l, workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all []model.Job
	_, last := w.Span()
	windows := 0
	for from := int64(0); from <= int64(last); from += 86400 {
		day, _, err := workload.Shape(w, workload.Options{From: at(from), To: at(from + 86400)})
		if errors.Is(err, workload.ErrNoJobs) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, day.Jobs...)
		windows++
	}
	if !slices.Equal(all, w.Jobs) || windows < 2 {
		t.Errorf("%d windows hold %d of %d jobs", windows, len(all), len(w.Jobs))
	}
}

func ExampleShape() {
	l, _ := workload.GenerateSeeded("daily", nil, 1, 0)
	w, _, _ := workload.Clean(l, workload.Options{})
	from, to := int64(7*86400), int64(14*86400)
	week, counts, _ := workload.Shape(w, workload.Options{From: &from, To: &to})
	fmt.Println(len(week.Jobs), "jobs in the second week,", counts[0].Jobs, "outside it")
	// Output: 950 jobs in the second week, 1050 outside it
}
