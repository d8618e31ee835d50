package bench

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"batchlab/core/model"
	"batchlab/core/plan"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// planned makes a plan of about n waiting jobs: like SDSC-SP2, 128 processors,
// widths of mostly powers of two, requests of minutes to 18 hours, 100 users. All
// are there when job 0, which holds the machine, still runs.
func planned(n int, nodes bool) (*model.Workload, *model.Platform) {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	w := &model.Workload{Jobs: []model.Job{{Number: 1, Limit: 1000, Procs: 128, User: 1}}, Truth: []model.Truth{{Run: 500}}}
	p := model.OneCluster(128)
	if nodes {
		p = &model.Platform{Clusters: []model.Cluster{{Name: "main", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 16, Procs: 8, Mem: 1 << 36, Speed: 1}}}}}
	}
	for i := range n {
		procs := int32(1) << rng.IntN(7)
		limit := model.Time(300) << rng.IntN(8)
		j := model.Job{Number: int64(i + 2), Submit: 1 + model.Time(i)*400/model.Time(n), Procs: procs, Limit: limit - model.Time(rng.IntN(200)), User: rng.Int32N(100)}
		if nodes {
			d := model.Demand{Nodes: 1, PerNode: procs, MemPerNode: rng.Int64N(1 << 35)}
			if procs > 8 {
				d.Nodes, d.PerNode = procs/8, 8
			}
			w.Demands = append(w.Demands, d)
			j.Demand = int32(len(w.Demands))
		}
		w.Jobs = append(w.Jobs, j)
		w.Truth = append(w.Truth, model.Truth{Run: max(1, j.Limit/2)})
	}
	return w, p
}

// at calls visit in the middle of a simulation, when every job has been
// submitted and only job 0 runs, and ends the simulation.
func at(b *testing.B, w *model.Workload, p *model.Platform, s *plan.Scheduler, visit func(v *sim.View)) {
	b.Helper()
	stop := false
	s.Watch(plan.Watch{Pass: func(v *sim.View, s *plan.Scheduler) {
		if int(v.Next) == len(v.Jobs) && !stop {
			stop = true
			visit(v)
		}
	}})
	var m sim.Simulator
	m.Run(w, p, s, sim.Options{Watch: func(*sim.View) bool { return !stop }})
	if !stop {
		b.Fatal("the last job was never submitted")
	}
}

var paperWeights = search.Weights{1, 1, 10}

// BenchmarkPlan measures the three costs of figure 5 against the length of the
// plan: placing an arrival (backfill), compression after an early end (update),
// and one iteration of Random Search with all three criteria.
func BenchmarkPlan(b *testing.B) {
	for _, nodes := range []bool{false, true} {
		for _, n := range []int{100, 316, 1000, 2200, 3162, 10000} {
			w, p := planned(n, nodes)
			name := fmt.Sprintf("%s/%d", map[bool]string{false: "counts", true: "nodes"}[nodes], n)
			b.Run(name, func(b *testing.B) {
				s := plan.New(plan.Options{Weights: paperWeights, Tau: 10})
				at(b, w, p, s, func(v *sim.View) {
					probe := s.Probe(v)
					began := processor()
					arrivals := 0
					for arrivals == 0 || (processor()-began) < 50*time.Millisecond {
						probe.Backfill(model.JobID(1 + arrivals%n))
						arrivals++
					}
					backfill := (processor() - began) / time.Duration(arrivals)
					began = processor()
					updates := 0
					for updates == 0 || (processor()-began) < 50*time.Millisecond {
						probe.Update()
						updates++
					}
					update := (processor() - began) / time.Duration(updates)
					began = processor()
					builds := 0
					for builds == 0 || (processor()-began) < 50*time.Millisecond {
						probe.Build()
						builds++
					}
					build := (processor() - began) / time.Duration(builds)
					rng := rand.New(rand.NewPCG(1, 1))
					run := search.Run{Weights: paperWeights, Iterations: b.N}
					b.ReportAllocs()
					before := processor()
					b.ResetTimer()
					result := search.RandomSearch{}.Optimise(probe.Problem(), probe.Score(), &run, rng)
					b.StopTimer()
					b.ReportMetric(100*float64(result.Improved)/float64(b.N), "%accepted")
					b.ReportMetric(float64((processor()-before).Nanoseconds())/float64(b.N), "cpu-ns/op")
					b.ReportMetric(float64(backfill.Nanoseconds())/1000, "µs/backfill")
					b.ReportMetric(float64(update.Nanoseconds())/1000, "µs/update")
					b.ReportMetric(float64(build.Nanoseconds())/1000, "µs/build")
				})
			})
		}
	}
}

// BenchmarkPlanRS runs whole logs under Plan-RS at the paper's settings, and the
// first 4,606 usable jobs of SDSC-SP2, for which the field's Java simulator takes
// 90.6 s under conservative backfilling with Random Search.
func BenchmarkPlanRS(b *testing.B) {
	for _, c := range []struct {
		name, log string
		jobs      int
	}{
		{"SDSC-SP2-first-4606", "SDSC-SP2-1998-4.2-cln.swf.gz", 4606},
		{"KTH-SP2", "KTH-SP2-1996-2.1-cln.swf.gz", 0},
	} {
		b.Run(c.name, func(b *testing.B) {
			w, p := load(b, c.log)
			if c.jobs > 0 {
				w.Jobs, w.Truth = w.Jobs[:c.jobs], w.Truth[:c.jobs]
			}
			s := plan.New(plan.Options{Optimiser: search.RandomSearch{}, Iterations: 300, Interval: 60, Weights: paperWeights, Tau: 10})
			var m sim.Simulator
			before := processor()
			for b.Loop() {
				if _, err := m.Run(w, p, s, sim.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processor()-before).Seconds()/float64(b.N), "cpu-s/op")
			count := s.Counts()
			b.ReportMetric(float64(count.Iterations), "iterations")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(count.Iterations), "ns/iteration")
		})
	}
}
