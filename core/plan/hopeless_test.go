package plan

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"batchlab/core/search"
)

// Intent: moves that are known to be hopeless are not tried, and that changes nothing: not
// a start, not an improvement, not the position in the random stream.
func TestHopelessMovesAreNotTried(t *testing.T) {
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
		for k, optimiser := range []search.Optimiser{search.RandomSearch{}, search.RandomSearch{Whole: true}} {
			s := New(Options{Optimiser: optimiser, Iterations: 150, Interval: 5, Weights: paperWeights, Tau: 10, Guarded: seed%7 == 0, Guard: 30})
			s.Seed(seed, 0)
			for _, e := range run(t, fmt.Sprint("seed ", seed), w, p, s).Executions {
				starts[k] += fmt.Sprintln(e.Start, e.Cluster)
			}
			counts[k], left[k] = s.Counts(), s.rng.Uint64()
		}
		if starts[0] != starts[1] || left[0] != left[1] {
			t.Fatalf("seed %d %+v: what is not tried changes the schedule or the stream", seed, o)
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

// trying is random search that tries what is hopeless, too.
type trying struct {
	t                       *testing.T
	later, sooner, no, left int
}

func (f *trying) Optimise(p search.Problem, now search.Score, r *search.Run, rng *rand.Rand) search.Result {
	out, u := search.Result{Score: now}, p.(*tuner)
	for out.Iterations < r.Iterations {
		m, ok := p.Draw(rng)
		if !ok {
			break
		}
		out.Iterations++
		clear(u.hopeless.tried[:]) // what is known comes from bounds
		from, hopeless := u.position(m.What), u.Hopeless(m)
		score := p.Try(m)
		better := r.Weights.Gain(&out.Score, &score) > 0
		switch {
		case hopeless && better:
			f.t.Fatalf("%+v from place %d leads from %v to %v", m, from, out.Score, score)
		case hopeless && int(m.At) > from:
			f.later++
		case hopeless:
			f.sooner++
		case better:
			f.left++
		case u.hopeless.bounds.able:
			f.no++
		}
		if p.Drop(); better {
			p.Try(m)
			p.Keep()
			out.Score = score
			out.Improved++
		}
	}
	return out
}

// Intent: whatever plans are judged by, no move that the bounds call hopeless leads to a
// better plan; and where they hold, they call most of those hopeless that do not.
func TestBoundsOfMoves(t *testing.T) {
	f := &trying{t: t}
	for seed := range uint64(96) {
		rng := rand.New(rand.NewPCG(seed, 28))
		o := terms{clusters: 1, jobs: 40, crowded: seed%3 == 0, outages: seed%8 == 7}
		if seed%8 == 0 {
			o.jobs = 160
		}
		w, p := generated(rng, o)
		s := New(Options{Optimiser: f, Iterations: 150, Interval: 5, Weights: paperWeights, Tau: 10,
			Objective: Objective{Waiting: seed&1 != 0, Planned: seed&2 != 0, Squares: seed&12 == 12, Roots: seed&16 != 0}})
		s.Seed(seed, 0)
		run(t, fmt.Sprint("seed ", seed), w, p, s)
	}
	if f.later < 1000 || f.sooner < 1000 || f.left < 500 || f.no > (f.later+f.sooner)/4 {
		t.Errorf("%d later and %d sooner are hopeless, %d are not, %d led to better plans", f.later, f.sooner, f.no, f.left)
	}
}
