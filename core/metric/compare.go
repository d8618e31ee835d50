package metric

import (
	"math"
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/report"
)

// Of is a measure of a run, and what tells which run that is.
type Of struct {
	report.Swept
	Value float64 // NaN: it has none
}

// OfRuns returns any number that runs may have.
func OfRuns(runs []*report.Run, of func(*report.Run) (v float64, ok bool)) []Of {
	list := make([]Of, len(runs))
	for i, r := range runs {
		v, ok := of(r)
		if !ok {
			v = math.NaN()
		}
		list[i] = Of{report.SweptOf(r), v}
	}
	return list
}

// Measured returns a measure of runs.
func Measured(runs []*report.Run, key string) []Of {
	at := place(runs, key)
	return OfRuns(runs, func(r *report.Run) (float64, bool) {
		if v := valueOf(r, key, at); v != nil {
			return v.Value, true
		}
		return 0, false
	})
}

// Values returns a measure of one scheduler's finished runs, which stand in order
// of repetition, and what they are a sample of. A run that is a copy counts once,
// as the one that it is a copy of.
func Values(runs []Of) (values []float64, s Sample) {
	for i := range runs {
		if r := &runs[i]; !math.IsNaN(r.Value) && (r.Copy == 0 || len(values) == 0) {
			s.note(r.Swept, len(values))
			values = append(values, r.Value)
		}
	}
	return values, s
}

// Pairs returns a measure of two schedulers' finished runs, pair by pair: the same
// repetition, over the same jobs. A pair of copies counts once.
func Pairs(mine, base []Of) (a, b []float64, s Sample) {
	for i := range mine {
		r := &mine[i]
		k := slices.IndexFunc(base, func(o Of) bool { return o.Repetition == r.Repetition && o.Workload == r.Workload })
		if k < 0 || r.Copy+base[k].Copy == 2 && len(a) > 0 || math.IsNaN(r.Value) || math.IsNaN(base[k].Value) {
			continue
		}
		s.note(base[k].Swept, len(a))
		s.note(r.Swept, len(a))
		a, b = append(a, r.Value), append(b, base[k].Value)
	}
	return a, b, s
}

// note takes down how the i-th value came about.
func (s *Sample) note(r report.Swept, i int) {
	if r.Drawn > 0 {
		s.By, s.Pieces = report.DrawnBy[r.Drawn], r.Pieces
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
	a, b, s := Pairs(Measured(mine, row.Key), Measured(base, row.Key))
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
