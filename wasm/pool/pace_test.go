package pool

import (
	"math"
	"testing"
)

// Work at a constant rate is told to the second; work that becomes slower and
// slower is told within a factor of three, where the mean rate promises an end
// that does not come; and while nothing moves the time left grows.
func TestPaceTellsTheTruth(t *testing.T) {
	const all = 100.0
	run := func(done func(x float64) float64, see func(now, left float64)) {
		var p pace
		p.begin(50)
		for now := 0.1; now < all; now += 0.1 {
			if left := p.left(50+now, done(now/all)); now > 2 {
				see(now, left)
			}
		}
	}
	run(func(x float64) float64 { return x }, func(now, left float64) {
		if math.Abs(left-(all-now)) > 1e-6*all {
			t.Fatalf("even work at %.1f s: %.3f s left, not %.3f", now, left, all-now)
		}
	})
	run(func(x float64) float64 { return 1 - (1-x)*(1-x) }, func(now, left float64) {
		if true := all - now; now < 0.8*all && (left < true/3 || left > 3*true) {
			t.Fatalf("slowing work at %.1f s: %.1f s left, not %.1f", now, left, true)
		}
	})
	last := 0.0
	run(func(x float64) float64 { return min(0.99, 4*x) }, func(now, left float64) {
		if now > 30 && left < last {
			t.Fatalf("work that stands still at %.1f s: %.2f s left after %.2f", now, left, last)
		}
		if last = left; now > 90 && left < 0.5 {
			t.Fatalf("work that has stood still for a minute: %.2f s left", left)
		}
	})
}
