package forecast

import (
	"cmp"

	"batchlab/core/order"
)

// widest bounds what a recalibration may ask of a mixture, as a logit.
const widest = 12.0

// Mixture is one answer before it is recalibrated: weighted scaled waits and the blur
// that makes their quantile function strictly increasing.
type Mixture struct {
	values, levels []float64 // ascending; the mid-level of each
	blur           float64
}

// Mix puts together the scaled waits of the draws, weight 1 each, and recent waits,
// which together weigh a fifth of the draws.
func Mix(draws, recent []float64) *Mixture {
	type item struct{ value, weight float64 }
	list := make([]item, 0, len(draws)+len(recent))
	for _, y := range draws {
		list = append(list, item{y, 1})
	}
	for _, y := range recent {
		list = append(list, item{y, recentMass * float64(len(draws)) / float64(len(recent))})
	}
	order.Stable(list, func(a, b item) int { return cmp.Compare(a.value, b.value) })
	total := 0.0
	for _, i := range list {
		total += i.weight
	}
	m := &Mixture{values: make([]float64, len(list)), levels: make([]float64, len(list))}
	sum := 0.0
	for k, i := range list {
		m.values[k], m.levels[k] = i.value, (sum+i.weight/2)/total
		sum += i.weight
	}
	m.blur = 0.03 + float64(0.06*(m.at(0.75)-m.at(0.25)))
	return m
}

// at is the quantile function without blur, linear between mid-levels.
func (m *Mixture) at(p float64) float64 {
	return between(m.levels, m.values, p)
}

// between interpolates ys over ascending xs; beyond the ends it stays at them.
func between(xs, ys []float64, x float64) float64 {
	lo, hi := 0, len(xs)
	for lo < hi { // the first of xs above x
		if mid := (lo + hi) / 2; xs[mid] <= x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	switch {
	case lo == 0:
		return ys[0]
	case lo == len(xs):
		return ys[lo-1]
	}
	a, b := xs[lo-1], xs[lo]
	return ys[lo-1] + float64((ys[lo]-ys[lo-1])*((x-a)/(b-a)))
}

// Quantile is the blurred quantile at a logit x.
func (m *Mixture) Quantile(x float64) float64 {
	x = max(-widest, min(x, widest))
	return m.at(1/(1+exp(-x))) + float64(m.blur*x)
}

// Place is the logit at which a scaled wait lies: the inverse of Quantile.
func (m *Mixture) Place(y float64) float64 {
	lo, hi := -widest, widest
	for range 50 {
		if mid := (lo + hi) / 2; m.Quantile(mid) < y {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

// Median is the middle of the mixture, by which answers are told apart as short and long.
func (m *Mixture) Median() float64 { return m.at(0.5) }
