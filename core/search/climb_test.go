package search

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// weighted is an order whose value is the sum of element × place.
type weighted struct {
	list  []int64
	asked int
}

func (w *weighted) Len() int      { return len(w.list) }
func (w *weighted) Swap(i, k int) { w.list[i], w.list[k] = w.list[k], w.list[i] }
func (w *weighted) Value() int64 {
	w.asked++
	sum := int64(0)
	for i, x := range w.list {
		sum += int64(i) * x
	}
	return sum
}

// A climb keeps the best swap each time and ends where none is better: here
// with the largest in front, whatever the beginning. It counts what it asked
// for, and a bound stops it at the best that it has found.
func TestClimb(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		w := &weighted{}
		for range 2 + rng.IntN(8) {
			w.list = append(w.list, rng.Int64N(20))
		}
		sorted := slices.Clone(w.list)
		slices.Sort(sorted)
		slices.Reverse(sorted)
		first := slices.Clone(w.list)
		c := Climb(w, 0)
		if !slices.Equal(w.list, sorted) || c.Evaluations != w.asked || c.Value != w.Value() {
			t.Fatalf("%v from %v, %+v", w.list, first, c)
		}
		bounded := &weighted{list: slices.Clone(first)}
		before := bounded.Value()
		if b := Climb(bounded, 5); b.Evaluations > 5 || b.Value > before || b.Value != bounded.Value() || b.Steps > c.Steps {
			t.Fatalf("%+v from %d", b, before)
		}
	}
	one := &weighted{list: []int64{3, 1, 2}} // the best first step swaps nothing but the last two
	if c := Climb(one, 0); c.Steps != 1 || c.Evaluations != 1+3+3 {
		t.Errorf("%+v", c)
	}
}
