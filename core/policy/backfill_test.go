package policy

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// anySite makes a random platform of farms, clusters of nodes and counted ones,
// with licences, memory, limits and a calendar now and then, and a workload with
// all that jobs may ask of it. Every job can run somewhere.
func anySite(rng *rand.Rand) (*model.Workload, *model.Platform) {
	w, p := farm(rng)
	for range rng.IntN(3) {
		g := model.NodeGroup{Count: int32(2 + rng.IntN(4)), Procs: int32(1 + rng.IntN(4)), Speed: 1, Mem: 80, Licences: []string{"b", "d"}}
		p.Clusters = append(p.Clusters, model.Cluster{Name: fmt.Sprint("nodes ", len(p.Clusters)), Packing: model.PackNodes, Groups: []model.NodeGroup{g}})
	}
	if rng.IntN(3) == 0 {
		calendar(p, rng)
		for i := range p.Calendar {
			if rng.IntN(2) == 0 {
				p.Calendar[i].Kind = model.KindFailure
			}
		}
	}
	if rng.IntN(3) == 0 { // no job is larger than a class leaves it
		p.Limits.UserProcs = int32(8 + rng.IntN(8))
	}
	kill := rng.IntN(4) == 0
	for j := range w.Jobs {
		w.Jobs[j].User = rng.Int32N(3) - 1
		d := &w.Demands[j]
		if d.PerNode = w.Jobs[j].Procs; rng.IntN(3) == 0 {
			d.Nodes, d.PerNode = 0, 0
		}
		if kill && rng.IntN(2) == 0 {
			d.OnDue = model.DueKill
		}
	}
	return w, p
}

// crowd makes many times the jobs come, so that hundreds wait.
func crowd(w *model.Workload, times int) {
	jobs, truth := w.Jobs, w.Truth
	w.Jobs, w.Truth = nil, nil
	for i := range times * len(jobs) {
		j := jobs[i/times]
		j.Number = int64(i + 1)
		w.Jobs, w.Truth = append(w.Jobs, j), append(w.Truth, truth[i/times])
	}
	for i := range w.Jobs {
		if d := &w.Truth[i]; i%3 == 0 {
			d.Run = 1 + d.Run/2
		}
	}
}

// Every general backfilling scheduler agrees with the plain one on everything: on
// platforms of all kinds, with licences, memory, limits, deadlines at which jobs
// are stopped, outages and failures.
func TestBackfillingAgrees(t *testing.T) {
	started := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 11))
		w, p := anySite(rng)
		if seed%40 == 0 {
			crowd(w, 10)
		}
		orders := Pure()
		order, backfill := orders[rng.IntN(len(orders))], orders[rng.IntN(len(orders))]
		newest, threshold := rng.IntN(2) == 0, model.Time(rng.IntN(3)*40-1)
		weights := testWeights
		switch rng.IntN(4) {
		case 0:
			weights.Aging = 0
		case 1:
			weights.Licences, weights.Wait = 10, 0
		}
		for _, c := range []struct {
			general sim.Scheduler
			plain   plainBackfill
		}{
			{&FCFS{Newest: newest}, plainBackfill{kind: "fcfs", newest: newest, threshold: -1}},
			{NewEASY(&CountedEASY{}), plainBackfill{kind: "easy", threshold: -1}},
			{NewEASY(&CountedEASY{Order: order, Backfill: backfill, Newest: newest, UseThreshold: threshold >= 0, Threshold: threshold}),
				plainBackfill{kind: "easy", order: order, backfill: backfill, newest: newest, threshold: threshold}},
			{NewBFUnmod(weights), plainBackfill{kind: "bf-unmod", weights: weights, threshold: -1}},
			{NewBFMod(weights), plainBackfill{kind: "bf-mod", weights: weights, threshold: -1}},
		} {
			var m, n sim.Simulator
			a, err := m.Run(w, p, c.general, sim.Options{})
			if err == nil {
				err = a.Check()
			}
			if err != nil {
				t.Fatalf("seed %d, %T: %v", seed, c.general, err)
			}
			b, err := n.Run(w, p, &c.plain, sim.Options{})
			if err != nil {
				t.Fatalf("seed %d, plain %s: %v", seed, c.plain.kind, err)
			}
			for j := range a.Executions {
				x, y := a.Executions[j], b.Executions[j]
				if x.Start != y.Start || x.End != y.End || x.Reason != y.Reason || x.Attempt != y.Attempt || x.Cluster != y.Cluster {
					t.Fatalf("seed %d, %s %v/%v: job index %d: %+v, the plain one says %+v", seed, c.plain.kind, order, backfill, j, x, y)
				}
				if x.Start > x.Submit {
					started++
				}
			}
		}
	}
	if started < 10000 {
		t.Errorf("only %d jobs had to wait", started)
	}
}

