package forecast

import (
	"cmp"
	"math"

	"batchlab/core/order"
)

const (
	lead    = 1.5 // answers whose medians lie so far apart count 1/e
	memory  = 400 // answers since, after which one counts 1/e
	pseudo  = 40  // pseudo answers that stand for a mixture that is right as it is
	pseudos = 10.0
)

// Answer is an earlier answer with what is known of it by now.
type Answer struct {
	Median float64 // that of its mixture
	// Place is where its mixture has the scaled wait: if it has started, else that which it
	// has waited so far.
	Place   float64
	Waiting bool
}

// Answered is what is known of an answer whose scaled wait is known, or, where it still
// waits, how long it has waited so far.
func (m *Mixture) Answered(known float64, waiting bool) Answer {
	return Answer{m.Median(), m.Place(known), waiting}
}

// Scale says which scaled waits a mixture tells, by what became of earlier answers.
type Scale struct {
	mixture *Mixture
	xs, fs  []float64 // places, ascending, and how probable what lies below is
}

// Recalibrated returns the scale of a mixture by a record, the oldest answer first: those
// that still wait count as censored, by a weighted Kaplan–Meier estimate.
func Recalibrated(m *Mixture, record []Answer) *Scale {
	type event struct {
		x, weight float64
		censored  bool
	}
	list := make([]event, 0, len(record)+pseudo)
	middle := m.Median()
	for i := range record {
		a := &record[i]
		w := exp(-math.Abs(a.Median-middle)/lead - float64(len(record)-1-i)/memory)
		list = append(list, event{a.Place, w, a.Waiting})
	}
	for k := range pseudo {
		list = append(list, event{logit((float64(k) + 0.5) / pseudo), pseudos / pseudo, false})
	}
	order.Stable(list, func(a, b event) int {
		if c := cmp.Compare(a.x, b.x); c != 0 || a.censored == b.censored {
			return c
		}
		if a.censored { // who waits longer than this was there when the others started
			return 1
		}
		return -1
	})
	risk := 0.0
	for _, e := range list {
		risk += e.weight
	}
	var xs, fs []float64
	stay := 1.0
	for i := 0; i < len(list); {
		x, events, left := list[i].x, 0.0, 0.0
		for ; i < len(list) && list[i].x == x; i++ {
			if left += list[i].weight; !list[i].censored {
				events += list[i].weight
			}
		}
		if events > 0 {
			next := stay * max(0, 1-events/risk)
			xs, fs = append(xs, x), append(fs, 1-(stay+next)/2)
			stay = next
		}
		risk = max(risk-left, 1e-12)
	}
	return &Scale{m, xs, fs}
}

// At returns the scaled waits at levels, ascending ones between 0 and 1.
func (s *Scale) At(levels []float64) []float64 {
	out := make([]float64, len(levels))
	for i, p := range levels {
		x := between(s.fs, s.xs, p)
		if p > s.fs[len(s.fs)-1] {
			x = max(x, logit(p))
		}
		out[i] = max(0, s.mixture.Quantile(x))
		if i > 0 {
			out[i] = max(out[i], out[i-1])
		}
	}
	return out
}
