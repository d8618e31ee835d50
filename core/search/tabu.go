package search

import "math/rand/v2"

// Tabu is tabu search (F. Glover, Tabu Search, Part I, ORSA Journal on Computing
// 1(3), 1989) over a sample of the neighbourhood: each step goes to the best of
// Candidates random neighbours, even if it is worse, and what was moved may not
// move again for Tenure steps, unless that beats the best so far.
type Tabu struct {
	Candidates, Tenure int // 0: 10 and 7
}

var _ Optimiser = Tabu{}

// Optimise improves the current solution.
func (a Tabu) Optimise(p Problem, now Score, r *Run, rng *rand.Rand) Result {
	if a.Candidates == 0 {
		a.Candidates = 10
	}
	if a.Tenure == 0 {
		a.Tenure = 7
	}
	out := Result{Score: now}
	current, best := now, true
	forbidden := make([]int32, a.Tenure) // what was moved in the last steps
	for i := range forbidden {
		forbidden[i] = -1
	}
	p.Save()
	for step := 0; out.Iterations+1 < r.Iterations && !r.stopped(step*16); step++ {
		var chosen Move
		var gain float64
		var score Score
		found, drawn := false, out.Iterations
		for range a.Candidates {
			m, ok := p.Draw(rng)
			if !ok || out.Iterations+1 >= r.Iterations {
				break
			}
			out.Iterations++
			s := p.Try(m)
			p.Drop()
			g := r.Weights.Gain(&current, &s)
			if found && g <= gain || contains(forbidden, m.What) && r.Weights.Gain(&out.Score, &s) <= 0 {
				continue
			}
			chosen, gain, score, found = m, g, s, true
		}
		if out.Iterations == drawn {
			break // there is no move
		}
		if !found {
			continue
		}
		out.Iterations++
		p.Try(chosen)
		p.Keep()
		current = score
		forbidden[step%a.Tenure] = chosen.What
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

func contains(list []int32, x int32) bool {
	for _, v := range list {
		if v == x {
			return true
		}
	}
	return false
}
