package search

import "math/rand/v2"

// RandomSearch moves a random element to a random place and keeps what is
// better (Klusáček and Chlumský 2016, algorithm 3). It has no parameters.
type RandomSearch struct {
	// Whole tries moves that are known to be hopeless, too. It changes nothing but the
	// work that is done, for studies that count it.
	Whole bool
}

var _ Optimiser = RandomSearch{}

// Optimise improves the current solution.
func (s RandomSearch) Optimise(p Problem, now Score, r *Run, rng *rand.Rand) Result {
	out := Result{Score: now}
	bounder, _ := p.(Bounder)
	if s.Whole {
		bounder = nil
	}
	for out.Iterations < r.Iterations && !r.stopped(out.Iterations) {
		m, ok := p.Draw(rng)
		if !ok {
			break
		}
		out.Iterations++
		if bounder != nil && bounder.Hopeless(m) {
			continue
		}
		r.settle(p, &out, p.Try(m))
	}
	return out
}
