package metric

import (
	"math"

	"batchlab/core/predict"
)

// studentT returns the 97.5 % quantile of Student's t for f ≥ 1 degrees of
// freedom, whole or not, right to 1e-9 of itself and to the same bits on every
// machine.
//
// With t = √f cot φ and u = sin φ the share of both tails is I(u) ÷ I(1), where
// I(u) = ∫ from 0 to φ of sin^(f − 1) = Σ over k of c_k u^(f + 2k) ÷ (f + 2k), the c_k
// being those of 1 ÷ √(1 − u²). Newton's method on ln I over ln u, which is convex,
// comes from the right, where the first term alone is too small. From 200 degrees of
// freedom on the series converges slowly, and four terms of the expansion in 1 ÷ f
// (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5) are as good.
func studentT(f float64) float64 {
	if f > 200 {
		return studentFar(f)
	}
	target := predict.Log(0.05 * halfBeta(f))
	u := predict.Exp((target + predict.Log(f)) / f)
	for range 60 {
		sum, term := 1/f, 1.0
		for k := 1.0; term > 1e-17*sum; k++ {
			term *= (k - 0.5) / k * float64(u*u)
			sum += term / (f + 2*k)
		}
		// I = u^f × sum, and dI ÷ d ln u = u^f ÷ √(1 − u²).
		step := float64((target - predict.Log(sum) - float64(f*predict.Log(u))) * float64(sum*math.Sqrt(1-float64(u*u))))
		u *= predict.Exp(step)
		if math.Abs(step) < 1e-14 {
			break
		}
	}
	return math.Sqrt(float64(f*(1-float64(u*u)))) / u
}

// halfBeta returns the integral of sin^(f − 1) over a quarter of a turn, which is
// √π ÷ 2 × Γ(f ÷ 2) ÷ Γ(f ÷ 2 + ½): by its recurrence from where the quotient's
// expansion is exact to 1e-13.
func halfBeta(f float64) float64 {
	factor := 1.0
	for ; f < 200; f += 2 {
		factor *= (f + 1) / f
	}
	y := 2 / f
	series := 1 - y*(1.0/8-y*(1.0/128+y*(5.0/1024-y*(21.0/32768))))
	return factor * math.Sqrt(math.Pi*y) / 2 / series
}

func studentFar(f float64) float64 {
	const z = 1.959963984540054
	const z2 = z * z
	const (
		g1 = z * (z2 + 1) / 4
		g2 = z * ((5*z2+16)*z2 + 3) / 96
		g3 = z * (((3*z2+19)*z2+17)*z2 - 15) / 384
		g4 = z * ((((79*z2+776)*z2+1482)*z2-1920)*z2 - 945) / 92160
	)
	return z + (g1+(g2+(g3+g4/f)/f)/f)/f
}
