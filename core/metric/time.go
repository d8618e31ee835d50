package metric

import (
	"math"
	"slices"

	"batchlab/core/order"
	"batchlab/core/report"
)

// summary holds the seven measures of a quantity that each job has.
type summary struct {
	mean, median, p90, p95, p99, std, max float64
}

// times measures waits, turnarounds and slowdowns of the collected jobs and
// returns the distribution of waits.
func (m *Meter) times() (waits report.CDF) {
	n := len(m.last)
	m.keys, m.spare = resize(m.keys, n), resize(m.spare, n)
	m.summaries = [5]summary{}
	if n == 0 {
		return report.CDF{}
	}
	m.summaries[ofWait] = m.summarizeInts(m.wait)
	waits = cdf(m.keys, maxCDF)
	m.summaries[ofTurnaround] = m.summarizeInts(m.turnaround)
	m.summaries[ofSlowdown] = m.summarizeFloats(func(i int) float64 {
		wait, run := m.took(i)
		return float64(wait+run) / float64(max(run, 1))
	})
	m.summaries[ofBounded] = m.summarizeFloats(m.bounded)
	m.summaries[ofPerProc] = m.summarizeFloats(func(i int) float64 {
		wait, run := m.took(i)
		return perProcBoundedSlowdown(wait+run, run, int64(m.executions[m.last[i]].Procs), m.tau)
	})
	return waits
}

// boundedSlowdown is max(1, turnaround ÷ max(run, τ)) (Feitelson and Rudolph
// 1998): one division of exact whole numbers.
func boundedSlowdown(turnaround, run, tau int64) float64 {
	return max(1, float64(turnaround)/float64(max(run, tau)))
}

// perProcBoundedSlowdown is max(1, turnaround ÷ (processors × max(run, τ)))
// (Zotkin and Keleher 1999).
func perProcBoundedSlowdown(turnaround, run, procs, tau int64) float64 {
	return max(1, float64(turnaround)/float64(procs*max(run, tau)))
}

// signBit turned over makes the order of int64 that of uint64.
const signBit = 1 << 63

// summarizeInts measures whole numbers and leaves them sorted in m.keys, with
// their sign bit turned over.
func (m *Meter) summarizeInts(of func(i int) int64) summary {
	n := int64(len(m.last))
	var total sum
	for i := range m.keys {
		v := of(i)
		total.add(v)
		m.keys[i] = uint64(v) ^ signBit
	}
	m.keys, m.spare = order.Keys(m.keys, m.spare, 0)
	at := func(i int64) int64 { return int64(m.keys[i] ^ signBit) }
	s := summary{
		mean: total.float() / float64(n),
		p90:  float64(at(rank(90, n))),
		p95:  float64(at(rank(95, n))),
		p99:  float64(at(rank(99, n))),
		max:  float64(at(n - 1)),
	}
	s.median = (float64(at((n-1)/2)) + float64(at(n/2))) / 2
	// Deviations from the mean rounded down are exact; what rounding left off,
	// rest, is taken out of their mean square at the end.
	whole := int64(math.Floor(s.mean))
	var squares, deviations sum
	for i := range m.last {
		d := of(i) - whole
		deviations.add(d)
		squares.addProduct(max(d, -d), max(d, -d))
	}
	rest := deviations.float() / float64(n)
	s.std = math.Sqrt(max(0, squares.float()/float64(n)-float64(rest*rest)))
	return s
}

// summarizeFloats measures numbers that are not negative.
func (m *Meter) summarizeFloats(of func(i int) float64) summary {
	n := int64(len(m.last))
	total := 0.0
	for i := range m.keys {
		v := of(i)
		total += v
		m.keys[i] = math.Float64bits(v) // in the same order as the numbers
	}
	m.keys, m.spare = order.Keys(m.keys, m.spare, 0)
	at := func(i int64) float64 { return math.Float64frombits(m.keys[i]) }
	s := summary{
		mean:   total / float64(n),
		median: (at((n-1)/2) + at(n/2)) / 2,
		p90:    at(rank(90, n)),
		p95:    at(rank(95, n)),
		p99:    at(rank(99, n)),
		max:    at(n - 1),
	}
	squares := 0.0
	for i := range m.last {
		d := of(i) - s.mean
		squares += float64(d * d)
	}
	s.std = math.Sqrt(squares / float64(n))
	return s
}

// rank returns the index of the p-th percentile among n sorted values by
// nearest rank: the smallest value that at least p % of the values do not
// exceed.
func rank(p, n int64) int64 { return (p*n+99)/100 - 1 }

// resize returns a slice of length n, the old one when it is large enough. Its
// contents are arbitrary.
func resize[T any](s []T, n int) []T {
	return slices.Grow(s[:0], n)[:n]
}
