package metric

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/model"
	"batchlab/core/report"
)

// influences is OneLog's plain twin: from the waits or slowdowns of single jobs.
func influences(w *model.Workload, a, b []float64) (o Own) {
	sumA, sumB := 0.0, 0.0
	for i := range a {
		sumA, sumB = sumA+a[i], sumB+b[i]
	}
	users, work := map[int32]float64{}, map[int32]float64{}
	days := int((w.Jobs[len(w.Jobs)-1].Submit-w.Jobs[0].Submit)/86400) + 1
	day := make([]float64, days)
	for i := range a {
		z := (a[i] - sumA/sumB*b[i]) / sumA
		users[w.Jobs[i].User] += z
		work[w.Jobs[i].User] += float64(w.Jobs[i].Procs) * float64(w.Truth[i].Run)
		day[(w.Jobs[i].Submit-w.Jobs[0].Submit)/86400] += z
	}
	all, squares := 0.0, 0.0
	for u, z := range users {
		o.Users += z * z
		all += work[u]
		squares += work[u] * work[u]
	}
	for j := 1; j <= 4; j++ {
		along := 0.0
		for d, z := range day {
			along += z * math.Cos(math.Pi*float64(j)*(float64(d)+0.5)/float64(days))
		}
		o.Days += along * along / 2
	}
	o.Known, o.Alike = true, all*all/squares
	return o
}

// Intent: what a run keeps of its users and days gives the same two variances as the
// jobs do one by one.
func TestOneLogAgreesWithJobs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n = 400
	w := &model.Workload{Processors: 16}
	at := model.Time(1000)
	for i := range n {
		at += model.Time(r.IntN(14000))
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: at, Limit: 4000, Procs: int32(1 + r.IntN(4)), User: int32(r.IntN(9))})
		w.Truth = append(w.Truth, model.Truth{Run: model.Time(1 + r.IntN(3000))})
	}
	var runs [2]*report.Run
	var waits, slow [2][]float64
	for k := range runs {
		s := &model.Schedule{Workload: w, Platform: model.OneCluster(16)}
		for i, j := range w.Jobs {
			wait, run := model.Time(r.IntN(5000*(k+1))), w.Truth[i].Run
			s.Executions = append(s.Executions, model.Execution{Job: model.JobID(i), Submit: j.Submit, Start: j.Submit + wait, End: j.Submit + wait + run, Procs: j.Procs})
			waits[k] = append(waits[k], float64(wait))
			slow[k] = append(slow[k], max(1, float64(wait+run)/float64(max(run, 10))))
		}
		var m Meter
		out := &report.Run{Workload: "w"}
		out.Metrics, _, _, out.Users = m.Measure(s, Options{Tau: 10})
		out.Waves = m.Waves(w)
		runs[k] = out
	}
	for key, x := range map[string][2][]float64{"mean-wait": waits, "mean-bounded-slowdown": slow} {
		got, want := OneLog(runs[0], runs[1], key), influences(w, x[0], x[1])
		for _, p := range [][2]float64{{got.Users, want.Users}, {got.Days, want.Days}, {got.Alike, want.Alike}} {
			if !(math.Abs(p[0]-p[1]) < 1e-9*p[1]) {
				t.Errorf("%s: %+v, of the jobs %+v", key, got, want)
			}
		}
		d := CompareRuns(runs[:1], runs[1:], catalog.FindMetric(key))
		if d.How != report.ByLog || !d.Has() || d.Certainty == NoInterval {
			t.Errorf("%s: %+v", key, d)
		}
	}
	if o := OneLog(runs[0], runs[1], "p95-wait"); o != (Own{}) {
		t.Errorf("a percentile: %+v", o)
	}
}

// Intent: why one log says nothing of others is told as it is: it is too short, or it
// names no users.
func TestWhyOneLogSaysNothing(t *testing.T) {
	run := func(days int, user int32, wait float64) *report.Run {
		return &report.Run{Waves: &report.Waves{Days: days, Wait: [4]float64{wait, 1, 2, 3}}, Users: []report.UserRow{{User: user, Jobs: 10, Area: 100, MeanWait: wait}}}
	}
	row := catalog.FindMetric("mean-wait")
	for _, c := range []struct {
		days int
		user int32
		want string
	}{{20, 1, "less than three weeks"}, {30, -1, "names no users"}, {30, 1, "one user"}} {
		s := Sample{Own: OneLog(run(c.days, c.user, 5), run(c.days, c.user, 7), row.Key)}
		if d := s.Compare([]float64{5}, []float64{7}, row); d.Has() || !strings.Contains(d.Why, c.want) {
			t.Errorf("%d days, user %d: %q, want %q", c.days, c.user, d.Why, c.want)
		}
	}
}
