package bench

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"batchlab/core/model"
	"batchlab/core/plan"
	"batchlab/core/policy"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// bursts makes a log of the shape of RICC's: a machine of many processors, users
// who submit arrays of equal jobs, most of them narrow, requests that are round
// and far too long, and rushes in which tens of thousands wait. All of it scales
// with the processors: jobs a second, the sizes of arrays and so the queue.
func bursts(jobs, procs int, seed uint64) (*model.Workload, *model.Platform) {
	rng := rand.New(rand.NewPCG(seed, 77))
	scale := float64(procs) / 8192
	requests := []model.Time{1800, 3600, 4 * 3600, 8 * 3600, 24 * 3600, 72 * 3600}
	work, rate := 0.0, 0.88*float64(procs) // processor-seconds a second
	w := &model.Workload{Processors: procs}
	user := make([]int, 176) // whom everybody's arrays resemble
	for len(w.Jobs) < jobs {
		u := int(math.Floor(176 * math.Pow(rng.Float64(), 3)))
		user[u]++
		width := int32(1)
		switch r := rng.Float64(); {
		case r > 0.97:
			width = int32(256 << rng.IntN(3))
		case r > 0.85:
			width = int32(16 << rng.IntN(4))
		case r > 0.5:
			width = 8
		}
		width = max(1, min(width, int32(procs)))
		size := 1
		if width <= 16 {
			size = int(min(math.Pow(rng.Float64(), -1/1.05), 32000*scale))
		} else {
			size = int(min(math.Pow(rng.Float64(), -1/1.3), 60))
		}
		size = max(1, min(size, jobs-len(w.Jobs)))
		mean := math.Exp(8.3 + 1.6*rng.NormFloat64())
		limit := requests[len(requests)-1]
		for _, r := range requests {
			if float64(r) > 1.5*mean && rng.IntN(3) > 0 {
				limit = r
				break
			}
		}
		at := model.Time(work / rate)
		at += 86400/2 - at%86400/2 // nights are for computing
		for range size {
			run := model.Time(mean * math.Exp(0.4*rng.NormFloat64()))
			run = max(1, min(run, limit))
			w.Jobs = append(w.Jobs, model.Job{Submit: at, Limit: limit, Procs: width, User: int32(u), Group: -1, Queue: -1})
			w.Truth = append(w.Truth, model.Truth{Run: run, LoggedWait: -1})
			work += float64(width) * float64(run)
			if rng.IntN(8) == 0 {
				at++
			}
		}
	}
	order := make([]int, len(w.Jobs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(w.Jobs[a].Submit, w.Jobs[b].Submit) })
	sorted := &model.Workload{Processors: procs}
	for i, k := range order {
		j := w.Jobs[k]
		j.Number = int64(i + 1)
		sorted.Jobs, sorted.Truth = append(sorted.Jobs, j), append(sorted.Truth, w.Truth[k])
	}
	return sorted, model.OneCluster(procs)
}

// BenchmarkBursts runs logs like RICC's under the schedulers that plan every
// waiting job, as multiples of EASY's time.
func BenchmarkBursts(b *testing.B) {
	for _, size := range []struct{ jobs, procs int }{{28_000, 512}, {112_000, 2048}, {450_000, 8192}} {
		w, p := bursts(size.jobs, size.procs, 1)
		name := fmt.Sprintf("%d-jobs-%d-processors", size.jobs, size.procs)
		easy := 0.0
		timed := func(name string, run func() (*model.Schedule, error)) {
			b.Run(name, func(b *testing.B) {
				began, before := time.Now(), processor()
				for range b.N {
					if _, err := run(); err != nil {
						b.Fatal(err)
					}
				}
				took := (processor() - before).Seconds() / float64(b.N)
				if took <= 0 {
					took = time.Since(began).Seconds() / float64(b.N)
				}
				if easy == 0 {
					easy = took
				}
				b.ReportMetric(took, "s")
				b.ReportMetric(took/easy, "x-easy")
				b.ReportMetric(0, "ns/op")
			})
		}
		var counted sim.CountedSimulator
		var general sim.Simulator
		waiting, most, passes := 0, 0, 0
		if _, err := counted.Run(w, p, &policy.CountedEASY{}, sim.Options{Watch: nil}); err != nil {
			b.Fatal(err)
		}
		timed(name+"/easy", func() (*model.Schedule, error) { return counted.Run(w, p, &policy.CountedEASY{}, sim.Options{}) })
		timed(name+"/conservative", func() (*model.Schedule, error) {
			return counted.Run(w, p, &policy.CountedConservative{}, sim.Options{})
		})
		timed(name+"/conservative-general", func() (*model.Schedule, error) {
			return general.Run(w, p, plan.NewConservative(), sim.Options{})
		})
		timed(name+"/orig-bf", func() (*model.Schedule, error) { return general.Run(w, p, policy.NewOrigBF(), sim.Options{}) })
		timed(name+"/plan", func() (*model.Schedule, error) {
			s := plan.New(plan.Options{Tau: 10})
			s.Watch(plan.Watch{Pass: func(v *sim.View, s *plan.Scheduler) {
				n := s.Plan().Len()
				waiting, most, passes = waiting+n, max(most, n), passes+1
			}})
			return general.Run(w, p, s, sim.Options{})
		})
		if passes > 0 {
			b.Logf("%s: %d waiting at most, %.0f on average", name, most, float64(waiting)/float64(passes))
		}
		var did plan.Counts
		timed(name+"/plan-rs", func() (*model.Schedule, error) {
			s := plan.New(plan.Options{Optimiser: search.RandomSearch{}, Iterations: 300, Interval: 60, Weights: paperWeights, Tau: 10})
			defer func() { did = s.Counts() }()
			return general.Run(w, p, s, sim.Options{})
		})
		if did.Iterations > 0 {
			b.Logf("%s: %d iterations, which placed %.0f jobs each", name, did.Iterations, float64(did.Placed)/float64(did.Iterations))
		}
	}
}
