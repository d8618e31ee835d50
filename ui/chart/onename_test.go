package chart

import (
	"strconv"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// Intent: the median beside the curves is the measure of that name: its mean over
// the repeats, not the median of all jobs thrown together; the note says what the
// curves are of. A single run has no such note.
func TestMedianIsTheMeasure(t *testing.T) {
	d := testData(2, 5)
	for i, runs := range d.Runs {
		for k, r := range runs {
			r.Metrics = append(r.Metrics, report.Value{Key: "median-wait", Value: float64(60 * (i + k + 1)), Valid: true}, report.Value{Key: "p90-wait", Value: float64(3600 * (i + k + 1)), Valid: true})
		}
	}
	d.Pooled = "all 5 repeats together"
	got := d.CDF(600, 300)
	if !strings.Contains(got.SVG, words.Dur(180)) || !strings.Contains(got.SVG, words.Dur(4*3600)) || !strings.Contains(got.SVG, "all 5 repeats together; medians: means over them") {
		t.Errorf("the legend has other medians than the table: %s", got.Data.Cells)
	}
	if got.Data.Cells[0][1] != words.Dur(180) {
		t.Errorf("%v", got.Data.Cells)
	}
	d.Pooled = ""
	if strings.Contains(d.CDF(600, 300).SVG, "together") {
		t.Error("a single run is said to be several")
	}
}

// Intent: names of classes of processors have the room that they need, on machines
// of any size.
func TestClassNamesFit(t *testing.T) {
	d := testData(2, 1)
	for _, runs := range d.Runs {
		for _, r := range runs {
			r.Classes = []report.Class{
				{ProcsFrom: 65537, ProcsTo: 262144, LimitTo: 600, Jobs: 9, MeanWait: 5},
				{ProcsFrom: 16385, ProcsTo: 65536, LimitTo: 600, Jobs: 9, MeanWait: 5},
			}
		}
	}
	svg := d.Classes(500, 250).SVG
	at := strings.Index(svg, "65,537–262,144</text>")
	if at < 0 {
		t.Fatal("the class has no name")
	}
	tag := svg[strings.LastIndex(svg[:at], "<text"):at]
	var x float64
	for _, part := range strings.Fields(tag) {
		if v, ok := strings.CutPrefix(part, `x="`); ok {
			x = number(t, strings.TrimRight(v, `">`))
		}
	}
	if width := 6.4 * 14; x < width { // it ends there
		t.Errorf("a name of about %v px ends at %v", width, x)
	}
}

// Intent: a reservation does not wait before the time from which it wants its
// processors, wherever a single job's wait is told; a batch job beside it does.
func TestReservationsDoNotWait(t *testing.T) {
	jobs := &report.Jobs{
		Number: []int64{1, 2, 3}, Submit: []model.Time{0, 0, 0}, Limit: []model.Time{100, 100, 100}, Run: []model.Time{100, 100, 100},
		Procs: []int32{1, 1, 1}, User: []int32{1, 1, 1}, Queue: []int32{1, 1, 1}, Marks: []int32{1, 0, 1},
		Reserved: []report.Reservation{{Job: 0, Ready: 7200, Deadline: 9000, Length: 100}, {Job: 2, Ready: 3600, Deadline: 9000, Length: 100}},
	}
	c := &report.Columns{Start: []model.Time{7200, 7200, 3660}, End: []model.Time{7300, 7300, 3760}}
	jobTable := &Table{Jobs: jobs, Cols: c, Tau: 10}
	for j, want := range []int64{0, 7200, 60} {
		if got, ok := jobTable.whole(ColWait, int32(j)); !ok || got != want {
			t.Errorf("job %d waited %d s in the table, want %d", j+1, got, want)
		}
	}
	if s := jobTable.Value(ColSlowdown, 0); s != 1 {
		t.Errorf("slowdown %v", s)
	}
	if got := Card(Clock{}, jobs, 0, Subject{Title: "A", Cols: c}, nil, "", ""); !strings.Contains(got, "Started as reserved") || strings.Contains(got, "Waited") {
		t.Errorf("card: %s", got)
	}
	if got := Card(Clock{}, jobs, 2, Subject{Title: "A", Cols: c}, nil, "", ""); !strings.Contains(got, "Waited "+words.Dur(60)) {
		t.Errorf("card: %s", got)
	}
	if got := Speech(Clock{}, jobs, 0, Subject{Title: "A", Cols: c}); !strings.Contains(got, "waited "+words.Dur(0)) {
		t.Errorf("speech: %s", got)
	}
	d := Distribute(OfSlowdown, jobs, c, 10)
	if d.Sorted[0] != 1 || d.Sorted[2] != 73 {
		t.Errorf("slowdowns %v", d.Sorted)
	}
	if jobs.Submit[0] != 0 {
		t.Error("the jobs have changed")
	}
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
