package chart

import (
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
)

// testData is an experiment of n schedulers with some repeats each.
func testData(n, repeats int) *Data {
	d := &Data{A: 0, B: 1, Base: n - 1, Tau: 10, Theme: Colours(false), Clock: Clock{Unix: march5}}
	if n == 1 {
		d.B, d.Base = -1, -1
	}
	for i := range n {
		d.Names = append(d.Names, fmt.Sprintf("Scheduler <%d> & co", i))
		var runs []*report.Run
		for k := range repeats {
			r := rand.New(rand.NewPCG(uint64(i*10+k), 4))
			jobs, c := packed(r, 300, 24)
			run := &report.Run{Scheduler: i, Repetition: k, Jobs: 300, Processors: 24, Columns: *c}
			mean := 0.0
			t := model.Time(0)
			for j := range c.Start {
				mean += float64(c.Start[j]-jobs.Submit[j]) / 300
				run.Series.At = append(run.Series.At, t)
				run.Series.Used, run.Series.Waiting = append(run.Series.Used, int32(r.IntN(25))), append(run.Series.Waiting, int32(r.IntN(9)))
				t += 1 + model.Time(r.IntN(4000))
			}
			run.Metrics = []report.Value{{Key: "mean-wait", Value: mean, Valid: true}, {Key: "mean-bounded-slowdown", Value: 1 + float64(i) + r.Float64(), Valid: true}, {Key: "odd", Valid: false}}
			for s := 1; s <= 50; s++ {
				run.Waits.At = append(run.Waits.At, float64(s*s*(i+1)*20))
				run.Waits.Share = append(run.Waits.Share, float64(s)/50)
			}
			for _, q := range [][2]int32{{1, 1}, {2, 4}, {5, 64}} {
				for _, l := range [][2]model.Time{{0, 600}, {600, 3600}, {3600, model.Never}} {
					run.Classes = append(run.Classes, report.Class{ProcsFrom: q[0], ProcsTo: q[1], LimitFrom: l[0], LimitTo: l[1], Jobs: r.IntN(9), MeanWait: float64(r.IntN(9000)), MeanSlowdown: 1 + r.Float64()})
				}
			}
			for u := range int32(12) {
				run.Users = append(run.Users, report.UserRow{User: u, Jobs: 1 + r.IntN(80), Area: r.Int64N(1e7), MeanWait: float64(r.IntN(9000)), MaxWait: 9000, MeanSlowdown: 2})
			}
			runs = append(runs, run)
			if i == 0 && k == 0 {
				d.Jobs = jobs
			}
		}
		d.Runs = append(d.Runs, runs)
		d.Shown = append(d.Shown, runs[0])
	}
	return d
}

var badNumber = regexp.MustCompile(`NaN|Inf|="-?\d+e`)

// wellFormed reads an SVG file as XML, and refuses numbers that are none and
// colours that were not written out.
func wellFormed(t *testing.T, name, file string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(file))
	for {
		if _, err := dec.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if m := badNumber.FindString(file); m != "" {
		t.Errorf("%s: %s in the drawing", name, m)
	}
	if i := strings.Index(file, "var("); i >= 0 {
		t.Errorf("%s: a colour is not written out: %s", name, file[i:min(len(file), i+30)])
	}
}

