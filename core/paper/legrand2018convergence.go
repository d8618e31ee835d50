package paper

import (
	"fmt"

	"batchlab/core/experiment"
	"batchlab/core/mixed"
	"batchlab/core/policy"
)

// legrandTries is how many vectors a search may try for each week.
const legrandTries = 800

// legrandConvergence says how far the best found of each week falls with the
// number of tries. A week's best is never known, only what a search has found.
func legrandConvergence(r *legrandRun) error {
	coverages, most := []int{12, 20, 40}, legrandTries
	if r.in.Quick {
		coverages, most = coverages[:1], 200
	}
	busy := r.busy()
	weeks := float64(len(busy))
	covered, largest := []float64(nil), 0 // the best of each week that the last coverage found
	for _, r.in.Points = range coverages {
		t, err := r.coverage()
		if err != nil {
			return err
		}
		sum := 0.0
		covered, largest = nil, t.Candidates()
		for _, w := range busy {
			sum += t.Best()[w].Value
			covered = append(covered, t.Best()[w].Value)
		}
		r.add(fmt.Sprintf("coverage, %d vectors", t.Candidates()), "three features", sum, 0)
	}
	r.note("%v weeks; each search may try %d vectors a week, seed 1; the last kind goes on from what the first has found, so that it has had twice as many tries", weeks, most)
	ways := []struct {
		column   string
		features int
		from     int // the way that it begins at, −1: none
	}{{"three features", 3, -1}, {"six features", policy.Features, -1}, {"six, begun at the best with three", policy.Features, 0}}
	found := make([][]*mixed.Found, len(ways))
	for k, way := range ways {
		if err := r.reopen(func(s *mixed.Settings) { s.Features = way.features }); err != nil {
			return err
		}
		found[k] = make([]*mixed.Found, len(r.labs[0].Weeks()))
		err := r.in.each(len(busy), func(worker, i int) error {
			s := &mixed.Search{Budget: most, Seed: 1, Lambda: mixed.DefaultLambda}
			if way.from >= 0 {
				s.Starts = [][]float64{append(append([]float64(nil), found[way.from][busy[i]].Weights...), 0, 0, 0)}
			}
			a, err := r.labs[worker].Do(mixed.Chunk{Kind: mixed.KindXNES, Week: busy[i], Search: s}, r.in.Watch)
			found[k][busy[i]] = a.Found
			return err
		}, func(i int) any { return &found[k][busy[i]] })
		if err != nil {
			return err
		}
		var rows []experiment.DigestRow
		for _, w := range busy {
			weights, err := policy.NewWeights(found[k][w].Weights)
			if err == nil {
				_, err = r.labs[0].Mixed(w, weights)
			}
			if err != nil {
				return err
			}
			rows = appendRows(rows, r.labs[0].Schedule())
		}
		r.digest.add(rows)
	}
	after := func(k, tries int) (sum float64) {
		for _, w := range busy {
			value := found[k][w].Trace[0].Value
			for _, step := range found[k][w].Trace {
				if step.Evaluations <= tries {
					value = step.Value
				}
			}
			sum += value
		}
		return sum
	}
	for k, way := range ways {
		for tries := 50; tries <= most; tries *= 2 {
			r.add(fmt.Sprintf("%d tries a week", tries), way.column, after(k, tries), 0)
		}
		r.out.Rows = append(r.out.Rows, Row{Label: "the last doubling of tries lowers the sum by", Column: way.column, Ours: 100 * (1 - after(k, most)/after(k, most/2)), Unit: "%"})
	}
	ended := make([][]float64, len(ways))
	for k := range ways {
		for _, w := range busy {
			ended[k] = append(ended[k], found[k][w].Value)
		}
		r.quotient(fmt.Sprintf("%d tries a week ÷ coverage, %d vectors", most, largest), ways[k].column, ended[k], covered)
		if k > 0 {
			r.quotient(fmt.Sprintf("%d tries a week ÷ three features", most), ways[k].column, ended[k], ended[0])
		}
	}
	for k := range ways[1:] {
		lower, higher := 0, 0
		for _, w := range busy {
			lower += btoi(found[k+1][w].Value < 0.99*found[0][w].Value)
			higher += btoi(found[k+1][w].Value > 1.01*found[0][w].Value)
		}
		r.out.Rows = append(r.out.Rows, Row{Label: "weeks more than 1 % below three features", Column: ways[k+1].column, Ours: float64(lower)},
			Row{Label: "weeks more than 1 % above three features", Column: ways[k+1].column, Ours: float64(higher)})
	}
	return nil
}
