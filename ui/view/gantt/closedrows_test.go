package gantt

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/ui/draw"
	"batchlab/ui/sample"
)

// banded is a chart of a random machine in parts, some of whose rows are in view.
func banded(r *rand.Rand) *Gantt {
	procs := 40 + r.IntN(400)
	_, c := sample.Packed(r, 150, procs)
	ix := draw.NewIndex(c, procs)
	g := &Gantt{Layout: NewLayout(900, 420+float64(r.IntN(500)), 1), From: ix.From, To: ix.To, Theme: draw.Colours(r.IntN(2) == 0), Panes: []GanttPane{{Procs: procs, Index: ix, Cols: c}}}
	for j := range len(c.Start) + len(c.Before) {
		g.Panes[0].Colors = append(g.Panes[0].Colors, draw.Color(j*7919&0xffffff))
	}
	for at := 0; at < procs && r.IntN(4) > 0; {
		to := min(procs, at+5+r.IntN(60))
		g.Parts = append(g.Parts, Part{Rows{at, to}, "part", "cluster"})
		at = to
	}
	low := r.IntN(procs - 8)
	g.Rows = Rows{low, low + 4 + r.IntN(procs-low-4)}
	g.Carve()
	return g
}

// If this fails a processor of a large machine stands nowhere in the chart, twice, or
// above one that has a higher number; or what is closed takes the place of what is open.
func TestBandsAndRowsAreTheMachine(t *testing.T) {
	r, some := rand.New(rand.NewPCG(5, 6)), 0
	for range 300 {
		g := banded(r)
		pane, procs, rows := &g.Layout.Panes[0], g.Panes[0].Procs, g.shown(0)
		at, y := 0, pane.Whole.Bottom()
		step := func(part Rows, b draw.Box) {
			if part.From != at || b.Bottom() > y+.01 || b.H < leastBand-.01 || b.Y < pane.Whole.Y-.01 {
				t.Fatalf("%+v of %d in view, %+v, part %v begins at %d below %v", rows, procs, pane, part, at, y)
			}
			at, y = part.To, b.Y
		}
		open := false
		for k := range pane.Bands {
			b := rowsOf(&pane.Bands[k])
			if b.From >= rows.To && !open {
				step(rows, pane.Jobs)
				open = true
			}
			step(b, pane.BandBox(k))
		}
		if !open {
			if len(pane.Bands) == 0 {
				at = rows.From
			}
			step(rows, pane.Jobs)
		}
		if len(pane.Bands) == 0 {
			continue
		}
		some++
		if at != procs || pane.Jobs.H < pane.Whole.H*(1-mostBanded)-1 {
			t.Fatalf("%d of %d processors, %v of %v for those in view", at, procs, pane.Jobs.H, pane.Whole.H)
		}
		f, below := g.frame(0), pane.Whole.Bottom()
		for p := range procs {
			top, h := f.Down(int32(p), 1)
			if below, h = top, below-top-h; h < -.001 {
				t.Fatalf("processor %d stands below %d", p+1, p)
			}
		}
		k := r.IntN(len(pane.Bands))
		b, want := pane.BandBox(k), rowsOf(&pane.Bands[k])
		if found, ok := g.BandAt(b.X+5, b.Y+b.H/2); !ok || found != want {
			t.Fatalf("%v stands where %v is drawn", found, want)
		}
	}
	if some < 100 {
		t.Errorf("%d charts have bands", some)
	}
}

// If this fails a closed row is drawn as busier than it was, or less, or in colours that
// no job of it has: the twin goes through all rectangles for each column by itself.
func TestBandsAreAsHighAsTheyAreBusy(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		g := banded(r)
		if len(g.Layout.Panes[0].Bands) == 0 {
			continue
		}
		length := (g.To - g.From) / model.Time(1+r.IntN(3))
		g.From += model.Time(r.IntN(int(g.To-g.From-length) + 1))
		g.To = g.From + length
		const w = 97
		per := float64(w) / float64(g.To-g.From)
		for k, columns := range g.columns(0, w) {
			b := rowsOf(&g.Layout.Panes[0].Bands[k])
			for x := range w {
				var want column
				for _, q := range g.Panes[0].Index.All {
					long := min(float64(x+1), float64(q.End-g.From)*per) - max(float64(x), float64(q.Start-g.From)*per)
					held := min(int(q.First+q.Count), b.To) - max(int(q.First), b.From)
					if long > 0 && held > 0 {
						c := g.Panes[0].Colors[q.Job]
						want.add(column{1, float64(c >> 16), float64(c >> 8 & 255), float64(c & 255)}, long*float64(held))
					}
				}
				for n := range want {
					if math.Abs(want[n]-columns[x][n]) > 1e-6*(1+want[n]) {
						t.Fatalf("band %v, column %d of %d: %v, want %v", b, x, w, columns[x], want)
					}
				}
			}
		}
		var m draw.Bitmap
		drawn := 0
		g.Bands(0, 1, func(int) *draw.Bitmap { drawn++; return &m })
		if file, ok := g.File("x"); drawn != len(g.Layout.Panes[0].Bands) || !ok || strings.Count(file, "▸") != drawn {
			t.Errorf("%d bands drawn, in the file %t", drawn, ok)
		}
	}
}

// If this fails the chart of a large machine opens on other rows than those that are
// booked, or on no more than these.
func TestChartOpensOnTheRowsOfABooking(t *testing.T) {
	for _, c := range []struct {
		first, count, procs int
		want                string
	}{{300, 100, 5000, "{200 500}"}, {0, 100, 5000, "{0 300}"}, {4900, 100, 5000, "{4700 5000}"}, {100, 2000, 5000, "{0 0}"}} {
		if got := fmt.Sprint(WideRows(c.first, c.count, c.procs)); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
