package metric

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/model"
	"batchlab/core/report"
)

// job is a job with its schedule, for tests.
type job struct {
	submit, start, run model.Time
	procs, user        int32
	limit              model.Time // 0: run
	reason             model.EndReason
}

// schedule builds a schedule on a machine; jobs stand in order of submission.
func schedule(processors int, jobs ...job) *model.Schedule {
	s := &model.Schedule{Workload: &model.Workload{}, Platform: model.OneCluster(processors)}
	for i, j := range jobs {
		limit := j.limit
		if limit == 0 {
			limit = j.run
		}
		s.Workload.Jobs = append(s.Workload.Jobs, model.Job{Number: int64(i + 1), Submit: j.submit, Limit: limit, Procs: j.procs, User: j.user})
		s.Workload.Truth = append(s.Workload.Truth, model.Truth{Run: j.run})
		e := model.Execution{Job: model.JobID(i), Submit: j.submit, Start: j.start, End: j.start + j.run, Procs: j.procs, Reason: j.reason}
		if j.reason == model.EndRejected {
			e.Start, e.End = -1, -1
		}
		s.Executions = append(s.Executions, e)
	}
	return s
}

// values measures and returns the values by key; those that do not exist are
// left out.
func values(s *model.Schedule, o Options) map[string]float64 {
	list, _, _, _ := new(Meter).Measure(s, o)
	byKey := map[string]float64{}
	for _, v := range list {
		if v.Valid {
			byKey[v.Key] = v.Value
		}
	}
	return byKey
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(a), math.Abs(b)) }

// threeJobs on 4 processors, small enough to draw: a wide job runs at once, a
// short narrow one waits for it, and a job of one second goes last.
//
//	job  submit  start  run  procs   wait  turnaround  slowdown  bounded (τ 10)
//	1      0       0     20    4       0       20         1          1
//	2      5      20      4    1      15       19         4.75       1.9
//	3     10      24      1    2      14       15        15          1.5
func threeJobs() *model.Schedule {
	return schedule(4, job{submit: 0, start: 0, run: 20, procs: 4, user: 7}, job{submit: 5, start: 20, run: 4, procs: 1, user: 7},
		job{submit: 10, start: 24, run: 1, procs: 2, user: 8, limit: 700, reason: model.EndKilled})
}

// Intent: a wait counts as over a day from the second after it on.
func TestWaitsOverADay(t *testing.T) {
	s := schedule(4, job{submit: 0, start: 86400, run: 1, procs: 1}, job{submit: 0, start: 86401, run: 1, procs: 1}, job{submit: 5, start: 200000, run: 1, procs: 1})
	if got := values(s, Options{Tau: 10})["waits-over-day"]; got != 2 {
		t.Errorf("%v of the waits 86,400, 86,401 and 199,995 s", got)
	}
}

