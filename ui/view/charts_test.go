package view_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/draw/drawtest"
	"batchlab/ui/sample"
	"batchlab/ui/view/distributions"
	"batchlab/ui/view/gantt"
	"batchlab/ui/view/overview"
	"batchlab/ui/view/search"
	"batchlab/ui/view/series"
	"batchlab/ui/view/table"
	"batchlab/ui/view/users"
	"batchlab/ui/words"
)

// Without results every chart says so in words instead of drawing an empty
// frame.
func TestEmptyDrawings(t *testing.T) {
	d := &draw.Data{A: 0, B: -1, Base: -1, Theme: draw.Colours(false)}
	for name, g := range map[string]draw.Figure{"bars": overview.Bars(d, "mean-wait", "", 400, 250), "cdf": overview.CDF(d, 400, 250), "classes": overview.Classes(d, 400, 250), "overtime": overview.OverTime(d, 400, 250)} {
		if g.Layers != nil || g.Empty != "Nothing has run yet." {
			t.Errorf("%s: %q", name, g.Empty)
		}
	}
	d.Busy = "Running."
	if g := overview.CDF(d, 400, 250); g.Empty != "Running." {
		t.Error(g.Empty)
	}
	if g := overview.Spark(d, "mean-wait", 100, 20); g.Layers != nil {
		t.Error("a spark without a run")
	}
	if p := users.UserPlot(d, 400, 300); p.Empty == "" {
		t.Error("users without a run")
	}
	d = drawtest.Data(2, 1)
	for i := range d.Shown[0].Users {
		d.Shown[0].Users[i].User = -1
	}
	if p := users.UserPlot(d, 400, 300); !strings.Contains(p.Empty, "field 12 is −1 in all 300") {
		t.Error(p.Empty)
	}
	d.Runs[1], d.Shown[1] = nil, nil
	if g := overview.Classes(d, 400, 250); !strings.Contains(g.Empty, "must have finished") {
		t.Error(g.Empty)
	}
}

// The table has a column for each thing that jobs ask of machines, filters by
// it, and the card, the reason and the screen reader name it; where no job asks
// there is no such column.
func TestNeedColumns(t *testing.T) {
	jobs, cols := sample.Four()
	jobs.Due, jobs.Wants = nil, []report.Want{{Job: 1, GPUs: 2, Mem: 8e9}, {Job: 2, Mem: 16e9, Weight: 2.5, Setup: 60}}
	cols.Why = make([]report.Why, 4)
	cols.Why[2].Waited[report.WaitProcessors] = 600
	jobTable := &table.Table{Jobs: jobs, Cols: cols, Tau: 10}
	if !jobTable.Has(table.ColGPUs) || !jobTable.Has(table.ColMem) || jobTable.Has(table.ColDisk) || jobTable.Has(table.ColLate) {
		t.Error("columns")
	}
	for text, want := range map[string]int32{"gpus>=1": 1, "memory>8GB": 2, "mem=8,000MB": 1} {
		terms, err := table.ParseFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		if jobTable.Filter(terms); len(jobTable.Rows) != 1 || jobTable.Rows[0] != want {
			t.Errorf("%s: %v", text, jobTable.Rows)
		}
	}
	if _, err := table.ParseFilter("memory>lots"); err == nil || !strings.Contains(err.Error(), `"lots" is not a size`) {
		t.Error(err)
	}
	if name, condition := (&table.Term{Column: table.ColMem, Op: ">", Value: 8e9}).Text(); name != "Memory" || condition != ">\u00a08.0\u00a0GB" {
		t.Errorf("%s %s", name, condition)
	}
	jobTable.Filter(nil)
	lines := strings.Split(string(jobTable.CSV()), "\r\n")
	if !strings.Contains(lines[0], "difference_s,gpus_per_node,memory_per_node,decision") || !strings.Contains(lines[2], ",2,8000000000,") || !strings.Contains(lines[3], ",,16000000000,") {
		t.Errorf("%q", lines)
	}
	this := gantt.Subject{Title: "A EASY", Cols: cols}
	card := gantt.Card(draw.Clock{}, jobs, 2, this, nil, "", "")
	for _, want := range []string{"<dt>On each machine</dt><dd>16.0\u00a0GB of memory</dd>", "<dt>Weight</dt><dd>2.5", "<dt>Set-up</dt><dd>60\u00a0s",
		"because too few processors were free on machines with 16.0\u00a0GB of memory to spare", "No such machine free"} {
		if !strings.Contains(string(card), want) {
			t.Errorf("the card lacks %q: %s", want, card)
		}
	}
	if said := gantt.Speech(draw.Clock{}, jobs, 1, this); !strings.Contains(said, "1\u00a0processor on machines with 2\u00a0GPUs, 8.0\u00a0GB of memory, submitted") {
		t.Error(said)
	}
	if card := gantt.Card(draw.Clock{}, jobs, 0, this, nil, "", ""); strings.Contains(string(card), "machine") {
		t.Error(card)
	}
}

