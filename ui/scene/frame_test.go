package scene

import (
	"math"
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
)

// Intent: whatever lanes there are, every processor stands alone in a row of its lane,
// processors together from the upper edge of the highest to the lower edge of the
// lowest, and pieces are all of them, once, none across a gap; times and places agree.
func TestFrame(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for range 300 {
		f := Frame{Axis: Axis{From: model.Time(r.IntN(9000)), Left: 44, Right: 300 + r.Float64()*900}}
		f.To = f.From + model.Time(60+r.IntN(90000))
		y, n := 900.0, int32(0)
		for range 1 + r.IntN(4) {
			l := Lane{First: n, Count: int32(1 + r.IntN(20)), H: 10 + r.Float64()*90}
			l.Y = y - l.H
			y, n = l.Y-20, n+l.Count
			f.Lanes = append(f.Lanes, l)
		}
		lane := func(p int32) (k int) {
			for f.Lanes[k].First+f.Lanes[k].Count <= p {
				k++
			}
			return k
		}
		first := r.Int32N(n)
		count := 1 + r.Int32N(n-first)
		top, bottom, below := math.Inf(1), 0.0, 1e9
		for p := first; p < first+count; p++ {
			y, h := f.Down(p, 1)
			l := f.Lanes[lane(p)]
			if math.Abs(h-l.H/float64(l.Count)) > 1e-9 || y < l.Y-1e-9 || y+h > below+1e-9 {
				t.Fatalf("processor %d stands at %v, %v high, in %+v", p, y, h, l)
			}
			top, bottom, below = min(top, y), max(bottom, y+h), y
		}
		if y, h := f.Down(first, count); math.Abs(y-top) > 1e-9 || math.Abs(y+h-bottom) > 1e-9 {
			t.Fatalf("%d from %d stand from %v to %v, not %v to %v", count, first, y, y+h, top, bottom)
		}
		next := first
		f.Pieces(first, count, func(at, n int32) {
			if at != next || n < 1 || lane(at) != lane(at+n-1) {
				t.Fatalf("a piece of %d from %d after %d", n, at, next)
			}
			next += n
		})
		if next != first+count {
			t.Fatalf("pieces end at %d, not %d", next, first+count)
		}
		l := &f.Lanes[0]
		if p := r.Int32N(l.Count); f.Processor(l.Level(p)-.5*l.H/float64(l.Count)) != p {
			t.Fatal("a processor is not found where it stands")
		}
		at := f.From + model.Time(r.Int64N(int64(f.To-f.From)))
		if f.At(f.X(at)+1e-6) != at || f.Near(f.Cut(at)) != at || f.Cut(f.From-5) != f.Left || f.Cut(f.To+5) != f.X(f.To) {
			t.Fatalf("%d of %+v is found at %d, %d", at, f.Axis, f.At(f.X(at)+1e-6), f.Near(f.Cut(at)))
		}
	}
}
