package gantt

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/sample"
)

// testGantt is a chart of two runs of the same jobs.
func testGantt(n int) *Gantt {
	jobs, c := sample.Packed(rand.New(rand.NewPCG(11, 11)), n, 24)
	_, late := sample.Packed(rand.New(rand.NewPCG(11, 11)), n, 24)
	for j := range late.Start {
		late.Start[j] += 500
		late.End[j] += 500
	}
	g := &Gantt{Layout: NewLayout(1100, 650, 2), Clock: draw.Clock{Unix: sample.March5}, Theme: draw.Colours(false), Jobs: jobs}
	for i, cols := range []*report.Columns{c, late} {
		ix := draw.NewIndex(cols, 24)
		colors, _ := JobColors(g.Theme, "wait", jobs, cols, c, late, 24, 10, 12*draw.Hour)
		at := []model.Time{0, 100, 5000}
		g.Panes = append(g.Panes, GanttPane{Scheduler: i, Name: "Run", Procs: 24, Cols: cols, Index: ix, Used: draw.NewSteps(at, []int32{3, 20, 0}), Waiting: draw.NewSteps(at, []int32{0, 7, 1}), Colors: colors, Scale: 1, Notes: []string{"display packing"}})
	}
	g.From, g.To = g.Panes[0].Index.From, g.Panes[1].Index.To
	return g
}

// Panes, strips and axis never overlap, stand in order from top to bottom, and
// stay within the chart, whatever its size.
func TestLayout(t *testing.T) {
	for _, w := range []float64{320, 559, 560, 1440} {
		for _, h := range []float64{520, 700, 1200} {
			for panes := 1; panes <= 4; panes++ {
				h := max(h, CosyHeight(panes))
				l := NewLayout(w, h, panes)
				y := l.Axis
				boxes := []draw.Box{}
				for _, p := range l.Panes {
					boxes = append(boxes, p.Jobs, p.Busy, p.Waiting)
				}
				boxes = append(boxes, l.Diffs...)
				if len(l.Diffs) != panes-1 || l.Panes[0].Jobs.H < cosyPane-1 {
					t.Errorf("%g × %g, %d panes: %d strips of differences, panes %g high", w, h, panes, len(l.Diffs), l.Panes[0].Jobs.H)
				}
				for i, b := range boxes {
					if b.Y < y || b.H <= 0 || b.X < 0 || b.Right() > w {
						t.Fatalf("%g × %g, %d panes: box %d %+v begins before %g or leaves the chart", w, h, panes, i, b, y)
					}
					y = b.Bottom()
				}
				if l.Bottom() != y || y > h {
					t.Errorf("%g × %g, %d panes: ends at %g", w, h, panes, y)
				}
				if l.Small != (w < 560) {
					t.Errorf("%g: small %v", w, l.Small)
				}
			}
		}
	}
}

// A card never covers the job it speaks of while there is room beside, below
// or above it, and never leaves the chart.
func TestCardStandsBesideItsJob(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	bounds := draw.Box{X: 100, Y: 30, W: 900, H: 600}
	covered := 0
	for range 2000 {
		w, h := 318.0, 150+r.Float64()*150
		b := draw.Box{X: 100 + r.Float64()*890, Y: 30 + r.Float64()*590}
		b.W, b.H = 1+r.Float64()*(bounds.Right()-b.X-1), 1+r.Float64()*(bounds.Bottom()-b.Y-1)
		x, y := draw.BesideBox(b, bounds, w, h)
		if x < bounds.X || y < bounds.Y || x+w > bounds.Right()+1e-9 || y+h > bounds.Bottom()+1e-9 {
			t.Fatalf("%+v: card at %g, %g leaves the chart", b, x, y)
		}
		over := x < b.Right() && x+w > b.X && y < b.Bottom() && y+h > b.Y
		room := b.Right()+14+w <= bounds.Right() || b.X-16-w >= bounds.X || b.Bottom()+12+h <= bounds.Bottom() || b.Y-12-h >= bounds.Y
		if over && room {
			t.Fatalf("%+v: card at %g, %g covers the job", b, x, y)
		}
		if over {
			covered++
		}
	}
	if covered == 0 || covered > 1500 {
		t.Errorf("%d of 2000 jobs covered: the test tests nothing", covered)
	}
}

