package paper

import (
	"math"
	"slices"

	"batchlab/core/search"
)

// planEqual sets the optimisers side by side twice: as a call evaluates as many
// plans, and as it does as much work. Work is counted in jobs placed, since seconds
// are no two times the same: a plan in which much stands elsewhere costs more than
// one in which little does, and large neighbourhoods look for gaps as well. How
// many plans a call may evaluate for that is set by the first seed.
func planEqual(r *planRun) error {
	whole := planRandom
	whole.optimiser = search.RandomSearch{Whole: true}
	ways := slices.Concat([]planWay{whole}, planOthers)
	first, seeds := []planWay(nil), r.seeds
	r.seeds = 1
	facts, err := r.all(ways)
	if err != nil {
		return err
	}
	r.seeds, r.blocks = seeds, nil
	for w := range ways {
		same := ways[w]
		same.label += ", equal work"
		same.iterations = map[string]int{}
		for c := range r.cases {
			one := r.cases[c].label
			iterations := planIterations
			if f := facts[c][w][0]; f.placed > 0 {
				iterations = max(1, int(math.Round(planIterations*float64(facts[c][0][0].placed)/float64(f.placed))))
			}
			same.iterations[one] = iterations
		}
		if first = append(first, ways[w]); w > 0 {
			first = append(first, same)
		}
	}
	if facts, err = r.all(first); err != nil {
		return err
	}
	for c := range r.cases {
		label, base := r.cases[c].label, facts[c][0]
		for w, way := range first {
			list := facts[c][w]
			r.row(label, "WT of "+way.label, list, func(f *planFacts) float64 { return f.wait }, "s")
			r.row(label, "SD of "+way.label, list, func(f *planFacts) float64 { return f.slowdown }, "")
			r.row(label, "plans a call of "+way.label, list, func(f *planFacts) float64 { return float64(f.iterations) / float64(max(1, f.calls)) }, "plans")
			r.row(label, "jobs placed by "+way.label, list, func(f *planFacts) float64 { return float64(f.placed) / 1e6 }, "millions")
			r.tail(label, " of "+way.label, list)
			if w == 0 {
				continue
			}
			for _, m := range []struct {
				name string
				of   func(*planFacts) float64
			}{{"WT", func(f *planFacts) float64 { return f.wait }}, {"SD", func(f *planFacts) float64 { return f.slowdown }}} {
				r.row(label, "change of "+m.name+" of "+way.label+" against random search", list, func(f *planFacts) float64 {
					return change(m.of(f), m.of(base[slices.Index(list, f)]))
				}, "%")
			}
		}
	}
	return nil
}
