package policy_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/report"
	"batchlab/core/sim"
)

var orders = []policy.Order{policy.FCFSOrder, policy.LCFS, policy.SPF, policy.LPF, policy.SQF, policy.LQF,
	policy.SAF, policy.LAF, policy.SEXP, policy.LEXP, policy.SRF, policy.LRF}

func simulate(t testing.TB, m *sim.Simulator, w *model.Workload, procs int, s sim.Scheduler, rec *sim.Record) *model.Schedule {
	t.Helper()
	got, err := m.Run(w, model.OneCluster(procs), s, sim.Options{Record: rec})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func same(t testing.TB, name string, w *model.Workload, got *model.Schedule, want []model.Time) {
	t.Helper()
	for i := range want {
		if got.Executions[i].Start != want[i] {
			t.Fatalf("%s: job %d starts at %d, the twin says %d", name, w.Jobs[i].Number, got.Executions[i].Start, want[i])
		}
	}
	if err := got.Check(); err != nil {
		t.Fatal(err)
	}
}

// Every scheduler starts every job when the plain reference simulator does, on
// thousands of random workloads, with one simulator and one scheduler reused
// throughout, so that nothing is left over from the run before.
func TestTwins(t *testing.T) {
	rounds := 2500
	if testing.Short() {
		rounds = 200
	}
	var m sim.Simulator
	var easy policy.EASY
	var fcfs policy.FCFS
	var cons policy.Conservative
	r := rand.New(rand.NewPCG(1, 2))
	for round := range rounds {
		procs := 1 + r.IntN(1<<r.IntN(8))
		n := 1 + r.IntN(60)
		if round%100 == 0 {
			n = 300 // several blocks of waiting jobs
		}
		w := randomWorkload(r, n, procs)
		newest := r.IntN(2) == 0

		fcfs.Newest = newest
		tw := newTwin(w, procs)
		tw.newest = newest
		same(t, fmt.Sprint("fcfs, round ", round), w, simulate(t, &m, w, procs, &fcfs, nil), tw.run(tw.fcfs))

		if n < 100 { // the twin's cost grows with the cube
			tw = newTwin(w, procs)
			same(t, fmt.Sprint("conservative, round ", round), w, simulate(t, &m, w, procs, &cons, nil), tw.run(tw.conservative))
		}

		for range 4 {
			easy.Order, easy.Backfill = orders[r.IntN(len(orders))], orders[r.IntN(len(orders))]
			if r.IntN(3) == 0 {
				easy.Backfill = easy.Order
			}
			easy.Newest = r.IntN(2) == 0
			easy.UseThreshold, easy.Threshold = r.IntN(2) == 0, model.Time(r.IntN(200))
			tw = newTwin(w, procs)
			tw.order, tw.backfill, tw.newest = easy.Order, easy.Backfill, easy.Newest
			if easy.UseThreshold {
				tw.threshold = easy.Threshold
			}
			name := fmt.Sprintf("easy %v/%v newest=%v threshold=%v,%d, round %d", easy.Order, easy.Backfill, easy.Newest, easy.UseThreshold, easy.Threshold, round)
			same(t, name, w, simulate(t, &m, w, procs, &easy, nil), tw.run(tw.easy))
		}
	}
}

// The record of decisions changes no schedule, and explains every second of
// every wait.
func TestRecordExplainsEveryWait(t *testing.T) {
	var m sim.Simulator
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		procs := 1 + r.IntN(32)
		w := randomWorkload(r, 50, procs)
		for _, s := range []sim.Scheduler{&policy.FCFS{}, &policy.Conservative{}, &policy.EASY{}, &policy.EASY{Order: policy.LEXP, Backfill: policy.SPF}} {
			plain := append([]model.Execution(nil), simulate(t, &m, w, procs, s, nil).Executions...)
			var rec sim.Record
			got := simulate(t, &m, w, procs, s, &rec)
			for i, e := range got.Executions {
				if e != plain[i] {
					t.Fatalf("%T: recording moves job %d", s, w.Jobs[i].Number)
				}
				var sum model.Time
				for _, d := range rec.Why[i].Waited {
					sum += d
				}
				if sum != e.Wait() {
					t.Fatalf("%T: job %d waited %d s, %d s explained: %+v", s, w.Jobs[i].Number, e.Wait(), sum, rec.Why[i])
				}
				if e.Wait() > 0 && rec.Why[i].Waited[report.WaitNone] != 0 {
					t.Fatalf("%T: job %d waited for no reason", s, w.Jobs[i].Number)
				}
			}
		}
	}
}

// Decisions are recorded with the reason that let a job start: job 3 fits
// before the head's shadow time, job 4 in the processors the head leaves over.
func TestRecordNamesBackfilling(t *testing.T) {
	w := &model.Workload{}
	for i, j := range []struct{ submit, limit, procs int }{{0, 100, 6}, {1, 50, 8}, {2, 90, 2}, {3, 500, 2}} {
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: model.Time(j.submit), Limit: model.Time(j.limit), Procs: int32(j.procs)})
		w.Truth = append(w.Truth, model.Truth{Run: model.Time(j.limit)})
	}
	var m sim.Simulator
	var rec sim.Record
	simulate(t, &m, w, 10, &policy.EASY{}, &rec)
	for i, want := range []report.Code{report.StartedInOrder, report.StartedInOrder, report.BackfilledBeforeShadow, report.BackfilledExtra} {
		if rec.Why[i].Decision != want {
			t.Errorf("job %d: decision %d, want %d", i+1, rec.Why[i].Decision, want)
		}
	}
}

// A second simulation on the same memory allocates nothing.
func TestNoAllocation(t *testing.T) {
	w := randomWorkload(rand.New(rand.NewPCG(5, 6)), 2000, 64)
	p := model.OneCluster(64)
	for _, s := range []sim.Scheduler{&policy.FCFS{}, &policy.EASY{}, &policy.EASY{Order: policy.SAF, Backfill: policy.SPF},
		&policy.EASY{Order: policy.LEXP, Backfill: policy.SPF, UseThreshold: true, Threshold: 50}, &policy.Conservative{}} {
		var m sim.Simulator
		run := func() {
			if _, err := m.Run(w, p, s, sim.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		run()
		if n := testing.AllocsPerRun(5, run); n > 0 {
			t.Errorf("%T: %v allocations a run", s, n)
		}
	}
}