// Every measure of the catalog agrees with a three-job schedule computed by
// hand.
func TestByHand(t *testing.T) {
	got := values(threeJobs(), Options{Tau: 10})
	std := func(values ...float64) float64 {
		mean, squares := 0.0, 0.0
		for _, v := range values {
			mean += v / 3
		}
		for _, v := range values {
			squares += (v - mean) * (v - mean) / 3
		}
		return math.Sqrt(squares)
	}
	want := map[string]float64{
		"mean-wait": 29.0 / 3, "median-wait": 14, "p90-wait": 15, "p95-wait": 15, "p99-wait": 15, "max-wait": 15,
		"std-wait":        std(0, 15, 14),
		"mean-turnaround": 18, "median-turnaround": 19, "p90-turnaround": 20, "p95-turnaround": 20, "p99-turnaround": 20, "max-turnaround": 20,
		"std-turnaround": std(20, 19, 15),
		"mean-slowdown":  (1 + 4.75 + 15) / 3, "median-slowdown": 4.75, "p90-slowdown": 15, "p95-slowdown": 15, "p99-slowdown": 15, "max-slowdown": 15,
		"std-slowdown":          std(1, 4.75, 15),
		"mean-bounded-slowdown": (1 + 1.9 + 1.5) / 3, "median-bounded-slowdown": 1.5, "p90-bounded-slowdown": 1.9, "p95-bounded-slowdown": 1.9,
		"p99-bounded-slowdown": 1.9, "max-bounded-slowdown": 1.9, "std-bounded-slowdown": std(1, 1.9, 1.5),
		// By processors: 20 ÷ 80, 19 ÷ 10 and 15 ÷ 20, at least 1 each.
		"mean-per-proc-bounded-slowdown": 3.9 / 3, "median-per-proc-bounded-slowdown": 1, "p90-per-proc-bounded-slowdown": 1.9,
		"p95-per-proc-bounded-slowdown": 1.9, "p99-per-proc-bounded-slowdown": 1.9, "max-per-proc-bounded-slowdown": 1.9,
		"std-per-proc-bounded-slowdown": std(1, 1.9, 1),
		"makespan":                      25, "utilization": 86.0 / 100, "throughput": 3 * 3600 / 25.0,
		"mean-queue-length": 29.0 / 25, "max-queue-length": 2,
		"waits-over-day": 0, "jobs": 3, "rejected": 0, "killed": 1, "area": 80 + 4 + 2,
		// Job 2 may wait 4 s for itself and 48 s for job 1, job 3 its 1,185 s: nobody complains.
		// User 7 waits 15 s for 84 processor-seconds, user 8 14 s for 2.
		"mean-nuwt": (15.0/84 + 7) / 2, "std-nuwt": (7 - 15.0/84) / 2,
		"complaints": 0, "complaint-share": 0, "complaining-users": 0, "mean-complaint": 0, "max-complaint": 0,
	}
	absent := []string{"system-usage", "out-of-deadline", "mean-tardiness", "max-tardiness", "weighted-tardiness", "mean-lateness", "max-lateness", "stopped-at-deadline", "licence-usage", // TestFarmByHand has them
		"mean-flow", "reservation-tardiness", "provider-utilization", "reservation-delay", "rejected-reservations", "reserved-idle", "batch-wait", "batch-flow", "submitted-flow", "stopped", "lost-work", // and TestGridByHand
		"mean-submission-wait", "longest-path", "longest-path-run", "longest-path-wait", "withdrawn", "never-eligible"} // and TestLongestPathByHand
	for _, row := range catalog.Metrics {
		g, there := got[row.Key]
		if slices.Contains(absent, row.Key) {
			if there {
				t.Errorf("%s = %v, without machines, deadlines and licences", row.Key, g)
			}
			continue
		}
		w, known := want[row.Key]
		if !known {
			t.Errorf("%s: the test does not work it out", row.Key)
		} else if !there || !near(g, w) {
			t.Errorf("%s = %v, want %v", row.Key, g, w)
		}
	}
}

// The catalog's rows and the functions bound to them match, in order.
func TestTableMatchesCatalog(t *testing.T) {
	var bound []string
	for _, row := range table {
		bound = append(bound, row.key)
	}
	if keys := catalog.MetricKeys(); !slices.Equal(bound, keys) {
		t.Errorf("bound  %v\ncatalog %v", bound, keys)
	}
}

// Classes and users of the three jobs, by hand.
func TestClassesAndUsersByHand(t *testing.T) {
	_, waits, classes, users := new(Meter).Measure(threeJobs(), Options{Tau: 10})
	if want := (report.CDF{At: []float64{0, 14, 15}, Share: []float64{1.0 / 3, 2.0 / 3, 1}}); !reflect.DeepEqual(waits, want) {
		t.Errorf("waits %+v", waits)
	}
	if want := []report.UserRow{
		{User: 7, Jobs: 2, Area: 84, MeanWait: 7.5, MaxWait: 15, MeanSlowdown: 1.45},
		{User: 8, Jobs: 1, Area: 2, MeanWait: 14, MaxWait: 14, MeanSlowdown: 1.5},
	}; !reflect.DeepEqual(users, want) {
		t.Errorf("users %+v", users)
	}
	if len(classes) != 10 { // 1 and 2–4 processors, five classes of requested time
		t.Fatalf("%d classes", len(classes))
	}
	for i, want := range map[int]report.Class{
		0: {ProcsFrom: 1, ProcsTo: 1, LimitFrom: 0, LimitTo: 600, Jobs: 1, MeanWait: 15, MeanSlowdown: 1.9},
		1: {ProcsFrom: 1, ProcsTo: 1, LimitFrom: 600, LimitTo: 3600},
		5: {ProcsFrom: 2, ProcsTo: 4, LimitFrom: 0, LimitTo: 600, Jobs: 1, MeanWait: 0, MeanSlowdown: 1},
		6: {ProcsFrom: 2, ProcsTo: 4, LimitFrom: 600, LimitTo: 3600, Jobs: 1, MeanWait: 14, MeanSlowdown: 1.5},
		9: {ProcsFrom: 2, ProcsTo: 4, LimitFrom: 86400, LimitTo: model.Never},
	} {
		if classes[i] != want {
			t.Errorf("class %d: %+v, want %+v", i, classes[i], want)
		}
	}
}

