//go:build !small

package lab

import (
	"fmt"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/policy"
	"batchlab/core/report"
)

// slurmLine makes a line with the scheduler slurm.
func slurmLine(t *testing.T, params map[string]any) experiment.Scheduler {
	t.Helper()
	line, err := experiment.NewScheduler("slurm")
	if err != nil {
		t.Fatal(err)
	}
	for key, v := range params {
		if err := line.SetParam(key, v); err != nil {
			t.Fatal(err)
		}
	}
	return line
}

// Intent: every parameter of the row reaches the controller, under the name that it has in
// slurm.conf and in its unit; one that did not would be set in vain.
func TestSlurmParametersArrive(t *testing.T) {
	plain, err := build(ptr(slurmLine(t, nil)))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range catalog.FindScheduler("slurm").Params {
		var v any = int64(7)
		switch {
		case p.Type == catalog.Bool:
			v = true
		case p.Type == catalog.Enum:
			v = p.Options[len(p.Options)-1].Key
		case p.Key == "sched_min_interval":
			v = int64(7_000_000)
		}
		s, err := build(ptr(slurmLine(t, map[string]any{p.Key: v})))
		if err != nil {
			t.Errorf("%s: %v", p.Key, err)
		} else if fmt.Sprintf("%+v", s) == fmt.Sprintf("%+v", plain) {
			t.Errorf("%s changes nothing", p.Key)
		}
		if p.Type == catalog.Int { // the greatest that its row allows
			if _, err := build(ptr(slurmLine(t, map[string]any{p.Key: int64(p.Max)}))); err != nil {
				t.Error(err)
			}
		}
	}
	s, _ := build(ptr(slurmLine(t, map[string]any{"bf_window": int64(2), "PriorityMaxAge": int64(90), "bf_interval": int64(7)})))
	if p := s.(*policy.Slurm).Params; p.BFWindow != 120 || p.MaxAge != 90 || p.BFInterval != 7 {
		t.Errorf("%+v", p)
	}
}

func ptr[T any](v T) *T { return &v }

// Intent: what slurm.conf says of scheduling becomes the parameters, in Slurm's own units,
// and what nobody goes by is named.
func TestSetSlurm(t *testing.T) {
	line := slurmLine(t, nil)
	left := SetSlurm(&line, []report.Setting{
		{Name: "SchedulerParameters", Value: "bf_interval=60,bf_window=2880, bf_continue,defer,nohold_on_prolog_fail"}, {Name: "PriorityType", Value: "priority/Multifactor"},
		{Name: "prioritymaxage", Value: "14-0"}, {Name: "PriorityFlags", Value: "SMALL_RELATIVE_TO_TIME,MAX_TRES"}, {Name: "SelectType", Value: "select/cons_res"},
		{Name: "PriorityWeightAge", Value: "1000"}, {Name: "PriorityFavorSmall", Value: "NO"}, {Name: "ClusterName", Value: "x"}, {Name: "PriorityWeightQOS", Value: "much"},
	})
	if got := strings.Join(left, " "); got != "bf_continue nohold_on_prolog_fail MAX_TRES PriorityWeightQOS" {
		t.Errorf("left: %s", got)
	}
	for key, want := range map[string]any{"bf_interval": int64(60), "bf_window": int64(2880), "defer": true, "PriorityType": "priority/multifactor", "PriorityMaxAge": int64(14 * 86400),
		"SMALL_RELATIVE_TO_TIME": true, "SelectType": "select/cons_tres", "PriorityWeightAge": int64(1000), "PriorityFavorSmall": false, "PriorityWeightQOS": nil} {
		if got, _ := line.Params.Get(key); got != want {
			t.Errorf("%s: %v, not %v", key, got, want)
		}
	}
}

