package search

import "math/rand/v2"

// LNS is large-neighbourhood search (P. Shaw, Using Constraint Programming and
// Local Search Methods to Solve Vehicle Routing Problems, CP 1998): each
// iteration removes some random elements, puts each back where it stands best,
// and keeps what is better.
type LNS struct {
	Remove int // elements; 0: 4
}

var _ Optimiser = LNS{}

// Optimise improves the current solution.
func (a LNS) Optimise(p Problem, now Score, r *Run, rng *rand.Rand) Result {
	if a.Remove == 0 {
		a.Remove = 4
	}
	out := Result{Score: now}
	for out.Iterations < r.Iterations && !r.stopped(out.Iterations) {
		out.Iterations++
		r.settle(p, &out, p.Destroy(rng, a.Remove))
	}
	return out
}