// The widest class ends with the machine, whatever its power of two.
func TestClassesEndWithTheMachine(t *testing.T) {
	s := schedule(338, job{submit: 0, start: 0, run: 10, procs: 300}, job{submit: 0, start: 20, run: 10, procs: 3})
	_, _, classes, _ := new(Meter).Measure(s, Options{Tau: 10})
	last := classes[len(classes)-1]
	if last.ProcsFrom != 257 || last.ProcsTo != 338 || classes[5].ProcsTo != 4 {
		t.Errorf("classes end at %d to %d processors", last.ProcsFrom, last.ProcsTo)
	}
}

// Classes of processors are 1, 2–4, 5–16, … without gap or overlap.
func TestProcsClass(t *testing.T) {
	for procs, want := range map[int64]int{1: 0, 2: 1, 4: 1, 5: 2, 16: 2, 17: 3, 64: 3, 65: 4, 1 << 30: 15, 1<<31 - 1: 16} {
		if got := procsClass(procs); got != want {
			t.Errorf("%d processors: class %d, want %d", procs, got, want)
		}
	}
	s := schedule(math.MaxInt32, job{run: 1, procs: math.MaxInt32})
	_, _, classes, _ := new(Meter).Measure(s, Options{Tau: 10})
	next := int32(1)
	for i := 0; i < len(classes); i += len(limitEdges) {
		if classes[i].ProcsFrom != next || classes[i].ProcsTo < next {
			t.Errorf("class %d–%d, want it to begin at %d", classes[i].ProcsFrom, classes[i].ProcsTo, next)
		}
		next = classes[i].ProcsTo + 1
	}
	if last := classes[len(classes)-1]; last.ProcsTo != math.MaxInt32 {
		t.Errorf("the last class ends at %d", last.ProcsTo)
	}
}

// A rejected job is counted, and is in no other measure, curve or class.
func TestRejectedJobsAreLeftOut(t *testing.T) {
	with := schedule(4, job{submit: 0, start: 0, run: 20, procs: 4}, job{submit: 2, reason: model.EndRejected, procs: 4, run: 100}, job{submit: 5, start: 20, run: 4, procs: 1})
	without := schedule(4, job{submit: 0, start: 0, run: 20, procs: 4}, job{submit: 5, start: 20, run: 4, procs: 1})
	a, b := values(with, Options{Tau: 10}), values(without, Options{Tau: 10})
	if a["rejected"] != 1 || b["rejected"] != 0 {
		t.Errorf("rejected %v and %v", a["rejected"], b["rejected"])
	}
	a["rejected"] = 0
	if !reflect.DeepEqual(a, b) {
		t.Errorf("with %v\nwithout %v", a, b)
	}
	if x, y := new(Meter).Series(with, 0), new(Meter).Series(without, 0); !reflect.DeepEqual(x, y) {
		t.Errorf("series %v, want %v", x, y)
	}
	if x, y := MeanWait(with, Options{}), MeanWait(without, Options{}); x != y {
		t.Errorf("mean wait %v, want %v", x, y)
	}
}

// Without measured jobs only counts exist, nothing is NaN, and nothing panics.
func TestNoJobs(t *testing.T) {
	for name, s := range map[string]*model.Schedule{
		"no jobs":       schedule(4),
		"only rejected": schedule(4, job{procs: 1, run: 1, reason: model.EndRejected}),
		"no platform":   {Workload: &model.Workload{}},
	} {
		list, waits, classes, users := new(Meter).Measure(s, Options{Tau: 10})
		for _, v := range list {
			counts := v.Key == "jobs" || v.Key == "rejected" || v.Key == "killed" || v.Key == "area"
			if v.Valid != counts || math.IsNaN(v.Value) {
				t.Errorf("%s: %+v", name, v)
			}
		}
		if len(waits.At)+len(classes)+len(users)+len(new(Meter).Series(s, 0).At) != 0 {
			t.Errorf("%s: something was measured", name)
		}
		if !math.IsNaN(MeanWait(s, Options{})) || !math.IsNaN(MeanBoundedSlowdown(s, Options{})) {
			t.Errorf("%s: a mean of nothing", name)
		}
	}
}

