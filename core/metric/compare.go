package metric

import (
	"batchlab/core/catalog"
	"batchlab/core/report"
)

// Values returns a measure of one scheduler's finished runs, which stand in order
// of repetition, and what they are a sample of. A run that is a copy counts once,
// as the one that it is a copy of.
func Values(runs []*report.Run, key string) (values []float64, s Sample) {
	for _, r := range runs {
		if v := valueOf(r, key); v != nil && (!r.Copy || len(values) == 0) {
			s.note(r, len(values))
			values = append(values, v.Value)
		}
	}
	return values, s
}

// Pairs returns a measure of two schedulers' finished runs, pair by pair: the same
// repetition, over the same jobs. A pair of copies counts once.
func Pairs(mine, base []*report.Run, key string) (a, b []float64, s Sample) {
	for _, r := range mine {
		other := pair(base, r)
		if other == nil || r.Copy && other.Copy && len(a) > 0 {
			continue
		}
		if x, y := valueOf(r, key), valueOf(other, key); x != nil && y != nil {
			s.note(r, len(a))
			a, b = append(a, x.Value), append(b, y.Value)
		}
	}
	return a, b, s
}

// note takes down how the i-th value came about.
func (s *Sample) note(r *report.Run, i int) {
	if d := r.Draws; d != nil {
		s.Pieces = d.Pieces
		s.Log = s.Log || i == 0 && r.Repetition == 0
	}
}

// valueOf returns a measure of a run, nil where it does not exist.
func valueOf(r *report.Run, key string) *report.Value {
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
func CompareRuns(mine, base []*report.Run, key string) Difference {
	a, b, s := Pairs(mine, base, key)
	return s.Compare(a, b)
}

// Verdict says in a word what a difference in a measure comes to: one of the
// report's Verdict words, "" without a pair.
func (d *Difference) Verdict(row *catalog.Metric) string {
	up := d.Mean > 0
	switch {
	case d.N == 0:
		return ""
	case d.Same:
		return report.VerdictSame
	case d.N == 1:
		return report.VerdictSingle
	case !d.Certain(row.Points()):
		return report.VerdictUnknown
	case row.Better == 0 && up:
		return report.VerdictHigher
	case row.Better == 0:
		return report.VerdictLower
	case up == (row.Better > 0):
		return report.VerdictBetter
	}
	return report.VerdictWorse
}
