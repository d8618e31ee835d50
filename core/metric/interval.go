package metric

import "math"

// MeanCI returns the mean of the values and the half-width of its 95 %
// confidence interval by Student's t, which takes the values as independent
// and about normally distributed: mean ± half. n is the number of values.
// With fewer than two values half is NaN, with none mean is NaN, too.
func MeanCI(values []float64) (mean, half float64, n int) {
	n = len(values)
	mean, deviation := spread(values)
	if n < 2 {
		return mean, math.NaN(), n
	}
	return mean, float64(studentT(float64(n-1))*deviation) / math.Sqrt(float64(n)), n
}

// spread returns the mean of the values and the standard deviation of the sample.
// NaN is what does not exist.
func spread(values []float64) (mean, deviation float64) {
	n := len(values)
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	total := 0.0
	for _, v := range values {
		total += v
	}
	mean = total / float64(n)
	squares := 0.0
	for _, v := range values {
		d := v - mean
		squares += float64(d * d)
	}
	return mean, math.Sqrt(squares / float64(n-1))
}

// Paired compares two schedulers over the same repetitions: MeanCI of a[i] −
// b[i]. Since each pair shares its workload, what varies between workloads
// drops out. Only as many pairs as the shorter list has are looked at. The
// difference is significant at 5 % when |mean| > half.
func Paired(a, b []float64) (mean, half float64, n int) {
	differences := make([]float64, min(len(a), len(b)))
	for i := range differences {
		differences[i] = a[i] - b[i]
	}
	return MeanCI(differences)
}

// Sample says how the values of repetitions came about, which is what an
// interval means. The zero value is a sample of independent workloads: those of a
// generator, or of a log with other chances.
type Sample struct {
	// Pieces is, for values of draws from one log, of how many pieces of about
	// the same weight the log consists (report.Draws). Draws vary as other logs
	// would: as much as the mean over all of them lies beside the truth. More
	// draws do not make that smaller; more weeks or users would.
	Pieces float64
	Log    bool // the first value is that of the log itself, no draw
}

// Interval returns the mean of the values and the half-width of a 95 % interval
// for what they are a sample of; NaN where there is none.
//
// Independent values: MeanCI. Draws: t × s × √(m ÷ (m − 1)) × √(1 + 1 ÷ n), where
// s is the standard deviation of the R draws, m the number of pieces, which draws
// vary less than by a factor of √((m − 1) ÷ m), and n the number of values in the
// mean. Student's t has 1 ÷ (1 ÷ (m − 1) + 1 ÷ (R − 1)) degrees of freedom, since
// s itself is known from m pieces by R draws (F. E. Satterthwaite, An approximate
// distribution of estimates of variance components, Biometrics Bulletin 2, 1946).
// How often that is right was measured: docs/reading-the-charts.md.
func (s Sample) Interval(values []float64) (mean, half float64, n int) {
	if s.Pieces == 0 {
		return MeanCI(values)
	}
	n = len(values)
	mean, _ = spread(values)
	draws := values
	if s.Log && n > 0 {
		draws = values[1:]
	}
	r, m := float64(len(draws)), s.Pieces
	if r < 2 || m <= 1 {
		return mean, math.NaN(), n
	}
	_, deviation := spread(draws)
	t := studentT(max(1, 1/(1/(m-1)+1/(r-1))))
	return mean, float64(t*deviation) * math.Sqrt(m/(m-1)) * math.Sqrt(1+1/float64(n)), n
}

// Difference is how the values a of one scheduler compare with the values b of
// another over the same workloads, pair by pair.
type Difference struct {
	Mean, Half float64 // of a − b, in the measure's unit; Half NaN where there is none

	// Relative is mean of a ÷ mean of b − 1, with its own interval, which is
	// that of (a − (1 + Relative) × b) ÷ mean of b: what makes both values larger
	// does not widen it. NaN where the mean of b is not above 0.
	Relative, RelativeHalf float64

	Base float64 // mean of b
	N    int     // pairs
	Same bool    // no pair differs
}

// Compare compares pairs of values; a and b are equally long.
func (s Sample) Compare(a, b []float64) Difference {
	d := Difference{N: len(a), Same: len(a) > 0, Relative: math.NaN(), RelativeHalf: math.NaN()}
	rest := make([]float64, len(a))
	for i := range rest {
		rest[i] = a[i] - b[i]
		d.Same = d.Same && rest[i] == 0
	}
	d.Mean, d.Half, _ = s.Interval(rest)
	above, _ := spread(a)
	if d.Base, _ = spread(b); d.Base > 0 {
		d.Relative = above/d.Base - 1
		for i := range rest {
			rest[i] = (a[i] - float64(above/d.Base*b[i])) / d.Base
		}
		_, d.RelativeHalf, _ = s.Interval(rest)
	}
	return d
}

// Certain reports whether the interval leaves out zero: that of the relative
// difference where there is one, unless the measure's differences are told in
// points; else that of the difference itself.
func (d *Difference) Certain(points bool) bool {
	if d.ByRelative(points) {
		return math.Abs(d.Relative) > d.RelativeHalf
	}
	return math.Abs(d.Mean) > d.Half
}

// ByRelative reports whether Certain goes by the relative difference.
func (d *Difference) ByRelative(points bool) bool { return !points && !math.IsNaN(d.RelativeHalf) }

// studentTable holds the 97.5 % quantiles of Student's t for 1 to 30 degrees
// of freedom.
var studentTable = [...]float64{
	12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139,
	2.200985, 2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922, 2.093024, 2.085963,
	2.079614, 2.073873, 2.068658, 2.063899, 2.059539, 2.055529, 2.051831, 2.048407, 2.045230, 2.042272,
}

// studentFar holds further quantiles; the last, at infinity, is the normal
// distribution's.
var studentFar = [...]struct{ freedom, t float64 }{
	{30, 2.042272}, {40, 2.021075}, {60, 2.000298}, {120, 1.979930}, {math.Inf(1), 1.959964},
}

// studentBetween holds the quantiles for 20 ÷ k degrees of freedom, k from 0 to 20.
var studentBetween = [...]float64{
	1.959964, 2.085963, 2.228139, 2.388804, 2.570582, 2.776445, 3.009769, 3.274387, 3.574655, 3.915529, 4.302653,
	4.742454, 5.242265, 5.810456, 6.456586, 7.191585, 8.027951, 8.979991, 10.064082, 11.298987, 12.706205,
}

// studentT returns the 97.5 % quantile of Student's t for at least one degree of
// freedom. Up to 30, what is no whole number lies on the cubic through the four
// values of studentBetween around it (by J.-L. Lagrange's formula), right to 2 in
// 100,000; beyond, 1 ÷ freedom is interpolated linearly, right to 0.0001.
func studentT(f float64) float64 {
	whole := int(min(f, 31))
	switch {
	case whole <= 30 && f == float64(whole):
		return studentTable[whole-1]
	case f < 30:
		x := 20 / f
		from := max(0, min(int(x)-1, len(studentBetween)-4))
		t := 0.0
		for i := from; i < from+4; i++ {
			part := studentBetween[i]
			for k := from; k < from+4; k++ {
				if k != i {
					part *= (x - float64(k)) / float64(i-k)
				}
			}
			t += float64(part)
		}
		return t
	}
	i := 1
	for f > studentFar[i].freedom {
		i++
	}
	low, high := studentFar[i-1], studentFar[i]
	share := (1/low.freedom - 1/f) / (1/low.freedom - 1/high.freedom)
	return low.t + float64(share*(high.t-low.t))
}
