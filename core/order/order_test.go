package order

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Lists of any length, with many equals, stand as package slices sorts them.
func TestStable(t *testing.T) {
	type item struct{ key, place int }
	byKey := func(a, b item) int { return a.key - b.key }
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		list := make([]item, r.IntN(300))
		for i := range list {
			list[i] = item{r.IntN(1 + len(list)/3), i}
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, byKey)
		Stable(list, byKey)
		if !slices.Equal(list, want) {
			t.Fatalf("%v, want %v", list, want)
		}
	}
}
