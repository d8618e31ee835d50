package policy

import (
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/sim"
	"batchlab/core/tell"
)

// everyone is a List that puts all waiting jobs into order, as one that is told of.
type everyone struct{ *List }

func (e everyone) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	v.Facts = new(tell.Facts)
	defer func() { v.Facts = nil }()
	return e.List.Decide(v, out)
}

// Fair share puts only the jobs in order that fit by themselves: it starts, and says
// of who waits why and behind whom, what it does when it puts all in order.
func TestFairShareOrdersWhatFits(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 40
	}
	rng := rand.New(rand.NewPCG(5, 17))
	waits := 0
	for round := range rounds {
		w, p := farm(rng)
		crowd(w, 4)
		for i := range w.Jobs {
			w.Jobs[i].User = int32(rng.IntN(4))
		}
		calendar(p, rng)
		var records [2]sim.Record
		var m [2]sim.Simulator // whose schedules last until they run again
		some, err := m[0].Run(w, p, &List{Order: ByUse}, sim.Options{Record: &records[0]})
		if err != nil {
			t.Fatal(err)
		}
		all, err := m[1].Run(w, p, everyone{&List{Order: ByUse}}, sim.Options{Record: &records[1]})
		if err != nil {
			t.Fatal(err)
		}
		if !sameRuns(some.Executions, all.Executions) {
			t.Fatalf("round %d: the schedules differ", round)
		}
		for _, order := range []ListOrder{BySubmission, BySize, ByRequest, ByPriority, ByUse} {
			var m [2]sim.Simulator
			told, err := m[0].Run(w, p, &List{Order: order}, sim.Options{Record: &records[1]})
			if err != nil {
				t.Fatal(err)
			}
			plain, err := m[1].Run(w, p, &List{Order: order}, sim.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !sameRuns(told.Executions, plain.Executions) {
				t.Fatalf("round %d: order %d: the schedules differ when reasons are kept", round, order)
			}
		}
		if !slices.Equal(records[0].Why, records[1].Why) {
			t.Fatalf("round %d: the reasons differ", round)
		}
		for i := range records[0].Why {
			if records[0].Why[i].Head >= 0 {
				waits++
			}
		}
	}
	if waits < rounds {
		t.Errorf("%d jobs waited behind another: too few for a test", waits)
	}
}
