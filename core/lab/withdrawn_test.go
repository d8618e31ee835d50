package lab_test

import (
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/lab"
)

// Intent: a withdrawal is something that happens: a list that starts jobs at multiples of
// three seconds only, and stops at the first that does not fit, looks at the next multiple
// after that one has left (21), not when a job ends (60).
func TestPeriodAfterWithdrawal(t *testing.T) {
	for _, key := range []string{"sjf", "lsf"} {
		e, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"withdrawn":"keep","source":{"inline":{"processors":4,"columns":["submit","procs","requested","run","withdrawn"],
			"rows":[[0,3,60,60,-1],[1,4,1,1,20],[2,1,5,5,-1]]}}},"schedulers":[{"key":"` + key + `","params":{"period":3,"blocked":"stop"}}]}`))
		if err != nil {
			t.Fatal(err)
		}
		_, err = lab.Run(e, lab.Env{}, lab.Options{}, func(_ lab.RunID, _ *lab.Prepared, r *lab.Result) error {
			starts := map[int64]int64{}
			for _, x := range r.Schedule.Executions {
				if !x.Reason.Unserved() {
					starts[r.Schedule.Workload.Jobs[x.Job].Number] = int64(x.Start)
				}
			}
			if len(starts) != 2 || starts[1] != 0 || starts[3] != 21 {
				t.Errorf("%s: %v", key, starts)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Intent: a job that waits behind the depth of a plan, and was never in it, leaves it when
// it is withdrawn, as one that is planned does; the schedulers that plan go on.
func TestWithdrawnBehindDepth(t *testing.T) {
	for _, one := range []string{`{"key":"conservative","params":{"depth":1}}`, `{"key":"plan-rs","params":{"depth":1,"iterations":20}}`} {
		e, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"withdrawn":"keep","source":{"inline":{"processors":4,"columns":["submit","procs","requested","run","withdrawn"],
			"rows":[[9,4,30,1,-1],[9,1,1,1,61]]}}},"platform":{"outages":[{"from":38,"to":63,"announced":true}]},"schedulers":[` + one + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		_, err = lab.Run(e, lab.Env{}, lab.Options{}, func(_ lab.RunID, _ *lab.Prepared, r *lab.Result) error {
			starts := map[int64]int64{}
			for _, x := range r.Schedule.Executions {
				if !x.Reason.Unserved() {
					starts[r.Schedule.Workload.Jobs[x.Job].Number] = int64(x.Start)
				}
			}
			if len(starts) != 1 || starts[1] != 63 {
				t.Errorf("%s: %v", one, starts)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
