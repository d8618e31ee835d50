package metric

import (
	"math"
	"testing"
)

// studentBySteps is studentT's plain twin: the share between −t and t is the
// integral of cos^(f − 1) from 0 to arctan(t ÷ √f) over that to a quarter of a turn,
// both by Simpson's rule (the far part with f raised by two, which is smooth); t is
// halved in on.
func studentBySteps(f float64) float64 {
	simpson := func(to, power float64) float64 {
		const n = 4000
		sum := 0.0
		for i := 0; i <= n; i++ {
			w := []float64{2, 4}[i%2]
			if i == 0 || i == n {
				w = 1
			}
			sum += w * math.Pow(max(0, math.Cos(to*float64(i)/n)), power)
		}
		return sum * to / n / 3
	}
	whole := simpson(math.Pi/2, f+7) // ∫ cos^p = (p + 2) ÷ (p + 1) ∫ cos^(p + 2)
	for p := f + 5; p > f-2; p -= 2 {
		whole *= (p + 2) / (p + 1)
	}
	low, high := 1.5, 20.0
	for range 60 {
		t := (low + high) / 2
		if simpson(math.Atan(t/math.Sqrt(f)), f-1) < 0.95*whole {
			low = t
		} else {
			high = t
		}
	}
	return low
}

// Intent: quantiles of Student's t are those of the tables for whole degrees of
// freedom, and those of its plain twin for others, however many there are.
func TestStudentT(t *testing.T) {
	for f, want := range map[float64]float64{1: 12.706205, 2: 4.302653, 3: 3.182446, 4: 2.776445, 5: 2.570582, 10: 2.228139, 18: 2.100922, 29: 2.045230, 40: 2.021075, 60: 2.000298, 120: 1.979930, 1e9: 1.959964} {
		if got := studentT(f); math.Abs(got-want) > 6e-7 {
			t.Errorf("%v degrees: %v, tables say %v", f, got, want)
		}
	}
	for _, f := range []float64{1, 1.08, 1.5, 1.97, 2.32, 2.75, 3.3, 5.5, 7.9, 12.3, 31.4, 77.7, 199.9, 200.1, 333.3} {
		if got, want := studentT(f), studentBySteps(f); math.Abs(got-want) > 1e-8*want {
			t.Errorf("%v degrees: %.12g, step by step %.12g", f, got, want)
		}
	}
	if a, b := studentT(200), studentT(200.0000001); math.Abs(a-b) > 1e-9 {
		t.Errorf("the two forms part at 200: %v, %v", a, b)
	}
	if last := studentT(1); last < studentT(1.001) {
		t.Error("more degrees make t larger")
	}
}
