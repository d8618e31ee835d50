package draw_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"batchlab/ui/draw"
	"batchlab/ui/draw/drawtest"
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

// Rows of a study become one chart for each unit: bars by label, curves where
// labels are numbers, differences apart, at most eight sets in each.
func TestResultsOfRows(t *testing.T) {
	nan := math.NaN()
	var rows []draw.ResultRow
	for _, l := range []string{"load = 0.5", "load = 0.7", "load = 0.9"} {
		for k := range 10 {
			rows = append(rows, draw.ResultRow{l, fmt.Sprint("s", k), float64(k), nan, 3, "s"})
		}
		rows = append(rows, draw.ResultRow{l, "s1 − s0", 1, .5, nan, "s"})
	}
	rows = append(rows, draw.ResultRow{"a", "u", .5, nan, nan, "%"}, draw.ResultRow{"b", "u", .6, nan, nan, "%"})
	got := draw.Results(rows)
	if len(got) != 4 {
		t.Fatalf("%d charts", len(got))
	}
	if r := got[0]; r.Shape != draw.AsCurves || len(r.Sets) != 8 || r.X.Name != "load" || r.Sets[0].X[2] != .9 || r.Sets[7].Y[1] != 7 || r.Sets[3].Paper[0] != 3 {
		t.Errorf("%+v", r)
	}
	if r := got[1]; len(r.Sets) != 2 || r.Sets[1].Name != "s9" || r.Sets[1].Y[2] != 9 {
		t.Errorf("%+v", r)
	}
	if r := got[2]; len(r.Sets) != 1 || r.Sets[0].Half[1] != .5 || r.Y.Name != "s1 − s0" {
		t.Errorf("%+v", r)
	}
	if r := got[3]; r.Shape != draw.AsBars || strings.Join(r.Names, "") != "ab" || r.Y.Name != "u" {
		t.Errorf("%+v", r)
	}
	for i, r := range got {
		f := r.Figure(600, 300)
		drawtest.CheckFigure(t, fmt.Sprint("chart ", i), &f)
	}
	var mixed []draw.ResultRow
	for _, l := range []string{"load = 1", "load = 3", "load = 2"} {
		mixed = append(mixed, draw.ResultRow{Label: l, Column: "s", Ours: 1, Half: nan, Paper: nan, Unit: "s"})
	}
	if got := draw.Results(mixed); len(got) != 1 || got[0].Shape != draw.AsBars {
		t.Error("numbers that do not ascend")
	}
}
