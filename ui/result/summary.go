package result

import (
	"math"

	"batchlab/core/catalog"
	"batchlab/core/metric"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/ui/words"
)

// Spread is one measure of one scheduler over its finished runs. Copies of a run
// count once.
type Spread struct {
	Mean      float64 // of draws the value in the log itself, over phases the median
	Low, High float64 // ends of the 95 % interval; NaN where there is none; of a band least and greatest
	N         int     // different runs that have the measure
	Band      bool    // over phases of a scheduler's loops: no interval
}

// spread is what a measure of some runs comes to.
func spread(runs []metric.Of, key string) Spread {
	values, sample := metric.Values(runs)
	if len(values) == 0 {
		return Spread{Low: math.NaN(), High: math.NaN()}
	}
	e := sample.Estimate(values, catalog.FindMetric(key))
	return Spread{e.Value, e.Low, e.High, e.N, e.Band}
}

// finished are the results of scheduler i, in order of repetition.
func (w *Sweep) finished(i int) (list []*report.Run) {
	for _, r := range w.RunsOf(i) {
		if r.Status == engine.Done && r.Result != nil {
			list = append(list, r.Result)
		}
	}
	return list
}

// Measure summarises a measure of scheduler i over its finished runs. N is 0
// when there is none.
func (s *Tray) Measure(i int, key string) Spread {
	return spread(metric.Measured(s.finished(i), key), key)
}

// Diff is how one scheduler compares with another in one measure, repetition
// by repetition: each pair had the same jobs.
type Diff struct {
	metric.Difference
	Better int  // 1 better, −1 worse, 0 neither better nor worse by its kind
	Sure   bool // the difference is told: surely, or probably
}

// Open reports whether it is not told, although there are several workloads or an
// interval.
func (d *Diff) Open() bool { return !d.Sure && (d.N > 1 || d.Has()) }

// Probably is "probably ", where the difference is no more than that.
func (d *Diff) Probably() string {
	return words.Either(d.Certainty == metric.Probably, report.Probably, "")
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
	return judged(row, metric.CompareRuns(s.finished(a), s.finished(b), row))
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

// SpanText writes the ends of the interval of a value in the unit of ValueText: "1 h
// 2 min to 2 h"; "" where there is none.
func SpanText(row *catalog.Metric, sp Spread) string {
	if sp.Low != sp.Low {
		return ""
	}
	write := func(v float64) string { return ValueText(row, v) }
	if row.Points() {
		write = func(v float64) string { return points(row, v) }
	}
	return write(sp.Low) + " to " + write(sp.High)
}

// points writes a difference of shares or per cent as points, without the word.
func points(row *catalog.Metric, v float64) string {
	if share(row) {
		v *= 100
	}
	return words.Number(v, 1)
}

// RangeText writes the ends of a difference's 95 % interval in the unit of DiffText:
// "−75 to −61 %" beside "−69 %", "" where there is none.
func RangeText(row *catalog.Metric, d Diff) string {
	if d.N == 0 || !d.Has() || d.Same || DiffText(row, d) == Nearly {
		return ""
	}
	switch {
	case d.Quotient && !row.Points() && d.High > 9.995:
		return "×" + words.NB + words.Plain(1+d.Low) + " to ×" + words.NB + words.Plain(1+d.High)
	case d.Quotient && !row.Points():
		digits := 0
		if max(-d.Low, d.High) < 0.0995 {
			digits = 1
		}
		write := func(v float64) string {
			return words.Signed(v, func(v float64) string { return words.Number(v*100, max(digits, closeDigits(v))) })
		}
		return write(d.Low) + " to " + write(d.High) + words.NB + "%"
	}
	low, high := d.Ends()
	write := func(v float64) string { return words.Signed(v, func(v float64) string { return ValueText(row, v) }) }
	if row.Points() {
		write = func(v float64) string { return words.Signed(v, func(v float64) string { return points(row, v) }) }
		return write(low) + " to " + write(high) + words.NB + "pt"
	}
	return write(low) + " to " + write(high)
}

// closeDigits is one where so little is left that whole per cent would say nothing is.
func closeDigits(v float64) int {
	if v < 0 {
		v = -v
	}
	if v > 0.995 && v < 1 {
		return 1
	}
	return 0
}

// GapText writes a difference in the measure's own unit, with the interval by which
// it is told: "+12.1 pt (+4.6 to +19.6 pt)", "−2 h 3 min (−31 %, −40 to −22 %)".
func GapText(row *catalog.Metric, d Diff) string {
	text := PlainGap(row, d)
	if d.Has() && !d.Same {
		of := RangeText(row, d)
		if d.Quotient && !row.Points() && of != "" {
			of = DiffText(row, d) + ", " + of
		}
		if of != "" {
			text += " (" + of + ")"
		}
	}
	return text
}

// PlainGap is GapText without the interval.
func PlainGap(row *catalog.Metric, d Diff) string {
	if row.Points() {
		return words.Signed(d.Mean, func(v float64) string { return points(row, v) }) + words.NB + "pt"
	}
	return words.Signed(d.Mean, func(v float64) string { return ValueText(row, v) })
}

// Nearly stands for a difference that is told, or is that of one workload, and too
// small for the digits shown.
const Nearly = "hardly any difference"

// Untold says in the report's words why nothing is told of a difference: that it is the
// same, only where no pair differs in anything; that there is no clear difference; or
// no interval. "" where something is told, where there is one workload, and without a
// pair. Whatever shows a difference goes by this.
func Untold(d *Diff) string {
	switch {
	case d.N > 0 && d.Same:
		return report.VerdictSame
	case d.N == 0 || !d.Open():
		return ""
	case d.Band:
		return report.VerdictBand
	case d.Has():
		return report.VerdictUnknown
	}
	return report.VerdictNone
}

// unclear reports whether several workloads leave open which way a difference goes: a
// mean of about zero, of pairs that may be far apart, says nothing then.
func (d *Diff) unclear() bool { return d.N > 1 && d.Open() }

// DiffText writes a difference to the baseline: "−69 %", "+0.4 pt" for shares,
// "same" when nothing differs, Nearly when the digits shown would be zeros and something is told, ""
// without a pair.
func DiffText(row *catalog.Metric, d Diff) string {
	switch {
	case d.N == 0:
		return ""
	case d.Same:
		return "same"
	case row.Points():
		text := words.Signed(d.Mean, func(v float64) string { return points(row, v) })
		if points(row, math.Abs(d.Mean)) == words.Number(0, 1) && !d.unclear() {
			return Nearly
		}
		return text + words.NB + "pt"
	case math.Abs(d.Relative) < 0.0005 && !d.unclear():
		return Nearly
	case math.IsNaN(d.Relative) && d.Mean == 0: // in the log itself; its draws differ
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
