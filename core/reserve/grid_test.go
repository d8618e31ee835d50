package reserve_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"batchlab/core/grid"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/reserve"
	"batchlab/core/sim"
)

// grids is how many random grids are compared with the plain one.
var grids = flag.Int("grids", 2500, "so many random grids are compared with the plain one")

// Intent: a grid whose providers have schedulers of the catalog, beside its desk,
// starts, suspends, stops and rejects every job when the plain grid does, which
// shares no code with them: under all allocations that draw nothing, periods, rules of
// reservations and local policies, with outages.
func TestGridAgreesWithPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	seen := map[string]int{}
	for round := range *grids {
		p := &model.Platform{}
		for range 1 + r.IntN(3) {
			p.Clusters = append(p.Clusters, model.Cluster{Groups: []model.NodeGroup{{Count: 4 + r.Int32N(6), Procs: 1, Speed: 1}}})
		}
		w := someJobs(r, 1+r.IntN(40), 4)
		for i := range w.Jobs {
			j := &w.Jobs[i]
			j.Queue = r.Int32N(4) - 1
			switch round / 8 % 3 {
			case 0:
				j.Demand = 0
			case 2:
				if j.Demand == 0 {
					w.Demands = append(w.Demands, model.Demand{Reservation: &model.Reservation{Ready: j.Submit, Deadline: j.Submit + j.Limit + model.Time(r.IntN(100))}})
					j.Demand = int32(len(w.Demands))
				}
			}
		}
		if r.IntN(3) == 0 { // some are stopped at due times
			for i := range w.Demands {
				if d := &w.Demands[i]; r.IntN(2) == 0 {
					d.Due, d.OnDue = max(1, d.Reservation.Ready+model.Time(r.IntN(150))-30), model.DueKill
				}
			}
		}
		for range r.IntN(3) {
			from, c := model.Time(r.IntN(600)), r.Int32N(int32(len(p.Clusters)))
			p.Calendar = append(p.Calendar, model.CalendarEntry{Kind: model.KindOutage, Cluster: c, From: from, To: from + 1 + model.Time(r.IntN(100)), Procs: 1 + r.Int32N(int32(p.Clusters[c].Procs()))})
		}
		o := grid.Options{
			Batch: grid.LoadBalance, Load: grid.Load(r.IntN(3)), Reservations: []grid.Allocation{grid.LoadBalance, grid.MCT, grid.Priority, grid.Partition}[r.IntN(4)],
			Reserved: r.IntN(3), First: r.IntN(2) == 0, Delta: []model.Time{0, 0, 25}[r.IntN(3)],
		}
		d := reserve.Options{Delta: o.Delta, Slot: []model.Time{0, 30}[r.IntN(2)], Reject: r.IntN(2) == 0, AtEnd: reserve.AtEnd(r.IntN(3)), Hold: r.IntN(2) == 0, Suspend: r.IntN(3) == 0}
		twin := &plainGrid{Options: o, desk: d}
		var local func() sim.Scheduler
		name := []string{"fcfs", "fcfs-bf", "easy", "lsf", "sjf", "ppp", "pppd", "fair-share"}[round%8]
		list := policy.List{Stop: r.IntN(2) == 0, Large: r.IntN(2) == 0, Requeue: r.IntN(2) == 0}
		switch name {
		case "fcfs":
			list = policy.List{Stop: true}
			local = func() sim.Scheduler { return &policy.FCFS{} }
		case "easy":
			list, twin.easy = policy.List{}, true
			local = func() sim.Scheduler { return policy.NewEASY(&policy.CountedEASY{}) }
		case "fcfs-bf":
			list.Stop = false
		case "lsf", "sjf":
			list.Order, list.Period = map[string]policy.ListOrder{"lsf": policy.BySize, "sjf": policy.ByRequest}[name], []model.Time{0, 0, 35}[r.IntN(3)]
		case "ppp", "pppd":
			list.Order, list.Dispose = policy.ByPriority, name == "pppd"
		case "fair-share":
			list.Order = policy.ByUse
		}
		if local == nil {
			local = func() sim.Scheduler { one := list; return &one }
		}
		twin.list = list
		about := fmt.Sprintf("round %d, %s, %+v, %+v, %+v, %+v", round, name, o, d, p.Calendar, twin.list)
		var m, n sim.Simulator
		b, err := n.Run(w, p, twin, sim.Options{})
		if err != nil {
			t.Fatalf("%s: the plain grid: %v", about, err)
		}
		broker := &grid.Broker{Options: o}
		for range p.Clusters {
			broker.Locals = append(broker.Locals, local())
		}
		a, err := m.Run(w, p, broker, sim.Options{Desk: &reserve.Desk{Chooser: broker, Options: d}})
		if err != nil {
			t.Fatalf("%s: %v", about, err)
		}
		if err := a.Check(); err != nil {
			t.Fatalf("%s: %v", about, err)
		}
		for i := range b.Executions {
			e := &b.Executions[i]
			if i >= len(a.Executions) || plain(a.Executions[i]) != plain(*e) {
				for k := range a.Executions {
					if x := &a.Executions[k]; x.Start < e.Start+50 && x.End > e.Start-50 {
						t.Logf("ours %d attempt %d at %d: %d procs, %d-%d of %d", w.Jobs[x.Job].Number, x.Attempt, x.Cluster, x.Procs, x.Start, x.End, p.Clusters[x.Cluster].Procs())
					}
				}
				for k := range b.Executions {
					if x := &b.Executions[k]; x.Start < e.Start+50 && x.End > e.Start-50 {
						j := &w.Jobs[x.Job]
						t.Logf("%d attempt %d at %d: %d procs, limit %d, %d-%d reason %d %+v", j.Number, x.Attempt, x.Cluster, x.Procs, j.Limit, x.Start, x.End, x.Reason, w.Demand(x.Job))
					}
				}
				t.Fatalf("%s\n%d providers, job %+v %+v\n%+v instead of %+v", about, len(p.Clusters), w.Jobs[e.Job], w.Demand(e.Job), plain(a.Executions[min(i, len(a.Executions)-1)]), plain(*e))
			}
			switch demand := w.Demand(e.Job); {
			case e.Reason == model.EndDue:
				seen["stopped when due"]++
			case demand != nil && e.Reason == model.EndRejected:
				seen["rejected"]++
			case e.Reason == model.EndSuspended:
				seen["suspended"]++
			case e.Reason == model.EndPreempted:
				seen["started again"]++
			case e.Reason == model.EndReserved:
				seen["ended by its reservation"]++
			case demand != nil && e.End > demand.Reservation.Deadline:
				seen["late"]++
			}
		}
	}
	for _, what := range []string{"rejected", "suspended", "started again", "ended by its reservation", "late", "stopped when due"} {
		if seen[what] < *grids/50 {
			t.Errorf("only %d jobs were %s", seen[what], what)
		}
	}
}
