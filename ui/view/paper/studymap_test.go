package paper

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"batchlab/ui/draw"
)

// Rows called by their weights become maps: a cell for every vector, both halves
// where q is 0, the optimum marked once a week; other rows make none.
func TestStudyMaps(t *testing.T) {
	points := []StudyPoint{{Label: "optimum of week 3", Column: "q", Value: 1, Paper: math.NaN()}}
	for _, week := range []string{"week 3", "week 4"} {
		for q := -2; q <= 2; q++ {
			for p := -2; p <= 2; p++ {
				if rest := 2 - draw.Abs(q) - draw.Abs(p); rest >= 0 {
					for _, s := range []int{-1, 1}[:1+min(1, rest)] {
						points = append(points, StudyPoint{Label: fmt.Sprintf("q %.4g, p %.4g, wait %.4g", float64(q)/2, float64(p)/2, float64(s*rest)/2), Column: week, Value: float64(10 + q)})
					}
				}
			}
		}
	}
	d := StudyMaps(points, 640)
	if n := strings.Count(string(d.SVG()), "<circle"); n != 2 || d.Empty != "" || !strings.Contains(d.Aria, "week 4 best 8.00 with q −1") {
		t.Errorf("%d optima, %q", n, d.Aria)
	}
	if n, want := strings.Count(string(d.SVG()), "z"), 2*(18+8); n != want {
		t.Errorf("%d cells, want %d", n, want)
	}
	// The greatest weight of p̃ stands in the upper left corner of the square, that of
	// wait in the upper right, as in the paper.
	corner := func(p, wait string) (x, y float64) {
		one := []StudyPoint{{Label: "q 0, p 0, wait -1", Column: "a", Value: 9}, {Label: "q 0, p 0, wait 1", Column: "a", Value: 9}, {Label: "q 0, p " + p + ", wait " + wait, Column: "a", Value: 1}}
		f := StudyMaps(one, 640)
		svg := f.SVG()
		if _, err := fmt.Sscanf(string(svg[strings.Index(string(svg), "<circle"):]), `<circle cx="%g" cy="%g"`, &x, &y); err != nil {
			t.Fatal(err)
		}
		return x, y
	}
	px, py := corner("1", "0")
	wx, wy := corner("0", "1")
	mx, my := corner("0", "0")
	if px >= mx || py >= my || wx <= mx || wy >= my || math.Abs(py-wy) > 0.2 || math.Abs(px+wx-2*mx) > 0.2 {
		t.Errorf("p̃ at %v, %v and wait at %v, %v around %v, %v", px, py, wx, wy, mx, my)
	}
	if d := StudyMaps(points[:1], 640); d.Empty == "" {
		t.Error("a map of nothing")
	}
}
