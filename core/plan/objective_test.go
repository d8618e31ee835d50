package plan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// Intent: what the criteria count, by hand, in all readings: two users, one job
// that runs and two that wait.
func TestObjectivesByHand(t *testing.T) {
	// Job 0 (user 1) holds all 4 processors from 0 to 100. At 30 job 1 (user 1) is
	// planned for 100, job 2 (user 2) for 150.
	w := &model.Workload{
		Jobs: []model.Job{
			{Number: 1, Limit: 100, Procs: 4, User: 1},
			{Number: 2, Submit: 20, Limit: 50, Procs: 4, User: 1},
			{Number: 3, Submit: 30, Limit: 5, Procs: 1, User: 2},
		},
		Truth: []model.Truth{{Run: 100}, {Run: 50}, {Run: 5}},
	}
	for _, c := range []struct {
		o    Objective
		want search.Score
	}{
		// Waits 0, 80 and 120; slowdowns 1, 130 ÷ 50 and 125 ÷ 10; NUWT 80 ÷ 120 and 120 ÷ 1.
		{Objective{}, search.Score{200. / 3, (1 + 2.6 + 12.5) / 3, spread(80./120, 120)}},
		{Objective{Waiting: true}, search.Score{100, (2.6 + 12.5) / 2, spread(80./120, 120)}},
		// Planned: user 1 has 120 and 70 · 4 still to come of what runs, 50 · 4 of what waits; user 2 has 5.
		{Objective{Planned: true}, search.Score{200. / 3, (1 + 2.6 + 12.5) / 3, spread(80./600, 120./5)}},
		{Objective{Squares: true}, search.Score{200. / 3, (1 + 2.6 + 12.5) / 3, squares(80./120, 120)}},
		{Objective{Waiting: true, Planned: true, Squares: true}, search.Score{100, (2.6 + 12.5) / 2, squares(80./600, 120./5)}},
		// Of 4, 4 and 1 processors: weights 2, 2 and 1; fairness is of users, whom they do not touch.
		{Objective{Roots: true}, search.Score{(2*80. + 120) / 5, (2 + 2*2.6 + 12.5) / 5, spread(80./120, 120)}},
		{Objective{Waiting: true, Roots: true}, search.Score{(2*80. + 120) / 3, (2*2.6 + 12.5) / 3, spread(80./120, 120)}},
	} {
		s := New(Options{Weights: paperWeights, Tau: 10, Objective: c.o})
		seen := false
		s.Watch(Watch{Pass: func(v *sim.View, s *Scheduler) {
			if v.Now != 30 {
				return
			}
			seen = true
			got := s.Score(v.Now)
			for k := range got {
				if math.Abs(got[k]-c.want[k]) > 1e-4*c.want[k] {
					t.Errorf("%+v: %v, want %v", c.o, got, c.want)
				}
			}
		}})
		run(t, "by hand", w, model.OneCluster(4), s)
		if !seen {
			t.Fatal("nothing was looked at")
		}
	}
}

func spread(a, b float64) float64 { return (a+b)/2 + math.Abs(a-b)/2 }

func squares(list ...float64) (sum float64) {
	mean := 0.
	for _, x := range list {
		mean += x / float64(len(list))
	}
	for _, x := range list {
		sum += (1 + mean - x) * (1 + mean - x)
	}
	return sum
}

// Intent: with a guard no job starts later than the first start that was planned
// for it plus the guard, whatever the optimiser and the platform; without one
// some do, and a wide guard still lets the optimiser accept plans.
func TestGuardHolds(t *testing.T) {
	broken, accepted := 0, int64(0)
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 77))
		o := terms{clusters: 1 + int(seed%3), jobs: 60, nodes: seed%3 == 0, limits: seed%4 == 1, speeds: seed%5 == 2, crowded: true, licences: seed%4 == 3}
		w, p := generated(rng, o)
		for key, optimiser := range optimisers {
			for _, guard := range []model.Time{-1, 0, 25} {
				s := New(Options{Optimiser: optimiser, Iterations: 20, Interval: 5, Weights: paperWeights, Tau: 10, Guarded: guard >= 0, Guard: guard})
				first := map[model.JobID]model.Time{}
				s.Watch(Watch{Pass: func(v *sim.View, s *Scheduler) {
					for c := range s.plan.lanes {
						for _, list := range [][]int32{s.plan.lanes[c].jobs, s.plan.lanes[c].running} {
							for _, i := range list {
								if slot := &s.plan.slots[i]; slot.job < v.Next {
									if _, known := first[slot.job]; !known {
										first[slot.job] = slot.first
									}
								}
							}
						}
					}
				}})
				name := fmt.Sprintf("seed %d, %s, guard %d", seed, key, guard)
				schedule := run(t, name, w, p, s)
				accepted += s.Counts().Accepted
				for _, e := range schedule.Executions {
					at, known := first[e.Job]
					switch {
					case e.Start < 0 || !known:
					case guard < 0 && e.Start > at:
						broken++
					case guard >= 0 && e.Start > at+guard:
						t.Fatalf("%s: job %d starts at %d, planned at first for %d", name, e.Job, e.Start, at)
					}
				}
				if guard == 0 && s.Counts().Calls == 0 && len(w.Jobs) > 30 {
					t.Errorf("%s: never optimised", name)
				}
			}
		}
	}
	if broken < 100 || accepted < 1000 {
		t.Errorf("without a guard %d jobs start later; %d plans accepted", broken, accepted)
	}
}
