package lab

import (
	"math"

	"batchlab/core/catalog"
	"batchlab/core/metric"
	"batchlab/core/report"
)

// Compare sets the schedulers of finished runs side by side: for each measure
// and each scheduler the mean over its repetitions with a 95 % interval, and
// the mean of the paired differences to the baseline, repetition by
// repetition. Runs pair only over the same workload. A run that is a copy of
// another, and a pair of copies, count once.
func Compare(runs []*report.Run, baseline int) []report.Comparison {
	if len(runs) == 0 {
		return nil
	}
	schedulers := 0
	for _, r := range runs {
		schedulers = max(schedulers, r.Scheduler+1)
	}
	by := make([][]*report.Run, schedulers)
	for _, r := range runs {
		by[r.Scheduler] = append(by[r.Scheduler], r)
	}
	var base []*report.Run
	if baseline >= 0 && baseline < schedulers {
		base = by[baseline]
	}
	var out []report.Comparison
	for _, m := range runs[0].Metrics {
		row := catalog.FindMetric(m.Key)
		for s, mine := range by {
			values, sample := metric.Values(mine, m.Key)
			if len(values) == 0 {
				continue
			}
			c := report.Comparison{Metric: m.Key, Scheduler: s, Baseline: baseline}
			var half float64
			c.Mean, half, c.Repetitions = sample.Interval(values)
			c.Half = number(half)
			if s == baseline {
				out = append(out, c)
				continue
			}
			if d := metric.CompareRuns(mine, base, m.Key); d.N > 0 {
				c.Difference, c.DifferenceHalf, c.Pairs = &d.Mean, number(d.Half), d.N
				if row != nil {
					c.Verdict = d.Verdict(row)
					if !row.Points() {
						c.Relative, c.RelativeHalf = number(d.Relative), number(d.RelativeHalf)
					}
				}
			}
			out = append(out, c)
		}
	}
	return out
}

// number is what JSON can hold of v: nil for NaN.
func number(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}
