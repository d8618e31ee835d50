package paper

import (
	"batchlab/core/plan"
	"batchlab/core/policy"
)

// planReadings looks at table 1 with one thing read otherwise at a time: what a
// plan is judged by, when and how long it is optimised, and what Orig-BF does. Each
// reading stands beside the defaults on the same intervals, with the same seeds.
func planReadings(r *planRun) error {
	reading := func(label string, turn func(*plan.Options)) planWay {
		way := planRandom
		way.label, way.turn = planRS+", "+label, turn
		return way
	}
	ways := []planWay{
		{label: origBF},
		{label: origBF + ", shorter queues first", orig: func(o *policy.OrigBF) { o.QueuesFirst = true }},
		{label: origBF + ", halving every 72 h / 7", orig: func(o *policy.OrigBF) { o.Halve /= planFactor }},
		planRandom,
		planUnfair,
		reading("planned consumption counted", func(o *plan.Options) { o.Objective.Planned = true }),
		reading("called each minute while jobs wait", func(o *plan.Options) { o.Cycle = o.Interval }),
		reading("called at each event", func(o *plan.Options) { o.Interval = 0 }),
		reading("3,000 plans a call", func(o *plan.Options) { o.Iterations *= 10 }),
	}
	if r.in.Quick {
		ways = ways[:len(ways)-1] // which takes longer than all others
	}
	facts, err := r.all(ways)
	if err != nil {
		return err
	}
	for c := range r.cases {
		label := r.cases[c].label
		base := facts[c][0][0]
		for w := range ways {
			of := " of " + ways[w].label
			r.row(label, "WT"+of, facts[c][w], func(f *planFacts) float64 { return f.wait }, "s")
			r.tail(label, of, facts[c][w])
			if w == 0 {
				continue
			}
			r.row(label, "change of WT"+of+" against "+origBF, facts[c][w], func(f *planFacts) float64 { return change(f.wait, base.wait) }, "%")
			r.row(label, "change of SD"+of+" against "+origBF, facts[c][w], func(f *planFacts) float64 { return change(f.slowdown, base.slowdown) }, "%")
		}
	}
	return nil
}
