//go:build !small

package lab

import (
	"testing"

	"batchlab/core/experiment"
)

// planners are the schedulers that may plan by predictions, with what they do it by.
var planners = []struct{ key, params, by string }{
	{"easy", `"order":"saf","backfill":"spf"`, "backfill-by"},
	{"conservative", ``, "plan-by"},
	{"conservative", `"order":"spf","depth":6`, "plan-by"},
	{"orig-bf", ``, "plan-by"},
	{"orig-bf", `"reserve-after":200`, "plan-by"},
	{"hill-climbing", `"evaluations":10`, "plan-by"},
	{"plan-rs", `"iterations":8`, "plan-by"},
	{"plan-rs", `"iterations":8,"optimiser":"tabu","guard":600`, "plan-by"},
	{"plan-rs", `"iterations":8,"optimiser":"lns"`, "plan-by"},
}

// Intent: planning by predictions that are the requests is planning by requests, job
// for job, on every platform and with every kind of request: what repairs plans
// never acts where no prediction is exceeded.
func TestPlansByRequestsForetold(t *testing.T) {
	env := smallLog(t, 40, 3)
	n := 0
	for _, platform := range keysOf(everyPlatform) {
		for _, request := range keysOf(everyRequest) {
			if !together(platform, request) {
				continue
			}
			for _, one := range planners {
				if n++; testing.Short() && n%7 > 0 || !testing.Short() && n%2 > 0 && request != "all" && request != "plain" {
					continue
				}
				digest := func(more, predict string) string {
					params := one.params
					if params != "" && more != "" {
						params += ","
					}
					doc := conforming(t, platform, request, `{"key":"`+one.key+`","params":{`+params+more+`}`+predict+`}`)
					p, err := Prepare(doc, env)
					if err != nil {
						return err.Error()
					}
					p.generally = true
					out, err := p.Run(RunID{}, Options{})
					if err != nil {
						return err.Error()
					}
					return experiment.Digest(out.Block)
				}
				want, got := digest("", ""), digest(`"`+one.by+`":"prediction"`, `,"predict":{"key":"request"}`)
				if want != got {
					t.Errorf("%s, %s, %s {%s}: %s by requests, %s by predictions that are the requests", platform, request, one.key, one.params, want, got)
				}
			}
		}
	}
}

// Intent: of the jobs of a plan by predictions whose turn has come the one submitted first is
// tried first, however the ties of the order had them placed: here job 2, which would run into
// the reservation of its machine, goes to another that job 1 does not want.
func TestTurnsOfForetoldPlans(t *testing.T) {
	e, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":{"inline":{"columns":["submit","procs","run","requested"],"rows":[[4,4,1,1],[4,1,1,19]]}}},
		"platform":{"clusters":[{"name":"a","packing":"machine","groups":[{"count":4,"processors":4}]}],"reservations":[{"processors":4,"from":22,"to":97}]},
		"schedulers":[{"key":"conservative","params":{"ties":"newest","plan-by":"prediction"},"predict":{"key":"true"}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(e, Env{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(RunID{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Schedule.Executions[:2] {
		if x.Start != 4 {
			t.Errorf("job %d starts at %d, not at 4", x.Job+1, x.Start)
		}
	}
}
