package draw_test

import (
	"math"
	"testing"

	"batchlab/ui/draw"
)

// Bars and whiskers of a group stand where slots says, and all in the room of
// their name.
func TestSlots(t *testing.T) {
	for n := 1; n <= 8; n++ {
		width, shift := draw.Slots(90, n)
		if edge := shift(n-1) + width/2; edge > 45 || math.Abs(shift(0)+shift(n-1)) > 1e-9 || n > 1 && shift(1)-shift(0) < width {
			t.Errorf("%d bars of %g end at %g", n, width, edge)
		}
	}
}
