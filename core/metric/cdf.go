package metric

import "batchlab/core/report"

// maxCDF is the greatest number of points of a distribution.
const maxCDF = 2000

// cdf returns the distribution of sorted values (sign bit turned over) with at
// most points points: all distinct values if they are few enough, else those
// at even ranks, so that the share between two points changes by no more than
// 1 ÷ (points − 1). The smallest and the greatest value are always there.
func cdf(sorted []uint64, points int) report.CDF {
	n := len(sorted)
	distinct := 0
	for i := range sorted {
		if i == 0 || sorted[i] != sorted[i-1] {
			distinct++
		}
	}
	size := min(distinct, points)
	c := report.CDF{At: make([]float64, 0, size), Share: make([]float64, 0, size)}
	next, taken := 0, 0 // next rank wanted; ranks taken
	for i := range n {
		if i+1 < n && sorted[i+1] == sorted[i] {
			continue // i is not the last of its value
		}
		if distinct > points {
			if i < next {
				continue
			}
			for next <= i && taken < points {
				taken++
				next = taken * (n - 1) / (points - 1)
			}
		}
		c.At = append(c.At, float64(int64(sorted[i]^signBit)))
		c.Share = append(c.Share, float64(i+1)/float64(n))
	}
	return c
}
