//go:build !small

package lab

import (
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
)

const guardedDocument = `{"batchlab":1,"seed":3,"workload":{"source":{"generator":{"key":"farm","params":{"jobs":150,"interarrival":300,"procs-max":4}}}},
"platform":{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":2,"processors":4},{"count":2,"processors":2}]},{"name":"b","groups":[{"processors":4}]}],
 "outages":[{"from":5000,"to":6000,"cluster":"a","nodes":[3]},{"from":20000,"to":21000,"cluster":"a","announced":true},{"from":30000,"to":30500,"cluster":"b"}],
 "failures":{"key":"exponential","params":{"mtbf":20000,"repair":900,"processors":2}}},
"schedulers":[{"key":"fcfs"},{"key":"easy"}]}`

// Outages and failures of a document reach the engine: jobs that they hit run
// again, every schedule is feasible around them, and the same seed gives the
// same digits.
func TestGuardedRuns(t *testing.T) {
	doc := decode(t, guardedDocument)
	p, err := Prepare(doc, Env{})
	if err != nil {
		t.Fatal(err)
	}
	again := 0
	for _, id := range p.Runs() {
		r, err := p.Run(id, Options{Columns: true})
		if err == nil {
			err = r.Schedule.Check()
		}
		if err != nil {
			t.Fatal(err)
		}
		if n := len(r.Schedule.Platform.Calendar); n < 10 || len(r.Schedule.Platform.Calendar[0].Nodes) != 1 || r.Schedule.Platform.Calendar[0].Nodes[0] != 3 ||
			r.Schedule.Platform.Calendar[2].Procs != 4 {
			t.Fatalf("%d entries, %+v", n, r.Schedule.Platform.Calendar[:3])
		}
		for _, e := range r.Schedule.Executions {
			if e.Reason == model.EndOutage {
				again++
			}
		}
	}
	if again == 0 {
		t.Error("no job was hit")
	}
}

// Outages on a log's processors run on the engine of machines; what cannot be
// is said before the run, with its place.
func TestGuardFaults(t *testing.T) {
	for platform, want := range map[string]string{
		`{"processors":100,"outages":[{"from":100000,"to":109000,"processors":90}]}`:              "",
		`{"outages":[{"from":1000,"to":9000,"processors":101}]}`:                                  "platform.outages[0]: cluster \"main\" only counts its 100 processors",
		`{"generator":{"key":"farm-machines"},"outages":[{"from":1000,"to":9000,"nodes":[100]}]}`: "platform.outages[0]: there is no machine 100 in cluster \"farm\", which has 0 to 99",
		`{"generator":{"key":"farm-machines"},"outages":[{"from":1000,"to":9000,"cluster":"x"}]}`: "platform.outages[0]: unknown cluster \"x\"",
		`{"limits":{"user_processors":8}}`:                                                        "platform.limits: ",
		`{"limits":{"classes":[{"longer_than":0,"share":0}]}}`:                                    "jobs ask for more than they allow a single job and could never start, first job 1 of user ",
		`{"failures":{"key":"exponential","params":{"mtbf":60,"repair":1}}}`:                      "platform.failures: workload: machines that fail every 60 s make more than",
	} {
		p, err := Prepare(experimentOn(t, "orig-bf", platform), Env{})
		var r *Result
		if err == nil {
			r, err = p.Run(RunID{}, Options{})
		}
		switch {
		case want != "":
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, not %s", platform, err, want)
			}
		case err != nil:
			t.Errorf("%s: %v", platform, err)
		default:
			if err := r.Schedule.Check(); err != nil || len(r.Schedule.Executions) <= len(r.Schedule.Workload.Jobs) {
				t.Errorf("%d executions of %d jobs, %v", len(r.Schedule.Executions), len(r.Schedule.Workload.Jobs), err)
			}
		}
	}
}

// experimentOn is a scheduler on the bundled demo and a platform.
func experimentOn(t *testing.T, key, platform string) *experiment.Experiment {
	t.Helper()
	return decode(t, `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"`+key+`"}],"platform":`+platform+`}`)
}
