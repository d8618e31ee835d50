package search

import "math/rand/v2"

// Annealing is simulated annealing (S. Kirkpatrick, C. D. Gelatt and M. P.
// Vecchi, Optimization by Simulated Annealing, Science 220, 1983): a neighbour
// that is worse is kept with probability e^(gain ÷ T), where the temperature T
// falls geometrically from First to Last over the iterations of a call. The
// gain is that of Weights, so a temperature of 0.01 lets about a third of the
// neighbours through that are 1 % worse.
type Annealing struct {
	First, Last float64 // 0: 0.01 and 0.0001
}

var _ Optimiser = Annealing{}

// Optimise improves the current solution.
func (a Annealing) Optimise(p Problem, now Score, r *Run, rng *rand.Rand) Result {
	if a.First == 0 {
		a.First = 0.01
	}
	if a.Last == 0 {
		a.Last = 0.0001
	}
	out := Result{Score: now}
	current, best := now, true // best: the current solution is the best
	fall := 1.0
	if r.Iterations > 1 {
		fall = Exp(-ln(a.First/a.Last) / float64(r.Iterations-1))
	}
	p.Save()
	for t := a.First; out.Iterations < r.Iterations && !r.stopped(out.Iterations); t *= fall {
		m, ok := p.Draw(rng)
		if !ok {
			break
		}
		out.Iterations++
		score := p.Try(m)
		gain := r.Weights.Gain(&current, &score)
		if gain <= 0 && rng.Float64() >= Exp(gain/t) {
			p.Drop()
			continue
		}
		p.Keep()
		current = score
		if best = r.Weights.Gain(&out.Score, &score) > 0; best {
			r.improved(&out, out.Iterations, score)
			p.Save()
		}
	}
	if !best {
		p.Restore()
	}
	return out
}

// ln is the natural logarithm by halving: slow, the same everywhere, and called
// once a run.
func ln(x float64) float64 {
	lo, hi := -745.0, 710.0
	for range 200 {
		mid := (lo + hi) / 2
		if Exp(mid) < x {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}