// Times and places are each other's inverse.
func TestTimesAndPlaces(t *testing.T) {
	g := testGantt(50)
	for x := g.Layout.Panes[0].Jobs.X; x < g.Layout.Panes[0].Jobs.Right(); x += 7 {
		if got := g.X(g.At(x)); got > x+1e-6 || got < x-g.Layout.Panes[0].Jobs.W/float64(g.To-g.From)-1e-6 {
			t.Errorf("place %g becomes %g", x, got)
		}
	}
	m := Minimap{W: 1000, H: 64, From: g.From, To: g.To, Theme: g.Theme, Procs: 24, Used: g.Panes[0].Used, Waiting: g.Panes[0].Waiting}
	if at := m.time().At(m.time().X(g.From + 700)); math.Abs(float64(at-g.From-700)) > 1 {
		t.Errorf("minimap: %d", at-g.From)
	}
	sample.WellFormed(t, "minimap", string(`<svg>`+m.Whole().SVG("m")+m.Frame(g.From+10, g.From+500).SVG("f")+`</svg>`))
}

// The chart is offered as a file up to 5,000 jobs, with one rectangle for each
// of theirs in view, and not beyond.
func TestGanttFile(t *testing.T) {
	g := testGantt(120)
	svg, ok := g.File("A & B")
	if !ok {
		t.Fatal("a small chart is refused")
	}
	sample.WellFormed(t, "gantt", svg)
	rects := 0
	for _, p := range g.Panes {
		rects += p.Index.Len()
	}
	if got := strings.Count(svg, "<rect ") - 4; got != rects { // the ground, a pattern and two panes
		t.Errorf("%d rectangles, want %d", got, rects)
	}
	_, many := sample.Big(6000, 24)
	g.Panes[0].Index = draw.NewIndex(many, 24)
	g.From, g.To = g.Panes[0].Index.From, g.Panes[0].Index.To
	if _, ok := g.File("large"); ok {
		t.Error("a large chart is offered as SVG")
	}
}

// The outline of a job has its rectangles in both panes, dashed in the other,
// and the box of a job holds them all.
func TestOutlines(t *testing.T) {
	g := testGantt(80)
	job := -1
	for j := range g.Jobs.Number {
		n := 0
		g.Panes[0].Index.Rects(j, func(draw.Rect) { n++ })
		if n > 1 && g.Panes[1].Cols.Start[j] > g.Jobs.Submit[j]+400 {
			job = j
			break
		}
	}
	if job < 0 {
		t.Fatal("no job of several rectangles")
	}
	s := g.Over(Pointer{Job: job, Pane: 0, X: 400})
	solid, dashed := 0, 0
	for _, o := range s.Ops {
		if o.Width == 2 && o.Stroke == g.Theme.Accent {
			if o.Dash == "" {
				solid += strings.Count(o.Path, "z")
			} else {
				dashed += strings.Count(o.Path, "z")
			}
		}
	}
	want := 0
	g.Panes[0].Index.Rects(job, func(draw.Rect) { want++ })
	if solid != want || dashed != want {
		t.Errorf("%d solid and %d dashed outlines, want %d each", solid, dashed, want)
	}
	b, ok := g.JobBox(0, job)
	if !ok || b.H <= 0 || !g.Layout.Panes[0].Jobs.Inside(b.X, b.Y) {
		t.Errorf("%+v %v", b, ok)
	}
	if _, ok := g.JobBox(0, -1); ok {
		t.Error("no job has a box")
	}
	sample.WellFormed(t, "over", string(`<svg>`+s.SVG("o")+`</svg>`))
	if n := len(g.Over(Pointer{Job: -1, X: math.NaN()}).Ops); n != 0 {
		t.Errorf("%d operations for nothing", n)
	}
}

