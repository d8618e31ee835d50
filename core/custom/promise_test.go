package custom_test

import (
	"testing"

	"batchlab/core/model"
)

// Intent: what a job is promised is never in its own way, and stays when the job is
// tried and cannot start; who comes after it leaves it alone.
func TestPromiseToOneself(t *testing.T) {
	w := &model.Workload{
		Jobs:  []model.Job{{Number: 1, Limit: 100, Procs: 6}, {Number: 2, Submit: 1, Limit: 100, Procs: 8}, {Number: 3, Submit: 2, Limit: 200, Procs: 2}},
		Truth: []model.Truth{{Run: 100}, {Run: 100}, {Run: 200}},
	}
	schedule, err := run(`
def decide(s):
    for job in s.queue:
        at = s.reserve(job)
        if s.reserve(job) != at or s.earliest(job) != at:
            fail("job %d is in its own way" % job.id)
        if s.fits(job) != (at == s.now):
            fail("job %d fits and does not" % job.id)
        if s.start(job) != (at == s.now):
            fail("job %d starts and does not fit" % job.id)
`, w)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []model.Time{0, 100, 200} {
		if got := schedule.Executions[i].Start; got != want {
			t.Errorf("job %d starts at %d, not at %d", i+1, got, want)
		}
	}
}
