package lab

import (
	"batchlab/core/metric"
	"batchlab/core/report"
)

// Compare sets the schedulers of finished runs side by side: for each measure
// and each scheduler the mean over its repetitions with a 95 % interval, and
// the mean of the paired differences to the baseline, repetition by
// repetition. Runs pair only over the same workload.
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
	var out []report.Comparison
	for m := range runs[0].Metrics {
		for s, mine := range by {
			if len(mine) == 0 {
				continue
			}
			c := report.Comparison{Metric: runs[0].Metrics[m].Key, Scheduler: s, Baseline: baseline}
			var values, a, b []float64
			for _, r := range mine {
				if !r.Metrics[m].Valid {
					continue
				}
				values = append(values, r.Metrics[m].Value)
				if other := pair(by, baseline, r); other != nil && other.Metrics[m].Valid {
					a, b = append(a, r.Metrics[m].Value), append(b, other.Metrics[m].Value)
				}
			}
			if len(values) == 0 {
				continue
			}
			mean, half, n := metric.MeanCI(values)
			c.Mean, c.Repetitions = mean, n
			if n > 1 {
				c.Half = &half
			}
			if s != baseline && len(a) > 0 {
				mean, half, n := metric.Paired(a, b)
				c.Difference, c.Pairs = &mean, n
				if n > 1 {
					c.DifferenceHalf = &half
				}
			}
			out = append(out, c)
		}
	}
	return out
}

// pair returns the baseline's run over the same workload and repetition.
func pair(by [][]*report.Run, baseline int, r *report.Run) *report.Run {
	if baseline < 0 || baseline >= len(by) {
		return nil
	}
	for _, b := range by[baseline] {
		if b.Repetition == r.Repetition && b.Workload == r.Workload {
			return b
		}
	}
	return nil
}