// overSpace lets a scheduler have View.Space where nothing lies ahead, too.
type overSpace struct{ sim.Scheduler }

func (overSpace) NeedsSpace() {}

// Intent: the pass over what lies ahead is EASY, and all that is like it, also where
// nothing does: the short form for that starts every job at the same time, in the same
// place, for the same reason.
func TestOnePassIsEASY(t *testing.T) {
	waited := 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 12))
		w, p := anySite(rng)
		p.Calendar = nil
		if seed%30 == 0 {
			crowd(w, 6)
		}
		orders := Pure()
		easy := CountedEASY{Order: orders[rng.IntN(len(orders))], Backfill: orders[rng.IntN(len(orders))], UseThreshold: rng.IntN(2) == 0, Threshold: 60}
		for k, make := range []func(always bool) sim.Scheduler{
			func(always bool) sim.Scheduler { s := NewEASY(&CountedEASY{}); s.always = always; return s },
			func(always bool) sim.Scheduler { s := NewEASY(&easy); s.always = always; return s },
			func(always bool) sim.Scheduler { s := NewBFUnmod(testWeights); s.always = always; return s },
			func(always bool) sim.Scheduler { s := NewBFMod(testWeights); s.always = always; return s },
		} {
			var m, n sim.Simulator
			short, err := m.Run(w, p, make(false), sim.Options{})
			if err != nil {
				t.Fatalf("seed %d, %d: %v", seed, k, err)
			}
			whole, err := n.Run(w, p, overSpace{make(true)}, sim.Options{})
			if err != nil {
				t.Fatalf("seed %d, %d, over what lies ahead: %v", seed, k, err)
			}
			if !sameRuns(short.Executions, whole.Executions) || !reflect.DeepEqual(short.Claims, whole.Claims) {
				t.Fatalf("seed %d, %d: the short form has another schedule", seed, k)
			}
			for i := range short.Executions {
				if x := &short.Executions[i]; x.Start > x.Submit {
					waited++
				}
			}
		}
	}
	if waited < 3000 {
		t.Errorf("only %d jobs had to wait", waited)
	}
}

// A job that is stopped at its due time holds nothing from then on, so that an outage
// that is announced for later is not in its way: here it is stopped at 16, and the
// whole machine is away from 17 on.
func TestDueBeforeOutage(t *testing.T) {
	w := &model.Workload{
		Jobs:    []model.Job{{Number: 1, Submit: 15, Limit: 20, Procs: 1, Demand: 1}},
		Truth:   []model.Truth{{Run: 20}},
		Demands: []model.Demand{{Due: 16, OnDue: model.DueKill}},
	}
	p := &model.Platform{
		Clusters: []model.Cluster{{Name: "c", Groups: []model.NodeGroup{{Count: 1, Procs: 1}}}},
		Calendar: []model.CalendarEntry{{Kind: model.KindOutage, From: 17, To: 37, Procs: 1}},
	}
	for name, s := range map[string]sim.Scheduler{
		"easy": NewEASY(&CountedEASY{}), "bf-mod": NewBFMod(PriorityWeights{}), "bf-unmod": NewBFUnmod(PriorityWeights{}),
	} {
		var m sim.Simulator
		got, err := m.Run(w, p, s, sim.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if e := got.Executions[0]; e.Start != 15 || e.End != 16 {
			t.Errorf("%s: starts at %d and ends at %d, want 15 and 16", name, e.Start, e.End)
		}
	}
}
