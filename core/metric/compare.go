package metric

import (
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/report"
)

// Values returns a measure of one scheduler's finished runs, which stand in order
// of repetition, and what they are a sample of. A run that is a copy counts once,
// as the one that it is a copy of.
func Values(runs []*report.Run, key string) (values []float64, s Sample) {
	at := place(runs, key)
	for _, r := range runs {
		if v := valueOf(r, key, at); v != nil && (!r.Copy || len(values) == 0) {
			s.note(r, len(values))
			values = append(values, v.Value)
		}
	}
	return values, s
}

// Pairs returns a measure of two schedulers' finished runs, pair by pair: the same
// repetition, over the same jobs. A pair of copies counts once.
func Pairs(mine, base []*report.Run, key string) (a, b []float64, s Sample) {
	at := place(mine, key)
	return PairsOf(mine, base, func(r *report.Run) (float64, bool) {
		if v := valueOf(r, key, at); v != nil {
			return v.Value, true
		}
		return 0, false
	})
}

// PairsOf is Pairs for any number that a run may have.
func PairsOf(mine, base []*report.Run, of func(*report.Run) (v float64, ok bool)) (a, b []float64, s Sample) {
	for _, r := range mine {
		other := pair(base, r)
		if other == nil || r.Copy && other.Copy && len(a) > 0 {
			continue
		}
		x, hasX := of(r)
		y, hasY := of(other)
		if hasX && hasY {
			s.note(other, len(a))
			s.note(r, len(a))
			a, b = append(a, x), append(b, y)
		}
	}
	return a, b, s
}

// note takes down how the i-th value came about.
func (s *Sample) note(r *report.Run, i int) {
	if d := r.Draws; d != nil {
		s.By, s.Pieces = d.By, d.Pieces
		s.Log = s.Log || i == 0 && r.Repetition == 0
	}
}

// place is where a measure stands among those of the first run, as a rule of
// all.
func place(runs []*report.Run, key string) int {
	if len(runs) == 0 {
		return -1
	}
	return slices.IndexFunc(runs[0].Metrics, func(v report.Value) bool { return v.Key == key })
}

// valueOf returns a measure of a run, nil where it does not exist. at is where it
// probably stands.
func valueOf(r *report.Run, key string, at int) *report.Value {
	if at >= 0 && at < len(r.Metrics) && r.Metrics[at].Key == key {
		if v := &r.Metrics[at]; v.Valid {
			return v
		}
		return nil
	}
	for i := range r.Metrics {
		if v := &r.Metrics[i]; v.Key == key {
			if !v.Valid {
				return nil
			}
			return v
		}
	}
	return nil
}

// pair returns the run over the same jobs at the same repetition, or nil.
func pair(runs []*report.Run, r *report.Run) *report.Run {
	for _, b := range runs {
		if b.Repetition == r.Repetition && b.Workload == r.Workload {
			return b
		}
	}
	return nil
}

// CompareRuns says how a measure of one scheduler's runs compares with that of a
// baseline's, pair by pair.
func CompareRuns(mine, base []*report.Run, row *catalog.Metric) Difference {
	row = row.Own()
	a, b, s := Pairs(mine, base, row.Key)
	if len(mine) > 0 && mine[0].Repetition == 0 {
		s.Own = OneLog(mine[0], pair(base, mine[0]), row.Key)
	}
	return s.Compare(a, b, row)
}

// Verdict says in words what a difference in a measure comes to: the report's
// Verdict words, "" without a pair.
func (d *Difference) Verdict(row *catalog.Metric) string {
	up := d.Value() > 0
	word := report.VerdictWorse
	switch {
	case d.N == 0:
		return ""
	case d.Same:
		return report.VerdictSame
	case d.Certainty == NoInterval && d.N == 1:
		return report.VerdictSingle
	case d.Certainty == NoInterval:
		return report.VerdictNone
	case d.Certainty == Unclear && d.Band:
		return report.VerdictBand
	case d.Certainty == Unclear:
		return report.VerdictUnknown
	case row.Better == 0 && up:
		word = report.VerdictHigher
	case row.Better == 0:
		word = report.VerdictLower
	case up == (row.Better > 0):
		word = report.VerdictBetter
	}
	if d.Certainty == Probably {
		return report.Probably + word
	}
	return word
}
