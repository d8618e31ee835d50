package bench

import (
	"math"
	"testing"
	"time"

	"batchlab/core/model"
	"batchlab/core/plan"
	"batchlab/core/policy"
	"batchlab/core/react"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// BenchmarkReaction simulates the 11 months of KTH-SP2 with replayed
// submissions and with users who react, in turns, and gives the quotient of the
// least times: a reacting year is to cost at most twice a replayed one. Users
// make other submissions and other queues; "again" replays what they made, so
// that react ÷ again is what the users themselves cost.
func BenchmarkReaction(b *testing.B) {
	w, p := load(b, "KTH-SP2-1996-2.1-cln.swf.gz")
	e := react.Evidence{End: make([]model.Time, len(w.Jobs))}
	for i := range w.Jobs {
		e.End[i] = w.Jobs[i].Submit + max(0, w.Truth[i].LoggedWait) + w.Executed(model.JobID(i))
	}
	agents := react.Extract(w, e, react.Defaults()).NewAgents(1, 0)
	// Each engine runs a workload and returns what was produced.
	type engine func(w *model.Workload, source sim.Source) (*model.Schedule, error)
	counts := func(s sim.CountedScheduler) func() engine {
		return func() engine {
			var m sim.CountedSimulator
			return func(w *model.Workload, source sim.Source) (*model.Schedule, error) {
				return m.Run(w, p, s, sim.Options{Source: source})
			}
		}
	}
	site := func(s sim.Scheduler) func() engine {
		return func() engine {
			var m sim.Simulator
			return func(w *model.Workload, source sim.Source) (*model.Schedule, error) {
				return m.Run(w, p, s, sim.Options{Source: source})
			}
		}
	}
	planRS := plan.New(plan.Options{Optimiser: search.RandomSearch{}, Iterations: 300, Interval: 60, Weights: paperWeights, Tau: 10})
	for _, one := range []struct {
		name string
		make func() engine
	}{
		{"fcfs", counts(&policy.CountedFCFS{})}, {"easy", counts(&policy.CountedEASY{})},
		{"easy-saf-spf", counts(&policy.CountedEASY{Order: policy.SAF, Backfill: policy.SPF})}, {"conservative", counts(&policy.CountedConservative{})},
		{"orig-bf", site(policy.NewOrigBF())}, {"plan-rs", site(planRS)},
	} {
		b.Run(one.name, func(b *testing.B) {
			reacts, replays := one.make(), one.make()
			var produced *model.Workload
			run := func(do engine, w *model.Workload, source sim.Source) float64 {
				began := time.Now()
				s, err := do(w, source)
				if err != nil {
					b.Fatal(err)
				}
				if source != nil {
					produced = s.Workload
				}
				return time.Since(began).Seconds()
			}
			run(reacts, w, agents)
			least := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
			b.ResetTimer()
			for range b.N {
				for i, took := range [3]float64{run(replays, w, nil), run(reacts, w, agents), run(replays, produced, nil)} {
					least[i] = min(least[i], took)
				}
			}
			b.ReportMetric(1000*least[0], "ms-replay")
			b.ReportMetric(least[1]/least[0], "x-replay")
			b.ReportMetric(least[1]/least[2], "x-again")
			b.ReportMetric(0, "ns/op")
		})
	}
}