// Intent: the CSV of instants is read by its header, in order of time; what is no pass and
// no cycle is passed over, and what is no number is named with its line.
func TestReadInstants(t *testing.T) {
	got, err := ReadInstants("what,t,which\r\nmain,5.9,full\nend,3,\nbackfill,-0.2,\nmain,2,depth\n")
	if err != nil || fmt.Sprint(got) != "[{-1 800 backfill 0} {2 0 main 0} {3 0 end 0} {5 900 main full 0}]" {
		t.Error(got, err)
	}
	for text, want := range map[string]string{"a,b\n": "line 1: there is no column t", "t,what\nx,main\n": "line 2: ", "t,what\nNaN,main\n": "line 2: ", "t,what\n1,end\n": "no pass"} {
		if _, err := ReadInstants(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Intent: whatever bytes come, reading them ends, and what it gives is in order.
func FuzzReadInstants(f *testing.F) {
	f.Add("t,what\n1,main\n2.5,backfill\n")
	f.Add("t,what,which\n-1,main,full\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ReadInstants(text)
		if err == nil && len(list) == 0 {
			t.Fatal("nothing, and no error")
		}
		for i := 1; i < len(list); i++ {
			if list[i].At < list[i-1].At {
				t.Fatalf("%v", list)
			}
		}
	})
}

// Intent: with instants jobs start at them and at no other time, until the last is over;
// "random" is the phase that is drawn, and two repetitions draw two.
func TestSlurmAtInstants(t *testing.T) {
	text := `{"batchlab":1,"seed":3,"workload":{"source":{"inline":{"processors":4,"columns":["submit","procs","run"],"rows":[[0,3,300],[1,4,50],[40,1,20],[500,1,10]]}}},"schedulers":[{"key":"slurm","params":{"phase":"random"},"repeat":6}]}`
	e, err := experiment.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	starts := func(env Env, repetition int) (list []int64) {
		p, err := Prepare(e, env)
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Run(RunID{Repetition: repetition}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range r.Schedule.Executions {
			list = append(list, int64(x.Start))
		}
		return list
	}
	given := Env{Instants: []Instant{{7, 0, "main", 0}, {60, 0, "main", 0}, {61, 0, "backfill", 0}, {330, 0, "main full", 0}}}
	if got := fmt.Sprint(starts(given, 0)); got != "[7 330 61 500]" {
		t.Errorf("at the instants: %s", got)
	}
	seen := map[string]bool{}
	for r := range 6 {
		seen[fmt.Sprint(starts(Env{}, r))] = true
	}
	if len(seen) < 2 {
		t.Errorf("all repetitions have one phase: %v", seen)
	}
}

// Intent: over the same jobs repetitions of slurm are phases, beside copies of a scheduler
// that draws nothing; where jobs differ, or the phase is given, there is no band.
func TestPhasesOverTheSameJobs(t *testing.T) {
	const rows = `{"inline":{"processors":4,"columns":["submit","procs","run"],"rows":[[0,3,300],[1,4,50],[40,1,20],[500,1,10]]}}`
	for _, c := range []struct {
		name, source, phase string
		band                bool
	}{
		{"the same jobs", rows, ``, true},
		{"the same jobs, in words", rows, `"phase":"random"`, true},
		{"a phase that is given", rows, `"phase":7`, false},
		{"other jobs each time", `{"generator":{"key":"daily","params":{"jobs":20,"processors":4}}}`, ``, false},
		{"shaken jobs", rows + `,"resample":{"by":"shake"}`, ``, false},
	} {
		e, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":` + c.source + `},"platform":{"processors":4},"schedulers":[{"key":"fcfs","repeat":6},{"key":"slurm","params":{` + c.phase + `},"repeat":6}]}`))
		if err != nil {
			t.Fatal(c.name, err)
		}
		rep, err := Run(e, Env{}, Options{}, nil)
		if err != nil {
			t.Fatal(c.name, err)
		}
		for _, r := range rep.Runs {
			phased := r.Draws != nil && r.Draws.By == report.ByPhases
			if phased != (c.band && r.Key == "slurm") || c.band && r.Copy != (r.Key == "fcfs" && r.Repetition > 0) {
				t.Errorf("%s: %s, repetition %d: by phases %v, copy %v", c.name, r.Key, r.Repetition, phased, r.Copy)
			}
		}
		for _, k := range rep.Comparison {
			if k.Metric == "mean-wait" && k.Scheduler == 1 && (k.Band != nil) != c.band {
				t.Errorf("%s: %+v", c.name, k)
			}
		}
	}
}
