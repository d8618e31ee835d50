//go:build !small

package lab

import (
	"fmt"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/swf"
)

// Intent: no scheduler, on no platform, gains or loses by what it does not see. Given the
// same jobs submitted when they became eligible, and nothing else of what they waited
// for, it does the same.
func TestNobodySeesWhatJobsWaitFor(t *testing.T) {
	env := smallLog(t, 40, 5)
	log, _ := env.Log(experiment.Log{})
	for i := range log.Extra {
		log.Extra[i].Withdrawn = 0 // a job that leaves cannot be said by submissions
	}
	tried := 0
	for _, platform := range keysOf(everyPlatform) {
		for _, scheduler := range everyScheduler() {
			if strings.Contains(scheduler, "as-logged") || testing.Short() && (len(platform)+len(scheduler))%4 > 0 {
				continue
			}
			p, err := Prepare(conforming(t, platform, "workflow", scheduler), env)
			if err != nil {
				continue // refused for a reason of its own: TestEverythingWithEverything
			}
			one, err := p.Run(RunID{}, Options{})
			if err != nil {
				t.Fatalf("%s, %s: %v", platform, scheduler, err)
			}
			s := one.Schedule
			var b strings.Builder
			b.WriteString("; MaxProcs: 16\n")
			first, late := map[int64]model.Execution{}, 0
			for i := range s.Executions {
				e := s.Executions[i]
				j, truth := &s.Workload.Jobs[e.Job], &s.Workload.Truth[e.Job]
				if e.Reason.Unserved() || e.Attempt > 0 {
					continue
				}
				first[j.Number] = e
				if e.Submit > s.Workload.Submitted[e.Job] {
					late++
				}
				fmt.Fprintf(&b, "%d %d -1 %d %d -1 -1 -1 %d -1 1 %d 1 1 %d 1 -1 -1\n", j.Number, e.Submit, truth.Run, j.Procs, j.Limit, j.User, j.Queue)
			}
			if late == 0 {
				t.Fatalf("%s, %s: no job waits for another", platform, scheduler)
			}
			again, err := swf.Parse([]byte(b.String()))
			if err != nil {
				t.Fatal(err)
			}
			q, err := Prepare(conforming(t, platform, "plain", scheduler), Env{Log: func(experiment.Log) (*swf.Log, error) { return again, nil }})
			if err != nil {
				t.Fatal(err)
			}
			two, err := q.Run(RunID{}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for i := range two.Schedule.Executions {
				e := &two.Schedule.Executions[i]
				if e.Attempt > 0 {
					continue
				}
				number := two.Schedule.Workload.Jobs[e.Job].Number
				if want := first[number]; e.Start != want.Start || e.End != want.End || e.Cluster != want.Cluster {
					t.Fatalf("%s, %s: job %d runs from %d to %d, and from %d to %d where nothing waits for anything", platform, scheduler, number, want.Start, want.End, e.Start, e.End)
				}
			}
			tried++
		}
	}
	t.Logf("%d pairs of platform and scheduler", tried)
}

// waited proves that every job waited for what its gate says, no longer than that but for
// its array, and that none started after it was withdrawn.
func waited(s *model.Schedule) error {
	w := s.Workload
	if w.Gates == nil {
		return nil
	}
	n := len(w.Jobs)
	start, over, eligible, ran := make([]model.Time, n), make([]model.Time, n), make([]model.Time, n), make([]bool, n) // as handed in
	for i := n - 1; i >= 0; i-- {
		start[i], over[i], eligible[i] = model.Never, model.Never, model.Never
	}
	for i := range s.Executions {
		e := &s.Executions[i]
		k := w.Origin[e.Job]
		g := &w.Gates[k]
		switch {
		case e.Reason == model.EndWithdrawn:
			over[k] = max(g.Withdrawn, w.SubmittedAt(e.Job))
		case e.Reason.Unserved():
		default:
			if e.Attempt == 0 {
				start[k], eligible[k] = e.Start, e.Submit
			}
			over[k], ran[k] = e.End, true
			if g.Withdrawn > 0 && start[k] >= g.Withdrawn {
				return fmt.Errorf("job %d leaves at %d and starts at %d", w.Jobs[e.Job].Number, g.Withdrawn, start[k])
			}
		}
	}
	for j := range w.Jobs {
		k := w.Origin[j]
		g := &w.Gates[k]
		if start[k] == model.Never {
			continue
		}
		at, least := max(w.Submitted[j], g.Begin), model.Never
		for _, d := range g.After {
			come := over[d.Job]
			well := ran[d.Job] && !w.Gates[d.Job].Failed
			if d.On == model.OK && !well || d.On == model.NotOK && well {
				come = model.Never
			}
			if d.On == model.Started && start[d.Job] < model.Never {
				come = max(start[d.Job]+d.Delay, start[d.Job]+1) - d.Delay
			}
			if come += d.Delay; come > model.Never {
				come = model.Never
			}
			if least = min(least, come); !g.Any {
				at = max(at, come)
			}
		}
		if g.Any {
			at = max(at, least)
		}
		if eligible[k] < at || eligible[k] > at && g.Array == 0 {
			return fmt.Errorf("job %d is eligible at %d instead of %d", w.Jobs[j].Number, eligible[k], at)
		}
		for i := range eligible {
			if i != int(k) && g.Array > 0 && w.Gates[i].Array == g.Array && eligible[i] <= eligible[k] && over[i] > eligible[k] && start[i] < model.Never {
				return fmt.Errorf("jobs %d and %d of an array with a limit of 1 are eligible together", i+1, w.Jobs[j].Number)
			}
		}
	}
	return nil
}

// Intent: a group that starts together leaves the queue when the last of its parts is
// withdrawn, and stays where one of them is not, whichever stands first.
func TestGroupsLeaveAsOne(t *testing.T) {
	for _, c := range []struct {
		rows  string
		start model.Time
	}{
		{`[10,1,5,5,1,-1],[12,1,5,5,1,30]`, 100},
		{`[10,1,5,5,1,30],[12,1,5,5,1,-1]`, 100},
		{`[10,1,5,5,1,30],[12,1,5,5,1,200]`, 100},
		{`[10,1,5,5,1,30],[12,1,5,5,1,40]`, -1},
	} {
		r := firstRun(t, `{"batchlab":1,"platform":{"processors":2},"schedulers":[{"key":"fcfs"}],
			"workload":{"dependencies":"keep","withdrawn":"keep","source":{"inline":{"columns":["submit","procs","requested","run","het","withdrawn"],
			"rows":[[0,2,100,100,-1,-1],`+c.rows+`]}}}}`)
		if x := r.Schedule.Executions[1]; x.Start != c.start {
			t.Errorf("%s: starts at %d, not at %d", c.rows, x.Start, c.start)
		}
	}
}

// Intent: a job that is stopped when its advance reservation is over is over for those
// that wait for it a second later, and its place in an array free, whatever the scheduler
// does in that pass.
func TestReservationsFreeWhatWaitsForThem(t *testing.T) {
	for _, c := range []struct {
		column, first, second string
		start                 model.Time
	}{
		{"after", `""`, `"1:any"`, 6},
		{"after", `""`, `"1:ok+3"`, 8},
		{"after", `""`, `"1:start+2"`, 2},
		{"array", `1`, `1`, 6},
	} {
		r := firstRun(t, `{"batchlab":1,"platform":{"processors":3},"schedulers":[{"key":"fcfs"}],
			"workload":{"dependencies":"keep","annotate":{"reservations":{"share":1,"part":0.5,"factor_min":100,"factor_max":100}},
			"source":{"inline":{"columns":["submit","procs","requested","run","array_limit","`+c.column+`"],
			"rows":[[0,2,10,10,1,`+c.first+`],[0,1,4,2,1,`+c.second+`]]}}}}`)
		if x := r.Schedule.Executions[1]; x.Start != c.start {
			t.Errorf("%s %s: starts at %d, not at %d", c.column, c.second, x.Start, c.start)
		}
	}
}

// Intent: a job that goes on after a best-effort reservation of several processors is
// planned only where so many are, though the request would have been content with one.
func TestPlansKeepWhatBestEffortGot(t *testing.T) {
	r := firstRun(t, `{"batchlab":1,"schedulers":[{"key":"plan-rs","params":{"optimiser":"annealing","interval":0}}],
		"platform":{"clusters":[{"name":"a","groups":[{"count":3}]},{"name":"c","groups":[{"count":1}]}],"booking":{"end":"suspend"},
		"reservations":[{"processors":3,"from":31,"to":33,"effort":"processors","run":24}]},
		"workload":{"source":{"inline":{"columns":["submit","procs","run"],"rows":[[0,3,50],[1,1,50]]}}}}`)
	for _, x := range r.Schedule.Executions {
		if x.End == model.Never {
			t.Errorf("%+v does not end", x)
		}
	}
}
