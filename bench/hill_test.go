package bench

import (
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
	"batchlab/core/plan"
	"batchlab/core/sim"
)

// BenchmarkHill runs the same jobs under hill climbing on 100 interchangeable
// processors and on 25 nodes × 4, and prints how many times longer the nodes take.
func BenchmarkHill(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 8))
	w := &model.Workload{Processors: 100}
	at := model.Time(0)
	for i := range 1000 {
		at += model.Time(rng.ExpFloat64() * 520)
		limit := model.Time(600) << rng.IntN(6)
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: at, Procs: 1 << rng.IntN(6), Limit: limit, User: rng.Int32N(20)})
		w.Truth = append(w.Truth, model.Truth{Run: max(1, model.Time(float64(limit)*rng.Float64()))})
	}
	nodes := &model.Platform{Clusters: []model.Cluster{{Name: "main", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 25, Procs: 4, Speed: 1}}}}}
	var least [2]float64
	for round := range 3 {
		for k, p := range []*model.Platform{model.OneCluster(100), nodes} {
			var m sim.Simulator
			before := processor()
			if _, err := m.Run(w, p, plan.NewHill(plan.HillOptions{Evaluations: 1000}), sim.Options{}); err != nil {
				b.Fatal(err)
			}
			if took := (processor() - before).Seconds(); round == 0 || took < least[k] {
				least[k] = took
			}
		}
	}
	b.ReportMetric(least[0], "s-counts")
	b.ReportMetric(least[1], "s-nodes")
	b.ReportMetric(least[1]/least[0], "x")
	b.ReportMetric(0, "ns/op")
}
