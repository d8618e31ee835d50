package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// arrays returns jobs of which many are alike and come together, on one or two clusters
// of interchangeable processors.
func arrays(rng *rand.Rand, jobs int) (*model.Workload, *model.Platform) {
	procs := 8 + rng.Int32N(40)
	p := model.OneCluster(int(procs))
	for range rng.IntN(2) {
		p.Clusters = append(p.Clusters, p.Clusters[0])
		p.Clusters[1].Name = "second"
	}
	if rng.IntN(3) == 0 {
		p.Calendar = append(p.Calendar, model.CalendarEntry{Name: "away", From: 60, To: 120, Procs: procs / 2})
	}
	w := &model.Workload{}
	for at := model.Time(0); len(w.Jobs) < jobs; {
		at += model.Time(rng.IntN(40))
		width, limit, user := 1+rng.Int32N(4), model.Time(10+10*rng.IntN(12)), rng.Int32N(4)
		if rng.IntN(5) == 0 {
			width = procs/2 + rng.Int32N(procs/2)
		}
		for range 1 + rng.IntN(1+rng.IntN(50)) {
			if at += model.Time(rng.IntN(8) / 7); len(w.Jobs) < jobs {
				w.Jobs = append(w.Jobs, model.Job{Number: int64(len(w.Jobs) + 1), Submit: at, Procs: width, Limit: limit, User: user})
				w.Truth = append(w.Truth, model.Truth{Run: 1 + model.Time(rng.IntN(int(limit)+5))})
			}
		}
	}
	return w, p
}

// Intent: compression that carries arrays of equal jobs on, and steps over jobs for which
// there is no room, leaves after every pass the plan and the profile that it leaves when
// it takes each job by itself.
func TestCarryingAgreesWithSingleJobs(t *testing.T) {
	carried, skipped := 0, 0
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 270))
		w, p := arrays(rng, 150)
		var reserved func(model.JobID) bool
		if seed%5 == 1 {
			reserved = reserving(rng, w, 0.1)
		}
		o := Options{Tau: 10}
		if seed%3 == 0 {
			o = Options{Optimiser: search.RandomSearch{}, Iterations: 20, Interval: 30, Weights: paperWeights, Tau: 10}
		}
		if seed%7 == 0 {
			o.Depth = 60
		}
		var passes [2][][]int64
		for k := range passes {
			s := New(o)
			s.Seed(seed, 0)
			s.Watch(Watch{Before: func(_ *sim.View, s *Scheduler) { s.plan.single = (1 - k) * 1000 }, Pass: func(v *sim.View, s *Scheduler) {
				text := []int64{int64(v.Now)}
				s.Plan().Planned(func(j model.JobID, start model.Time, c int32) { text = append(text, int64(j), int64(start), int64(c)) })
				for c := range s.plan.lanes {
					l := &s.plan.lanes[c]
					s.plan.refresh(l)
					l.Counts.Each(func(at model.Time, free int32) bool {
						text = append(text, int64(at), int64(free))
						return true
					})
				}
				passes[k] = append(passes[k], text)
				carried = max(carried, cap(s.plan.carry.left))
				skipped = max(skipped, s.plan.Len())
			}})
			var way sim.Scheduler = s
			if reserved != nil {
				way = &desk{inner: s, rng: rand.New(rand.NewPCG(seed, 1)), reserved: reserved}
			}
			run(t, fmt.Sprint("seed ", seed), w, p, way)
		}
		for n := range passes[0] {
			if n >= len(passes[1]) || !slices.Equal(passes[0][n], passes[1][n]) {
				t.Fatalf("seed %d, pass %d: the plans differ:\n%d\n%d", seed, n, passes[0][n], passes[1][min(n, len(passes[1])-1)])
			}
		}
	}
	if carried < 16 || skipped < 60 {
		t.Errorf("no more than %d starts were carried, no more than %d jobs waited", carried, skipped)
	}
}
