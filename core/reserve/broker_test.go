package reserve_test

import (
	"math/rand/v2"
	"testing"

	"batchlab/core/grid"
	"batchlab/core/model"
	"batchlab/core/plan"
	"batchlab/core/policy"
	"batchlab/core/reserve"
	"batchlab/core/sim"
)

// Intent: providers of any packing, each with a scheduler of another kind, share
// floating licences, keep limits and due times, and live through outages and
// failures; what is reserved is kept.
func TestBrokerOnAnyProviders(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 2))
	licensed := 0
	for round := range 1200 {
		p := somePlatform(r)
		p.Clusters = append(p.Clusters, model.Cluster{Name: "c", Groups: []model.NodeGroup{{Count: 12, Procs: 1, Speed: 1, Licences: []string{"a"}}}})
		w := someJobs(r, 1+r.IntN(30), 8)
		for i := range w.Jobs {
			var d model.Demand
			if own := w.Demand(model.JobID(i)); own != nil {
				d = *own
			}
			if r.IntN(2) == 0 {
				d.Licences = []model.LicenceNeed{{Licence: 0, Copies: 1}}
				licensed++
			}
			w.Demands = append(w.Demands, d)
			w.Jobs[i].Demand = int32(len(w.Demands))
		}
		broker := &grid.Broker{Options: grid.Options{Batch: grid.Allocation(r.IntN(2)), Reservations: grid.Allocation(r.IntN(5)), First: r.IntN(2) == 0}}
		for range p.Clusters {
			broker.Locals = append(broker.Locals, []sim.Scheduler{
				plan.NewConservative(), policy.NewOrigBF(), &policy.List{}, &policy.List{Order: policy.ByPriority, Dispose: true}, plan.New(plan.Options{}),
			}[r.IntN(5)])
		}
		broker.Seed(uint64(round), 0)
		var m sim.Simulator
		s, err := m.Run(w, p, broker, sim.Options{Desk: &reserve.Desk{Chooser: broker}})
		if err != nil {
			if impossible(err) {
				continue
			}
			t.Fatalf("round %d: %v", round, err)
		}
		if err := s.Check(); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	if licensed < 5000 {
		t.Errorf("only %d jobs need a licence", licensed)
	}
}
