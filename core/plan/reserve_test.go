package plan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/reserve"
	"batchlab/core/sim"
)

// Under all rules of reservations, those included by which running jobs are
// suspended for one or go on as batch jobs after theirs, planning schedulers keep
// to what was accepted, on every kind of platform and around outages and failures:
// the engine refuses a start that would run into a reservation.
func TestPlannersBesideTheDesk(t *testing.T) {
	ran := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 61))
		bit := func() bool { return rng.IntN(2) == 0 }
		o := terms{clusters: 3, jobs: 40, nodes: bit(), limits: rng.IntN(3) == 0, outages: bit(), failures: bit(), licences: rng.IntN(3) == 0, eligible: bit(), crowded: bit()}
		w, p := generated(rng, o)
		for j := range w.Jobs {
			if rng.IntN(3) > 0 {
				continue
			}
			job := &w.Jobs[j]
			ready := job.Submit + model.Time(rng.IntN(100)) - 5
			d := w.Demands[job.Demand-1]
			d.Reservation = &model.Reservation{Ready: ready, Deadline: ready + job.Limit + model.Time(rng.IntN(60)), Effort: model.Effort(rng.IntN(3))}
			if d.Nodes > 1 {
				d.Reservation.Effort = 0 // fewer processors of as many nodes is nothing that it could ask for
			}
			w.Demands[job.Demand-1] = d
		}
		rules := reserve.Options{
			Slot: []model.Time{0, 0, 20}[rng.IntN(3)], Delta: []model.Time{0, 0, 30}[rng.IntN(3)], Reject: bit(), AtEnd: reserve.AtEnd(rng.IntN(3)),
			Hold: rng.IntN(3) == 0, Suspend: rng.IntN(3) == 0,
		}
		ways := map[string]sim.Scheduler{
			"conservative": NewConservative(), "plan": New(Options{}), "orig-bf": policy.NewOrigBF(), "hill": NewHill(HillOptions{Evaluations: 30}),
		}
		for key, optimiser := range optimisers {
			ways[key] = New(Options{Optimiser: optimiser, Iterations: 20, Interval: 5, Weights: paperWeights, Tau: 10})
		}
		for name, s := range ways {
			var m sim.Simulator
			schedule, err := m.Run(w, p, s, sim.Options{Desk: &reserve.Desk{Options: rules}})
			if err == nil {
				err = schedule.Check()
			}
			if err != nil {
				t.Fatal(fmt.Sprintf("seed %d, %s, %+v, %+v: ", seed, name, o, rules), err)
			}
			for i := range schedule.Executions {
				if e := &schedule.Executions[i]; e.Reason != model.EndRejected && w.Demand(e.Job).Reservation != nil {
					ran++
				}
			}
		}
	}
	if ran < 10_000 {
		t.Errorf("only %d reservations ran", ran)
	}
}

// Intent: to hill climbing a reservation that got fewer processors than it asked for counts
// with what it got under its user's limit: 1 of 3, which leaves 2 to that user's other job.
func TestHillCountsWhatWasReserved(t *testing.T) {
	p := model.OneCluster(6)
	p.Limits.UserProcs = 3
	w := &model.Workload{
		Jobs:  []model.Job{{Number: 1, Limit: 30, Procs: 3, User: 2}, {Number: 2, Limit: 12, Procs: 2, User: 3}, {Number: 3, Submit: 1, Limit: 10, Procs: 3, User: 1, Demand: 1}, {Number: 4, Submit: 6, Limit: 10, Procs: 2, User: 1}},
		Truth: []model.Truth{{Run: 30}, {Run: 8}, {Run: 10}, {Run: 10}}, Demands: []model.Demand{{Reservation: &model.Reservation{Ready: 10, Deadline: 20, Effort: model.EffortProcs}}},
	}
	var m sim.Simulator
	h, planned := NewHill(HillOptions{}), model.Time(-1)
	_, err := m.Run(w, p, h, sim.Options{Desk: &reserve.Desk{}, Watch: func(v *sim.View) bool {
		if v.Now == 6 {
			h.Planned(func(_ model.JobID, start model.Time, _ int32) { planned = start })
		}
		return true
	}})
	if err != nil || planned != 12 {
		t.Errorf("planned for %d, want 12, when the second job has ended: %v", planned, err)
	}
}

// Intent: a job whose reservation got 1 of 4 processors and is over waits for 1, and weighs as
// much in the plan: beside one of 3 that did not wait (55) it waits 10 s with 32.
func TestWeighsWhatWaits(t *testing.T) {
	p := model.OneCluster(4)
	p.Calendar = []model.CalendarEntry{{From: 20, To: 30, Procs: 1}}
	w := &model.Workload{
		Jobs:  []model.Job{{Number: 1, Limit: 100, Procs: 3}, {Number: 2, Submit: 1, Limit: 50, Procs: 4, Demand: 1}},
		Truth: []model.Truth{{Run: 100}, {Run: 50}}, Demands: []model.Demand{{Reservation: &model.Reservation{Ready: 10, Deadline: 20, Length: 10, Effort: model.EffortProcs}}},
	}
	s, wait := New(Options{Tau: 10, Objective: Objective{Roots: true}}), -1.
	s.Watch(Watch{Pass: func(v *sim.View, s *Scheduler) {
		if v.Now == 20 {
			wait = s.Score(v.Now)[0]
		}
	}})
	var m sim.Simulator
	_, err := m.Run(w, p, s, sim.Options{Desk: &reserve.Desk{Options: reserve.Options{AtEnd: reserve.EndSuspend}}})
	if want := 320. / 87; err != nil || math.Abs(wait-want) > 1e-9 {
		t.Errorf("mean wait %v, want %v: %v", wait, want, err)
	}
}
