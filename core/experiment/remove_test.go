package experiment_test

import (
	"testing"

	"batchlab/core/experiment"
)

// Intent: when a job is taken out of a table written by hand, the others go on waiting
// for the jobs that they waited for, though these have other numbers now.
func TestRemoveRenumbersWhatJobsWaitFor(t *testing.T) {
	e, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"dependencies":"keep","source":{"inline":{"processors":4,"columns":["submit","procs","run","after"],` +
		`"rows":[[0,4,100,""],[0,1,50,"1:ok"],[0,1,80,"2"],[0,4,10,"1,2:start+5,3"],[9,1,1,"2?4"],[9,1,1,"4:notok?5"]]}}},"schedulers":[{"key":"easy"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	in := e.Workload.Source.Inline
	in.Remove(1)
	for i, want := range []string{"", "", "1,2", "", "3:notok?4"} {
		if got := in.Said(in.Rows[i][3]); got != want {
			t.Errorf("row %d waits for %q, want %q", i+1, got, want)
		}
	}
	if again, err := experiment.Decode(e.Canonical()); err != nil || again.Workload.Source.Inline.Said(again.Workload.Source.Inline.Rows[2][3]) != "1,2" {
		t.Errorf("%v", err)
	}
}
