package paper

import "slices"

// planIntervals looks at table 1 over many intervals of each log: an interval of
// 95 % over seeds says nothing of how much hangs on which five days were taken.
func planIntervals(r *planRun) error {
	ways := []planWay{{label: origBF}, {label: conservative}, planRandom, planUnfair}
	facts, err := r.all(ways)
	if err != nil {
		return err
	}
	for from := 0; from < len(r.cases); {
		to := from
		for to < len(r.cases) && r.cases[to].name == r.cases[from].name {
			to++
		}
		r.spread(ways, r.cases[from].name, facts[from:to])
		from = to
	}
	return nil
}

// spread adds the rows of one log: of the changes of every interval with waits,
// each the mean over the seeds, the least, the quartiles, the greatest, and the
// mean with a 95 % interval over the intervals of the log.
func (r *planRun) spread(ways []planWay, name string, facts [][][]*planFacts) {
	facts = slices.DeleteFunc(slices.Clone(facts), func(f [][]*planFacts) bool { return f[0][0].wait == 0 || f[1][0].wait == 0 })
	add := func(column string, value float64, unit string) {
		r.out.Rows = append(r.out.Rows, Row{Label: name, Column: column, Ours: value, Unit: unit})
	}
	add("intervals with waits", float64(len(facts)), "intervals")
	if len(facts) == 0 {
		return
	}
	for w := 2; w < len(ways); w++ {
		for against := range 2 {
			for _, one := range []struct {
				name string
				of   func(*planFacts) float64
			}{{"WT", func(f *planFacts) float64 { return f.wait }}, {"SD", func(f *planFacts) float64 { return f.slowdown }}} {
				list := make([]float64, len(facts))
				for i, f := range facts {
					for _, seed := range f[w] {
						list[i] += change(one.of(seed), one.of(f[against][0])) / float64(len(f[w]))
					}
				}
				slices.Sort(list)
				what := "change of " + one.name + " of " + ways[w].label + " against " + ways[against].label + ": "
				for i, place := range []string{"least", "lower quartile", "median", "upper quartile", "greatest"} {
					add(what+place, list[i*(len(list)-1)/4], "%")
				}
				r.out.Rows = append(r.out.Rows, meanRow(name, what+"mean", "%", list))
				below, _ := slices.BinarySearch(list, 0)
				add(what+"intervals below 0", float64(below), "intervals")
			}
		}
	}
}
