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

// Intent: on providers that count processors, the grid of any providers sends jobs
// and reservations where the grid of two levels sends them, under all allocations
// and periods, and with FCFS at each starts every job when that one does.
func TestBrokerAgreesWithGrid(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	for round := range 3000 {
		p := &model.Platform{}
		for range 1 + r.IntN(4) {
			p.Clusters = append(p.Clusters, model.Cluster{Groups: []model.NodeGroup{{Count: 4 + r.Int32N(6), Procs: 1, Speed: 1}}})
		}
		w := someJobs(r, 1+r.IntN(50), 4)
		o := grid.Options{
			Load:  grid.Load(r.IntN(3)),
			Local: grid.FCFS, Batch: grid.Allocation(r.IntN(2)), Reservations: grid.Allocation(r.IntN(5)), Spread: r.IntN(2) == 0,
			Reserved: r.IntN(3), First: r.IntN(2) == 0, Delta: []model.Time{0, 0, 25}[r.IntN(3)],
			Slot: []model.Time{0, 30}[r.IntN(2)], Reject: r.IntN(2) == 0, AtEnd: grid.AtEnd(r.IntN(3)), Hold: r.IntN(2) == 0, Suspend: r.IntN(3) == 0,
		}
		old := &grid.Scheduler{Options: o}
		old.Seed(uint64(round), 1)
		var m, n sim.Simulator
		b, err := n.Run(w, p, old, sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		broker := &grid.Broker{Options: o}
		for range p.Clusters {
			broker.Locals = append(broker.Locals, &strict{})
		}
		broker.Seed(uint64(round), 1)
		desk := &reserve.Desk{Chooser: broker, Options: reserve.Options{
			Delta: o.Delta, Slot: o.Slot, Reject: o.Reject, AtEnd: reserve.AtEnd(o.AtEnd), Suspend: o.Suspend, Hold: o.Hold,
		}}
		a, err := m.Run(w, p, broker, sim.Options{Desk: desk})
		if err != nil {
			t.Fatalf("round %d, %+v: %v", round, o, err)
		}
		if err := a.Check(); err != nil {
			t.Fatalf("round %d, %+v: %v", round, o, err)
		}
		for i := range b.Executions {
			if i >= len(a.Executions) || plain(a.Executions[i]) != plain(b.Executions[i]) {
				e := &b.Executions[i]
				t.Fatalf("round %d, %+v\n%d providers, job %+v %+v\n%+v instead of %+v", round, o, len(p.Clusters), w.Jobs[e.Job], w.Demand(e.Job), plain(a.Executions[i]), plain(*e))
			}
		}
	}
}

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
