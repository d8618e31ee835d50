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

// Intent: beside the desk, FCFS and EASY on counted processors start every job when
// the grid's own FCFS and EASY with one provider do.
func TestEASYAgreesWithGrid(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 7))
	for round := range 4000 {
		procs := 3 + r.Int32N(10)
		w := someJobs(r, 1+r.IntN(40), procs)
		p := model.OneCluster(int(procs))
		o := grid.Options{Local: grid.EASY, Reservations: grid.MCT, Reject: r.IntN(2) == 0, Hold: r.IntN(2) == 0, AtEnd: grid.AtEnd(r.IntN(3))}
		var s sim.Scheduler = policy.NewEASY(&policy.CountedEASY{})
		if round%4 == 0 {
			o.Local, s = grid.FCFS, &policy.FCFS{}
		}
		var m, n sim.Simulator
		a, err := m.Run(w, p, s, sim.Options{Desk: &reserve.Desk{Options: reserve.Options{Reject: o.Reject, Hold: o.Hold, AtEnd: reserve.AtEnd(o.AtEnd)}}})
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
		}
	}
}

// Intent: on every packing, with licences, limits, outages and failures, EASY in
// orders of all kinds, FCFS, BF_UNMOD and BF_MOD keep clear of reservations, and
// their schedules are valid.
func TestBackfillingBesideReservations(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 7))
	done := 0
	for round := range 1500 {
		p := somePlatform(r)
		w := someJobs(r, 1+r.IntN(40), 8)
		weights := policy.PriorityWeights{Aging: 1, Wait: 1, Range: policy.DeadlineRange{Min: 1, Max: 2, K: 1}}
		s := []sim.Scheduler{
			&policy.FCFS{}, policy.NewEASY(&policy.CountedEASY{}), policy.NewEASY(&policy.CountedEASY{Order: policy.SAF, Backfill: policy.SPF}),
			policy.NewEASY(&policy.CountedEASY{Order: policy.LEXP, Backfill: policy.SQF, UseThreshold: true, Threshold: 100}),
			policy.NewBFUnmod(weights), policy.NewBFMod(weights),
		}[r.IntN(6)]
		desk := &reserve.Desk{Options: reserve.Options{AtEnd: reserve.AtEnd(r.IntN(3)), Hold: r.IntN(2) == 0, Suspend: r.IntN(3) == 0, Static: r.IntN(4) == 0}}
		if desk.Options.Suspend {
			desk.Options.Static = false
		}
		for i := range p.Calendar { // static binding does not go with failures
			if desk.Options.Static {
				p.Calendar[i].Kind = model.KindOutage
			}
		}
		var m sim.Simulator
		record := &sim.Record{}
		out, err := m.Run(w, p, s, sim.Options{Desk: desk, Record: record})
		if err != nil {
			if impossible(err) {
				continue
			}
			t.Fatalf("round %d, %T, %+v: %v", round, s, desk.Options, err)
		}
		if err := out.Check(); err != nil {
			t.Fatalf("round %d, %T: %v", round, s, err)
		}
		done++
	}
	if done < 1000 {
		t.Errorf("only %d ran", done)
	}
}
