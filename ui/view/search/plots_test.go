package search

import (
	"math"
	"slices"
	"strings"
	"testing"

	"batchlab/ui/draw"
	"batchlab/ui/draw/drawtest"
)

// Intent: the box plot's numbers, computed by hand, its order by mean, and
// that an outlier beyond 1.5 box heights is drawn apart.
func TestBoxes(t *testing.T) {
	f := draw.Summary([]float64{4, 1, 2, 3, 100, math.NaN()})
	if f.N != 5 || f.Q1 != 2 || f.Median != 3 || f.Q3 != 4 || f.Low != 1 || f.High != 4 || len(f.Out) != 1 || f.Mean != 22 {
		t.Errorf("%+v", f)
	}
	d := OrderBoxes([]OrderValues{{Name: "B", Values: []float64{9, 11}}, {Name: "A<&", Values: []float64{1, 2}, Top: true}, {Name: "none", Values: []float64{math.NaN()}}}, 500, 300)
	drawtest.CheckFigure(t, "boxes", &d)
	if g := d.Table; len(g.Cells) != 2 || g.Cells[0][0] != "A<&" || g.Cells[0][1] != "1.50" {
		t.Errorf("%v", g.Cells)
	}
	if y := d.Panels[0].Y; !slices.Equal(y.Names, []string{"A<&", "B"}) || y.Bold != 1 {
		t.Errorf("%+v", y)
	}
	if empty := OrderBoxes(nil, 500, 300); empty.Empty == "" {
		t.Error("no boxes, no words")
	}
}

// Intent: sums run on over weeks that are not known, week numbers count from
// the first week shown, and what is said at a place is that week.
func TestCourses(t *testing.T) {
	list := []Course{{Name: "w*", Values: []float64{1, math.NaN(), 3, 4}}, {Name: "SAF", Series: 1, Values: []float64{2, 2, 2, 2}}}
	for _, added := range []bool{true, false} {
		d := Courses(list, 64, 66, added, 600, 260)
		drawtest.CheckFigure(t, "courses", &d)
		g := d.Table
		want := "4.00"
		if added {
			want = "8.00"
		}
		if len(g.Cells) != 4 || g.Cells[0][0] != "65" || g.Cells[3][1] != want {
			t.Errorf("added %v: %v", added, g.Cells)
		}
		if text := d.Say(67.8, -1, -1); !strings.Contains(string(text), "week 68") || !strings.Contains(string(text), want) {
			t.Errorf("added %v: %s", added, text)
		}
	}
	if empty := Courses(nil, 0, 0, true, 500, 200); empty.Empty == "" {
		t.Error("no lines, no words")
	}
}

// Intent: the small drawings of a search are well-formed with one entry and
// with many, and say so without any.
func TestSearchDrawings(t *testing.T) {
	drawtest.CheckSVG(t, "bars", string(WeightBars([]float64{-.2, .5, .3})))
	for name, f := range map[string]draw.Figure{
		"tries":   Tries([]int{1, 5, 40}, []float64{9, 4, 3}, 100, []Course{{Name: "SAF", Values: []float64{5}}, {Name: "coverage", Series: 2, Values: []float64{3.01}}}, 340, 216),
		"weights": WeightCourse([]int{70, 71, 72}, [][]float64{{-.2, -.5, .3}, nil, {0, 1, 0, 0, 0, 0}}, 340, 124),
		"one try": Tries([]int{1}, []float64{1}, 1, nil, 340, 216),
	} {
		drawtest.CheckFigure(t, name, &f)
	}
	if Tries(nil, nil, 1, nil, 300, 200).Empty == "" || WeightCourse(nil, nil, 300, 100).Empty == "" {
		t.Error("nothing to draw, no words")
	}
	for text, v := range map[string]float64{"1.50": 1.5, "14.2": 14.2, "1,631": 1630.75, "–": math.NaN()} {
		if draw.Score(v) != text {
			t.Errorf("%v is written %s", v, draw.Score(v))
		}
	}
}
