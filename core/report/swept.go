package report

import (
	"hash/fnv"
	"math"
	"slices"
)

// Swept is what a sweep keeps of a run beside its measures: enough to tell which
// run it is and what it pairs with.
type Swept struct {
	Workload   int64   // of the fingerprint of its jobs: runs compare only when these agree
	Pieces     float64 // of Draws, 0 when it was not resampled
	Scheduler  int32   // index into the schedulers of its point
	Repetition int32   // from 0
	Copy       int32   // 1: repetition 0 once more
	Refused    int32   // 1: it could not run, and has no measures
	Drawn      int32   // what it was drawn by: a place in DrawnBy
	Days       int32   // of Waves, 0 without
	Wait       [4]float64
	Slowdown   [4]float64
}

// DrawnBy are the values of Draws.By, "" for none.
var DrawnBy = [...]string{"", "weeks", "users", "shake", ByPhases}

// SweptOf returns what a sweep keeps of a run beside its measures.
func SweptOf(r *Run) Swept {
	h := fnv.New64a()
	h.Write([]byte(r.Workload))
	s := Swept{Workload: int64(h.Sum64()), Scheduler: int32(r.Scheduler), Repetition: int32(r.Repetition)}
	if r.Copy {
		s.Copy = 1
	}
	if r.Draws != nil {
		s.Pieces, s.Drawn = r.Draws.Pieces, int32(slices.Index(DrawnBy[:], r.Draws.By))
	}
	if w := r.Waves; w != nil && r.Repetition == 0 {
		s.Days, s.Wait, s.Slowdown = int32(w.Days), w.Wait, w.Slowdown
	}
	return s
}

// NewSwept returns what a sweep keeps of a run, and appends its measures to
// values, in the order of the run; NaN stands for those that do not exist.
func NewSwept(r *Run, values []float64) (Swept, []float64) {
	for _, v := range r.Metrics {
		if !v.Valid {
			v.Value = math.NaN()
		}
		values = append(values, v.Value)
	}
	return SweptOf(r), values
}
