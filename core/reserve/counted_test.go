package reserve_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/plan"

	"batchlab/core/policy"
	"batchlab/core/reserve"
	"batchlab/core/sim"
)

// forms are a scheduler by counts and the general one.
type forms struct {
	counted sim.CountedScheduler
	general sim.Scheduler
}

// someForms draws a scheduler that has both.
func someForms(r *rand.Rand) forms {
	newest := r.IntN(3) == 0
	switch r.IntN(4) {
	case 0:
		return forms{&policy.CountedFCFS{Newest: newest}, &policy.FCFS{Newest: newest}}
	case 1:
		return forms{&policy.CountedConservative{}, plan.NewConservative()}
	}
	orders := []policy.Order{policy.FCFSOrder, policy.LCFS, policy.SAF, policy.SPF, policy.LQF, policy.LEXP, policy.SEXP}
	e := policy.CountedEASY{Order: orders[r.IntN(len(orders))], Backfill: orders[r.IntN(len(orders))], Newest: newest, UseThreshold: r.IntN(3) == 0, Threshold: model.Time(r.IntN(200))}
	if r.IntN(3) == 0 {
		e.Order, e.Backfill = policy.FCFSOrder, policy.FCFSOrder
	}
	other := e
	return forms{&e, policy.NewEASY(&other)}
}

// someRules draws rules that counts can keep.
func someRules(r *rand.Rand) reserve.Options {
	return reserve.Options{
		Delta: []model.Time{0, 0, 40}[r.IntN(3)], Slot: []model.Time{0, 0, 25}[r.IntN(3)], Reject: r.IntN(2) == 0,
		AtEnd: []reserve.AtEnd{reserve.EndKill, reserve.EndEarly}[r.IntN(2)], Hold: r.IntN(3) == 0,
	}
}

// Intent: by counts, reservations of all kinds, with outages that may overlap, get the
// same places, and every scheduler makes the same schedule beside them, as in the general
// form: in short queues and in long ones, with few processors and with many.
func TestCountsBesideReservations(t *testing.T) {
	rounds := 4000
	if testing.Short() {
		rounds = 600
	}
	var counted sim.CountedSimulator
	var general sim.Simulator
	taken, stopped, away := 0, 0, 0
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 71))
		procs := []int32{4, 16, 100}[r.IntN(3)]
		n := 1 + r.IntN(60)
		if r.IntN(8) == 0 {
			n = 400
		}
		w := someJobs(r, n, procs)
		if r.IntN(2) == 0 { // a queue that grows
			for i := range w.Jobs {
				w.Jobs[i].Submit /= 4
			}
		}
		p := &model.Platform{Clusters: []model.Cluster{{Packing: model.PackProcessors, Groups: []model.NodeGroup{{Count: 1, Procs: procs, Speed: 1}}}}}
		for range r.IntN(4) {
			from := model.Time(r.IntN(1200)) - 50
			p.Calendar = append(p.Calendar, model.CalendarEntry{Kind: model.KindOutage, From: from, To: from + 1 + model.Time(r.IntN(100)), Procs: 1 + r.Int32N(procs)})
		}
		rules, f := someRules(r), someForms(r)
		desk, counts := &reserve.Desk{Options: rules}, &reserve.Counted{Options: rules}
		o, co := sim.Options{Desk: desk}, sim.Options{CountedDesk: counts}
		if r.IntN(6) == 0 { // a calendar alone
			w.Demands = nil
			for i := range w.Jobs {
				w.Jobs[i].Demand = 0
			}
			o, co = sim.Options{}, sim.Options{}
		}
		want, err := general.Run(w, p, f.general, o)
		if err != nil {
			t.Fatalf("seed %d, %T, %+v: %v", seed, f.general, rules, err)
		}
		got, err := counted.Run(w, p, f.counted, co)
		if err != nil {
			t.Fatalf("seed %d, %T, %+v: %v", seed, f.counted, rules, err)
		}
		for i := range want.Executions {
			if a, b := plain(want.Executions[i]), plain(got.Executions[i]); a != b {
				t.Fatalf("seed %d, %+v, %+v, job %d:\n%+v, by counts\n%+v", seed, f.counted, rules, i, a, b)
			}
			stopped += min(1, max(0, int(want.Executions[i].Reason)-int(model.EndKilled)))
		}
		if len(p.Calendar) > 0 {
			away++
		}
		if o.Desk != nil {
			if a, b := desk.Holds(want, nil), counts.Holds(got); !slices.EqualFunc(a, b, func(a, b model.Hold) bool {
				return a.Job == b.Job && a.Start == b.Start && a.From == b.From && a.To == b.To && a.Reserved == b.Reserved
			}) {
				t.Fatalf("seed %d, %+v: holds\n%v, by counts\n%v", seed, rules, a, b)
			}
			taken += len(desk.Booked())
		}
	}
	if taken < 5*rounds || stopped < rounds/2 || away < rounds/2 {
		t.Errorf("only %d reservations were accepted, %d jobs stopped, %d calendars", taken, stopped, away)
	}
}
