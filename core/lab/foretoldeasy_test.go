package lab

import (
	"testing"

	"batchlab/core/model"
)

// Intent: beside a calendar, who ends before the head's reservation as foretold passes
// it, though not as requested, whether processors are counted or stand in nodes: job 3
// asks for 8 s and runs for 2, and job 2, the head, is promised second 20.
func TestForetoldPassesBesideCalendar(t *testing.T) {
	for _, packing := range []string{"processors", "nodes"} {
		r := firstRun(t, `{"batchlab":1,"schedulers":[{"key":"easy","params":{"backfill-by":"prediction"},"predict":{"key":"true"}}],
			"platform":{"clusters":[{"name":"c","packing":"`+packing+`","groups":[{"processors":2}]}],"outages":[{"from":100,"to":110,"announced":true}]},
			"workload":{"source":{"inline":{"columns":["submit","procs","requested","run"],"rows":[[0,1,20,20],[15,2,5,5],[16,1,8,2]]}}}}`)
		if x := r.Schedule.Executions[2]; x.Start != model.Time(16) {
			t.Errorf("%s: job 3 starts at %d, not at 16", packing, x.Start)
		}
	}
}

// Intent: the same where machines are faster than requests say: job 3 asks for 3 s, of
// which it takes 2 there, and the head, job 2, is promised second 5.
func TestFasterPassesBesideCalendar(t *testing.T) {
	for _, packing := range []string{"processors", "nodes"} {
		r := firstRun(t, `{"batchlab":1,"schedulers":[{"key":"easy"}],
			"platform":{"power_scales":true,"clusters":[{"name":"c","packing":"`+packing+`","groups":[{"processors":2,"speed":2}]}],"outages":[{"from":14,"to":18,"announced":true}]},
			"workload":{"source":{"inline":{"columns":["submit","procs","requested","run"],"rows":[[3,1,3,3],[3,2,1,1],[3,1,3,1]]}}}}`)
		if x := r.Schedule.Executions[2]; x.Start != model.Time(3) {
			t.Errorf("%s: job 3 starts at %d, not at 3", packing, x.Start)
		}
	}
}
