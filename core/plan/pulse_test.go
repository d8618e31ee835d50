package plan

import (
	"errors"
	"testing"

	"batchlab/core/model"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// Schedulers that search within one decision tell Progress of it again and
// again, at every kind of placement, and when it says no they give up in the
// middle: what they had decided until then is not carried out.
func TestProgressWithinADecision(t *testing.T) {
	w := &model.Workload{}
	for i := range 120 { // all at once: one decision
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Limit: model.Time(10 + i*37%100), Procs: int32(1 + i*7%4)})
		w.Truth = append(w.Truth, model.Truth{Run: 10})
	}
	counted := &model.Platform{Clusters: []model.Cluster{{Groups: []model.NodeGroup{{Count: 16, Procs: 1, Speed: 1}}}}}
	nodes := &model.Platform{Clusters: []model.Cluster{{Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 4, Procs: 4, Speed: 1}}}}}
	rs := func(o search.Optimiser) func() sim.Scheduler {
		return func() sim.Scheduler {
			return New(Options{Optimiser: o, Iterations: 20_000, Weights: search.Weights{1, 1, 0}, Tau: 10})
		}
	}
	for _, c := range []struct {
		name string
		on   *model.Platform
		make func() sim.Scheduler
	}{
		{"hill climbing on counts", counted, func() sim.Scheduler { return NewHill(HillOptions{}) }},
		{"hill climbing on nodes", nodes, func() sim.Scheduler { return NewHill(HillOptions{}) }},
		{"hill climbing, restarts", counted, func() sim.Scheduler { return NewHill(HillOptions{Restarts: 1000}) }},
		{"random search on counts", counted, rs(search.RandomSearch{})},
		{"random search on nodes", nodes, rs(search.RandomSearch{})},
		{"annealing", counted, rs(search.Annealing{})},
		{"tabu", counted, rs(search.Tabu{})},
		{"LNS on nodes", nodes, rs(search.LNS{})},
	} {
		calls := 0
		_, err := new(sim.Simulator).Run(w, c.on, c.make(), sim.Options{
			Progress: func(done, total int) bool {
				if done != 0 || total != 1<<20 { // none has started: what is left is not known
					t.Errorf("%s: %d of %d", c.name, done, total)
				}
				calls++
				return calls < 4
			},
			Watch: func(*sim.View) bool {
				t.Errorf("%s: the first decision came to its end, after %d calls", c.name, calls)
				return false
			},
		})
		if !errors.Is(err, sim.ErrCancelled) || calls != 4 {
			t.Errorf("%s: %d calls, %v", c.name, calls, err)
		}
	}
}
