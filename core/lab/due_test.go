package lab_test

import (
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/lab"
)

// Intent: a head that is stopped at its due time asks for less from second to second, so that
// what EASY promises it beside reservations may begin earlier although nothing has become free
// in between. The job behind it, of one processor and submitted at 47, must wait until the head
// is stopped at 50. A simulator that was written from the rules alone found the starts.
func TestPromiseToWhomIsStopped(t *testing.T) {
	doc, err := experiment.Decode([]byte(`{"batchlab":1,
		"workload":{"source":{"inline":{"processors":8,"columns":["submit","procs","requested","run","user"],"rows":[[47,1,30,30,1],[15,8,30,30,3]]}},
			"annotate":{"jobs":[{"job":2,"due":50}],"deadlines":{"share":0,"on_due":"kill"}}},
		"platform":{"booking":{"mode":"reject"},"reservations":[{"from":78,"to":99,"length":1,"run":1,"processors":7},{"from":67,"to":92,"length":5,"processors":1},
			{"submit":37,"from":62,"to":77,"length":10,"run":6,"processors":8},{"submit":13,"from":25,"to":30,"run":5,"processors":4},{"submit":40,"from":53,"to":59,"length":1,"run":1,"processors":5},
			{"submit":23,"from":45,"to":55,"length":5,"processors":8},{"from":75,"to":85,"length":5,"processors":7},{"from":49,"to":70,"length":1,"processors":2},{"submit":3,"from":43,"to":63,"processors":2},
			{"from":50,"to":51,"length":1,"processors":2},{"submit":18,"from":39,"to":69,"length":10,"run":1,"processors":6},{"from":85,"to":105,"run":2,"processors":4}]},
		"schedulers":[{"key":"easy"},{"key":"bf-unmod"},{"key":"bf-mod"},{"key":"easy","params":{"order":"lexp","backfill":"lqf","threshold":10}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = lab.Run(doc, lab.Env{}, lab.Options{}, func(id lab.RunID, p *lab.Prepared, r *lab.Result) error {
		found := false
		for _, e := range r.Schedule.Executions {
			if e.Submit == 47 {
				if found = true; e.Start != 50 || e.End != 80 {
					t.Errorf("scheduler %d: %d to %d, not 50 to 80", id.Scheduler, e.Start, e.End)
				}
			}
		}
		if !found {
			t.Error("the job did not run")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
