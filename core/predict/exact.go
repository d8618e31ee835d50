package predict

import "math"

// The natural exponential and logarithm, to the same bits on every machine: those
// of package math differ between native code and WebAssembly. Both reduce their
// argument by a small table and sum a short series; each product is rounded by
// itself, so that no compiler may fuse it with a sum.

// centres is how many pieces a table cuts [1, 2) into.
const centres = 32

var (
	logs   = logTable()
	powers = powerTable()
)

// Log returns the natural logarithm of a positive finite number, within 1e-15 of
// the larger of 1 and its absolute value.
func Log(x float64) float64 {
	b := math.Float64bits(x)
	e := int64(b>>52) - 1023
	if e == -1023 { // subnormal
		b = math.Float64bits(x * (1 << 54))
		e = int64(b>>52) - 1023 - 54
	}
	i := b >> 47 & (centres - 1)
	m := math.Float64frombits(b&(1<<52-1) | 1023<<52)
	c := 1 + (float64(i)+0.5)/centres
	// m = c (1 + t), and ln(1 + t) = 2 (s + s³/3 + s⁵/5 + …) with s = t/(2 + t).
	s := (m - c) / (m + c)
	q := float64(s * s)
	sum := 1.0/9 + float64(q*(1.0/11))
	sum = 1.0/7 + float64(q*sum)
	sum = 1.0/5 + float64(q*sum)
	sum = 1.0/3 + float64(q*sum)
	near := float64(2 * float64(s*(1+float64(q*sum))))
	return float64(float64(e)*math.Ln2) + (logs[i] + near)
}

// Exp returns e to the power x for |x| ≤ 700, within 1e-14 of it in relation.
func Exp(x float64) float64 {
	k := math.Floor(float64(x*(centres/math.Ln2)) + 0.5)
	t := x - float64(k*(math.Ln2/centres)) // |t| ≤ ln 2 ÷ 64
	n := int64(k)
	y := 1 + float64(t*(1.0/7))
	y = 1 + float64(float64(t*y)*(1.0/6))
	y = 1 + float64(float64(t*y)*(1.0/5))
	y = 1 + float64(float64(t*y)*(1.0/4))
	y = 1 + float64(float64(t*y)*(1.0/3))
	y = 1 + float64(float64(t*y)*(1.0/2))
	y = 1 + float64(t*y)
	return float64(powers[n&(centres-1)]*y) * math.Float64frombits(uint64(n>>5+1023)<<52)
}

// lesser returns the lesser of two numbers that are at least 0. Their bits are in the same
// order as they are, and the lesser of two integers is an instruction in WebAssembly,
// where min of two floating-point numbers is a call.
func lesser(a, b float64) float64 {
	return math.Float64frombits(min(math.Float64bits(a), math.Float64bits(b)))
}

// greater returns the greater of two numbers that are at least 0.
func greater(a, b float64) float64 {
	return math.Float64frombits(max(math.Float64bits(a), math.Float64bits(b)))
}

// logTable holds the logarithms of the centres, by the series from its end.
func logTable() (t [centres]float64) {
	for i := range t {
		s := (float64(i) + 0.5) / centres / (2 + (float64(i)+0.5)/centres)
		square, sum := float64(s*s), 0.0
		for k := 41; k > 0; k -= 2 {
			sum = 1/float64(k) + float64(sum*square)
		}
		t[i] = float64(2 * float64(s*sum))
	}
	return t
}

// powerTable holds 2^(i ÷ 32), by the exponential series from its end.
func powerTable() (t [centres]float64) {
	for i := range t {
		x, y := float64(float64(i)*(math.Ln2/centres)), 1.0
		for k := 20; k > 0; k-- {
			y = 1 + float64(x*y)/float64(k)
		}
		t[i] = y
	}
	return t
}
