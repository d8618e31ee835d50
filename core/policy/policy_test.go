package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/report"
	"batchlab/core/sim"
)

var orders = []policy.Order{policy.FCFSOrder, policy.LCFS, policy.SPF, policy.LPF, policy.SQF, policy.LQF,
	policy.SAF, policy.LAF, policy.SEXP, policy.LEXP, policy.SRF, policy.LRF}

func simulate(t testing.TB, m *sim.CountedSimulator, w *model.Workload, procs int, s sim.CountedScheduler, rec *sim.Record) *model.Schedule {
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
	var m sim.CountedSimulator
	var easy policy.CountedEASY
	var fcfs policy.CountedFCFS
	var cons policy.CountedConservative
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

// A mixed order with all its weight on one feature is the pure order, newest
// and oldest first.
func TestMixedHoldsThePureOrders(t *testing.T) {
	var m sim.CountedSimulator
	r := rand.New(rand.NewPCG(9, 10))
	for range 100 {
		procs := 1 + r.IntN(64)
		w := randomWorkload(r, 60, procs)
		for _, o := range policy.Pure() {
			pure := policy.CountedEASY{Order: o, Backfill: policy.SPF, Newest: r.IntN(2) == 0}
			mixed := pure
			mixed.Order, mixed.Weights = policy.Mixed, policy.PureWeights(o)
			var want []model.Time
			for _, e := range simulate(t, &m, w, procs, &pure, nil).Executions {
				want = append(want, e.Start)
			}
			same(t, o.String(), w, simulate(t, &m, w, procs, &mixed, nil), want)
		}
	}
}

// Weights are brought to ‖w‖₁ = 1; those that have it keep every bit; what
// gives no order is refused in words.
func TestNewWeights(t *testing.T) {
	if w, err := policy.NewWeights([]float64{2, -1, 1}); err != nil || w != (policy.Weights{0.5, -0.25, 0.25}) {
		t.Error(w, err)
	}
	if w, err := policy.NewWeights([]float64{1e308, -1e308, 0}); err != nil || w != (policy.Weights{0.5, -0.5}) {
		t.Error(w, err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		w, err := policy.NewWeights([]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
		again, err2 := policy.NewWeights(w[:])
		if err != nil || err2 != nil || w != again {
			t.Fatal(w, again, err, err2)
		}
	}
	for _, bad := range [][]float64{nil, {1, 2}, {0, 0, 0}, {1, 2, 3, 4}, {1, math.NaN(), 0}, {math.Inf(1), 0, 0}, make([]float64, 6)} {
		if _, err := policy.NewWeights(bad); err == nil {
			t.Errorf("%v gives an order", bad)
		}
	}
}

// The record of decisions changes no schedule, and explains every second of
// every wait.
func TestRecordExplainsEveryWait(t *testing.T) {
	var m sim.CountedSimulator
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		procs := 1 + r.IntN(32)
		w := randomWorkload(r, 50, procs)
		for _, s := range []sim.CountedScheduler{&policy.CountedFCFS{}, &policy.CountedConservative{}, &policy.CountedEASY{}, &policy.CountedEASY{Order: policy.LEXP, Backfill: policy.SPF}} {
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
	var m sim.CountedSimulator
	var rec sim.Record
	simulate(t, &m, w, 10, &policy.CountedEASY{}, &rec)
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
	for _, s := range []sim.CountedScheduler{&policy.CountedFCFS{}, &policy.CountedEASY{}, &policy.CountedEASY{Order: policy.SAF, Backfill: policy.SPF},
		&policy.CountedEASY{Order: policy.LEXP, Backfill: policy.SPF, UseThreshold: true, Threshold: 50}, &policy.CountedConservative{},
		&policy.CountedEASY{Order: policy.Mixed, Weights: policy.Weights{0.5, -0.25, 0.25}, Backfill: policy.SPF, Newest: true, UseThreshold: true, Threshold: 50},
		&policy.CountedEASY{Order: policy.Mixed, Weights: policy.Weights{0.5, -0.25, 0, 0, 0.25}, Backfill: policy.SPF}} {
		var m sim.CountedSimulator
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
