package workload

import (
	"math"
	"testing"
)

// exp2 stays within 1e-9 of math.Exp2 (in relation), without being it.
func TestExp2(t *testing.T) {
	for x := -40.0; x <= 40; x += 0.0371 {
		if got, want := exp2(x), math.Exp2(x); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("exp2(%v) is %v, want %v", x, got, want)
		}
	}
	for x := -20; x <= 20; x++ {
		if got, want := exp2(float64(x)), math.Ldexp(1, x); got != want {
			t.Errorf("exp2(%d) is %v, want %v", x, got, want)
		}
	}
}
