package ui

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/result"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// stream is a machine of 10 processors with one wide job among small ones, which
// come a little faster than they can be served.
func stream() *experiment.Experiment {
	e := experiment.New()
	in := &experiment.Inline{Processors: 10, Columns: []string{"submit", "procs", "requested", "run"}}
	for i := range int64(420) {
		in.Rows = append(in.Rows, []int64{i * 1000, 1, 10800, 10800})
	}
	in.Rows = append(in.Rows, []int64{30500, 10, 3600, 3600})
	e.Workload.Source.Inline = in
	return e
}

// Intent: the overview says which job a scheduler starves and leads to it in the
// Gantt chart; under FCFS and conservative backfilling, where everybody's turn
// comes, it says nothing of the same jobs.
func TestStarvationIsSaid(t *testing.T) {
	root, g := page(t)
	s := root.P.S
	if list := s.Starving(); len(list) != 0 {
		t.Errorf("the default preset: %+v", list)
	}
	e := stream()
	for _, key := range []string{"fcfs", "easy", "conservative"} {
		row, err := e.Add(key)
		if err != nil {
			t.Fatal(err)
		}
		if key == "easy" {
			if err := row.SetParam("order", "saf"); err != nil {
				t.Fatal(err)
			}
			row.Label = "EASY by area"
		}
	}
	s.Open(e, "", true)
	g.work()
	list := s.Starving()
	if len(list) != 1 || list[0].Scheduler != 1 || list[0].Number != 421 || list[0].Procs != 10 || list[0].Wait < 4*86400 || list[0].Share < .9 {
		t.Fatalf("starving: %+v", list)
	}
	if again := s.Starving(); len(again) != 1 || again[0] != list[0] {
		t.Errorf("asked again: %+v", again)
	}
	has(t, html(t, root), "EASY by area starves a job: job 421 of 10 processors waited", "Show the job in the Gantt chart")
	s.ShowStarved(&list[0])
	c := s.Finished(1).Result.Columns
	if v := s.View; v.Tab != "gantt" || v.A != 1 || v.Job != list[0].Job || v.From > 30500 || v.To < c.End[list[0].Job] {
		t.Errorf("led to %+v", v)
	}
}

// Intent: each of the three conditions decides by itself, by hand: whose time was
// used, how the others wait, and how long; a reservation, or a job outside the
// measured ones, is not looked at.
func TestStarves(t *testing.T) {
	const day = 86400
	// Job 0 waits from day 1 to day 11; what was there before holds 4 processors, and
	// a job that came after it 6.
	jobs := &report.Jobs{Number: []int64{7, 8, 9}, Submit: []model.Time{day, 0, 2 * day}, Procs: []int32{10, 4, 6}}
	run := func(p99 float64) *report.Run {
		return &report.Run{Metrics: []report.Value{{Key: "p99-wait", Value: p99, Valid: true}, {Key: "max-wait", Value: 10 * day, Valid: true}},
			Columns: report.Columns{Start: []model.Time{11 * day, 0, 2 * day}, End: []model.Time{12 * day, 11 * day, 11 * day}}}
	}
	share := float64(6*9) / float64(6*9+4*10)
	got, ok := result.Starves(run(day), nil, jobs, nil, nil)
	if !ok || got.Number != 7 || got.Wait != 10*day || got.Times != 10 || math.Abs(got.Share-share) > 1e-12 {
		t.Errorf("%+v, %v, want a share of %v", got, ok, share)
	}
	from, until := int64(day+1), int64(day)
	less := *jobs
	less.Procs = []int32{10, 6, 4}
	reserved := *jobs
	reserved.Reserved = []report.Reservation{{Job: 0}}
	short := run(0)
	for i := range short.Columns.Start {
		short.Columns.Start[i], short.Columns.End[i] = day+(short.Columns.Start[i]-day)/20, day+(short.Columns.End[i]-day)/20
	}
	short.Metrics[1].Value = day / 2
	for name, c := range map[string]struct {
		run         *report.Run
		jobs        *report.Jobs
		from, until *int64
	}{
		"everybody waits":         {run(6 * day), jobs, nil, nil},
		"older jobs hold it":      {run(day), &less, nil, nil},
		"a reservation":           {run(day), &reserved, nil, nil},
		"measured from later on":  {run(day), jobs, &from, nil},
		"measured up to before":   {run(day), jobs, nil, &until},
		"not even a day":          {short, jobs, nil, nil},
		"measures are not there":  {&report.Run{Columns: run(0).Columns}, jobs, nil, nil},
		"columns are not of them": {run(day), &report.Jobs{Number: []int64{1}}, nil, nil},
	} {
		if found, ok := result.Starves(c.run, nil, c.jobs, c.from, c.until); ok {
			t.Errorf("%s: %+v", name, found)
		}
	}
	if found, ok := result.Starves(run(0), nil, jobs, nil, nil); !ok || found.Times != 0 {
		t.Errorf("where 99 %% of the jobs do not wait: %+v, %v", found, ok)
	}
	s := state.New(nil)
	if text := s.StarvedText(&result.Starved{Number: 7, Procs: 1, Wait: day, Share: .75, Beside: -1}); strings.Contains(text, "times") || !strings.Contains(text, "1\u00a0processor waited") {
		t.Errorf("%q", text)
	}
}

