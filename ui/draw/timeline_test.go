package draw

import (
	"testing"
)

// Place and time are each other's inverse within an axis of time, and nothing is
// outside or where there is no such axis.
func TestTimeline(t *testing.T) {
	l := Timeline{X: 50, W: 400, From: 1000, To: 9000}
	for _, at := range []float64{1000, 1234.5, 9000} {
		x, ok := l.Place(at)
		back, inside := l.At(x)
		if !ok || !inside || back < at-1e-6 || back > at+1e-6 {
			t.Errorf("%v stands at %v, which is %v", at, x, back)
		}
	}
	for _, x := range []float64{49, 451} {
		if _, ok := l.At(x); ok {
			t.Errorf("%v is inside", x)
		}
	}
	if _, ok := l.Place(999); ok {
		t.Error("999 s has a place")
	}
	none := Timeline{}
	if _, ok := none.Place(0); ok {
		t.Error("no axis, but a place")
	}
	if _, ok := none.At(0); ok {
		t.Error("no axis, but a time")
	}
	f := Figure{Panels: []Panel{{Box: Box{60, 0, 300, 100}, X: Axis{Min: 5, Max: 7, Unit: "at_s"}}}}
	if got := f.Timeline(); got != (Timeline{60, 300, 5, 7}) {
		t.Errorf("%+v", got)
	}
	f.Panels[0].X.Unit = "wait_s"
	if f.Timeline().W != 0 {
		t.Error("an axis of waits is none of time")
	}
}
