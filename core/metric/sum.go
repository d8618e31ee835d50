package metric

import "math/bits"

// sum is an exact sum of whole numbers, 128 bits wide (two's complement).
type sum struct{ hi, lo uint64 }

// add adds v.
func (s *sum) add(v int64) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, uint64(v), 0)
	s.hi, _ = bits.Add64(s.hi, uint64(v>>63), carry)
}

// plus adds another sum.
func (s *sum) plus(t sum) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, t.lo, 0)
	s.hi, _ = bits.Add64(s.hi, t.hi, carry)
}

// addProduct adds a × b, both not negative.
func (s *sum) addProduct(a, b int64) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, lo, 0)
	s.hi, _ = bits.Add64(s.hi, hi, carry)
}

// float returns the sum as a float64; below 2^63 it is rounded once.
func (s sum) float() float64 {
	if int64(s.lo)>>63 == int64(s.hi) {
		return float64(int64(s.lo)) // fits an int64
	}
	return float64(float64(int64(s.hi))*(1<<64)) + float64(s.lo)
}
