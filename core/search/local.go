package search

import "math/rand/v2"

// Score is the value of a solution under several criteria, each of which is to
// be small and is never negative.
type Score [3]float64

// Weights are those of the criteria of a Score.
type Weights [3]float64

// Gain returns by how much a new solution is better than an old one: the sum
// over the criteria of weight × (old − new) ÷ old. A criterion that was 0
// contributes 0 while it stays so, else −weight. Positive is better (Klusáček
// and Chlumský 2016, section 3.3).
func (w *Weights) Gain(old, new *Score) float64 {
	sum := 0.0
	for i := range w {
		switch {
		case old[i] > 0:
			sum += float64(w[i] * ((old[i] - new[i]) / old[i]))
		case new[i] > 0:
			sum -= w[i]
		}
	}
	return sum
}

// Move is a step to a neighbouring solution: element What goes to place At of
// list Where.
type Move struct{ What, Where, At int32 }

// Problem is what local search changes. It holds a current solution and at most
// one candidate beside it.
type Problem interface {
	// Draw returns a random move, and false if there is none at all.
	Draw(rng *rand.Rand) (Move, bool)
	// Try makes the neighbour that a move leads to the candidate.
	Try(m Move) Score
	// Destroy makes a candidate of the current solution by removing k random
	// elements and putting each back where it stands best.
	Destroy(rng *rand.Rand, k int) Score
	// Keep makes the candidate the current solution; Drop forgets it.
	Keep()
	Drop()
	// Save remembers the current solution; Restore goes back to what was saved.
	Save()
	Restore()
}

// Bounder is a Problem that knows of moves, without trying them, that they lead to
// nothing better.
type Bounder interface {
	Problem
	// Hopeless says that by the weights of the call the candidate of a move is surely not
	// better than the current solution, which is the best so far.
	Hopeless(m Move) bool
}

// Run is one call of an Optimiser.
type Run struct {
	Weights    Weights
	Iterations int         // solutions to evaluate
	Stop       func() bool // asked now and then; nil: never. A run that it ends is not reproducible
	// Improved is told of each solution that is better than all before: in which
	// iteration (from 1), and its score and that of the best before it. May be nil.
	Improved func(iteration int, old, new Score)
}

// Result says what a call has done.
type Result struct {
	Score      Score // of the current solution, which is the best that was found
	Iterations int   // solutions evaluated
	Improved   int   // how often the best so far was beaten
}

// Optimiser improves the current solution of a problem, whose score is given.
// It leaves the problem at the best solution that it has found. Equal seeds give
// equal results.
type Optimiser interface {
	Optimise(p Problem, now Score, r *Run, rng *rand.Rand) Result
}

// stopped asks Stop every 16 iterations.
func (r *Run) stopped(iteration int) bool {
	return r.Stop != nil && iteration%16 == 0 && r.Stop()
}

// settle keeps the candidate if it is better than the best, which is the current
// solution, and forgets it if not.
func (r *Run) settle(p Problem, out *Result, candidate Score) {
	if r.Weights.Gain(&out.Score, &candidate) > 0 {
		p.Keep()
		r.improved(out, out.Iterations, candidate)
	} else {
		p.Drop()
	}
}

func (r *Run) improved(out *Result, iteration int, new Score) {
	if r.Improved != nil {
		r.Improved(iteration, out.Score, new)
	}
	out.Score = new
	out.Improved++
}
