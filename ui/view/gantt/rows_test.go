package gantt

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/sample"
)

// However the reader zooms and moves, rows stay inside the machine, are never none,
// and zooming in and out again keeps what was under the pointer.
func TestRowsStayInside(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		procs := 1 + r.IntN(100_000)
		if r.IntN(3) == 0 {
			procs = 1 + r.IntN(8)
		}
		rows := Rows{r.IntN(procs+3) - 1, r.IntN(procs+3) - 1}
		for range 6 {
			switch r.IntN(3) {
			case 0:
				rows = rows.Zoomed(procs, .2+r.Float64()*4, r.Float64())
			case 1:
				rows = rows.Moved(procs, r.Float64()*4-2)
			default:
				rows = rows.Within(procs)
			}
			if rows.From < 0 || rows.To > procs || rows.To-rows.From < min(procs, leastRows) {
				t.Fatalf("of %d: %v", procs, rows)
			}
		}
	}
	all := Rows{}.Within(1000)
	in := all.Zoomed(1000, .5, .3)
	if got := float64(300-in.From) / float64(in.To-in.From); got < .29 || got > .31 {
		t.Errorf("what was at 0.3 is at %v", got)
	}
	for n, rows := 0, all; rows.To-rows.From > leastRows; n++ {
		if rows = rows.Zoomed(1000, .99, .5); n > 1000 {
			t.Fatal("a small factor never comes to the fewest rows")
		}
	}
}

// The picture of some rows is that of a machine that consists of these alone: the twin
// cuts all rectangles to the rows and draws them whole.
func TestSomeRowsAreAMachineOfTheirs(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 60 {
		procs := 8 + r.IntN(60)
		_, c := sample.Packed(r, 200, procs)
		ix := draw.NewIndex(c, procs)
		low := r.IntN(procs - 4)
		high := low + 4 + r.IntN(procs-low-3)
		colors := make([]draw.Color, len(c.Start))
		for j := range colors {
			colors[j] = draw.Color(r.IntN(1 << 24))
		}
		p := &draw.Paint{Jobs: colors, Ground: make([]draw.Color, 120)}
		v := draw.View{From: ix.From, To: ix.From + (ix.To-ix.From)/model.Time(1+r.IntN(20)), W: 120, H: (high - low) * (1 + r.IntN(9)), Scale: 1}
		var whole, some draw.Raster
		some.Draw(ix, draw.View{From: v.From, To: v.To, Low: low, High: high, W: v.W, H: v.H, Scale: v.Scale}, p)
		cut := *ix
		cut.Procs = high - low
		cut.All = slices.Clone(ix.All)
		for i := range cut.All {
			q := &cut.All[i]
			first, end := max(int(q.First), low), min(int(q.First+q.Count), high)
			if end <= first { // nothing of it: it ends before the view begins
				q.End = v.From
				end = first
			}
			q.First, q.Count = int32(first-low), int32(end-first)
		}
		whole.Draw(&cut, v, p)
		if !slices.Equal(whole.Pix, some.Pix) {
			t.Fatalf("%d: rows %d to %d of %d differ", n, low, high, procs)
		}
	}
}

// A processor stands where Down says, and what stands there is that processor, with
// all rows in view and with some.
func TestRowsAndPlaces(t *testing.T) {
	g := &Gantt{Layout: NewLayout(900, 600, 2), Panes: []GanttPane{{Procs: 1000}, {Procs: 1000}}}
	for _, rows := range []Rows{{}, {0, 10}, {500, 700}, {990, 1000}} {
		g.Rows = rows
		for p := rows.Within(1000).From; p < rows.Within(1000).To; p += 3 {
			f := g.frame(1)
			y, h := f.Down(int32(p), 1)
			if got := f.Processor(y + h/2); int(got) != p {
				t.Fatalf("%v: processor %d is found as %d", rows, p, got)
			}
		}
	}
}

// A site's parts are its clusters and partitions, not those that are all of it, and
// its machines by their names.
func TestParts(t *testing.T) {
	site := &report.Site{
		Machines:   []report.Machine{{Cluster: "fat", First: 0, Procs: 64}, {Cluster: "fat", First: 64, Procs: 64}, {Cluster: "thin", First: 128, Procs: 16}},
		Partitions: []report.SitePartition{{Name: "all", First: 0, Procs: 144}, {Name: "debug", First: 64, Procs: 64}},
	}
	want := []Part{{Rows{0, 128}, "fat", "cluster"}, {Rows{128, 144}, "thin", "cluster"}, {Rows{64, 128}, "debug", "partition"},
		{Rows{0, 64}, "fat1", "machine"}, {Rows{64, 128}, "fat2", "machine"}, {Rows{128, 144}, "thin", "machine"}}
	if got := Parts(site); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if got := Parts(&report.Site{Machines: site.Machines[:1]}); got != nil {
		t.Errorf("one machine: %v", got)
	}
	g := &Gantt{Panes: []GanttPane{{Procs: 144}}, Parts: want}
	for rows, text := range map[Rows]string{{}: "all 144\u00a0processors", {128, 144}: "cluster thin", {3, 70}: "processors 3 to 69 of 144"} {
		if g.Rows = rows; g.RowsSaid() != text {
			t.Errorf("%v: %q, want %q", rows, g.RowsSaid(), text)
		}
	}
}

