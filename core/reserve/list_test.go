package reserve_test

import (
	"math/rand/v2"
	"testing"

	"batchlab/core/grid"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/reserve"
	"batchlab/core/sim"
)

// Intent: a list on counted processors, in each of its orders and with each of its
// rules, starts every job when the local policy of a grid's only provider does,
// with reservations beside it and without.
func TestListsAgreeWithGrid(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 3))
	preempted, reserved := 0, 0
	for round := range 4000 {
		procs := 3 + r.Int32N(10)
		w := someJobs(r, 1+r.IntN(40), procs)
		for i := range w.Jobs {
			w.Jobs[i].Queue = r.Int32N(4) - 1
		}
		if round%2 == 0 {
			for i := range w.Jobs {
				w.Jobs[i].Demand = 0
			}
			w.Demands = nil
		}
		p := model.OneCluster(int(procs))
		o := grid.Options{Stop: r.IntN(2) == 0, LowFirst: r.IntN(2) == 0, Requeue: r.IntN(2) == 0, Reservations: grid.MCT, Reject: r.IntN(2) == 0}
		l := &policy.List{Stop: o.Stop, Large: o.LowFirst, Requeue: o.Requeue}
		switch o.Local = []grid.Local{grid.FCFSBF, grid.LSF, grid.SJF, grid.PPP, grid.PPPD, grid.FairShare}[r.IntN(6)]; o.Local {
		case grid.FCFSBF:
			o.Stop, l.Stop = false, false
		case grid.LSF, grid.SJF:
			l.Order = policy.BySize
			if o.Local == grid.SJF {
				l.Order = policy.ByRequest
			}
			o.Period = []model.Time{0, 0, 35}[r.IntN(3)]
			l.Period = o.Period
		case grid.PPP, grid.PPPD:
			if round%2 == 1 { // at which instant stopped jobs are tried again is the grid's own then
				o.Local = grid.PPP
			}
			l.Order, l.Dispose = policy.ByPriority, o.Local == grid.PPPD
		case grid.FairShare: // an order that changes with time is looked at at other instants there
			l.Order = policy.ByUse
			if round%2 == 1 {
				o.Stop, l.Stop = false, false
			}
		}
		var m, n sim.Simulator
		desk := &reserve.Desk{Options: reserve.Options{Reject: o.Reject}}
		a, err := m.Run(w, p, l, sim.Options{Desk: desk})
		if err != nil {
			t.Fatalf("round %d, %+v: %v", round, o, err)
		}
		if err := a.Check(); err != nil {
			t.Fatalf("round %d, %+v: %v", round, o, err)
		}
		b, err := n.Run(w, p, &grid.Scheduler{Options: o}, sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Executions {
			e := &b.Executions[i]
			if i >= len(a.Executions) || plain(a.Executions[i]) != plain(*e) {
				t.Fatalf("round %d, %+v\njob %+v %+v\n%+v instead of %+v", round, o, w.Jobs[e.Job], w.Demand(e.Job), plain(a.Executions[i]), plain(*e))
			}
			if e.Attempt > 0 {
				preempted++
			}
		}
		reserved += len(desk.Booked())
	}
	if preempted < 500 || reserved < 5000 {
		t.Errorf("too few cases: %d stopped by others, %d reservations", preempted, reserved)
	}
}
