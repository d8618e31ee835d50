package paper

import (
	"fmt"
	"slices"

	"batchlab/core/metric"
)

// planFigure makes a figure of what it adds for each case, whose facts are by way.
func planFigure(add ...func(r *planRun, c *planCase, ways []planWay, facts [][]*planFacts)) func(*planRun) error {
	return func(r *planRun) error {
		ways := []planWay{{label: origBF}, {label: conservative}, planRandom}
		facts, err := r.all(ways)
		if err != nil {
			return err
		}
		for _, one := range add {
			for c := range r.cases {
				one(r, &r.cases[c], ways, facts[c])
			}
		}
		return nil
	}
}

// planClasses is figure 2.
func planClasses(r *planRun, c *planCase, ways []planWay, facts [][]*planFacts) {
	for w := range ways {
		r.tail("all jobs", ", "+ways[w].label, facts[w])
		for i := range facts[w][0].byProcs {
			if facts[w][0].byProcs[i].Jobs > 0 {
				r.row(planClass(planProcs, i, "processors"), ways[w].label, facts[w], func(f *planFacts) float64 { return f.byProcs[i].MeanWait / 3600 }, "h")
			}
		}
		for i := range facts[w][0].byLimit {
			if facts[w][0].byLimit[i].Jobs > 0 {
				r.row(planClass(planLimits, i, "s requested"), ways[w].label, facts[w], func(f *planFacts) float64 { return f.byLimit[i].MeanWait / 3600 }, "h")
			}
		}
	}
}

func planClass(edges []int64, i int, what string) string {
	switch {
	case i == 0:
		return fmt.Sprintf("up to %d %s", edges[0], what)
	case i == len(edges):
		return fmt.Sprintf("more than %d %s", edges[i-1], what)
	}
	return fmt.Sprintf("%d to %d %s", edges[i-1]+1, edges[i], what)
}

// planFairness is figure 3.
func planFairness(r *planRun, c *planCase, ways []planWay, facts [][]*planFacts) {
	for w := range ways {
		r.fairness(ways[w].label, facts[w])
		n := len(r.out.Rows)
		r.row(ways[w].label, "users with NUWT below 1", facts[w], func(f *planFacts) float64 { return 100 * belowNUWT(f, 1) }, "%")
		for i := range r.out.Rows[n:] {
			row := &r.out.Rows[n+i]
			row.Paper = printed(planStudy+"-figure3", row.Label, row.Column)
		}
	}
}

func (r *planRun) fairness(label string, facts []*planFacts) {
	r.row(label, "mean NUWT", facts, func(f *planFacts) float64 { m, _ := metric.MeanNUWT(f.users); return m }, "")
	r.row(label, "standard deviation of NUWT", facts, func(f *planFacts) float64 { _, d := metric.MeanNUWT(f.users); return d }, "")
	r.row(label, "users", facts, func(f *planFacts) float64 { return float64(len(f.users)) }, "users")
}

// belowNUWT returns the share of users with a normalised wait below a bound.
func belowNUWT(f *planFacts, bound float64) float64 {
	n := 0
	for i := range f.users {
		if f.users[i].NUWT < bound {
			n++
		}
	}
	return float64(n) / float64(max(1, len(f.users)))
}

// planImprovements is figure 4: how many plans were accepted, what they changed,
// and how often by less than 2 %.
func planImprovements(r *planRun, c *planCase, ways []planWay, facts [][]*planFacts) {
	share := func(of func(change [3]float64) bool) func(*planFacts) float64 {
		return func(f *planFacts) float64 {
			n := 0
			for _, change := range f.improved {
				if of(change) {
					n++
				}
			}
			return 100 * float64(n) / float64(max(1, len(f.improved)))
		}
	}
	small := func(v float64) bool { return -2 < v && v < 2 }
	list := facts[2]
	label := c.label
	r.row(label, "accepted plans", list, func(f *planFacts) float64 { return float64(len(f.improved)) }, "plans")
	r.row(label, "accepted plans that improve fairness", list, share(func(v [3]float64) bool { return v[2] < 0 }), "%")
	r.row(label, "accepted plans that improve the mean wait", list, share(func(v [3]float64) bool { return v[0] < 0 }), "%")
	r.row(label, "accepted plans that worsen the mean wait", list, share(func(v [3]float64) bool { return v[0] > 0 }), "%")
	r.row(label, "changes of fairness below 2 %", list, share(func(v [3]float64) bool { return small(v[2]) }), "%")
	r.row(label, "changes of the mean wait below 2 %", list, share(func(v [3]float64) bool { return small(v[0]) }), "%")
}