// A job that is looked for is as high as asked for, and in view.
func TestRowsOfAJob(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	_, c := sample.Packed(r, 300, 4000)
	g := &Gantt{Layout: NewLayout(900, 600, 1), Panes: []GanttPane{{Procs: 4000, Cols: c, Index: draw.NewIndex(c, 4000)}}}
	for j := range c.Start {
		g.Rows = g.RowsOf(0, j, foundHigh)
		seen := false
		f := g.frame(0)
		g.Panes[0].Index.Rects(j, func(q draw.Rect) {
			y, h := f.Down(q.First, q.Count)
			b := g.Layout.Panes[0].Jobs
			if q.Main && (h < foundHigh*.8 || y > b.Bottom() || y+h < b.Y) {
				t.Fatalf("job %d: %v is at %v, %v high", j, g.Rows, y, h)
			}
			seen = true
		})
		if !seen {
			t.Fatal("no rectangle")
		}
	}
}

// The scale of waits ends at the first round time that one job of a hundred at most
// waits longer than: found here by looking at all of them.
func TestScaleOfTheLog(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		n := 1 + r.IntN(2000)
		jobs, c, d := &report.Jobs{Submit: make([]model.Time, n)}, &report.Columns{Start: make([]model.Time, n)}, &report.Columns{Start: make([]model.Time, n)}
		most := 1 + r.IntN(3_000_000)
		var waits, apart []int
		for j := range n {
			a, b := r.IntN(most), r.IntN(most)
			c.Start[j], d.Start[j] = model.Time(a), model.Time(b)
			waits = append(waits, a)
			apart = append(apart, max(a-b, b-a))
		}
		check := func(kind string, got model.Time, list []int) {
			longer := 0
			for _, w := range list {
				if w > int(got) {
					longer++
				}
			}
			i := slices.Index(scaleEnds, got)
			shorter := 0
			for _, w := range list {
				if i > 0 && w > int(scaleEnds[i-1]) {
					shorter++
				}
			}
			if longer*100 > len(list) || i > 0 && shorter == 0 {
				t.Fatalf("%s: of %d up to %d, %d are longer than %d", kind, n, most, longer, got)
			}
		}
		check("waits", ScaleOf("wait", jobs, []*report.Columns{c}), waits)
		check("differences", ScaleOf("difference", jobs, []*report.Columns{c, d}), apart)
	}
}

// Of what the settings book, the chart opens on what comes first within the log,
// whatever kind it is of, and on nothing that lies before or behind it.
func TestBooking(t *testing.T) {
	e := &experiment.Experiment{}
	span := [2]model.Time{1000, 9000}
	if name, _, _ := Booking(e, span); name != "" {
		t.Errorf("nothing is booked: %q", name)
	}
	e.Platform.Outages = []experiment.Outage{{Name: "before", From: 0, To: 1000}, {From: 5000, To: 6000}, {Name: "behind", From: 9000, To: 9900}}
	if name, from, to := Booking(e, span); name != "the first outage" || from != 5000 || to != 6000 {
		t.Errorf("%q from %d to %d", name, from, to)
	}
	e.Platform.Reservations = []experiment.ReservationRequest{{Name: "course", From: 4000, To: 4500}, {Name: "later", From: 7000, To: 8000}}
	if name, _, _ := Booking(e, span); name != "course" {
		t.Errorf("%q", name)
	}
}

// Intent: a name that is too wide for its gutter is broken where words end, and every
// line fits; what has no room for more lines is cut, and nothing else is left out.
func TestFold(t *testing.T) {
	for name, want := range map[string]string{"South": "South", "Northern lights": "North-|ern|lights", "South pole": "South|pole", "": ""} {
		if got := strings.Join(fold(name, beside(44), 4), "|"); got != want {
			t.Errorf("%q is broken into %q, not %q", name, got, want)
		}
	}
	if got := fold("Northern lights", beside(44), 0); len(got) != 1 || got[0] != draw.Clip("Northern lights", beside(44)) {
		t.Errorf("one line: %q", got)
	}
}