// figures are all standard charts of an experiment of n schedulers.
func figures(t *testing.T, n int, w, h float64) map[string]draw.Figure {
	t.Helper()
	d := drawtest.Data(n, 1+n%3)
	steps := map[*report.Run][2]*draw.Steps{}
	dist := make([]*distributions.Distribution, n)
	for i, r := range d.Shown {
		u, q := draw.UsedAndWaiting(r)
		steps[r] = [2]*draw.Steps{u, q}
		dist[i] = distributions.Distribute(distributions.OfWait, d.Jobs, &r.Columns, 10)
	}
	from, to, ok := d.Span()
	if !ok {
		t.Fatal("no span")
	}
	quarter := (to - from) / 4
	r := rand.New(rand.NewPCG(uint64(n), 8))
	var orders []search.OrderValues
	var courses []search.Course
	for i := range n {
		o := search.OrderValues{Name: fmt.Sprint("o", i), Top: i < 2}
		for range 20 {
			o.Values = append(o.Values, 1+20*r.ExpFloat64())
		}
		o.Values[3] = math.NaN()
		orders = append(orders, o)
		courses = append(courses, search.Course{Name: o.Name, Series: i, Values: o.Values})
	}
	out := map[string]draw.Figure{
		"series":         series.Series(d, from, to, steps, w, h),
		"part of series": series.Series(d, from+quarter, to-quarter, steps, w, h),
		"distribution":   distributions.Distributions(d, distributions.OfWait, dist, w, h),
		"histogram":      distributions.Histogram(d, distributions.OfWait, dist, w, h),
		"users":          users.UserPlot(d, w, h),
		"orders":         search.OrderBoxes(orders, w, h),
		"courses":        search.Courses(courses, 2, 15, true, w, h),
		"weekly courses": search.Courses(courses, 2, -1, false, w, h),
		"tries":          search.Tries([]int{1, 5, 90}, []float64{9, 4, 3.5}, 200, []search.Course{{Name: "SAF", Series: 5, Values: []float64{3.6}}}, w, h),
	}
	return out
}

// Every standard chart, of one run and of many, narrow and wide, can be
// drawn, and is a file that a spreadsheet reads.
func TestFigures(t *testing.T) {
	for _, n := range []int{1, 2, 8} {
		for _, w := range []float64{330, 900} {
			for name, f := range figures(t, n, w, 400) {
				drawtest.CheckFigure(t, fmt.Sprintf("%s of %d at %g", name, n, w), &f)
				if f.Say == nil {
					continue
				}
				if f.Places() {
					v, ok := f.At(f.Panels[0].Box.X + 5)
					if said := f.Say(v, -1, -1); !ok || !strings.Contains(string(said), "<tr>") {
						t.Errorf("%s says %q at %g", name, said, v)
					}
				} else if said := f.Say(0, 0, 0); !strings.Contains(string(said), "<tr>") {
					t.Errorf("%s says %q", name, said)
				}
			}
		}
	}
}

// Without anything to plot a chart says so in words.
func TestEmptyFigures(t *testing.T) {
	d := &draw.Data{A: 0, B: -1, Base: -1}
	for name, f := range map[string]draw.Figure{"histogram": distributions.Histogram(d, distributions.OfWait, nil, 400, 250), "distribution": distributions.Distributions(d, distributions.OfWait, nil, 400, 250), "series": series.Series(d, 0, 0, nil, 400, 250), "users": users.UserPlot(d, 400, 250)} {
		if f.Empty != "Nothing has run yet." || f.Layers != nil {
			t.Errorf("%s: %q", name, f.Empty)
		}
	}
}

// The file of a chart holds exactly the points that are drawn: as many lines,
// and the same numbers.
func TestFileIsWhatIsPlotted(t *testing.T) {
	for _, name := range []string{"series", "distribution", "courses"} {
		f := figures(t, 3, 700, 400)[name]
		g := f.File()
		row := 0
		for _, l := range f.Layers {
			if l.Shape == draw.Spans {
				continue
			}
			for i := range l.X {
				r := g.Raw[row]
				row++
				var got []float64
				for _, c := range r[1:] {
					if c == "" {
						continue
					}
					v, err := strconv.ParseFloat(c, 64)
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, v)
				}
				want := []float64{l.X[i]}
				if l.Shape == draw.Band {
					want = append(want, l.Low[i], l.High[i])
				} else if !math.IsNaN(l.Y[i]) {
					want = append(want, l.Y[i])
				}
				if r[0] != l.Name || len(got) != len(want) {
					t.Fatalf("%s, line %d: %q for %v", name, row, r, want)
				}
				for k := range want {
					if math.Abs(got[k]-want[k]) > 1e-6*math.Abs(want[k]) {
						t.Fatalf("%s, line %d: %q for %v", name, row, r, want)
					}
				}
			}
		}
		if row != len(g.Raw) {
			t.Errorf("%s: %d lines for %d points", name, len(g.Raw), row)
		}
	}
}

