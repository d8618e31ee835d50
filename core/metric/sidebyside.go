package metric

import (
	"math"

	"batchlab/core/catalog"
	"batchlab/core/report"
)

// SideBySide sets the schedulers of finished runs side by side: for each measure
// and each scheduler the mean over its repetitions with a 95 % interval, and
// the mean of the paired differences to the baseline, repetition by
// repetition; of phases a band in the place of intervals. Runs pair only over the same workload. A run that is a copy of
// another, and a pair of copies, count once.
func SideBySide(runs []*report.Run, baseline int) []report.Comparison {
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
		if row == nil {
			continue
		}
		row = row.Own()
		for s, mine := range by {
			values, sample := Values(Measured(mine, m.Key))
			if len(values) == 0 {
				continue
			}
			c := report.Comparison{Metric: m.Key, Scheduler: s, Baseline: baseline}
			e := sample.Estimate(values, row)
			c.Repetitions = e.N
			if mean, half, _ := MeanCI(values); e.Band {
				c.Mean, c.Band = mean, &[3]float64{e.Low, e.Value, e.High}
			} else {
				c.Mean, c.Low, c.High = e.Value, number(e.Low), number(e.High)
				c.Half = evenly(e.Value, e.Low, e.High)
				if sample.Pieces == 0 {
					c.PlainHalf = number(half)
				}
			}
			if s == baseline {
				out = append(out, c)
				continue
			}
			against(&c, mine, base, row)
			out = append(out, c)
		}
	}
	return out
}

// against says how a measure of one scheduler's runs compares with that of a baseline's.
func against(c *report.Comparison, mine, base []*report.Run, row *catalog.Metric) {
	d := CompareRuns(mine, base, row)
	if d.N == 0 {
		return
	}
	c.Pairs, c.Interval, c.Without, c.Verdict = d.N, d.How, d.Why, d.Verdict(row)
	low, high := d.Ends()
	x, y, sample := Pairs(Measured(mine, row.Key), Measured(base, row.Key))
	mean, half, _ := Paired(x, y)
	switch {
	case d.Band:
		c.Difference, c.DifferenceBand = &mean, &[3]float64{low, d.Mean, high}
		c.Interval, c.Without = "", "what phases differ by is a band and no interval"
		if d.Quotient {
			c.RelativeBand = &[3]float64{d.Low, d.Relative, d.High}
		}
		return
	case sample.Pieces == 0:
		c.PlainDifferenceHalf = number(half)
	}
	c.Difference, c.DifferenceLow, c.DifferenceHigh = &d.Mean, number(low), number(high)
	c.DifferenceHalf = evenly(d.Mean, low, high)
	if !row.Points() {
		c.Relative = number(d.Relative)
		if d.Quotient {
			c.RelativeLow, c.RelativeHigh = number(d.Low), number(d.High)
		}
	}
}

// evenly is half the width of an interval whose ends lie as far from the value, nil
// of others.
func evenly(value, low, high float64) *float64 {
	half := (high - low) / 2
	if off := math.Abs((value - low) - (high - value)); !(off <= 1e-9*half) {
		return nil
	}
	return number(half)
}

// number is what JSON can hold of v: nil for NaN.
func number(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}
