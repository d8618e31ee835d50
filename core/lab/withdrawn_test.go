package lab

import "testing"

// Intent: a withdrawal is something that happens: a list that starts jobs at multiples of
// three seconds only, and stops at the first that does not fit, looks at the next multiple
// after that one has left (21), not when a job ends (60).
func TestPeriodAfterWithdrawal(t *testing.T) {
	for _, key := range []string{"sjf", "lsf"} {
		starts := startsOf(firstRun(t, `{"batchlab":1,"workload":{"withdrawn":"keep","source":{"inline":{"processors":4,"columns":["submit","procs","requested","run","withdrawn"],
			"rows":[[0,3,60,60,-1],[1,4,1,1,20],[2,1,5,5,-1]]}}},"schedulers":[{"key":"`+key+`","params":{"period":3,"blocked":"stop"}}]}`).Schedule)
		if starts[1] != 0 || starts[2] != -1 || starts[3] != 21 {
			t.Errorf("%s: %v", key, starts)
		}
	}
}

// Intent: a job that waits behind the depth of a plan, and was never in it, leaves it when
// it is withdrawn, as one that is planned does; the schedulers that plan go on.
func TestWithdrawnBehindDepth(t *testing.T) {
	for _, one := range []string{`{"key":"conservative","params":{"depth":1}}`, `{"key":"plan-rs","params":{"depth":1,"iterations":20}}`} {
		starts := startsOf(firstRun(t, `{"batchlab":1,"workload":{"withdrawn":"keep","source":{"inline":{"processors":4,"columns":["submit","procs","requested","run","withdrawn"],
			"rows":[[9,4,30,1,-1],[9,1,1,1,61]]}}},"platform":{"outages":[{"from":38,"to":63,"announced":true}]},"schedulers":[`+one+`]}`).Schedule)
		if starts[1] != 63 || starts[2] != -1 {
			t.Errorf("%s: %v", one, starts)
		}
	}
}

// Intent: hill climbing by tardiness counts none for a job that is withdrawn while another
// one comes, and which has no deadline, though it is given up as if one had come.
func TestWithdrawnHasNoTardiness(t *testing.T) {
	for _, schedule := range []string{"extend", "remake"} {
		starts := startsOf(firstRun(t, `{"batchlab":1,"workload":{"withdrawn":"keep","source":{"inline":{"processors":2,"columns":["submit","procs","requested","run","withdrawn"],
			"rows":[[0,2,10,10,-1],[1,2,10,10,5],[5,1,10,10,-1],[5,1,10,10,-1]]}}},"schedulers":[{"key":"hill-climbing","params":{"objective":"tardiness","schedule":"`+schedule+`"}}]}`).Schedule)
		if starts[1] != 0 || starts[2] != -1 || starts[3] != 10 || starts[4] != 10 {
			t.Errorf("%s: %v", schedule, starts)
		}
	}
}
