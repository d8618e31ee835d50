package react_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/react"
	"batchlab/core/sim"
)

// Orders rank jobs that nobody has submitted yet: under every order, backfill
// order, tie rule, threshold, mixed weights and formula, the replay of what
// reacting users produced gives the same schedule, and so does the engine of
// machines under the orders that it knows.
func TestOrdersUnderReaction(t *testing.T) {
	rounds := 1500
	if testing.Short() {
		rounds = 150
	}
	r := rand.New(rand.NewPCG(3, 9))
	var reacting, replaying sim.CountedSimulator
	var site sim.Simulator
	formula, err := policy.NewFormula("min(rho, 20) - q + wait / 10")
	if err != nil {
		t.Fatal(err)
	}
	still, err := policy.NewFormula("-a")
	if err != nil {
		t.Fatal(err)
	}
	var easy policy.CountedEASY
	for round := range rounds {
		procs := 1 + r.IntN(12)
		w := randomLog(r, 1+r.IntN(120), procs)
		for i := range w.Jobs { // many ties
			if w.Jobs[i].Limit > 60 {
				w.Jobs[i].Limit = w.Jobs[i].Limit / 60 * 60
			}
		}
		agents := react.Extract(w, evidence(r, w), randomParams(r)).NewAgents(1, 0)
		pure := policy.Pure()
		easy.Order, easy.Backfill, easy.Newest = pure[r.IntN(12)], pure[r.IntN(12)], r.IntN(2) == 0
		easy.UseThreshold, easy.Threshold = r.IntN(2) == 0, model.Time(r.IntN(500))
		switch r.IntN(8) {
		case 0:
			easy.Order, easy.Formula = policy.Formula, formula
		case 1:
			easy.Order, easy.Formula = policy.Formula, still
		case 2, 3:
			easy.Order = policy.Mixed
			weights := make([]float64, 3+3*r.IntN(2))
			for i := range weights {
				weights[i] = float64(r.IntN(9) - 4)
			}
			weights[0] = 1
			if easy.Weights, err = policy.NewWeights(weights); err != nil {
				t.Fatal(err)
			}
		}
		name := fmt.Sprintf("round %d, %v/%v newest=%v threshold=%v,%d", round, easy.Order, easy.Backfill, easy.Newest, easy.UseThreshold, easy.Threshold)
		got, err := reacting.Run(w, model.OneCluster(procs), &easy, sim.Options{Source: agents})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		again, err := replaying.Run(got.Workload, model.OneCluster(procs), &easy, sim.Options{})
		if err != nil {
			t.Fatalf("%s, replayed: %v", name, err)
		}
		if !reflect.DeepEqual(got.Executions, again.Executions) {
			t.Fatalf("%s: the replay of what was produced differs", name)
		}
		if easy.Order > policy.LRF || round%3 > 0 {
			continue
		}
		there, err := site.Run(w, model.OneCluster(procs), policy.NewEASY(&easy), sim.Options{Source: agents})
		if err != nil {
			t.Fatalf("%s, on machines: %v", name, err)
		}
		for i := range got.Executions {
			if a, b := &got.Executions[i], &there.Executions[i]; a.Submit != b.Submit || a.Start != b.Start || a.End != b.End {
				t.Fatalf("%s: on machines job index %d runs %d–%d, submitted at %d; by counts %d–%d, %d", name, i, b.Start, b.End, b.Submit, a.Start, a.End, a.Submit)
			}
		}
	}
}

// stubborn rejects every third job and starts the others one after the other.
type stubborn struct {
	waiting []model.JobID
	busy    bool
}

func (s *stubborn) Reset(*sim.View) { s.waiting, s.busy = s.waiting[:0], false }

func (s *stubborn) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	s.busy = s.busy && len(v.Ended) == 0
	for j := v.Arrived; j < v.Next; j++ {
		if v.Jobs[j].Number%3 == 0 {
			out = append(out, sim.Decision{Verb: sim.Reject, Job: j})
		} else {
			s.waiting = append(s.waiting, j)
		}
	}
	if len(s.waiting) > 0 && !s.busy {
		j := s.waiting[0]
		claim, _ := v.Free.Place(&v.Needs[j])
		out = append(out, sim.Decision{Job: j, Claim: claim})
		s.waiting, s.busy = s.waiting[1:], true
	}
	return out
}

// A rejected job counts as ended for its user, who goes on; no job waits for
// ever.
func TestRejectionsUnderReaction(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 9))
	var site sim.Simulator
	for round := range 100 {
		w := randomLog(r, 1+r.IntN(60), 4)
		b := react.Extract(w, evidence(r, w), randomParams(r))
		s, err := site.Run(w, model.OneCluster(4), &stubborn{}, sim.Options{Source: b.NewAgents(1, 0)})
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		for i := range s.Executions {
			if e := &s.Executions[i]; e.Reason == model.EndRejected != (s.Workload.Jobs[i].Number%3 == 0) {
				t.Fatalf("round %d: job %d ended for reason %d", round, s.Workload.Jobs[i].Number, e.Reason)
			}
		}
	}
}
