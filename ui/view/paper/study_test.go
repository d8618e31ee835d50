package paper

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"batchlab/ui/draw"
)

// joins are the lines that join points in a drawing.
func joins(d draw.Drawing) string {
	var out string
	for _, m := range regexp.MustCompile(`<path d="([^"]*)"[^>]*stroke-width="1.6"`).FindAllStringSubmatch(d.SVG, -1) {
		out += m[1]
	}
	return out
}

// Numbers of different units, or of sizes that would flatten each other, never
// share a chart; a distribution has its bounds along the axis and a line for
// each scheduler; what is no order is not joined.
func TestStudyGroups(t *testing.T) {
	nan := math.NaN()
	var points []StudyPoint
	for i, s := range []string{"Orig-BF", "Plan-RS"} {
		x := float64(i)
		points = append(points, StudyPoint{s, "mean wait", 2 - x, nan, nan, "h"}, StudyPoint{s, "mean bounded slowdown", 80 - x, nan, nan, ""}, StudyPoint{s, "utilization", .7 + x, nan, nan, ""})
		for k, c := range []string{"waits of at most 0 s", "waits of at most 60 s", "waits of at most 3600 s"} {
			points = append(points, StudyPoint{s, c, float64(30*k) + x + 1, 1, nan, "%"})
		}
		points = append(points, StudyPoint{s, "jobs that waited", 50, nan, nan, "%"})
	}
	points = append(points, StudyPoint{"Plan-RS", "Plan-RS − Orig-BF", -1, nan, nan, "h"})
	groups := StudyGroups(points)
	var titles []string
	for _, g := range groups {
		titles = append(titles, g.Title+" ["+g.Unit+"]")
	}
	if want := []string{"mean wait [h]", "mean bounded slowdown []", "utilization []", "waits of at most … s [%]", "jobs that waited [%]"}; !slices.Equal(titles, want) {
		t.Errorf("%q", titles)
	}
	for _, g := range groups {
		d := Study(g.Points, g.Unit, 640, 280)
		lines := strings.Contains(joins(d), "L")
		if joined := strings.HasPrefix(g.Title, "waits"); d.Empty != "" || lines != joined {
			t.Errorf("%s: %q, lines %v", g.Title, d.Empty, lines)
		}
		if labels, columns := studyNames(g.Points); g.Title == "waits of at most … s" && (len(labels) != 3 || !slices.Equal(columns, []string{"Orig-BF", "Plan-RS"})) {
			t.Errorf("%q %q", labels, columns)
		}
	}
	// One label: its columns stand along the axis.
	one := StudyGroups([]StudyPoint{{"a log", "calls", 3, nan, nan, "n"}, {"a log", "plans", 9, nan, nan, "n"}})
	if labels, _ := studyNames(one[0].Points); len(one) != 1 || one[0].Title != "" || !slices.Equal(labels, []string{"calls", "plans"}) {
		t.Errorf("%+v", one)
	}
	// Series that follow each other are lines of their own.
	series := StudyGroups([]StudyPoint{{"suite 1, 10 jobs", "FIFO", 1, 0, nan, "s"}, {"suite 1, 20 jobs", "FIFO", 2, 0, nan, "s"}, {"suite 2, series 1", "FIFO", 2, 0, nan, "s"}, {"suite 2, series 2", "FIFO", 3, 0, nan, "s"}})
	if d := Study(series[0].Points, "s", 640, 280); len(series) != 1 || strings.Count(joins(d), "M") != 2 || strings.Count(joins(d), "L") != 2 {
		t.Errorf("%d charts: %s", len(series), d.SVG)
	}
}
