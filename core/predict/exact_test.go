package predict

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Intent: our own logarithm and exponential are those of mathematics, over all
// that a prediction could ask of them, and inverse to each other.
func TestExactAgreesWithMath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-12, 1e18).Draw(t, "x")
		if got, want := Log(x), math.Log(x); math.Abs(got-want) > 1e-15*max(1, math.Abs(want))*2 {
			t.Fatalf("Log(%v) = %v, want %v", x, got, want)
		}
		y := rapid.Float64Range(-300, 300).Draw(t, "y")
		if got, want := Exp(y), math.Exp(y); math.Abs(got/want-1) > 2e-13 {
			t.Fatalf("Exp(%v) = %v, want %v", y, got, want)
		}
	})
	if Log(1) != 0 && math.Abs(Log(1)) > 1e-16 {
		t.Errorf("Log(1) = %v", Log(1))
	}
}

// Intent: the same digits on every machine. These bits were computed once; native
// code, Node and the browser must give them.
func TestExactBits(t *testing.T) {
	sum := uint64(14695981039346656037)
	for i := 1; i <= 2000; i++ {
		x := float64(i) * 37.25
		sum = (sum ^ math.Float64bits(Log(x))) * 1099511628211
		sum = (sum ^ math.Float64bits(Exp(float64(i)*0.01-10))) * 1099511628211
	}
	if want := uint64(0x27226d9db3bb3fd3); sum != want {
		t.Errorf("%#x, want %#x", sum, want)
	}
}
