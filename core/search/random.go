package search

import "math/rand/v2"

// RandomSearch moves a random element to a random place and keeps what is
// better (Klusáček and Chlumský 2016, algorithm 3). It has no parameters.
type RandomSearch struct{}

var _ Optimiser = RandomSearch{}

// Optimise improves the current solution.
func (RandomSearch) Optimise(p Problem, now Score, r *Run, rng *rand.Rand) Result {
	out := Result{Score: now}
	recaller, _ := p.(Recaller)
	for out.Iterations < r.Iterations && !r.stopped(out.Iterations) {
		m, ok := p.Draw(rng)
		if !ok {
			break
		}
		out.Iterations++
		if recaller != nil && recaller.Dropped(m) { // who was not better is not better now
			continue
		}
		r.settle(p, &out, p.Try(m))
	}
	return out
}
