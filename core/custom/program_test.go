package custom_test

import (
	"fmt"
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

// Intent: what the parser says of a program stands in words that somebody understands
// who has never read a grammar: what is there, what belongs there, and what to write.
func TestFaultsInWords(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"def order(job, s):\n    return job.procs ** 2\n", "line 2, column 22: there is no '**': write a product, x * x, or sqrt(x)"},
		{"def order(job, s):\n    return max(job.procs ** 2, 3)\n", "line 2, column 26: there is no '**'"},
		{"def order(job, s)\n    return 3\n", "line 1, column 18: the line ends where ':' is missing"},
		{"def decide(s:\n", "line 1, column 13: ':' stands where ')' is missing"},
		{"def order(job, s):\n    return max(1 2)\n", "line 2, column 19: a number stands where ',' is missing"},
		{"def order(job, s):\nreturn 3\n", "line 2, column 1: 'return' stands where an indented line is missing"},
		{"def order(job, s):\n    return 3 +\n", "line 2, column 15: the line ends where a value is missing"},
		{"def order(job, s):\n    return 3 + * 4\n", "line 2, column 16: '*' stands where a value is missing"},
		{"def order(job, s):\n    x = 3 4\n    return x\n", "line 2, column 12: a number stands where the end of the line is missing"},
		{"def order(job, s):\n    return (3\n", "line 3, column 1: the end of the indented lines stands where ')' is missing"},
	} {
		if _, faults := custom.Compile(c.code); len(faults) != 1 || !strings.HasPrefix(faults[0].Error(), c.want) {
			t.Errorf("%q: %v, not %s", c.code, faults, c.want)
		}
	}
}

// Intent: the mark that some editors put in front of a text is no part of a program.
func TestByteOrderMark(t *testing.T) {
	if program, faults := custom.Compile("\ufeffdef order(job, s):\n    return job.submit\n"); program == nil {
		t.Error(faults)
	}
	if _, faults := custom.Compile("\ufeffx y"); len(faults) != 1 || faults[0].Line != 1 || faults[0].Column != 4 {
		t.Errorf("%v: the mark is counted as a column", faults)
	}
}

// Intent: a program that wants to be called every second is stopped soon, at the line
// of s.wake, also while jobs keep coming; one that asks each minute is let be.
func TestWakingWithoutEnd(t *testing.T) {
	w := &model.Workload{}
	for i := range 200 {
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: model.Time(1200 * i), Limit: 10, Procs: 1})
		w.Truth = append(w.Truth, model.Truth{Run: 10})
	}
	calls := "def decide(s):\n    if s.now < 240000:\n        s.wake(s.now + %s)\n        return []\n    return s.queue[:1]\n"
	_, err := run(strings.ReplaceAll(calls, "%s", "1"), w)
	if err == nil || !strings.HasPrefix(err.Error(), "line 3, column 15: s.wake") {
		t.Fatal(err)
	}
	var at int
	if n, _ := fmt.Sscanf(err.Error()[strings.Index(err.Error(), "(at "):], "(at %d s)", &at); n != 1 || at > 200_000 {
		t.Errorf("it was called for %d s: %v", at, err)
	}
	if _, err := run(strings.ReplaceAll(calls, "%s", "60"), w); err != nil {
		t.Error(err)
	}
}
