package policy_test

import (
	"os"
	"path/filepath"
	"testing"

	"batchlab/core/expr"
	"batchlab/core/model"
	"batchlab/core/plan"
	"batchlab/core/policy"
	"batchlab/core/sim"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// realWorkload reads a real log from the folder BATCHLAB_LOGS, and says when
// the test is skipped because there is none.
func realWorkload(t testing.TB, name string) *model.Workload {
	t.Helper()
	dir := os.Getenv("BATCHLAB_LOGS")
	if dir == "" {
		t.Skip("BATCHLAB_LOGS is not set: the real logs are not compared")
	}
	packed, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	data, err := swf.Gunzip(packed, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	log, err := swf.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := workload.FromLog(log, workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// first returns the workload of the first n jobs.
func first(w *model.Workload, n int) *model.Workload {
	short := *w
	short.Jobs, short.Truth = w.Jobs[:min(n, len(w.Jobs))], w.Truth[:min(n, len(w.Jobs))]
	return &short
}

// On real logs every job starts when the plain reference simulator starts it:
// whole logs for EASY, the first part where the twin is too slow.
func TestTwinsOnRealLogs(t *testing.T) {
	for _, name := range []string{"KTH-SP2-1996-2.1-cln.swf.gz", "SDSC-SP2-1998-4.2-cln.swf.gz"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := realWorkload(t, name)
			var m sim.CountedSimulator
			for _, e := range []policy.CountedEASY{
				{},
				{Backfill: policy.SPF},
				{Order: policy.SAF, Backfill: policy.SPF, Newest: true, UseThreshold: true, Threshold: 200000},
				{Order: policy.LEXP, Backfill: policy.SPF, UseThreshold: true, Threshold: 72000},
				{Order: policy.SRF, Backfill: policy.LEXP},
				{Order: policy.SEXP, Backfill: policy.LQF, Newest: true},
			} {
				part := w
				if testing.Short() {
					part = first(w, 12000)
				}
				tw := newTwin(part, w.Processors)
				tw.order, tw.backfill, tw.newest = e.Order, e.Backfill, e.Newest
				if e.UseThreshold {
					tw.threshold = e.Threshold
				}
				same(t, e.Order.String()+"/"+e.Backfill.String(), part, simulate(t, &m, part, w.Processors, &e, nil), tw.run(tw.easy))
			}
			part := first(w, 20000)
			tw := newTwin(part, w.Processors)
			same(t, "fcfs", part, simulate(t, &m, part, w.Processors, &policy.CountedFCFS{}, nil), tw.run(tw.fcfs))
			part = first(w, 12000)
			tw = newTwin(part, w.Processors)
			same(t, "conservative", part, simulate(t, &m, part, w.Processors, &policy.CountedConservative{}, nil), tw.run(tw.conservative))
		})
	}
}

// Intent: on real logs, too, orders by score give the same schedule on the
// general engine as by counts, and conservative backfilling in an order the one
// of the plain twin.
func TestOrdersOnRealLogs(t *testing.T) {
	formula := func(text string) *expr.Program {
		p, err := policy.NewFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, name := range []string{"KTH-SP2-1996-2.1-cln.swf.gz", "SDSC-SP2-1998-4.2-cln.swf.gz"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := realWorkload(t, name)
			var m sim.CountedSimulator
			var general sim.Simulator
			for _, e := range []policy.CountedEASY{
				{Order: policy.Mixed, Weights: policy.Weights{-0.25, -0.5, 0.25}, Backfill: policy.SPF, Newest: true, UseThreshold: true, Threshold: 200000},
				{Order: policy.Mixed, Weights: policy.Weights{0, -0.25, 0, 0, 0.5, -0.25}, Backfill: policy.Mixed, BackfillWeights: policy.Weights{0.5, -0.5}},
				{Order: policy.Formula, Formula: formula("wait / p - q"), Backfill: policy.Formula, BackfillFormula: formula("sqrt(wait) - a / 1000"), UseThreshold: true, Threshold: 72000},
				{Order: policy.SAF, Backfill: policy.Formula, BackfillFormula: formula("user - submit")},
			} {
				part := w
				if testing.Short() {
					part = first(w, 5000)
				}
				got, err := general.Run(part, model.OneCluster(w.Processors), policy.NewEASY(&e), sim.Options{})
				if err != nil {
					t.Fatal(err)
				}
				var want []model.Time
				for _, x := range got.Executions {
					want = append(want, x.Start)
				}
				same(t, e.Order.String()+"/"+e.Backfill.String(), part, simulate(t, &m, part, w.Processors, &e, nil), want)
			}
			part := first(w, 3000)
			tw := newTwin(part, w.Processors)
			tw.order = policy.SAF
			got, err := general.Run(part, model.OneCluster(w.Processors), plan.NewConservativeIn(&policy.Lineup{QueueOrder: policy.QueueOrder{Order: policy.SAF}}), sim.Options{})
			if err != nil {
				t.Fatal(err)
			}
			same(t, "conservative saf", part, got, tw.run(tw.conservativeIn))
		})
	}
}
