package paper

import (
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/report"
)

// planYear sets random search beside the other optimisers, the plan without one and
// both kinds of backfilling on the whole of a log, at equal numbers of plans a call.
var planYear = []Preset{{
	Key: planStudy + "-year", Study: planStudy, Cite: planCite, Any: true,
	Shows:   "section 3.3 on a whole log: random search, annealing, tabu search and large neighbourhoods, at equal numbers of plans",
	LookFor: "Whether random search waits less than the others, as the paper says; how far all of them are below the plan that nobody optimises.",
	Sweep: &Sweep{Points: yearPoints, Rows: func(results []Result) []Row {
		rows := usersRows("", results, func(r *report.Run) []usersValue {
			return slices.Concat(usersWaits(r), usersFairness(r))
		})
		for i := range results {
			rows = append(rows, yearAgainst(&results[i])...)
		}
		return rows
	}},
}}

// yearSeeds is how often each optimiser is run on a whole log.
const yearSeeds = 10

func yearPoints(log *experiment.Log, quick bool) ([]Point, error) {
	e := wholeLog(log, "Optimisers on a whole log")
	for _, way := range []struct{ optimiser, label string }{
		{"random-search", planRS}, {"annealing", "simulated annealing"}, {"tabu", "tabu search"}, {"lns", "large neighbourhoods"}, {"none", "plan without optimiser"},
	} {
		s, err := e.Add("plan-rs")
		if err == nil {
			err = s.SetParam("optimiser", way.optimiser)
		}
		if err != nil {
			return nil, err
		}
		if s.Label = way.label; way.optimiser != "none" {
			if s.Repeat = yearSeeds; quick {
				s.Repeat = 2
			}
		}
	}
	for _, key := range []string{"conservative", "orig-bf"} {
		if _, err := e.Add(key); err != nil {
			return nil, err
		}
	}
	return []Point{{"all jobs", e}}, nil
}

// yearAgainst lists the differences to random search, paired by seed.
func yearAgainst(r *Result) []Row {
	var rows []Row
	labels := r.Experiment.Labels()
	for _, c := range r.Compare(0) {
		name, unit := "WT", "s"
		if c.Metric == "mean-bounded-slowdown" {
			name, unit = "SD", ""
		} else if c.Metric != "mean-wait" {
			continue
		}
		if c.Scheduler > 0 && c.Difference != nil && c.PlainDifferenceHalf != nil {
			rows = append(rows, Row{Label: r.Label + ", " + labels[c.Scheduler], Column: name + " − that of " + planRS, Ours: *c.Difference, Half: c.PlainDifferenceHalf, Unit: unit})
		}
	}
	return rows
}
