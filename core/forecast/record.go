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
	Mixture *Mixture
	// Known is its scaled wait where it has started, else that which it has waited so far.
	Known   float64
	Waiting bool
}

// Recalibrated returns the scaled waits that a mixture tells at levels, ascending ones
// between 0 and 1, by what became of earlier answers, the oldest first: those that still
// wait count as censored, by a weighted Kaplan–Meier estimate.
func Recalibrated(m *Mixture, record []Answer, levels []float64) []float64 {
	type event struct {
		x, weight float64
		censored  bool
	}
	list := make([]event, 0, len(record)+pseudo)
	middle := m.Median()
	for i := range record {
		a := &record[i]
		w := exp(-math.Abs(a.Mixture.Median()-middle)/lead - float64(len(record)-1-i)/memory)
		list = append(list, event{a.Mixture.Place(a.Known), w, a.Waiting})
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
	out := make([]float64, len(levels))
	for i, p := range levels {
		x := between(fs, xs, p)
		if p > fs[len(fs)-1] {
			x = max(x, logit(p))
		}
		out[i] = max(0, m.Quantile(x))
		if i > 0 {
			out[i] = max(out[i], out[i-1])
		}
	}
	return out
}
