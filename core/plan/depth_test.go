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
