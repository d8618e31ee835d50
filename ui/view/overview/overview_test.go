package overview

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/draw/drawtest"
	"batchlab/ui/sample"
	"batchlab/ui/words"
)

// Every small chart, in both themes and at several sizes, is a well-formed
// file with a sentence for those who do not see it and numbers that a
// spreadsheet reads.
func TestDrawingsAreWellFormed(t *testing.T) {
	for _, n := range []int{1, 2, 8} {
		d := drawtest.Data(n, 1+n%3)
		for _, isDark := range []bool{false, true} {
			d.Theme = draw.Colours(isDark)
			for _, w := range []float64{330, 620} {
				for name, g := range map[string]draw.Figure{
					"bars": Bars(d, "mean-bounded-slowdown", "", w, 252), "waits": Bars(d, "mean-wait", "log", w, 252), "cdf": CDF(d, w, CDFHeight(w, n)), "classes": Classes(d, w, 252),
					"overtime": OverTime(d, w, 252), "spark": Spark(d, "mean-wait", w, 26), "use": Spark(d, "utilization", w, 26),
				} {
					name = fmt.Sprintf("%s of %d at %g", name, n, w)
					file, _ := d.Theme.FigureFile(&g, name)
					sample.WellFormed(t, name, file)
					if strings.HasPrefix(name, "spark") || strings.HasPrefix(name, "use") {
						drawtest.CheckSVG(t, name, string(g.SVG()))
					} else {
						drawtest.CheckFigure(t, name, &g)
					}
				}
			}
		}
	}
}

// Bars stand in order of their values.
func TestEstimates(t *testing.T) {
	d := drawtest.Data(4, 5)
	est := d.Estimates("mean-bounded-slowdown")
	for i := 1; i < len(est); i++ {
		if est[i].Mean < est[i-1].Mean {
			t.Error("not in order")
		}
	}
	if len(d.Estimates("odd")) != 0 || len(d.Estimates("none")) != 0 {
		t.Error("a measure without values has bars")
	}
}

// The heat map's number is the difference of the classes' means over all
// repeats, each weighted by its jobs; classes of few jobs have none.
func TestClassDifference(t *testing.T) {
	class := func(jobs int, wait float64) []report.Class {
		return []report.Class{{ProcsFrom: 1, ProcsTo: 1, LimitTo: 900, Jobs: jobs, MeanWait: wait}, {ProcsFrom: 2, ProcsTo: 3, LimitTo: 900, Jobs: 1, MeanWait: 1}}
	}
	d := &draw.Data{Names: []string{"x", "y"}, A: 0, B: 1, Base: 1, Theme: draw.Colours(false), Shown: make([]*report.Run, 2),
		Runs: [][]*report.Run{{{Classes: class(10, 600)}, {Classes: class(30, 200)}}, {{Classes: class(40, 60)}}}}
	g := Classes(d, 500, 250)
	if want := []string{"1", "≤ 15 min", "40", "+4 min"}; strings.Join(g.Table.Cells[0], "|") != strings.ReplaceAll(strings.Join(want, "|"), " min", "\u00a0min") {
		t.Errorf("%q", g.Table.Cells)
	}
	if len(g.Table.Raw) != 1 || g.Table.Raw[0][3] != "240" || !strings.Contains(string(g.SVG()), ">few<") {
		t.Errorf("%q", g.Table.Raw)
	}
}

// A spark's parts are the means of the jobs submitted in them, as a plain loop
// over all jobs for each part finds them.
func TestPartsAgreeWithPlainLoop(t *testing.T) {
	d := drawtest.Data(1, 1)
	r, c := d.Shown[0], &d.Shown[0].Columns
	from, to := d.Jobs.Submit[0]-10, d.Jobs.Submit[len(d.Jobs.Submit)-1]+5
	c.Start[7] = -1 // rejected
	for _, n := range []int{1, 3, 17} {
		got := overTime(d, "mean-turnaround", r, from, to, n)
		for k := range n {
			sum, count := 0.0, 0
			for j, s := range d.Jobs.Submit {
				if int64(s-from)*int64(n)/int64(to-from) == int64(k) && c.Start[j] >= s {
					sum += float64(c.End[j] - s)
					count++
				}
			}
			if want := sum / float64(count); math.Abs(got[k]-want) > 1e-9 && !(count == 0 && math.IsNaN(got[k])) {
				t.Errorf("part %d of %d: %g, want %g", k, n, got[k], want)
			}
		}
	}
	d.Memo = draw.Memo{}
	a, b := overTime(d, "mean-wait", r, from, to, 5), overTime(d, "mean-wait", r, from, to, 5)
	if &a[0] != &b[0] || overTime(d, "makespan", r, from, to, 5) != nil {
		t.Error("not kept, or values of a measure that has none over time")
	}
}

// Intent: the median beside the curves is the measure of that name: its mean over
// the repeats, not the median of all jobs thrown together; the note says what the
// curves are of. A single run has no such note.
func TestMedianIsTheMeasure(t *testing.T) {
	d := drawtest.Data(2, 5)
	for i, runs := range d.Runs {
		for k, r := range runs {
			r.Metrics = append(r.Metrics, report.Value{Key: "median-wait", Value: float64(60 * (i + k + 1)), Valid: true}, report.Value{Key: "p90-wait", Value: float64(3600 * (i + k + 1)), Valid: true})
		}
	}
	d.Pooled = "all 5 repeats together"
	got := CDF(d, 600, 300)
	if !strings.Contains(string(got.SVG()), words.Dur(180)) || !strings.Contains(string(got.SVG()), words.Dur(4*3600)) || !strings.Contains(string(got.SVG()), "all 5 repeats together; medians: means over them") {
		t.Errorf("the legend has other medians than the table: %s", got.Table.Cells)
	}
	if got.Table.Cells[0][1] != words.Dur(180) {
		t.Errorf("%v", got.Table.Cells)
	}
	d.Pooled = ""
	if got = CDF(d, 600, 300); strings.Contains(string(got.SVG()), "together") {
		t.Error("a single run is said to be several")
	}
}

// Intent: names of classes of processors have the room that they need, on machines
// of any size.
func TestClassNamesFit(t *testing.T) {
	d := drawtest.Data(2, 1)
	for _, runs := range d.Runs {
		for _, r := range runs {
			r.Classes = []report.Class{
				{ProcsFrom: 65537, ProcsTo: 262144, LimitTo: 600, Jobs: 9, MeanWait: 5},
				{ProcsFrom: 16385, ProcsTo: 65536, LimitTo: 600, Jobs: 9, MeanWait: 5},
			}
		}
	}
	f := Classes(d, 500, 250)
	svg := f.SVG()
	at := strings.Index(string(svg), "65,537–262,144</text>")
	if at < 0 {
		t.Fatal("the class has no name")
	}
	tag := svg[strings.LastIndex(string(svg[:at]), "<text"):at]
	var x float64
	for _, part := range strings.Fields(string(tag)) {
		if v, ok := strings.CutPrefix(part, `x="`); ok {
			x = sample.Number(t, strings.TrimRight(v, `">`))
		}
	}
	if width := 6.4 * 14; x < width { // it ends there
		t.Errorf("a name of about %v px ends at %v", width, x)
	}
}