// Every small chart, in both themes and at several sizes, is a well-formed
// file with a sentence for those who do not see it and numbers that a
// spreadsheet reads.
func TestDrawingsAreWellFormed(t *testing.T) {
	for _, n := range []int{1, 2, 8} {
		d := testData(n, 1+n%3)
		for _, isDark := range []bool{false, true} {
			d.Theme = Colours(isDark)
			for _, w := range []float64{330, 620} {
				for name, g := range map[string]Drawing{
					"bars": d.Bars("mean-bounded-slowdown", w, 252), "waits": d.Bars("mean-wait", w, 252), "cdf": d.CDF(w, 252), "classes": d.Classes(w, 252),
					"overtime": d.OverTime(w, 252), "spark": d.Spark("mean-wait", w, 26), "use": d.Spark("utilization", w, 26),
				} {
					name = fmt.Sprintf("%s of %d at %g", name, n, w)
					if g.Empty != "" || g.SVG == "" || len(g.Aria) < 20 || strings.Count(g.Aria, "\n") > 0 {
						t.Errorf("%s: empty %q, aria %q", name, g.Empty, g.Aria)
					}
					wellFormed(t, name, d.Theme.File(&g, name))
					if strings.HasPrefix(name, "spark") || strings.HasPrefix(name, "use") {
						continue
					}
					grid := g.Grid()
					lines, err := csv.NewReader(strings.NewReader(grid.CSV())).ReadAll()
					if err != nil || len(lines) < 2 {
						t.Errorf("%s: CSV of %d lines: %v", name, len(lines), err)
					}
					if !strings.Contains(grid.HTML(), "<tbody><tr>") {
						t.Errorf("%s: no table", name)
					}
				}
			}
		}
	}
}

// Without results every chart says so in words instead of drawing an empty
// frame.
func TestEmptyDrawings(t *testing.T) {
	d := &Data{A: 0, B: -1, Base: -1, Theme: Colours(false)}
	for name, g := range map[string]Drawing{"bars": d.Bars("mean-wait", 400, 250), "cdf": d.CDF(400, 250), "classes": d.Classes(400, 250), "overtime": d.OverTime(400, 250)} {
		if g.SVG != "" || g.Empty != "Nothing has run yet." {
			t.Errorf("%s: %q %q", name, g.Empty, g.SVG)
		}
	}
	d.Busy = "Running."
	if g := d.CDF(400, 250); g.Empty != "Running." {
		t.Error(g.Empty)
	}
	if g := d.Spark("mean-wait", 100, 20); g.SVG != "" {
		t.Error("a spark without a run")
	}
	if p := d.UserPlot(400, 300); p.Empty == "" {
		t.Error("users without a run")
	}
	d = testData(2, 1)
	for i := range d.Shown[0].Users {
		d.Shown[0].Users[i].User = -1
	}
	if p := d.UserPlot(400, 300); !strings.Contains(p.Empty, "field 12 is −1 in all 300") {
		t.Error(p.Empty)
	}
	d.Runs[1], d.Shown[1] = nil, nil
	if g := d.Classes(400, 250); !strings.Contains(g.Empty, "must have finished") {
		t.Error(g.Empty)
	}
}

