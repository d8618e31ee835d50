package gantt

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/sample"
)

// Intent: what is idle is what no job holds, over all of the time in which nothing
// happened; those that waited then are told apart by whether they would have
// fitted. A plain look at every second and processor finds the same.
func TestIdleTwin(t *testing.T) {
	g := testGantt(120)
	r := rand.New(rand.NewPCG(3, 3))
	p := &g.Panes[0]
	some := 0
	for range 200 {
		at := g.From + model.Time(r.Int64N(int64(g.To-g.From)))
		busy := make([]bool, p.Procs)
		for _, s := range p.Cols.Spans {
			if p.Cols.Start[s.Job] <= at && at < p.Cols.End[s.Job] {
				for k := s.First; k < s.First+s.Count; k++ {
					busy[k] = true
				}
			}
		}
		free := 0
		for _, b := range busy {
			if !b {
				free++
			}
		}
		d := g.IdleOn(0, at)
		if d == nil {
			if free > 0 {
				t.Fatalf("%d idle at %d, none found", free, at)
			}
			continue
		}
		some++
		count := 0
		for _, gap := range d.Gaps {
			for k := gap[0]; k < gap[1]; k++ {
				if busy[k] {
					t.Fatalf("processor %d is busy at %d", k, at)
				}
				count++
			}
		}
		if count != free || d.Free != free || d.From > at || d.To <= at {
			t.Fatalf("at %d: %d idle from %d to %d, want %d", at, d.Free, d.From, d.To, free)
		}
		var waiting, wide []int
		for j := range p.Cols.Start {
			if g.Jobs.Submit[j] <= at && at < p.Cols.Start[j] {
				waiting = append(waiting, j)
				if int(g.Jobs.Procs[j]) > free {
					wide = append(wide, j)
				}
			}
			for _, e := range []model.Time{g.Jobs.Submit[j], p.Cols.Start[j], p.Cols.End[j]} {
				if e > d.From && e < d.To {
					t.Fatalf("something happens at %d, between %d and %d", e, d.From, d.To)
				}
			}
		}
		if !slices.Equal(waiting, d.Waiting) || !slices.Equal(wide, d.Wide) {
			t.Fatalf("at %d: %v waited, %v of them wide; want %v, %v", at, d.Waiting, d.Wide, waiting, wide)
		}
	}
	if some < 50 {
		t.Errorf("only %d idle moments", some)
	}
}

// Intent: the card says how many waited and what kept each out, in the words of
// the record; before it is known it claims nothing; where no job waited it says so.
func TestIdleCard(t *testing.T) {
	jobs := &report.Jobs{Number: []int64{1, 2, 3, 4}, Submit: []model.Time{0, 5, 6, 7}, Limit: []model.Time{100, 50, 3600, 60}, Run: []model.Time{100, 50, 3600, 60}, Procs: []int32{6, 8, 3, 2}, User: []int32{1, 1, 1, 1}, Queue: []int32{1, 1, 1, 1}}
	cols := &report.Columns{Start: []model.Time{0, 100, 160, 150}, End: []model.Time{100, 150, 3760, 210}, Spans: []report.Span{{Job: 0, First: 0, Count: 6}, {Job: 1, First: 0, Count: 8}, {Job: 2, First: 0, Count: 3}, {Job: 3, First: 4, Count: 2}}}
	g := &Gantt{Layout: NewLayout(900, 500, 1), From: 0, To: 400, Theme: draw.Colours(false), Jobs: jobs, Panes: []GanttPane{{Procs: 8, Cols: cols, Index: draw.NewIndex(cols, 8), Scale: 1}}}
	d := g.IdleOn(0, 50)
	if d == nil || d.Free != 2 || len(d.Waiting) != 3 || len(d.Wide) != 2 || d.From != 7 || d.To != 100 || !slices.Equal(d.Fit(), []int{3}) {
		t.Fatalf("%+v", d)
	}
	plain := func() string {
		html := g.IdleCard(d, "A EASY", "In B 8 of 8 are busy.")
		sample.WellFormed(t, "card", string("<div>"+html+"</div>"))
		return strings.ReplaceAll(string(html), "\u00a0", " ")
	}
	before := plain()
	for _, want := range []string{"2 of 8 processors idle", "3 jobs waited", "Too wide: need 3 to 8", "2 jobs", "Would fit, but had to wait", "finding out why", "In B 8 of 8 are busy."} {
		if !strings.Contains(before, want) {
			t.Errorf("%q is not in %s", want, before)
		}
	}
	d.Learn(3, []report.Phase{{From: 7, Reason: report.WaitShadow, Head: 2}, {From: 100, Reason: report.WaitProcessors, Head: -1}})
	if after := plain(); !strings.Contains(after, "would delay job 2") || !strings.Contains(after, "Would delay the first job") || strings.Contains(after, "working out") {
		t.Errorf("%s", after)
	}
	if none := g.IdleOn(0, 220); none == nil || len(none.Waiting) != 0 || !strings.Contains(string(g.IdleCard(none, "A", "")), "No job waited") {
		t.Errorf("%+v", none)
	}
	if g.IdleOn(0, 120) != nil {
		t.Error("idle while all are busy")
	}
	g.Panes[0].Used, g.Panes[0].Waiting = draw.NewSteps([]model.Time{0, 100, 150, 400}, []int32{6, 8, 2, 0}), draw.NewSteps([]model.Time{0, 7, 100, 150}, []int32{0, 3, 2, 0})
	if most := g.MostIdle(); most == nil || most.From != 7 || len(most.Waiting) != 3 {
		t.Errorf("most idle: %+v", most)
	}
	b := g.Layout.Panes[0].Jobs
	if g.IdleAt(g.X(50), b.Y+2) == nil || g.IdleAt(g.X(50), b.Bottom()-2) != nil || g.IdleAt(2, 2) != nil {
		t.Error("what is pointed at")
	}
	if box := d.Box(g); box.Y < b.Y-1 || box.Bottom() > b.Bottom()+1 || box.X < b.X-1 {
		t.Errorf("%+v", box)
	}
}