// A job's colour follows what the colouring says: more wait is further along the
// scale, equal users are alike, and the difference has the ground where both
// runs agree.
func TestJobColors(t *testing.T) {
	g := testGantt(60)
	jobs, a, b := g.Jobs, g.Panes[0].Cols, g.Panes[1].Cols
	for _, m := range Colourings {
		got, legend := JobColors(g.Theme, m.Key, jobs, a, a, b, 24, 10, 12*draw.Hour)
		if len(got) != 60 || len(legend.Stops) == 0 && len(legend.Swatches) == 0 {
			t.Errorf("%s: %d colours, legend %+v", m.Key, len(got), legend)
		}
	}
	wait, _ := JobColors(g.Theme, "wait", &report.Jobs{Submit: []model.Time{0, 0, 0}}, &report.Columns{Start: []model.Time{0, 6 * draw.Hour, 20 * draw.Hour}}, nil, nil, 1, 10, 12*draw.Hour)
	if wait[0] != g.Theme.Tide(0) || wait[2] != g.Theme.Tide(1) || wait[1] == wait[0] || wait[1] == wait[2] {
		t.Errorf("waits: %v", wait)
	}
	user, _ := JobColors(g.Theme, "user", jobs, a, nil, nil, 24, 10, 0)
	for i := range user {
		for j := range user {
			if (jobs.User[i] == jobs.User[j]) != (user[i] == user[j]) {
				t.Fatalf("users %d and %d: colours %v and %v", jobs.User[i], jobs.User[j], user[i], user[j])
			}
		}
	}
	same, _ := JobColors(g.Theme, "difference", jobs, a, a, a, 24, 10, 6*draw.Hour)
	if same[0] != same[1] || draw.Mix(same[0], g.Theme.Diverging(0), .5) == 0 {
		t.Error("no difference is not one colour")
	}
	diff, _ := JobColors(g.Theme, "difference", jobs, a, a, b, 24, 10, 12*draw.Hour)
	if z := diff[0]; z>>16 >= z&255 { // the first run waits less: blue
		t.Errorf("the first run waits 500 s less: %s is not blue", z.Hex())
	}
}

// Numbers on marks are black or white, whichever can be read: never below a
// contrast of 4.5 on any colour of the scales.
func TestInkContrast(t *testing.T) {
	lum := func(c draw.Color) float64 {
		f := func(s uint) float64 {
			v := float64(c>>s&255) / 255
			if v <= .04045 {
				return v / 12.92
			}
			return math.Pow((v+.055)/1.055, 2.4)
		}
		return .2126*f(16) + .7152*f(8) + .0722*f(0)
	}
	for _, th := range []*draw.Theme{draw.Colours(false), draw.Colours(true)} {
		for i := range 201 {
			v := float64(i) / 200
			for _, c := range []draw.Color{th.Tide(v), th.Diverging(2*v - 1), th.Categorical(i)} {
				a, b := lum(c)+.05, lum(draw.Ink(c))+.05
				if r := max(a/b, b/a); r < 4.5 {
					t.Fatalf("%s: contrast %.2f", c.Hex(), r)
				}
			}
		}
	}
	if draw.Color(0x0a0b0c).Hex() != "#0a0b0c" || draw.Color(0x010203).Pixel() != 0xff030201 {
		t.Error("colours are written wrongly")
	}
}

