package search

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A gain is the weighted sum of relative improvements; what was 0 costs its
// weight when it grows, and nothing while it stays.
func TestGainByHand(t *testing.T) {
	w := Weights{1, 2, 10}
	for _, c := range []struct {
		old, new Score
		want     float64
	}{
		{Score{100, 10, 4}, Score{90, 11, 3}, 0.1 - 0.2 + 2.5},
		{Score{0, 10, 0}, Score{0, 5, 0}, 1},
		{Score{0, 10, 0}, Score{3, 10, 1}, -11},
		{Score{5, 5, 5}, Score{5, 5, 5}, 0},
		{Score{5, 5, 5}, Score{0, 0, 0}, 13},
	} {
		if got := w.Gain(&c.old, &c.new); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("from %v to %v: %v, not %v", c.old, c.new, got, c.want)
		}
	}
}

// permutation is the problem of sorting: the sum of distances from place.
type permutation struct {
	now, candidate, saved []int32
	tries, kept, dropped  int
}

func (p *permutation) score(list []int32) Score {
	sum := 0.0
	for i, v := range list {
		sum += math.Abs(float64(v) - float64(i))
	}
	return Score{sum, sum, sum}
}

func (p *permutation) Draw(rng *rand.Rand) (Move, bool) {
	return Move{What: rng.Int32N(int32(len(p.now))), At: rng.Int32N(int32(len(p.now)))}, len(p.now) > 1
}

func (p *permutation) Try(m Move) Score {
	p.tries++
	p.candidate = p.candidate[:0]
	for _, v := range p.now {
		if v != m.What {
			p.candidate = append(p.candidate, v)
		}
	}
	p.candidate = append(p.candidate[:m.At], append([]int32{m.What}, p.candidate[m.At:]...)...)
	return p.score(p.candidate)
}

// Destroy puts each of k elements where the sum is least.
func (p *permutation) Destroy(rng *rand.Rand, k int) Score {
	p.tries++
	was := append([]int32(nil), p.now...)
	for range k {
		what, best := rng.Int32N(int32(len(p.now))), Score{math.Inf(1)}
		var list []int32
		for at := range p.now {
			if s := p.Try(Move{What: what, At: int32(at)}); s[0] < best[0] {
				best, list = s, append([]int32(nil), p.candidate...)
			}
			p.tries--
		}
		p.now = list
	}
	p.candidate, p.now = p.now, was
	return p.score(p.candidate)
}

func (p *permutation) Keep()    { p.kept++; p.now = append(p.now[:0], p.candidate...) }
func (p *permutation) Drop()    { p.dropped++ }
func (p *permutation) Save()    { p.saved = append(p.saved[:0], p.now...) }
func (p *permutation) Restore() { p.now = append(p.now[:0], p.saved...) }

// Every optimiser keeps to its budget, tells each improvement with the best before
// it, leaves the problem at the best that it has found, and finds one.
func TestOptimisers(t *testing.T) {
	for name, o := range map[string]Optimiser{"random": RandomSearch{}, "annealing": Annealing{First: 0.5, Last: 0.01}, "tabu": Tabu{}, "lns": LNS{Remove: 2}} {
		for _, budget := range []int{1, 2, 50, 600} {
			rng := rand.New(rand.NewPCG(1, uint64(budget)))
			p := &permutation{}
			for _, v := range rng.Perm(12) {
				p.now = append(p.now, int32(v))
			}
			start := p.score(p.now)
			best, told := start, 0
			run := Run{Weights: Weights{1, 1, 1}, Iterations: budget, Improved: func(iteration int, old, new Score) {
				if told++; old != best || new[0] >= old[0] || iteration < 1 || iteration > budget {
					t.Errorf("%s: iteration %d of %d tells %v after %v, best %v", name, iteration, budget, new, old, best)
				}
				best = new
			}}
			got := o.Optimise(p, start, &run, rng)
			if got.Score != best || p.score(p.now) != best || got.Improved != told {
				t.Errorf("%s, %d: says %v, told %v, left at %v", name, budget, got, best, p.score(p.now))
			}
			if got.Iterations > budget || p.tries != got.Iterations {
				t.Errorf("%s: %d solutions, %d said, of %d", name, p.tries, got.Iterations, budget)
			}
			if budget == 600 && best[0] > start[0]/4 {
				t.Errorf("%s: from %v only to %v", name, start, best)
			}
		}
		run := Run{Weights: Weights{1}, Iterations: 1000, Stop: func() bool { return true }}
		p := &permutation{now: []int32{2, 1, 0}}
		if got := o.Optimise(p, p.score(p.now), &run, rand.New(rand.NewPCG(1, 1))); got.Iterations > 16 {
			t.Errorf("%s does %d iterations after it is stopped", name, got.Iterations)
		}
		if got := o.Optimise(&permutation{now: []int32{0}}, Score{}, &Run{Iterations: 50}, rand.New(rand.NewPCG(1, 1))); name != "lns" && got.Iterations != 0 {
			t.Errorf("%s finds moves of a single element", name)
		}
	}
}
