package draw

import (
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/sample"
)

func plainPaint(n, w int) *Paint {
	p := &Paint{Jobs: make([]Color, n), Ground: make([]Color, w), Hatch: 0x808080}
	for j := range p.Jobs {
		p.Jobs[j] = Color(j*2654435761) & 0xffffff
	}
	for x := range p.Ground {
		p.Ground[x] = Color(0xf0f0f0 + x%5)
	}
	return p
}

// The raster agrees with a plain twin that asks, for every pixel, how much of
// it each single rectangle covers.
func TestRasterAgreesWithPerPixelTwin(t *testing.T) {
	partly, wholly := 0, 0
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		procs := 1 + r.IntN(60)
		_, c := sample.Packed(r, 1+r.IntN(300), procs)
		ix := NewIndex(c, procs)
		span := ix.To - ix.From
		from := ix.From + model.Time(r.Int64N(int64(span)))
		v := View{From: from, To: from + 1 + model.Time(r.Int64N(int64(span))), W: 1 + r.IntN(90), H: 1 + r.IntN(70), Scale: []float64{1, 1.5, 2}[r.IntN(3)]}
		p := plainPaint(len(c.Start), v.W)
		var ra Raster
		ra.Draw(ix, v, p)

		cov, best, job := make([]uint32, v.W*v.H), make([]uint32, v.W*v.H), make([]int32, v.W*v.H)
		for i := range job {
			job[i] = -1
		}
		for i := range ix.All { // all of them: no culling here
			if ix.All[i].End <= v.From || ix.All[i].Start >= v.To {
				continue // the least width must not let it reach into the view
			}
			b := ra.BoxOf(ix, i)
			for y := range v.H {
				for x := range v.W {
					wide := min(b.X1, (x+1)<<16) - max(b.X0, x<<16)
					high := min(b.Y1, (y+1)<<8) - max(b.Y0, y<<8)
					if wide <= 0 || high <= 0 {
						continue
					}
					area, at := uint32(wide)*uint32(high), y*v.W+x
					cov[at] = min(full, cov[at]+area)
					if area > best[at] || area == best[at] && ix.All[i].Job > job[at] {
						best[at], job[at] = area, ix.All[i].Job
					}
				}
			}
		}
		for at := range cov {
			want := p.Ground[at%v.W].Pixel()
			switch {
			case cov[at] >= full:
				want = p.Jobs[job[at]].Pixel()
				wholly++
			case cov[at] > 0:
				want = Blend(want, p.Jobs[job[at]].Pixel(), cov[at]>>16)
				partly++
			}
			if got := ra.At(at%v.W, at/v.W); ra.Pix[at] != want || got != int(job[at]) {
				t.Fatalf("seed %d, pixel %d,%d: colour %08x job %d, twin says %08x job %d (covered %d of %d)",
					seed, at%v.W, at/v.W, ra.Pix[at], got, want, job[at], cov[at], full)
			}
		}
	}
	if partly < 1000 || wholly < 1000 {
		t.Fatalf("only %d pixels covered in part and %d wholly: the test tests nothing", partly, wholly)
	}
}

// The binary search over starts and running ends finds all that scanning
// every rectangle finds, and little more.
func TestRangeAgreesWithScan(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	_, c := sample.Packed(r, 400, 16)
	ix := NewIndex(c, 16)
	if !slices.IsSortedFunc(ix.All, func(a, b rect) int { return int(a.Start - b.Start) }) || ix.Len() != len(c.Spans) {
		t.Fatal("rectangles are not in order of their start, or some are missing")
	}
	for range 500 {
		from := ix.From + model.Time(r.Int64N(int64(ix.To-ix.From))) - 20
		to := from + 1 + model.Time(r.Int64N(300))
		lo, hi := ix.Range(from, to)
		for i := range ix.All {
			if visible := ix.All[i].Start < to && ix.All[i].End > from; visible && (i < lo || i >= hi) {
				t.Fatalf("[%d, %d): rectangle %d lies outside the range %d…%d", from, to, i, lo, hi)
			}
		}
		if lo < hi && (ix.maxEnd[lo] <= from || ix.All[hi-1].Start >= to) {
			t.Fatalf("[%d, %d): the range %d…%d is wider than need be", from, to, lo, hi)
		}
	}
}

// Every rectangle of a job is found again by its job, one of them the tallest
// and the bearer of the label.
func TestRectsOfAJob(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	_, c := sample.Packed(r, 200, 24)
	ix := NewIndex(c, 24)
	for j := range c.Start {
		var got []report.Span
		mains, tallest, main := 0, int32(0), int32(0)
		ix.Rects(j, func(q Rect) {
			got = append(got, report.Span{Job: int32(j), First: q.First, Count: q.Count})
			tallest = max(tallest, q.Count)
			if q.Main {
				mains++
				main = q.Count
			}
		})
		var want []report.Span
		for _, s := range c.Spans {
			if s.Job == int32(j) {
				want = append(want, s)
			}
		}
		slices.SortFunc(got, func(a, b report.Span) int { return int(a.First - b.First) })
		if !slices.Equal(got, want) || mains != 1 || main != tallest {
			t.Fatalf("job %d: %v, want %v; %d main rectangles of height %d, tallest %d", j, got, want, mains, main, tallest)
		}
	}
	ix.Rects(-1, func(Rect) { t.Error("job −1 has a rectangle") })
	ix.Rects(len(c.Start), func(Rect) { t.Error("a job that is not there has a rectangle") })
}

