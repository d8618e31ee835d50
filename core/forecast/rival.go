package forecast

import (
	"math"

	"batchlab/core/order"
)

// Point is the answer of a method that says one wait: it, blurred by a logistic
// distribution of one unit of the scaled wait, which a record then makes as wide as need be.
func Point(y float64) *Mixture {
	return &Mixture{values: []float64{y}, levels: []float64{0.5}, blur: 1}
}

// Quantiles reads levels off a list of scaled waits, linear between mid-levels; 0 of an
// empty one.
func Quantiles(list, levels []float64) []float64 {
	out := make([]float64, len(levels))
	if len(list) == 0 {
		return out
	}
	list = append([]float64(nil), list...)
	order.Sort(list, order.Floats)
	mids := make([]float64, len(list))
	for i := range mids {
		mids[i] = (float64(i) + 0.5) / float64(len(list))
	}
	for i, p := range levels {
		out[i] = between(mids, list, p)
	}
	return out
}

// Regression is linear quantile regression that learns online: for each level a weight for
// each feature, moved along the gradient of the pinball loss by AdaGrad's steps. Features
// are standardised by what has been seen of them.
type Regression struct {
	levels      []float64
	weights     [][]float64 // by level: the features', then the constant
	slopes      [][]float64 // sums of squared gradients
	count       float64
	mean, spare []float64 // of the features, and sums of squared deviations
}

// step is the length of a regression's steps.
const step = 0.5

// NewRegression makes one of so many features for levels, all weights 0.
func NewRegression(features int, levels []float64) *Regression {
	r := &Regression{levels: levels, mean: make([]float64, features), spare: make([]float64, features)}
	for range levels {
		r.weights, r.slopes = append(r.weights, make([]float64, features+1)), append(r.slopes, make([]float64, features+1))
	}
	return r
}

// standard returns features less their mean, over their deviation, and a 1.
func (r *Regression) standard(x []float64) []float64 {
	z := make([]float64, len(x)+1)
	for i, v := range x {
		if s := r.spare[i]; s > 0 {
			z[i] = max(-5, min(5, (v-r.mean[i])/math.Sqrt(s/r.count)))
		}
	}
	z[len(x)] = 1
	return z
}

// Learn takes in what came of features.
func (r *Regression) Learn(x []float64, y float64) {
	r.count++
	for i, v := range x {
		d := v - r.mean[i]
		r.mean[i] += d / r.count
		r.spare[i] += float64(d * (v - r.mean[i]))
	}
	z := r.standard(x)
	for l, p := range r.levels {
		g := 1 - p // of the loss by what is told, too high
		if y > dot(r.weights[l], z) {
			g = -p
		}
		for i, v := range z {
			slope := g * v
			r.slopes[l][i] += float64(slope * slope)
			if s := r.slopes[l][i]; s > 0 {
				r.weights[l][i] -= step * slope / math.Sqrt(s)
			}
		}
	}
}

// Tell returns what is told at each level, at least 0 and not below that of a level before
// it in an ascending stretch.
func (r *Regression) Tell(x []float64) []float64 {
	z := r.standard(x)
	out := make([]float64, len(r.levels))
	for l := range out {
		out[l] = max(0, dot(r.weights[l], z))
		if l > 0 && r.levels[l] > r.levels[l-1] {
			out[l] = max(out[l], out[l-1])
		}
	}
	return out
}

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += float64(v * b[i])
	}
	return sum
}