// Bars stand in order of their values.
func TestEstimates(t *testing.T) {
	d := testData(4, 5)
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

// The distribution of several repeats is the mean of theirs, and quantiles are
// its inverse.
func TestMergedDistribution(t *testing.T) {
	a := &report.Run{Waits: report.CDF{At: []float64{0, 100}, Share: []float64{.5, 1}}}
	b := &report.Run{Waits: report.CDF{At: []float64{50, 200}, Share: []float64{.8, 1}}}
	c := MergeCDF([]*report.Run{a, b})
	for at, want := range map[float64]float64{-1: 0, 0: .25, 49: .25, 50: .65, 100: .9, 200: 1, 1e9: 1} {
		if got := c.Of(at); math.Abs(got-want) > 1e-12 {
			t.Errorf("up to %g: %g, want %g", at, got, want)
		}
	}
	for p, want := range map[float64]float64{.1: 0, .25: 0, .5: 50, .9: 100, 1: 200} {
		if got := c.Quantile(p); got != want {
			t.Errorf("quantile %g: %g, want %g", p, got, want)
		}
	}
	none := MergeCDF(nil)
	if !math.IsNaN(none.Quantile(.5)) || none.Of(3) != 0 {
		t.Error("the distribution of nothing")
	}
	s := &Distribution{Sorted: []float64{1, 2, 2, 10}}
	if s.Share(2) != .75 || s.Share(.5) != 0 || s.Quantile(.5) != 2 || s.Quantile(.9) != 10 || s.Quantile(0) != 1 {
		t.Error("distribution of values")
	}
}

// The bars of a histogram hold every job once.
func TestHistogramAddsUp(t *testing.T) {
	d := testData(2, 1)
	for _, of := range []string{OfWait, OfSlowdown, OfTurnaround} {
		dist := []*Distribution{Distribute(of, d.Jobs, &d.Shown[0].Columns, 10), nil}
		g := d.Histogram(of, dist, 500, 300)
		sum := 0.0
		for _, row := range g.Table.Raw {
			var v float64
			if _, err := fmt.Sscan(row[1], &v); err != nil {
				t.Fatal(err)
			}
			sum += v
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: shares add up to %g", of, sum)
		}
	}
}

// The heat map's number is the difference of the classes' means over all
// repeats, each weighted by its jobs; classes of few jobs have none.
func TestClassDifference(t *testing.T) {
	class := func(jobs int, wait float64) []report.Class {
		return []report.Class{{ProcsFrom: 1, ProcsTo: 1, LimitTo: 900, Jobs: jobs, MeanWait: wait}, {ProcsFrom: 2, ProcsTo: 3, LimitTo: 900, Jobs: 1, MeanWait: 1}}
	}
	d := &Data{Names: []string{"x", "y"}, A: 0, B: 1, Base: 1, Theme: Colours(false), Shown: make([]*report.Run, 2),
		Runs: [][]*report.Run{{{Classes: class(10, 600)}, {Classes: class(30, 200)}}, {{Classes: class(40, 60)}}}}
	g := d.Classes(500, 250)
	if want := []string{"1", "≤ 15 min", "40", "+4 min"}; strings.Join(g.Data.Cells[0], "|") != strings.ReplaceAll(strings.Join(want, "|"), " min", "\u00a0min") {
		t.Errorf("%q", g.Data.Cells)
	}
	if len(g.Data.Raw) != 1 || g.Data.Raw[0][3] != "240" || !strings.Contains(g.SVG, ">few<") {
		t.Errorf("%q", g.Data.Raw)
	}
}

// A spark's parts are the means of the jobs submitted in them, as a plain loop
// over all jobs for each part finds them.
func TestPartsAgreeWithPlainLoop(t *testing.T) {
	d := testData(1, 1)
	r, c := d.Shown[0], &d.Shown[0].Columns
	from, to := d.Jobs.Submit[0]-10, d.Jobs.Submit[len(d.Jobs.Submit)-1]+5
	c.Start[7] = -1 // rejected
	for _, n := range []int{1, 3, 17} {
		got := d.overTime("mean-turnaround", r, from, to, n)
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
	d.Memo = Memo{}
	a, b := d.overTime("mean-wait", r, from, to, 5), d.overTime("mean-wait", r, from, to, 5)
	if &a[0] != &b[0] || d.overTime("makespan", r, from, to, 5) != nil {
		t.Error("not kept, or values of a measure that has none over time")
	}
}

// Users sort by every column, ties by user, missing differences last.
func TestSortUsers(t *testing.T) {
	rows := []UserRow{{report.UserRow{User: 3, Jobs: 5}, 10}, {report.UserRow{User: 1, Jobs: 5}, math.NaN()}, {report.UserRow{User: 2, Jobs: 9}, -4}}
	for _, c := range []struct {
		key  string
		down bool
		want string
	}{{"jobs", true, "2 1 3"}, {"jobs", false, "1 3 2"}, {"diff", true, "3 2 1"}, {"diff", false, "2 3 1"}, {"user", false, "1 2 3"}} {
		SortUsers(rows, c.key, c.down)
		if got := fmt.Sprint(rows[0].User, rows[1].User, rows[2].User); got != c.want {
			t.Errorf("%s %v: %s, want %s", c.key, c.down, got, c.want)
		}
	}
}