// planCost is figure 5 as far as it is the same on every machine.
func planCost(r *planRun, c *planCase, ways []planWay, facts [][]*planFacts) {
	r.out.Notes = append(r.out.Notes, "seconds are not part of a preset: the benchmarks of core/plan measure backfill, update and one iteration against plan lengths")
	list, label := facts[2], c.label
	r.row(label, "calls of the optimiser", list, func(f *planFacts) float64 { return float64(f.calls) }, "calls")
	r.row(label, "plans evaluated", list, func(f *planFacts) float64 { return float64(f.iterations) }, "plans")
	for _, p := range []int{50, 95, 100} {
		r.row(label, fmt.Sprintf("length of the plan, %d %% of the cycles have at most", p), list, func(f *planFacts) float64 {
			lengths := slices.Clone(f.lengths)
			slices.Sort(lengths)
			return float64(lengths[max(0, (len(lengths)*p+99)/100-1)])
		}, "jobs")
	}
}

// planWaits is figure 6.
func planWaits(r *planRun, c *planCase, ways []planWay, facts [][]*planFacts) {
	for w := range ways {
		list, label := facts[w], ways[w].label
		r.row(label, "mean wait", list, func(f *planFacts) float64 { return f.wait / 3600 }, "h")
		r.row(label, "mean bounded slowdown", list, func(f *planFacts) float64 { return f.slowdown }, "")
		r.tail(label, "", list)
		for _, at := range []int64{0, 60, 600, 3600, 5760, 6 * 3600, 86400, 7 * 86400} {
			r.row(label, fmt.Sprintf("waits of at most %d s", at), list, func(f *planFacts) float64 {
				n, _ := slices.BinarySearch(f.waits, at+1)
				return 100 * float64(n) / float64(max(1, len(f.waits)))
			}, "%")
		}
		for i := 1; i <= len(planLeads); i++ {
			what := fmt.Sprintf("starts predicted at submission for more than %d s later", planLeads[i-1])
			if i < len(planLeads) {
				what += fmt.Sprintf(", up to %d s", planLeads[i])
			}
			if slices.ContainsFunc(list, func(f *planFacts) bool { return f.predicted[i].Predictions == 0 }) {
				continue
			}
			r.row(label, what+": jobs", list, func(f *planFacts) float64 { return float64(f.predicted[i].Predictions) }, "jobs")
			r.row(label, what+": mean error", list, func(f *planFacts) float64 { return f.predicted[i].MeanError / 3600 }, "h")
			r.row(label, what+": started later", list, func(f *planFacts) float64 {
				return 100 * float64(f.predicted[i].Late) / float64(f.predicted[i].Predictions)
			}, "%")
		}
	}
	for w := range 2 {
		base := facts[w][0]
		r.row(planRS, "change of the mean wait against "+ways[w].label, facts[2], func(f *planFacts) float64 { return change(f.wait, base.wait) }, "%")
		r.row(planRS, "change of the mean bounded slowdown against "+ways[w].label, facts[2], func(f *planFacts) float64 { return change(f.slowdown, base.slowdown) }, "%")
	}
}

// planUsers is figure 7: histogram and distribution.
func planUsers(r *planRun, c *planCase, ways []planWay, facts [][]*planFacts) {
	bounds := []float64{0.001, 0.01, 0.1, 1, 10, 100}
	for w := range ways {
		r.fairness(ways[w].label, facts[w])
		before := 0.0
		for _, b := range bounds {
			from := before
			r.row(ways[w].label, fmt.Sprintf("users with NUWT from %v to %v", from, b), facts[w], func(f *planFacts) float64 {
				return float64(len(f.users)) * (belowNUWT(f, b) - belowNUWT(f, from))
			}, "users")
			r.row(ways[w].label, fmt.Sprintf("users with NUWT below %v", b), facts[w], func(f *planFacts) float64 { return 100 * belowNUWT(f, b) }, "%")
			before = b
		}
	}
}
