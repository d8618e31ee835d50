package plan

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"batchlab/core/search"
)

// forgetful hides from an optimiser that a problem knows moves again.
type forgetful struct {
	search.Optimiser
}

func (f forgetful) Optimise(p search.Problem, now search.Score, r *search.Run, rng *rand.Rand) search.Result {
	return f.Optimiser.Optimise(struct{ search.Problem }{p}, now, r, rng)
}

// Intent: a move that was dropped is not tried again while the plan stands, and that
// changes nothing: not a start, not an improvement, not the position in the random stream.
// With few jobs most moves come again; with more than a word holds, none is known.
func TestDroppedMovesAreNotTriedAgain(t *testing.T) {
	spared, whole := 0, 0
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 27))
		o := terms{clusters: 1 + int(seed%2), jobs: 40, nodes: seed%5 == 0, limits: seed%3 == 0, outages: seed%4 == 0, crowded: seed%6 == 0}
		if seed%12 == 0 {
			o.jobs = 160
		}
		w, p := generated(rng, o)
		var left [2]uint64
		var counts [2]Counts
		var starts [2]string
		for k, optimiser := range []search.Optimiser{search.RandomSearch{}, forgetful{search.RandomSearch{}}} {
			s := New(Options{Optimiser: optimiser, Iterations: 150, Interval: 5, Weights: paperWeights, Tau: 10, Guarded: seed%7 == 0, Guard: 30})
			s.Seed(seed, 0)
			for _, e := range run(t, fmt.Sprint("seed ", seed), w, p, s).Executions {
				starts[k] += fmt.Sprintln(e.Start, e.Cluster)
			}
			counts[k], left[k] = s.Counts(), s.rng.Uint64()
		}
		if starts[0] != starts[1] || left[0] != left[1] {
			t.Fatalf("seed %d %+v: what was dropped changes the schedule or the stream", seed, o)
		}
		spared, whole = spared+int(counts[1].Placed-counts[0].Placed), whole+int(counts[1].Placed)
		counts[0].Placed, counts[1].Placed = 0, 0
		if counts[0] != counts[1] {
			t.Fatalf("seed %d: %+v, not %+v", seed, counts[0], counts[1])
		}
	}
	if spared < whole/20 {
		t.Errorf("of %d places only %d were spared", whole, spared)
	}
}
