package metric

import "math"

// MeanCI returns the mean of the values and the half-width of its 95 %
// confidence interval by Student's t, which takes the values as independent
// and about normally distributed: mean ± half. n is the number of values.
// With fewer than two values half is NaN, with none mean is NaN, too.
func MeanCI(values []float64) (mean, half float64, n int) {
	n = len(values)
	if n == 0 {
		return math.NaN(), math.NaN(), 0
	}
	total := 0.0
	for _, v := range values {
		total += v
	}
	mean = total / float64(n)
	if n == 1 {
		return mean, math.NaN(), 1
	}
	squares := 0.0
	for _, v := range values {
		d := v - mean
		squares += float64(d * d)
	}
	deviation := math.Sqrt(squares / float64(n-1)) // of the sample
	return mean, float64(studentT(n-1)*deviation) / math.Sqrt(float64(n)), n
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

// studentT returns the 97.5 % quantile of Student's t. Above 30 degrees of
// freedom it interpolates linearly in 1 ÷ freedom, in which t is nearly
// straight; the error is below 0.0001.
func studentT(freedom int) float64 {
	if freedom <= len(studentTable) {
		return studentTable[freedom-1]
	}
	f := float64(freedom)
	i := 1
	for f > studentFar[i].freedom {
		i++
	}
	low, high := studentFar[i-1], studentFar[i]
	share := (1/low.freedom - 1/f) / (1/low.freedom - 1/high.freedom)
	return low.t + float64(share*(high.t-low.t))
}
