package result

import (
	"math"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/metric"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/ui/words"
)

// Spread is one measure of one scheduler over its finished runs. Copies of a run
// count once.
type Spread struct {
	Mean float64
	Half float64 // half-width of the 95 % interval; NaN where there is none
	N    int     // different runs that have the measure
}

// finished are the results of scheduler i, in order of repetition.
func (s *Tray) finished(i int) (list []*report.Run) {
	for _, r := range s.RunsOf(i) {
		if r.Status == engine.Done && r.Result != nil {
			list = append(list, r.Result)
		}
	}
	return list
}

// Measure summarises a measure of scheduler i over its finished runs. N is 0
// when there is none.
func (s *Tray) Measure(i int, key string) Spread {
	values, sample := metric.Values(s.finished(i), key)
	if len(values) == 0 {
		return Spread{Half: math.NaN()}
	}
	mean, half, n := sample.Interval(values)
	return Spread{mean, half, n}
}

// Diff is how one scheduler compares with another in one measure, repetition
// by repetition: each pair had the same jobs.
type Diff struct {
	metric.Difference
	Better int  // 1 better, −1 worse, 0 neither better nor worse by its kind
	Sure   bool // the interval of the differences leaves out 0
}

// Compare says how scheduler a compares with scheduler b. N is 0 when no
// repetition of both is done, or when they had different jobs in one.
func (s *Tray) Compare(a, b int, key string) Diff {
	row := catalog.FindMetric(key)
	if row == nil || a == b || b < 0 {
		return Diff{}
	}
	if !s.paired(a, b) {
		return Diff{}
	}
	return judged(row, metric.CompareRuns(s.finished(a), s.finished(b), key))
}

// paired reports whether two schedulers had the same jobs and machine in every
// repetition that both have finished.
func (s *Tray) paired(a, b int) bool {
	runs := s.RunsOf(b)
	for _, r := range s.RunsOf(a) {
		if r.Repetition >= len(runs) {
			break
		}
		x, y := r.Result, runs[r.Repetition].Result
		if r.Status == engine.Done && runs[r.Repetition].Status == engine.Done && x != nil && y != nil && (x.Workload != y.Workload || x.Processors != y.Processors) {
			return false
		}
	}
	return true
}

// share reports whether a measure is a share of 1, written as per cent.
func share(row *catalog.Metric) bool { return row.Points() && row.Unit != "%" }

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

// hasHalf says whether an interval is shown: from three different values on.
func hasHalf(half float64, n int) bool { return n > 2 && !math.IsNaN(half) }

// MeanHalf writes the half-width of the interval of a mean in the unit of
// ValueText: "± 4 min"; "" where there is none. In per cent it is in points.
func MeanHalf(row *catalog.Metric, sp Spread) string {
	switch {
	case !hasHalf(sp.Half, sp.N):
		return ""
	case row.Points():
		return "±" + words.NB + points(row, sp.Half)
	}
	return "±" + words.NB + ValueText(row, sp.Half)
}

// points writes a difference of shares or per cent as points, without the word.
func points(row *catalog.Metric, v float64) string {
	if share(row) {
		v *= 100
	}
	return words.Number(v, 1)
}

// HalfText writes the half-width of a difference's 95 % interval over the pairs
// in the unit of DiffText: "± 9" beside "−69 %". Fewer than three pairs have
// none.
func HalfText(row *catalog.Metric, d Diff) string {
	if d.N < 3 || d.Same || DiffText(row, d) == Nearly {
		return ""
	}
	text := ""
	switch half := d.RelativeHalf * 100; {
	case row.Points():
		if math.IsNaN(d.Half) {
			return ""
		}
		text = points(row, d.Half)
	case math.IsNaN(d.Relative):
		if math.IsNaN(d.Half) {
			return ""
		}
		text = ValueText(row, d.Half)
	case math.IsNaN(half):
		return ""
	case d.Relative > 9.995:
		text = words.Plain(half / 100)
	case half < 9.95:
		text = words.Number(half, 1)
	default:
		text = words.Number(half, 0)
	}
	return "±" + words.NB + text
}

// GapText writes a difference in the measure's own unit, with the interval by which
// it is told apart from none: "+12.1 pt ± 7.5", "−2 h 3 min (−31 % ± 9)".
func GapText(row *catalog.Metric, d Diff) string {
	write, unit := func(v float64) string { return ValueText(row, v) }, ""
	if row.Points() {
		write, unit = func(v float64) string { return points(row, v) }, words.NB+"pt"
	}
	text := words.Signed(d.Mean, write) + unit
	switch {
	case d.ByRelative(row.Points()) && d.N > 2:
		text += " (" + strings.TrimSpace(DiffText(row, d)+" "+HalfText(row, d)) + ")"
	case hasHalf(d.Half, d.N):
		text += " ±" + words.NB + write(d.Half)
	}
	return text
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
	case row.Points():
		text := words.Signed(d.Mean, func(v float64) string { return points(row, v) })
		if points(row, math.Abs(d.Mean)) == words.Number(0, 1) {
			return Nearly
		}
		return text + words.NB + "pt"
	case math.Abs(d.Relative) < 0.0005:
		return Nearly
	case math.IsNaN(d.Relative):
		return words.Signed(d.Mean, func(v float64) string { return ValueText(row, v) })
	case math.Abs(d.Relative) < 0.0995:
		return words.Signed(d.Relative*100, func(v float64) string { return words.Number(v, 1) }) + words.NB + "%"
	case d.Relative > 9.995:
		return "×" + words.NB + words.Plain(d.Relative+1)
	case d.Relative < -0.995 && d.Relative > -1: // something is left
		return words.Minus + words.Number(min(99.9, -100*d.Relative), 1) + words.NB + "%"
	}
	return words.Signed(d.Relative*100, func(v float64) string { return words.Number(v, 0) }) + words.NB + "%"
}