// A wide view of short jobs is a density view, a narrow one is not; labels
// appear only where they have room.
func TestDensityAndLabels(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	_, c := sample.Packed(r, 2000, 8)
	ix := NewIndex(c, 8)
	p := plainPaint(len(c.Start), 800)
	var ra Raster
	if d := ra.Draw(ix, whole(ix.From, ix.To, 800, 200, 1), p); !d.Density || len(d.Labels) > 5 {
		t.Errorf("whole view: density %v, %d labels", d.Density, len(d.Labels))
	}
	d := ra.Draw(ix, whole(ix.From+500, ix.From+1000, 800, 200, 1), p)
	if d.Density || len(d.Labels) == 0 {
		t.Errorf("500 s: density %v, %d labels", d.Density, len(d.Labels))
	}
	for _, l := range d.Labels {
		if l.W < labelWidth || l.H < labelHeight || l.X < 0 || l.X+l.W > 800.01 {
			t.Errorf("label without room: %+v", l)
		}
	}
}

// Nothing to draw, a view that ends before it begins, a raster of no size:
// the ground is drawn and no job is found.
func TestRasterOfNothing(t *testing.T) {
	ix := NewIndex(&report.Columns{}, 4)
	p := plainPaint(0, 10)
	var ra Raster
	for _, v := range []View{whole(0, 0, 10, 5, 1), whole(5, 1, 10, 5, 1), whole(0, 10, 10, 5, 2), whole(0, 10, 0, 5, 1)} {
		d := ra.Draw(ix, v, p)
		if d.Rects != 0 || ra.At(0, 0) != -1 || ra.At(-1, 3) != -1 {
			t.Errorf("%+v: %+v, job %d", v, d, ra.At(0, 0))
		}
		if v.W > 0 && ra.Pix[0] != p.Ground[0].Pixel() {
			t.Errorf("%+v: the ground is not drawn", v)
		}
	}
	if len(ra.Bytes()) != 0 {
		t.Error("an empty raster has bytes")
	}
}

// A mark stands in the corner of a backfilled job that is large enough, and
// idle ground is hatched where asked for.
func TestMarksAndIdle(t *testing.T) {
	c := &report.Columns{Start: []model.Time{10, 10}, End: []model.Time{90, 90}, Spans: []report.Span{{Job: 0, First: 0, Count: 1}, {Job: 1, First: 1, Count: 1}}}
	ix := NewIndex(c, 3)
	p := plainPaint(2, 100)
	p.Jobs[0], p.Jobs[1] = 0xffffff, 0xffffff
	p.Backfilled = []bool{true, false}
	p.Idle = make([]bool, 100)
	for x := 0; x < 50; x++ {
		p.Idle[x] = true
	}
	var ra Raster
	ra.Draw(ix, whole(0, 100, 100, 60, 1), p)
	if got := ra.Pix[40*100+10]; got == Color(0xffffff).Pixel() {
		t.Error("job 0 has no mark")
	}
	if got := ra.Pix[20*100+10]; got != Color(0xffffff).Pixel() {
		t.Error("job 1 has a mark")
	}
	hatched := func(x0, x1 int) (n int) {
		for x := x0; x < x1; x++ {
			if ra.Pix[5*100+x] == p.Hatch.Pixel() {
				n++
			}
		}
		return n
	}
	if hatched(0, 50) == 0 || hatched(50, 100) != 0 {
		t.Errorf("hatched columns: %d and %d", hatched(0, 50), hatched(50, 100))
	}
}

// whole is a view of all processors.
func whole(from, to model.Time, w, h int, scale float64) View {
	return View{From: from, To: to, W: w, H: h, Scale: scale}
}

func BenchmarkIndex200k(b *testing.B) {
	_, c := sample.Big(200_000, 240)
	for b.Loop() {
		NewIndex(c, 240)
	}
}

func BenchmarkFullView200k(b *testing.B) { benchmarkView(b, 200_000, 1) }

func BenchmarkFullView450k(b *testing.B) { benchmarkView(b, 450_000, 1) }

func BenchmarkTenthView200k(b *testing.B) { benchmarkView(b, 200_000, 10) }

func benchmarkView(b *testing.B, n, part int) {
	_, c := sample.Big(n, 240)
	ix := NewIndex(c, 240)
	p := plainPaint(n, 1000)
	var ra Raster
	v := whole(ix.From, ix.From+(ix.To-ix.From)/model.Time(part), 1000, 190, 1)
	for b.Loop() {
		ra.Draw(ix, v, p)
	}
}
