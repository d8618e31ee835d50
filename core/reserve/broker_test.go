package reserve_test

import (
	"math/rand/v2"
	"testing"

	"batchlab/core/grid"
	"batchlab/core/model"
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
