package bench

import (
	"os"
	"path/filepath"
	"testing"

	"batchlab/core/mixed"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// weeksOf returns the weeks of a real log as the study of mixed orders wants
// them.
func weeksOf(b testing.TB, name string) ([]workload.Window, int) {
	dir := os.Getenv("BATCHLAB_LOGS")
	if dir == "" {
		b.Skip("BATCHLAB_LOGS is not set: no real logs to measure with")
	}
	packed, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		b.Fatal(err)
	}
	data, err := swf.Gunzip(packed, 1<<30)
	if err != nil {
		b.Fatal(err)
	}
	log, err := swf.Parse(data)
	if err != nil {
		b.Fatal(err)
	}
	w, _, err := workload.FromLog(log, workload.Options{Overrun: workload.OverrunDrop, NoRequest: workload.NoRequestDrop})
	if err != nil {
		b.Fatal(err)
	}
	windows, _, err := workload.Cut(w, workload.Week, 0)
	if err != nil {
		b.Fatal(err)
	}
	return windows, w.Processors
}

// studyRules are those of Legrand, Trystram and Zrigui (2018).
var studyRules = mixed.Rules{Tau: 60, Backfill: policy.SPF, Newest: true, UseThreshold: true, Threshold: 200000}

// randomWeights draws a direction.
func randomWeights(n, features int) []policy.Weights {
	r := model.Stream(1, "bench/mixed", 0)
	list := make([]policy.Weights, n)
	for i := range list {
		raw := make([]float64, features)
		for k := range raw {
			raw[k] = 2*r.Float64() - 1
		}
		list[i], _ = policy.NewWeights(raw)
	}
	return list
}

// One-week simulations of SDSC-SP2, weeks 1 to 100, a second and core: EASY
// with a mixed order, the threshold and the slowdown included.
func BenchmarkWeeks(b *testing.B) {
	for _, c := range []struct {
		name     string
		features int
	}{{"static", 3}, {"dynamic", 6}} {
		b.Run(c.name, func(b *testing.B) {
			windows, procs := weeksOf(b, "SDSC-SP2-1998-4.2-cln.swf.gz")
			windows = windows[3:103]
			e := mixed.NewEvaluator(windows, procs, studyRules)
			vectors := randomWeights(7, c.features)
			t := best(b, func() {
				for i := range windows {
					for _, w := range vectors {
						if _, err := e.Mixed(i, w); err != nil {
							b.Fatal(err)
						}
					}
				}
			})
			b.ReportMetric(float64(len(windows)*len(vectors))/t, "weeks/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}