// Intent: whether a job starves is a matter of the baseline, not of how the others of
// its own run wait. Many that wait longer than anybody there are told, although no one
// sticks out among them; a long wait that is as long there is not.
func TestStarvesBesideTheBaseline(t *testing.T) {
	const day = 86400
	jobs := &report.Jobs{}
	run := func(first, longest model.Time) *report.Run {
		r := &report.Run{Workload: "w", Metrics: []report.Value{{Key: "p99-wait", Value: float64(longest - 10), Valid: true}, {Key: "max-wait", Value: float64(longest), Valid: true}}}
		for i := range 12 {
			start := first - model.Time(i)
			r.Columns.Start, r.Columns.End = append(r.Columns.Start, start), append(r.Columns.End, start+day)
		}
		// One that came after them and ran all the time.
		r.Columns.Start, r.Columns.End = append(r.Columns.Start, 1), append(r.Columns.End, 20*day)
		return r
	}
	for i := range 13 {
		jobs.Number, jobs.Submit, jobs.Procs = append(jobs.Number, int64(i+1)), append(jobs.Submit, model.Time(i/12)), append(jobs.Procs, 1)
	}
	for name, c := range map[string]struct {
		wait, other model.Time
		beyond      int
	}{"a little longer, twelve jobs": {5 * day, 5*day - 20, 12}, "a little longer, one job": {5 * day, 5*day - 1, 0}, "much longer": {5 * day, 3 * day, 12}, "shorter": {5 * day, 6 * day, 0}, "half a day": {day / 2, day / 4, 0}} {
		got, ok := result.Starves(run(c.wait, c.wait), run(c.other, c.other), jobs, nil, nil)
		if ok != (c.beyond > 0) || ok && (got.Beyond != c.beyond || got.Number != 1 || got.Beside != c.other) {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
	}
	// Alone, none of them sticks out.
	if got, ok := result.Starves(run(5*day, 5*day), nil, jobs, nil, nil); ok {
		t.Errorf("alone: %+v", got)
	}
}

// Intent: beside the verdict stand the longest wait, what 99 % of the jobs wait at most
// and how many wait longer than a day, each with the other scheduler's, as the jobs
// themselves have them: a mean of waits hides who pays.
func TestLongestWaitsBesideTheVerdict(t *testing.T) {
	root, g := page(t)
	s := root.P.S
	e := stream()
	for _, order := range []string{"fcfs", "saf"} {
		row, err := e.Add("easy")
		if err != nil {
			t.Fatal(err)
		}
		if err := row.SetParam("order", order); err != nil {
			t.Fatal(err)
		}
		row.Label = "EASY " + order
	}
	s.Open(e, "", true)
	g.work()
	var longest, most [2]float64
	var over [2]int
	for i := range over {
		var waits []float64
		c := s.Finished(i).Result.Columns
		for j, start := range c.Start {
			submit := model.Time(j) * 1000
			if j == 31 { // the wide one
				submit = 30500
			} else if j > 31 {
				submit -= 1000
			}
			waits = append(waits, float64(start-submit))
		}
		slices.Sort(waits)
		for _, w := range waits {
			if w > 86400 {
				over[i]++
			}
		}
		longest[i], most[i] = waits[len(waits)-1], waits[(len(waits)*99+99)/100-1]
	}
	if longest[0] == longest[1] || over == [2]int{} {
		t.Fatalf("nothing to tell: %v, %v", longest, over)
	}
	for a := range 2 {
		s.View.A = a
		b := 1 - a
		want := fmt.Sprintf("Longest wait %s (%s under ", words.Dur(longest[a]), words.Dur(longest[b]))
		then := fmt.Sprintf("; 99\u00a0%% of the jobs within %s (%s under ", words.Dur(most[a]), words.Dur(most[b]))
		last := fmt.Sprintf("; jobs that wait more than a day: %d (%d under ", over[a], over[b])
		if text := s.Finding().Tail; !strings.HasPrefix(text, want) || !strings.Contains(text, then) || !strings.Contains(text, last) {
			t.Errorf("looking at %d: %q, want %q, %q and %q", a, text, want, then, last)
		}
		has(t, html(t, root), strings.ReplaceAll(s.Finding().Tail, "\u00a0", " "))
	}
}