// A place of a figure and the value there are inverse to each other, on plain,
// logarithmic and named axes; what is said is what the run did then.
func TestPlaces(t *testing.T) {
	f := figures(t, 2, 700, 400)["part of series"]
	v, in := f.At(350)
	if !in || math.Abs(f.Panels[0].PX(v)-350) > 1e-6 {
		t.Errorf("the middle is at %g", v)
	}
	d := drawtest.Data(2, 3)
	used, _ := draw.UsedAndWaiting(d.Shown[1])
	if said := f.Say(v, -1, -1); !strings.Contains(string(said), "<td>"+fmt.Sprint(used.Value(model.Time(v)))+"</td>") {
		t.Error(said)
	}
	p := draw.Panel{Box: draw.Box{X: 40, Y: 10, W: 300, H: 100}, X: draw.Axis{Min: 1, Max: 1000, Log: true}, Y: draw.Axis{Names: []string{"a", "b"}, Inverse: true}}
	g := draw.Figure{Panels: []draw.Panel{p}}
	if at, _ := g.At(p.PX(7)); math.Abs(at-7) > 1e-9 {
		t.Errorf("the logarithmic axis turns 7 into %g", at)
	}
	if _, ok := g.At(20); ok {
		t.Error("a place outside")
	}
	if p.PY(0) != 35 || p.PY(1) != 85 {
		t.Errorf("names at %g and %g", p.PY(0), p.PY(1))
	}
	g.Panels[0].X = draw.Axis{Names: []string{"a", "b", "c"}}
	if at, _ := g.At(339); at != 2 {
		t.Errorf("the last name is %g", at)
	}
}

// Intent: a reservation does not wait before the time from which it wants its
// processors, wherever a single job's wait is told; a batch job beside it does, and it
// alone counts where waits of several jobs are told.
func TestReservationsDoNotWait(t *testing.T) {
	jobs := &report.Jobs{
		Number: []int64{1, 2, 3}, Submit: []model.Time{0, 0, 0}, Limit: []model.Time{100, 100, 100}, Run: []model.Time{100, 100, 100},
		Procs: []int32{1, 1, 1}, User: []int32{1, 1, 1}, Queue: []int32{1, 1, 1}, Marks: []int32{1, 0, 1},
		Reserved: []report.Reservation{{Job: 0, Ready: 7200, Deadline: 9000, Length: 100}, {Job: 2, Ready: 3600, Deadline: 9000, Length: 100}},
	}
	c := &report.Columns{Start: []model.Time{7200, 7200, 3660}, End: []model.Time{7300, 7300, 3760}}
	jobTable := &table.Table{Jobs: jobs, Cols: c, Tau: 10}
	for j, want := range []int64{0, 7200, 60} {
		if got, ok := jobTable.Whole(table.ColWait, int32(j)); !ok || got != want {
			t.Errorf("job %d waited %d s in the table, want %d", j+1, got, want)
		}
	}
	if s := jobTable.Value(table.ColSlowdown, 0); s != 1 {
		t.Errorf("slowdown %v", s)
	}
	if got := gantt.Card(draw.Clock{}, jobs, 0, gantt.Subject{Title: "A", Cols: c}, nil, "", ""); !strings.Contains(string(got), "Started as reserved") || strings.Contains(string(got), "Waited") {
		t.Errorf("card: %s", got)
	}
	if got := gantt.Card(draw.Clock{}, jobs, 2, gantt.Subject{Title: "A", Cols: c}, nil, "", ""); !strings.Contains(string(got), "Waited "+words.Dur(60)) {
		t.Errorf("card: %s", got)
	}
	if got := gantt.Speech(draw.Clock{}, jobs, 0, gantt.Subject{Title: "A", Cols: c}); !strings.Contains(got, "waited "+words.Dur(0)) {
		t.Errorf("speech: %s", got)
	}
	d := distributions.Distribute(distributions.OfSlowdown, jobs, c, 10)
	if len(d.Sorted) != 1 || d.Sorted[0] != 73 {
		t.Errorf("slowdowns of batch jobs: %v", d.Sorted)
	}
	if jobs.Submit[0] != 0 {
		t.Error("the jobs have changed")
	}
}

// A run under reaction brings its own submissions; charts count waits from them.
func TestSubmissionsOfARun(t *testing.T) {
	jobs := &report.Jobs{Submit: []model.Time{0, 5}}
	c := &report.Columns{Start: []model.Time{100, 200}, End: []model.Time{150, 260}}
	if d := distributions.Distribute(distributions.OfWait, jobs, c, 10); d.Mean != 147.5 {
		t.Errorf("replayed: %v", d.Mean)
	}
	c.Submit = []model.Time{90, 150}
	if d := distributions.Distribute(distributions.OfWait, jobs, c, 10); d.Mean != 30 {
		t.Errorf("reacting: %v", d.Mean)
	}
}