// The card says how long a job waited and why, in order of the parts; it
// escapes names, and speaks of jobs that never started.
func TestCard(t *testing.T) {
	jobs := &report.Jobs{Number: []int64{502, 9}, Submit: []model.Time{10*draw.Hour + 31*draw.Minute, 0}, Limit: []model.Time{8 * draw.Hour, 60}, Run: []model.Time{15300, 60}, Procs: []int32{17, 1}, User: []int32{1, -1}, Queue: []int32{0, 0}}
	cols := &report.Columns{Start: []model.Time{15 * draw.Hour, -1}, End: []model.Time{15*draw.Hour + 15300, -1}, Record: report.Record{Why: []report.Why{{Decision: report.BackfilledExtra, Head: 1}, {}}}}
	cols.Why[0].Waited[report.WaitOrder], cols.Why[0].Waited[report.WaitProcessors] = 12240, 3900
	other := Subject{Title: "B <x>", Cols: &report.Columns{Start: []model.Time{14 * draw.Hour, 5}}}
	got := strings.ReplaceAll(string(Card(draw.Clock{Unix: sample.March5}, jobs, 0, Subject{Title: "A", Cols: cols}, &other, "", `<i id="past"></i>`)), "\u00a0", " ")
	for _, want := range []string{"Job 502", "user 1", "backfilled", "Waited 4 h 29 m", "because job 9 stood before it", "Thu 5 10:31, 15:00", "17 processors × 8 h", "4 h 15 m", "53 % of it", "B &lt;x&gt;", "1 h earlier", "76 %", "24 %", `id="past"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %s", want, got)
		}
	}
	if i, j := strings.Index(got, "Earlier job first"), strings.Index(got, "Processors busy"); i < 0 || j < i {
		t.Error("the larger part does not stand first")
	}
	noted := Subject{Title: "A", Cols: cols, Notes: []report.Note{{Number: 99, Text: "of another"}, {Number: jobs.Number[0], Text: "a < b"}, {At: 60, Number: jobs.Number[0], Text: "a < b"}, {At: 70, Number: jobs.Number[0], Text: "last"}}}
	if got := Card(draw.Clock{}, jobs, 0, noted, nil, "", ""); strings.Count(string(got), "a &lt; b") != 1 || !strings.Contains(string(got), "“last”") || strings.Contains(string(got), "another") || strings.Contains(string(got), "a < b") {
		t.Errorf("what a program noted: %s", got)
	}
	if got := Speech(draw.Clock{}, jobs, 0, noted); !strings.Contains(got, ": last.") {
		t.Error(got)
	}
	cols.Foretold, cols.Retold = make([]model.Time, len(cols.Start)), make([]model.Time, len(cols.Start))
	cols.Foretold[0] = 300
	if got := Card(draw.Clock{}, jobs, 0, Subject{Title: "A", Cols: cols, Basis: &report.Basis{Rule: "user-median", Predicts: 120, Count: 3, Share: 0.5}}, nil, "", ""); !strings.Contains(string(got), "2\u00a0min, is its request times 0.500") {
		t.Error(got)
	}
	if got := Card(draw.Clock{}, jobs, 1, Subject{Title: "A", Cols: cols}, nil, "", ""); !strings.Contains(string(got), "Never started") {
		t.Error(got)
	}
	if got := Speech(draw.Clock{}, jobs, 0, Subject{Title: "A EASY", Cols: cols}); !strings.HasPrefix(got, "Job 502 in A EASY: 17\u00a0processors") || !strings.Contains(got, "It waited because job") {
		t.Error(got)
	}
	if got := Speech(draw.Clock{}, jobs, 1, Subject{Title: "A", Cols: cols}); !strings.HasSuffix(got, "never started.") {
		t.Error(got)
	}
	var none report.Why
	if draw.Because(&none, jobs, 0) != "" || len(draw.Reasons(&none)) != 0 {
		t.Error("a job that did not wait has a reason")
	}
}

// Reasons over time: stretches are cut to the wait, those of one reason are
// one, with the job that stood in the way longest; the strip says them all.
func TestStretches(t *testing.T) {
	phases := []report.Phase{
		{From: 5, Reason: report.WaitOrder, Head: 3}, {From: 20, Reason: report.WaitShadow, Head: 4}, {From: 30, Reason: report.WaitShadow, Head: 7},
		{From: 90, Reason: report.WaitNone, Head: -1}, {From: 95, Reason: report.WaitProcessors, Head: -1}, {From: 120, Reason: report.WaitNone, Head: -1},
	}
	got := Stretches(phases, 10, 110)
	want := []Stretch{{10, 20, report.WaitOrder, 3, ""}, {20, 90, report.WaitShadow, 7, ""}, {95, 110, report.WaitProcessors, -1, ""}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	html := WaitHTML(draw.Clock{}, got)
	sample.WellFormed(t, "past", string(html))
	for _, s := range []string{"Would delay the first job (job\u00a07)", "Processors busy", `style="flex:70"`, `<i style="flex:5">`} {
		if !strings.Contains(string(html), s) {
			t.Errorf("%q is missing in %s", s, html)
		}
	}
	if WaitHTML(draw.Clock{}, nil) != "" || len(Stretches(nil, 0, 5)) != 0 {
		t.Error("no reason has a strip")
	}
	g := testGantt(80)
	job := slices.IndexFunc(g.Jobs.Submit, func(model.Time) bool { return true })
	for j, start := range g.Panes[1].Cols.Start { // the second pane's jobs start 500 s later
		if start-g.Jobs.Submit[j] > g.Jobs.Submit[job] {
			job = j
		}
	}
	p := Pointer{Job: job, Pane: 1, X: math.NaN()}
	plain := len(g.Over(p).Ops)
	p.Waited = []Stretch{{g.Jobs.Submit[job], g.Panes[1].Cols.Start[job], report.WaitReservation, -1, ""}}
	if n := len(g.Over(p).Ops); n != plain+2 {
		t.Errorf("%d operations with a reason, %d without", n, plain)
	}
}

// listed is the listing made of pieces of most rectangles.
func listed(g *Gantt, most int) (csv string, pieces int) {
	l := g.List()
	for more := true; more; pieces++ {
		var piece []byte
		piece, more = l.Next(most)
		csv += string(piece)
	}
	return csv, pieces
}

// The calendar is drawn where it takes processors, in the chart and as a file;
// it is found under the pointer, and its table and CSV say the same.
func TestAway(t *testing.T) {
	g := testGantt(60)
	c := g.Panes[0].Cols
	mid := (g.From + g.To) / 2
	c.Away = []report.Away{
		{From: g.From - 50, To: mid, Entry: 0, Kind: int32(model.KindReservation), First: 4, Count: 6},
		{From: mid, To: g.To, Entry: 1, Kind: int32(model.KindOutage), First: 12, Count: 12},
		{From: mid, To: mid + 1, Entry: 2, Kind: int32(model.KindFailure), First: 0, Count: 2},
		{From: g.To + 5, To: g.To + 9, Entry: 2, Kind: int32(model.KindFailure), First: 0, Count: 2},
	}
	g.Jobs.Marks = make([]int32, len(g.Jobs.Number))
	g.Jobs.Marks[3] = report.MarkReserved
	g.Panes[0].Entries = []report.Entry{{Kind: "reservation", Name: "AR<2>", Cluster: "main", From: g.From, To: mid, Procs: 6}, {Kind: "outage", Cluster: "a,b", Nodes: 3}, {Kind: "failure", Cluster: "main", Nodes: 1}}
	svg, ok := g.File("calendar")
	if !ok {
		t.Fatal("no file")
	}
	sample.WellFormed(t, "calendar", svg)
	if !strings.Contains(svg, "AR&lt;2&gt; holds 6 of 24") || !strings.Contains(svg, "Outage, 12 of 24 out") {
		t.Error("labels are missing")
	}
	b := g.Layout.Panes[0].Jobs
	for _, w := range []struct {
		at   model.Time
		proc float64
		want int
	}{{mid - 100, 5, 0}, {mid - 100, 11, -1}, {mid + 100, 20, 1}, {mid + 100, 5, -1}} {
		if pane, got := g.BlockAt(g.X(w.at), b.Bottom()-(w.proc+.5)/24*b.H); got != w.want || pane != 0 {
			t.Errorf("at %d, processor %g: %d, want %d", w.at-mid, w.proc, got, w.want)
		}
	}
	if card := g.BlockCard(0, 0); !strings.Contains(string(card), "Reservation AR&lt;2&gt;") || !strings.Contains(string(card), "6 of 24") {
		t.Error(card)
	}
	if m := MarksOf(g.Jobs, c); !m.Reservation || !m.Outage || !m.Failure || !m.Reserved || m.Stopped || len(m.Legend()) != 3 {
		t.Errorf("%+v", m)
	}
	whole, _ := listed(g, 1<<30)
	if small, pieces := listed(g, 7); small != whole || pieces < 10 {
		t.Errorf("the listing differs when it is made in %d pieces", pieces)
	}
	lines := strings.Split(strings.TrimSpace(whole), "\r\n")
	count := map[string]int{}
	for _, l := range lines[1:] {
		f := strings.Split(l, ",")
		if len(f) != 7 {
			t.Fatalf("%q", l)
		}
		count[f[1]]++
	}
	if count["reservation"] != 1 || count["outage"] != 1 || count["failure"] != 1 || count["reserved"] == 0 || count["job"]+count["reserved"] != g.Panes[0].Index.Len()+g.Panes[1].Index.Len() {
		t.Errorf("%v", count)
	}
	if csv := CalendarCSV(g.Panes[0].Entries); !strings.Contains(csv, `outage,,"a,b",0,0,0,3`) || len(CalendarGrid(g.Panes[0].Entries, g.Clock).Cells) != 3 {
		t.Error(csv)
	}
	g.Panes[0].HideAway = true
	if _, got := g.BlockAt(g.X(mid-100), b.Bottom()-5.5/24*b.H); got != -1 {
		t.Error("what is hidden is found")
	}
}

// The next and the previous job on the same processors, against a plain search.
func TestNeighbour(t *testing.T) {
	_, c := sample.Packed(rand.New(rand.NewPCG(8, 8)), 150, 16)
	ix := draw.NewIndex(c, 16)
	shares := func(a, b int) bool {
		for _, x := range c.Spans {
			for _, y := range c.Spans {
				if int(x.Job) == a && int(y.Job) == b && x.First < y.First+y.Count && y.First < x.First+x.Count {
					return true
				}
			}
		}
		return false
	}
	for job := 0; job < 150; job += 7 {
		next := -1
		for k := range c.Start {
			if c.Start[k] > c.Start[job] && shares(job, k) && (next < 0 || c.Start[k] < c.Start[next]) {
				next = k
			}
		}
		if got := ix.Neighbour(job, 1); got != next && (got < 0 || next < 0 || c.Start[got] != c.Start[next] || !shares(job, got)) {
			t.Errorf("after job %d: %d, want %d", job, got, next)
		}
		if next >= 0 {
			back := ix.Neighbour(next, -1)
			if back < 0 || c.Start[back] < c.Start[job] || !shares(next, back) {
				t.Errorf("before job %d: %d", next, back)
			}
		}
	}
	if ix.Neighbour(-1, 1) != -1 {
		t.Error("no job has a neighbour")
	}
}

// Intent: cycles of a backfill loop are ticks where they lie apart, each at its time, and
// none where they would run together.
func TestCyclesAreTicks(t *testing.T) {
	cols := &report.Columns{Start: []model.Time{100}, End: []model.Time{400}, Cycles: []model.Time{110, 30}}
	g := Gantt{Layout: NewLayout(900, 500, 1), From: 100, To: 400, Theme: draw.Colours(false), Jobs: &report.Jobs{Number: []int64{1}}, Panes: []GanttPane{{Procs: 8, Cols: cols, Scale: 1}}}
	var s draw.Scene
	g.cycles(&s, 0)
	if len(s.Ops) != 1 || strings.Count(s.Ops[0].Path, "M") != 10 {
		t.Fatalf("from 100 to 400 cycles come at 110, 140 … 380: %+v", s.Ops)
	}
	if at := "M" + draw.Num(draw.Crisp(g.X(140))) + " "; !strings.Contains(s.Ops[0].Path, at) {
		t.Errorf("no tick at 140 (%s): %s", at, s.Ops[0].Path)
	}
	for _, still := range []Gantt{{Layout: g.Layout, From: 0, To: 1_000_000, Theme: g.Theme, Panes: g.Panes}, {Layout: g.Layout, From: 100, To: 400, Theme: g.Theme, Panes: []GanttPane{{Cols: &report.Columns{}}}}} {
		var s draw.Scene
		if still.cycles(&s, 0); len(s.Ops) > 0 {
			t.Errorf("from %d to %d there are ticks", still.From, still.To)
		}
	}
}
