package paper

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"batchlab/ui/draw"
	"batchlab/ui/engine"
)

// joins are the lines that join points in a drawing.
func joins(d draw.Figure) string {
	var out string
	for _, m := range regexp.MustCompile(`<path d="([^"]*)"[^>]*stroke-width="1.6"`).FindAllStringSubmatch(string(d.SVG()), -1) {
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
		t.Errorf("%d charts: %s", len(series), d.SVG())
	}
}

// texts are the words of a drawing with where they stand.
var texts = regexp.MustCompile(`<text x="([-0-9.]+)" y="([-0-9.]+)"(?: text-anchor="(\w+)")?[^>]*>([^<]*)</text>`)

// Names are never cut, neither their beginnings nor their ends, and rows never look the
// same: what is in no order stands in rows with whole names, however long. Nothing is
// written outside of the card. A list of jobs is no chart.
func TestNamesAreWhole(t *testing.T) {
	nan := math.NaN()
	names := []string{"Hill climbing", "Hill climbing, extended schedules made anew whenever a job comes or ends", "Hill climbing, extended, longest job first", "FIFO that lets later jobs pass"}
	var points []StudyPoint
	for i, name := range names {
		for k, c := range []string{"mean completion time of all jobs of the suite", "mean turnaround", "greatest turnaround of all jobs"} {
			points = append(points, StudyPoint{name, c, 100000 + 20000*float64(i+k), 9000, nan, "s"})
		}
	}
	boxes := slices.Clone(points[:0])
	for _, name := range names {
		for k, part := range boxParts {
			boxes = append(boxes, StudyPoint{name, part, float64(k), nan, nan, "h"})
		}
	}
	ours := 5.0
	dots := Dots{Title: "F", Unit: "s"}
	for _, name := range names {
		dots.Rows = append(dots.Rows, engine.StudyRow{Label: name, Ours: &ours, Paper: &ours})
	}
	for _, w := range []float64{330, 640} {
		for what, d := range map[string]draw.Figure{"dots by columns": Study(points, "s", w, 280), "box plots": Study(boxes, "h", w, 280), "printed values": dots.Draw(w, false)} {
			if d.Empty != "" {
				t.Fatalf("%s: %s", what, d.Empty)
			}
			var all []string
			for _, m := range texts.FindAllStringSubmatch(string(d.SVG()), -1) {
				x, _ := strconv.ParseFloat(m[1], 64)
				y, _ := strconv.ParseFloat(m[2], 64)
				wide := draw.TextWidth(m[4])
				switch m[3] {
				case "middle":
					x -= wide / 2
				case "end":
					x -= wide
				}
				if x < -1 || x+wide > w+1 || y < 0 || y > d.H {
					t.Errorf("%s, %v wide: %q stands from %.0f to %.0f, at %.0f of %.0f", what, w, m[4], x, x+wide, y, d.H)
				}
				all = append(all, m[4])
			}
			text := strings.Join(all, " ")
			for _, name := range names {
				if !strings.Contains(text, name) {
					t.Errorf("%s, %v wide: %q is not whole in %q", what, w, name, text)
				}
			}
		}
	}
	job := 4711.0
	rows := []engine.StudyRow{{Label: "1", Column: "job number", Paper: &job, Ours: &job}, {Label: "1", Column: "run time", Paper: &job, Ours: &job, Unit: "s"}, {Label: "2", Column: "job number", Paper: &job, Ours: &job}}
	if list := Charts(nil, &engine.Paper{}, rows, ""); len(list) > 0 {
		t.Errorf("%d charts of job numbers", len(list))
	}
}

// Intent: of a box plot, each label whose quartiles are known has a row; another number,
// such as a place, has none, and does not stretch the axis.
func TestRowsOfBoxes(t *testing.T) {
	nan := math.NaN()
	var points []StudyPoint
	for k, part := range boxParts {
		points = append(points, StudyPoint{"SAF", part, 1 + float64(k), nan, nan, "h"})
	}
	points = append(points, StudyPoint{"place of SAF", "least", 1000, nan, nan, "h"})
	d := Study(points, "h", 640, 280)
	if text := string(d.SVG()); !strings.Contains(text, ">SAF<") || strings.Contains(text, "place of") || strings.Contains(text, ">1,000<") {
		t.Errorf("rows of the boxes: %s", text)
	}
}

// Intent: names below an axis stand inside of the chart and beside each other, whole,
// however long and however many they are, the last one included.
func TestNamesBelowTheAxis(t *testing.T) {
	nan := math.NaN()
	var points []StudyPoint
	for i := range 11 {
		points = append(points, StudyPoint{strconv.Itoa(10*i) + " % reservations, for the run time", "MCT", float64(i + 1), nan, nan, "s"})
	}
	for _, w := range []float64{330, 640, 1200} {
		for n := 2; n <= len(points); n++ {
			d := Study(points[:n], "s", w, 280)
			reach := map[string]float64{}
			names := 0
			for _, m := range texts.FindAllStringSubmatch(string(d.SVG()), -1) {
				if !strings.Contains(m[4], "%") {
					continue
				}
				names++
				x, _ := strconv.ParseFloat(m[1], 64)
				half := draw.TextWidth(m[4]) / 2
				if x-half < 0 || x+half > w || x-half < reach[m[2]] {
					t.Errorf("%d names, %v wide: %q stands from %.0f to %.0f, behind one until %.0f", n, w, m[4], x-half, x+half, reach[m[2]])
				}
				reach[m[2]] = x + half
			}
			if names == 0 {
				t.Errorf("%d names, %v wide: none is written", n, w)
			}
		}
	}
}