// A job that failed once and ran again counts once: it waits until its last
// start, its lost work is executed work.
func TestAttempts(t *testing.T) {
	s := schedule(4, job{submit: 0, start: 0, run: 10, procs: 2, user: 1})
	s.Executions = []model.Execution{
		{Job: 0, Attempt: 0, Submit: 0, Start: 0, End: 6, Procs: 2, Reason: model.EndOutage},
		{Job: 0, Attempt: 1, Submit: 6, Start: 8, End: 18, Procs: 2},
	}
	got := values(s, Options{Tau: 10})
	for key, want := range map[string]float64{"jobs": 1, "mean-wait": 8, "mean-turnaround": 18, "mean-bounded-slowdown": 1.8,
		"area": 32, "utilization": 32.0 / 72, "mean-queue-length": 2.0 / 18, "max-queue-length": 1} {
		if got[key] != want {
			t.Errorf("%s = %v, want %v", key, got[key], want)
		}
	}
	_, _, _, users := new(Meter).Measure(s, Options{Tau: 10})
	if users[0].Area != 32 {
		t.Errorf("user's area %d", users[0].Area)
	}
	want := report.Series{At: []model.Time{0, 6, 8, 18}, Used: []int32{2, 0, 2, 0}, Waiting: []int32{0, 1, 0, 0}}
	if series := new(Meter).Series(s, 0); !reflect.DeepEqual(series, want) {
		t.Errorf("series %v", series)
	}
}

// A job that was suspended runs for the sum of its parts after its last fresh
// start and waits for the rest; only what it had to do again is lost.
func TestSuspended(t *testing.T) {
	s := schedule(4, job{submit: 0, start: 0, run: 10, procs: 2, user: 1})
	s.Executions = []model.Execution{
		{Job: 0, Attempt: 0, Submit: 0, Start: 0, End: 3, Procs: 2, Reason: model.EndPreempted},
		{Job: 0, Attempt: 1, Submit: 3, Start: 5, End: 9, Procs: 2, Reason: model.EndSuspended},
		{Job: 0, Attempt: 2, Submit: 9, Start: 14, End: 20, Procs: 2},
	}
	got := values(s, Options{Tau: 10})
	for key, want := range map[string]float64{"mean-wait": 10, "mean-turnaround": 20, "mean-bounded-slowdown": 2, "area": 26, "stopped": 2, "lost-work": 6} {
		if got[key] != want {
			t.Errorf("%s = %v, want %v", key, got[key], want)
		}
	}
	if MeanWait(s, Options{}) != 10 || MeanBoundedSlowdown(s, Options{Tau: 10}) != 2 {
		t.Errorf("the single measures say %v and %v", MeanWait(s, Options{}), MeanBoundedSlowdown(s, Options{Tau: 10}))
	}
}

// The measuring window picks jobs by submission, its end left out; the machine
// is measured from their first submission to their last end, with all that
// runs on it then.
func TestMeasuringWindow(t *testing.T) {
	from, to := model.Time(5), model.Time(10)
	got := values(threeJobs(), Options{Tau: 10, From: &from, To: &to})
	for key, want := range map[string]float64{
		"jobs": 1, "mean-wait": 15, "makespan": 19, // job 2: from 5 to 24
		"utilization":       float64(15*4+4*1) / (4 * 19), // the rest of job 1, then job 2
		"mean-queue-length": float64(15+14) / 19,          // job 2 from 5 to 20, job 3 from 10 to 24
		"max-queue-length":  2,
	} {
		if !near(got[key], want) {
			t.Errorf("%s = %v, want %v", key, got[key], want)
		}
	}
	if w := MeanWait(threeJobs(), Options{From: &from}); w != 14.5 {
		t.Errorf("mean wait from 5 on %v", w)
	}
	later := model.Time(11)
	if got := values(threeJobs(), Options{From: &later}); got["jobs"] != 0 {
		t.Errorf("%v jobs after the last", got["jobs"])
	}
}

// Negative times are measured like any other: a log may begin before its
// origin.
func TestNegativeTimes(t *testing.T) {
	jobs := []job{{submit: -20, start: -10, run: 5, procs: 1}, {submit: -3, start: 2, run: 5, procs: 1}}
	moved := slices.Clone(jobs)
	for i := range moved {
		moved[i].submit += 1000
		moved[i].start += 1000
	}
	if a, b := values(schedule(2, jobs...), Options{Tau: 10}), values(schedule(2, moved...), Options{Tau: 10}); !reflect.DeepEqual(a, b) {
		t.Errorf("%v\nmoved %v", a, b)
	}
}
