package gantt

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
)

// holds is the plain twin of JobAt: whether a rectangle of a job holds a point.
func holds(g *Gantt, pane, job int, x, y float64) bool {
	p, b := &g.Panes[pane], g.Layout.Panes[pane].Jobs
	at := float64(g.From) + (x-b.X)/b.W*float64(g.To-g.From)
	processor := int32((b.Bottom() - y) / b.H * float64(p.Procs))
	if at < float64(p.Cols.Start[job]) || at >= float64(p.Cols.End[job]) {
		return false
	}
	for _, s := range p.Cols.Spans {
		if int(s.Job) == job && s.First <= processor && processor < s.First+s.Count {
			return true
		}
	}
	return false
}

// Intent: the job that is named stands under the pointer, or within a pixel of it,
// at any zoom and while the reader moves; where none is named none stands.
func TestJobUnderThePointer(t *testing.T) {
	g := testGantt(300)
	full := [2]model.Time{g.From, g.To}
	r := rand.New(rand.NewPCG(5, 5))
	found := 0
	for _, zoom := range []float64{1, .2, .01} {
		for range 400 {
			span := float64(full[1]-full[0]) * zoom
			g.From = full[0] + model.Time(r.Float64()*(float64(full[1]-full[0])-span))
			g.To = g.From + max(60, model.Time(span))
			pane := r.IntN(2)
			b := g.Layout.Panes[pane].Jobs
			x, y := b.X+r.Float64()*b.W, b.Y+r.Float64()*(b.H-.01)
			job, at := g.JobAt(x, y)
			if job >= 0 {
				found++
				if at != pane || !holds(g, pane, job, x, y) && !holds(g, pane, job, x+1, y) && !holds(g, pane, job, x-1, y) {
					t.Fatalf("job %d in pane %d is not at %g, %g of pane %d", job, at, x, y, pane)
				}
				continue
			}
			for j := range g.Jobs.Number {
				if holds(g, pane, j, x, y) {
					t.Fatalf("job %d stands at %g, %g, and none was found", j, x, y)
				}
			}
		}
	}
	if found < 200 {
		t.Errorf("only %d points on jobs", found)
	}
}

// Intent: every job that starts at another time counts on the day of its earlier
// start, in the log's own time zone, whatever the clocks do; days follow each other
// without gaps; the one that opens the chart has the largest sum.
func TestDays(t *testing.T) {
	summer := func(unix int64) int64 { // clocks go forward by an hour on the third day
		if unix > 1772668800+2*86400 {
			return 7200
		}
		return 3600
	}
	c := draw.Clock{Unix: 1772668800 + 5000, Offset: summer}
	r := rand.New(rand.NewPCG(9, 9))
	const n = 500
	a, b := &report.Columns{}, &report.Columns{}
	jobs := &report.Jobs{}
	for range n {
		s := model.Time(r.Int64N(9 * 86400))
		jobs.Submit = append(jobs.Submit, s)
		a.Start = append(a.Start, s+model.Time(r.Int64N(5000)))
		b.Start = append(b.Start, s+model.Time(r.Int64N(5000)))
	}
	a.Start[3], b.Start[4] = -1, -1 // rejected
	days := Days(c, jobs, a, b)
	sum, moved := 0.0, 0
	for i, d := range days {
		if i > 0 && d.From != days[i-1].To || c.Local(d.From)%86400 != 0 {
			t.Errorf("day %d begins at %d", i, d.From)
		}
		var apart float64
		count := 0
		for j := range n {
			if at := min(a.Start[j], b.Start[j]); at >= 0 && at >= d.From && at < d.To && a.Start[j] != b.Start[j] {
				apart += math.Abs(float64(a.Start[j] - b.Start[j]))
				count++
			}
		}
		if apart != d.Apart || count != d.Jobs {
			t.Errorf("day %d: %d jobs, %g s; want %d, %g", i, d.Jobs, d.Apart, count, apart)
		}
		sum, moved = sum+apart, moved+count
	}
	if moved < n/2 || sum == 0 {
		t.Error("hardly any job counts")
	}
	order := Ranked(days)
	if !slices.IsSortedFunc(order, func(x, y int) int { return int(days[y].Apart - days[x].Apart) }) {
		t.Errorf("%v", order)
	}
	one := Days(c, jobs, a, nil)
	if len(one) == 0 || one[Ranked(one)[0]].Say(0, false) == "" {
		t.Error("one run has no days")
	}
	jobs.Reserved = []report.Reservation{{Job: 7}} // when jobs asked is computed for all at once
	if most := 60.0; testing.AllocsPerRun(1, func() { Days(c, jobs, a, nil) }) > most {
		t.Errorf("more than %g allocations", most)
	}
	jobs.Reserved = nil
	d := Day{Jobs: 139, Apart: 907 * 3600}
	if got := d.Say(0, true); got != "differs most: 139\u00a0jobs start 907\u00a0h apart in total" {
		t.Errorf("%q", got)
	}
	if got := d.Say(1, true); got[:17] != "differs 2nd most:" {
		t.Errorf("%q", got)
	}
	if Days(c, &report.Jobs{}, &report.Columns{}, nil) != nil {
		t.Error("days of nothing")
	}
}
