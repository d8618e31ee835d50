package custom_test

import (
	"strings"
	"testing"

	"batchlab/core/custom"
	"batchlab/core/model"
	"batchlab/core/sim"
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

// Intent: the argument that the reference names may be given by that name, once, and
// no other.
func TestAfterByName(t *testing.T) {
	jobs := []model.Job{{Number: 1, Limit: 10, Procs: 1}}
	truth := []model.Truth{{Run: 10}}
	for _, c := range []struct{ call, want string }{
		{"s.earliest(job, after = 7)", ""},
		{"s.reserve(job, after = 7)", ""},
		{"s.earliest(job, 7)", ""},
		{"s.earliest(job, 7, after = 7)", "by name"},
		{"s.earliest(job, before = 7)", "by name"},
		{"s.fits(job, after = 7)", "by name"},
	} {
		code := "def decide(s):\n    for job in s.queue:\n        if s.now == 0 and " + c.call + " != 7:\n            fail(\"not at 7\")\n        s.start(job)\n"
		_, err := run(code, &model.Workload{Jobs: jobs, Truth: truth})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.call, err)
		}
	}
}

// Intent: a place that is kept is the one that was promised, call after call; nobody
// else gets it, it moves to an earlier start only, and is said to be gone when it is.
func TestKeptPlaces(t *testing.T) {
	starts := func(code string, jobs []model.Job, truth []model.Truth, want ...model.Time) {
		t.Helper()
		schedule, err := run(code, &model.Workload{Jobs: jobs, Truth: truth})
		if err != nil {
			t.Fatal(err)
		}
		for i, at := range want {
			if got := schedule.Executions[i].Start; got != at {
				t.Errorf("job %d starts at %d, not at %d", i+1, got, at)
			}
		}
	}
	starts(`
expected = {  # by instant and job: the place that is kept, the one that is reserved
    (0, 1): (None, 0),
    (1, 2): (None, 100),
    (2, 2): (100, 100), (2, 3): (None, 200),
    (50, 2): (100, 50), (50, 3): (200, 150),  # job 1 ends before its time
    (150, 3): (150, 150),
}

def decide(s):
    kept = {job: s.keep(job) for job in s.queue}
    for job in s.queue:
        if kept[job] != None and s.earliest(job, kept[job]) != kept[job]:
            fail("job %d is in its own way" % job.id)
        at = (kept[job], s.reserve(job))
        if at != expected[(s.now, job.id)]:
            fail("job %d: %s" % (job.id, at))
        if s.start(job) != (at[1] == s.now):
            fail("job %d starts at %d" % (job.id, s.now))
`, []model.Job{{Number: 1, Limit: 100, Procs: 6}, {Number: 2, Submit: 1, Limit: 100, Procs: 8}, {Number: 3, Submit: 2, Limit: 200, Procs: 2}},
		[]model.Truth{{Run: 50}, {Run: 100}, {Run: 200}}, 0, 50, 150)
	starts(`
def decide(s):
    if s.now == 2:  # job 2 was promised 100, and nobody has kept that
        if s.reserve(s.queue[1]) != 100 or s.keep(s.queue[0]) != None or s.reserve(s.queue[0]) != 300 or s.keep(s.queue[0]) != 300:
            fail("a place that is taken is kept")
        return
    for job in s.queue:
        s.keep(job)
    for job in s.queue:
        s.place(job)
`, []model.Job{{Number: 1, Limit: 100, Procs: 8}, {Number: 2, Submit: 1, Limit: 100, Procs: 8}, {Number: 3, Submit: 2, Limit: 200, Procs: 4}},
		[]model.Truth{{Run: 100}, {Run: 100}, {Run: 200}}, 0, 300, 100)
}

// Intent: each run begins from nothing: variables as the program sets them, reset
// called once before the first decision, and the same random numbers for the same
// seed and repetition, others for others.
func TestRunsBeginFromNothing(t *testing.T) {
	program, faults := custom.Compile(`
seen = []
resets = []

def reset(s):
    resets.append(s.now)
    if seen:
        fail("something is left of the run before")

def decide(s):
    seen.append(s.now)
    if len(resets) != 1:
        fail("reset was called %d times" % len(resets))
    for job in s.queue:
        s.start(job)
        print(random(1000000), random())
`)
	if program == nil {
		t.Fatal(faults)
	}
	d := custom.New(program).(*custom.Decider)
	var m sim.Simulator
	drawn := func(seed uint64, repetition int) string {
		d.Seed(seed, repetition)
		if _, err := m.Run(small(20), model.OneCluster(8), d, sim.Options{}); err != nil {
			t.Fatal(err)
		}
		return strings.Join(d.Printed(), "\n")
	}
	first := drawn(1, 0)
	if len(first) < 20 || drawn(1, 0) != first {
		t.Errorf("the same seed gives other numbers: %q", first)
	}
	if drawn(2, 0) == first || drawn(1, 1) == first {
		t.Error("another seed or repetition gives the same numbers")
	}
}
