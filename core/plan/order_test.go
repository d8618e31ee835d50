package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
)

// couldMove says whether a waiting job could start earlier than planned beside all
// others as they stand, and when.
func couldMove(p *Plan, i int32) (model.Time, bool) {
	s := &p.slots[i]
	p.book(i, s.start, 1)
	best, found := s.start, false
	for c := range p.lanes {
		if p.can[int(i)*len(p.lanes)+c] {
			if at, _, ok := p.fit(i, int32(c), p.space.Longest(int32(c), s.asked), p.now, best, nil); ok && at < best {
				best, found = at, true
			}
		}
	}
	p.book(i, s.start, -1)
	return best, found
}

// Intent: conservative backfilling in any order keeps its promises on platforms
// of every kind (clusters, nodes, limits, licences, outages, speeds): no planned
// start ever moves later, and after each pass no waiting job could start earlier
// beside the others.
func TestOrdersKeepPromises(t *testing.T) {
	formula, err := policy.NewFormula("wait * q - p")
	if err != nil {
		t.Fatal(err)
	}
	orders := []policy.QueueOrder{
		{Order: policy.SAF}, {Order: policy.LCFS, Newest: true}, {Order: policy.LEXP}, {Order: policy.SEXP, Newest: true}, {Order: policy.LQF},
		{Order: policy.Mixed, Weights: policy.Weights{0.25, -0.5, 0.25}}, {Order: policy.Mixed, Weights: policy.Weights{0, 0, 0, 0.5, -0.5}},
		{Order: policy.Formula, Formula: formula},
	}
	moved, looked, differ := 0, 0, 0
	for seed := range uint64(160) {
		rng := rand.New(rand.NewPCG(seed, 23))
		bit := func() bool { return rng.IntN(2) == 0 }
		o := terms{clusters: 3, jobs: 60, nodes: bit(), limits: bit(), outages: bit(), licences: bit(), speeds: bit(), eligible: bit(), crowded: true}
		w, platform := generated(rng, o)
		order := orders[seed%uint64(len(orders))]
		name := fmt.Sprintf("seed %d, %v, %+v", seed, order.Order, o)
		planned := map[model.JobID]model.Time{}
		s := NewConservativeIn(&policy.Lineup{QueueOrder: order})
		s.Watch(Watch{Pass: func(v *sim.View, s *Scheduler) {
			p := s.plan
			for c := range p.lanes {
				p.refresh(&p.lanes[c])
			}
			for c := range p.lanes {
				for _, i := range p.lanes[c].jobs {
					slot := &p.slots[i]
					was, ok := planned[slot.job]
					if ok && slot.start > was {
						t.Fatalf("%s: at %d, job index %d is planned for %d instead of %d", name, v.Now, slot.job, slot.start, was)
					}
					if ok && slot.start < was {
						moved++
					}
					planned[slot.job] = slot.start
					if slot.start > p.now {
						looked++
						if at, ok := couldMove(p, i); ok {
							t.Fatalf("%s: at %d, job index %d is planned for %d and could start at %d", name, v.Now, slot.job, slot.start, at)
						}
					}
				}
			}
		}})
		got := slices.Clone(run(t, name, w, platform, s).Executions)
		if !slices.Equal(got, run(t, name, w, platform, NewConservative()).Executions) {
			differ++
		}
	}
	if moved < 1000 || looked < 10_000 || differ < 20 {
		t.Errorf("%d moves, %d places looked at, %d runs other than by planned start: too few to prove anything", moved, looked, differ)
	}
}

// Intent: whatever fails or comes back, an order of its own leaves conservative
// backfilling able to run every workload, and a second run gives the same.
func TestOrdersUnderFailures(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 29))
		w, p := generated(rng, terms{clusters: 2, jobs: 50, nodes: seed%2 == 0, outages: true, failures: true, licences: seed%3 == 0, crowded: true})
		s := NewConservativeIn(&policy.Lineup{QueueOrder: policy.QueueOrder{Order: policy.Pure()[seed%12], Newest: seed%2 == 1}})
		name := fmt.Sprint("seed ", seed)
		first := slices.Clone(run(t, name, w, p, s).Executions)
		if !slices.Equal(first, run(t, name, w, p, s).Executions) {
			t.Errorf("%s: a second run differs", name)
		}
	}
}
