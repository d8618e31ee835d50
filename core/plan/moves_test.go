package plan

import (
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// Intent: under every optimiser the jobs of the last step that is told stand where it says
// in the plan that the call leaves, whose scores are those told with it and better than the
// first ones; whether anybody is told changes no start.
func TestMovesLeadToThePlan(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	w, p := generated(rng, terms{clusters: 3, jobs: 120, crowded: true, nodes: true, licences: true})
	for _, key := range []string{"random-search", "annealing", "tabu", "lns"} {
		s := New(Options{Optimiser: optimisers[key], Iterations: 60, Interval: 1, Weights: paperWeights, Tau: 10})
		starts := func() (list []model.Time) {
			for _, e := range run(t, key, w, p, s).Executions {
				list = append(list, e.Start)
			}
			return list
		}
		alone := starts()
		var told []report.Move
		steps := 0
		lists := func(v *sim.View) map[string][]int64 {
			out := map[string][]int64{}
			for _, e := range s.Plan().Expected() {
				name := p.Clusters[e.Claim.Cluster].Name
				out[name] = append(out[name], v.Jobs[e.Job].Number)
			}
			return out
		}
		s.Watch(Watch{Moves: func(list []report.Move) { told = slices.Clone(list) }, Pass: func(v *sim.View, s *Scheduler) {
			if told == nil {
				return
			}
			got, last := lists(v), told[len(told)-1]
			if first := search.Score(told[0].Scores); told[0].Step != 0 || len(told) > 1 && s.o.Weights.Gain(&first, (*search.Score)(&last.Scores)) <= 0 {
				t.Fatalf("%s: at %d moves lead from %v to %v", key, v.Now, told[0], last)
			}
			for n := len(told) - 1; n > 0; n-- { // who was moved last stands where it says
				m := &told[n]
				if m.Step == last.Step && (m.Place < 1 || len(got[m.Cluster]) < m.Place || got[m.Cluster][m.Place-1] != m.Job) {
					t.Fatalf("%s: at %d job %d is not at place %d of %s: %v", key, v.Now, m.Job, m.Place, m.Cluster, got)
				}
			}
			if score := s.Score(v.Now); score != search.Score(last.Scores) {
				t.Fatalf("%s: at %d the plan's score is %v, told was %v", key, v.Now, score, last.Scores)
			}
			steps, told = steps+last.Step, nil
		}})
		if !slices.Equal(starts(), alone) {
			t.Errorf("%s: jobs start elsewhere where somebody is told", key)
		}
		if steps == 0 {
			t.Errorf("%s: nothing was moved", key)
		}
	}
}
