package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// With a depth at most so many jobs are planned, those that were submitted first;
// all run, a depth that is never reached changes nothing, and one of a single job
// is FCFS: no later job is planned before it has started.
func TestDepth(t *testing.T) {
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 71))
		bit := func() bool { return rng.IntN(2) == 0 }
		o := terms{clusters: 2, jobs: 60, nodes: bit(), limits: bit(), outages: bit(), failures: bit(), licences: bit(), crowded: true}
		w, p := generated(rng, o)
		for name, make := range map[string]func(depth int) *Scheduler{
			"conservative": func(depth int) *Scheduler { return New(Options{Replan: true, Depth: depth}) },
			"plan":         func(depth int) *Scheduler { return New(Options{Depth: depth}) },
			"tabu": func(depth int) *Scheduler {
				return New(Options{Optimiser: optimisers["tabu"], Iterations: 20, Interval: 5, Weights: paperWeights, Tau: 10, Depth: depth})
			},
		} {
			title := fmt.Sprintf("seed %d, %s, %+v", seed, name, o)
			all := slices.Clone(run(t, title, w, p, make(0)).Executions)
			if got := run(t, title, w, p, make(len(w.Jobs))).Executions; !slices.Equal(got, all) {
				t.Fatalf("%s: a depth that is never reached changes the schedule", title)
			}
			depth := 1 + rng.IntN(6)
			s := make(depth)
			s.Watch(Watch{Pass: func(v *sim.View, s *Scheduler) {
				last := model.JobID(-1)
				s.Plan().Planned(func(j model.JobID, _ model.Time, _ int32) { last = max(last, j) })
				if n := s.Plan().Len(); n > depth || n < depth && len(s.later) > 0 {
					t.Fatalf("%s: %d jobs are planned, %d are not, with a depth of %d", title, n, len(s.later), depth)
				}
				if len(v.Back) == 0 && o.failures == false && len(s.later) > 0 && s.later[0] < last {
					t.Fatalf("%s: job index %d is planned and %d is not", title, last, s.later[0])
				}
			}})
			run(t, title, w, p, s)
			first := model.Time(0)
			one := run(t, title, w, p, make(1)).Executions
			for i := range one {
				if e := &one[i]; !o.failures && e.Start < first {
					t.Fatalf("%s: with a depth of 1 job index %d starts at %d, before an earlier one", title, e.Job, e.Start)
				} else {
					first = e.Start
				}
			}
		}
	}
}

// Intent: a job that a failure stops waits from then on for the optimiser, too, where others
// fill the depth and it is planned again only later.
func TestDepthWaitsFromTheFailureOn(t *testing.T) {
	w := &model.Workload{Jobs: []model.Job{{Number: 1, Limit: 10, Procs: 1, User: 1}, {Number: 2, Submit: 1, Limit: 10, Procs: 1, User: 1}, {Number: 3, Submit: 8, Limit: 10, Procs: 1, User: 1}}, Truth: []model.Truth{{Run: 10}, {Run: 10}, {Run: 10}}}
	p := model.OneCluster(1)
	p.Calendar = []model.CalendarEntry{{Kind: model.KindFailure, From: 5, To: 7, Procs: 1}}
	s, seen := New(Options{Depth: 1, Tau: 10}), false
	s.Watch(Watch{Pass: func(v *sim.View, s *Scheduler) {
		if v.Now == 8 { // job 2 waited from 1 to 7, job 1 waits from 5 to 17; job 3 is not planned
			seen = true
			if got := s.Score(8)[MeanWait]; got != 6 {
				t.Errorf("mean wait %v, by hand (6 + 12) ÷ 3", got)
			}
		}
	}})
	run(t, "by hand", w, p, s)
	if !seen {
		t.Error("nothing happened at 8")
	}
}
