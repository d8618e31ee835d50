package draw

import (
	"math"
	"slices"
)

// BoxNumbers are the numbers of a box plot: whiskers at the outermost values within
// 1.5 times the height of the box.
type BoxNumbers struct {
	Low, Q1, Median, Q3, High, Mean float64
	Out                             []float64
	N                               int
}

func Summary(values []float64) (f BoxNumbers) {
	v := make([]float64, 0, len(values))
	for _, x := range values {
		if !math.IsNaN(x) {
			v = append(v, x)
			f.Mean += x
		}
	}
	if f.N = len(v); f.N == 0 {
		return f
	}
	f.Mean /= float64(f.N)
	slices.Sort(v)
	at := func(p float64) float64 { // linear between neighbours
		k := p * float64(len(v)-1)
		i := int(k)
		if i+1 == len(v) {
			return v[i]
		}
		return v[i] + (v[i+1]-v[i])*(k-float64(i))
	}
	f.Q1, f.Median, f.Q3 = at(.25), at(.5), at(.75)
	reach := 1.5 * (f.Q3 - f.Q1)
	f.Low, f.High = f.Q1, f.Q3
	for _, x := range v {
		if x < f.Q1-reach || x > f.Q3+reach {
			f.Out = append(f.Out, x)
			continue
		}
		f.Low, f.High = min(f.Low, x), max(f.High, x)
	}
	return f
}
