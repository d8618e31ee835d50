package state

import (
	"math"

	"batchlab/core/catalog"
	"batchlab/core/metric"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// Spread is one measure of one scheduler over its finished repetitions.
type Spread struct {
	Mean float64
	Half float64 // half-width of the 95 % interval of the mean; 0 when N < 2
	N    int     // finished repetitions that have the measure
}

// Measure summarises a measure of scheduler i over its finished repetitions.
// N is 0 when there is none.
func (s *Store) Measure(i int, key string) Spread {
	return spread(s.values(i, key))
}

// values are the measure's values of scheduler i by repetition.
func (s *Store) values(i int, key string) map[int]float64 {
	values := map[int]float64{}
	for _, r := range s.Runs {
		if r.Scheduler != i || r.Status != Done || r.Result == nil {
			continue
		}
		for _, v := range r.Result.Metrics {
			if v.Key == key && v.Valid {
				values[r.Repetition] = v.Value
			}
		}
	}
	return values
}

func spread(values map[int]float64) Spread {
	list := make([]float64, 0, len(values))
	for r := 0; len(list) < len(values); r++ {
		if v, ok := values[r]; ok {
			list = append(list, v)
		}
	}
	return interval(metric.MeanCI(list))
}

// interval is a Spread of a mean with its interval; what does not exist is 0.
func interval(mean, half float64, n int) Spread {
	s := Spread{N: n}
	if n > 0 {
		s.Mean = mean
	}
	if n > 1 {
		s.Half = half
	}
	return s
}

// Diff is how one scheduler compares with another in one measure, repetition
// by repetition: each pair had the same jobs.
type Diff struct {
	Spread           // of the differences, in the measure's unit
	Base     float64 // mean of b over the pairs
	Relative float64 // mean of a ÷ mean of b − 1; NaN when b is 0
	Better   int     // 1 better, −1 worse, 0 neither better nor worse by its kind
	Same     bool    // no pair differs
	Sure     bool    // the interval of the differences leaves out 0
}

// Compare says how scheduler a compares with scheduler b. N is 0 when no
// repetition of both is done, or when they had different jobs in one.
func (s *Store) Compare(a, b int, key string) Diff {
	row := catalog.FindMetric(key)
	if row == nil || a == b || b < 0 {
		return Diff{}
	}
	if !s.paired(a, b) {
		return Diff{}
	}
	x, y := s.values(a, key), s.values(b, key)
	var left, right []float64
	sumX, sumY, same := 0.0, 0.0, true
	// Repetitions are counted from 0, so that sums do not depend on the order
	// of a map.
	for r, seen := 0, 0; seen < len(x); r++ {
		v, ok := x[r]
		if !ok {
			continue
		}
		seen++
		if w, ok := y[r]; ok {
			left, right = append(left, v), append(right, w)
			sumX += v
			sumY += w
			same = same && v == w
		}
	}
	d := Diff{Spread: interval(metric.Paired(left, right)), Same: same && len(left) > 0}
	d.Relative = math.NaN()
	if sumY != 0 {
		d.Relative = sumX/sumY - 1
		d.Base = sumY / float64(len(right))
	}
	switch {
	case d.Same || row.Better == 0:
	case d.Mean > 0 == (row.Better > 0):
		d.Better = 1
	default:
		d.Better = -1
	}
	d.Sure = d.N > 1 && math.Abs(d.Mean) > d.Half
	return d
}

// paired reports whether two schedulers had the same jobs and machine in every
// repetition that both have finished.
func (s *Store) paired(a, b int) bool {
	first := map[int]*report.Run{}
	for _, r := range s.Runs {
		if r.Status != Done || r.Result == nil || r.Scheduler != a && r.Scheduler != b {
			continue
		}
		f := first[r.Repetition]
		if f == nil {
			first[r.Repetition] = r.Result
		} else if f.Workload != r.Result.Workload || f.Processors != r.Result.Processors {
			return false
		}
	}
	return true
}

// share reports whether a measure is a share of 1, written as per cent.
func share(row *catalog.Metric) bool { return row.Key == "utilization" }

// ValueText writes a measure's value with its unit.
func ValueText(row *catalog.Metric, v float64) string {
	switch {
	case share(row):
		return words.Percent(v)
	case row.Unit == "jobs":
		if v == math.Trunc(v) {
			return words.Number(v, 0)
		}
		return words.Plain(v)
	case row.Unit == "processor-seconds":
		return words.Number(v/3600, 0) + words.NB + "proc-h"
	}
	return words.Value(v, row.Unit)
}

// HalfText writes the half-width of a difference's 95 % interval over the pairs
// in the unit of DiffText: "± 9" beside "−69 %". Fewer than three pairs have
// none.
func HalfText(row *catalog.Metric, d Diff) string {
	if d.N < 3 || d.Same {
		return ""
	}
	half, text := d.Half*100, ""
	switch {
	case share(row):
		text = words.Number(half, 1)
	case math.IsNaN(d.Relative):
		text = ValueText(row, d.Half)
	default:
		half /= math.Abs(d.Base)
		switch {
		case d.Relative > 9.995:
			text = words.Plain(half / 100)
		case half < 9.95:
			text = words.Number(half, 1)
		default:
			text = words.Number(half, 0)
		}
	}
	return "±" + words.NB + text
}

// Nearly stands for a difference too small for the digits shown.
const Nearly = "nearly the same"

// DiffText writes a difference to the baseline: "−69 %", "+0.4 pt" for shares,
// "same" when nothing differs, Nearly when the digits shown would be zeros, ""
// without a pair.
func DiffText(row *catalog.Metric, d Diff) string {
	switch {
	case d.N == 0:
		return ""
	case d.Same:
		return "same"
	case share(row) && math.Abs(d.Mean) < 0.0005, !share(row) && math.Abs(d.Relative) < 0.0005:
		return Nearly
	case share(row):
		return words.Signed(d.Mean*100, func(v float64) string { return words.Number(v, 1) }) + words.NB + "pt"
	case row.Unit == "%": // points of per cent
		if math.Abs(d.Mean) < 0.05 {
			return Nearly
		}
		return words.Signed(d.Mean, func(v float64) string { return words.Number(v, 1) }) + words.NB + "pt"
	case math.IsNaN(d.Relative):
		return words.Signed(d.Mean, func(v float64) string { return ValueText(row, v) })
	case math.Abs(d.Relative) < 0.0995:
		return words.Signed(d.Relative*100, func(v float64) string { return words.Number(v, 1) }) + words.NB + "%"
	case d.Relative > 9.995:
		return "×" + words.NB + words.Plain(d.Relative+1)
	}
	return words.Signed(d.Relative*100, func(v float64) string { return words.Number(v, 0) }) + words.NB + "%"
}
