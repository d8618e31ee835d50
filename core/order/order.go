// Package order sorts short lists with little code. Each kind of list that
// slices.SortStableFunc sorts costs the program eight kilobytes; through here
// it costs two small functions. What is sorted while a simulation runs, or is
// long, stays with package slices, which is faster.
package order

import "sort"

// Stable sorts a list by a comparison, as slices.SortStableFunc does: negative
// means that a stands before b, and equals keep their places.
func Stable[T any](list []T, compare func(a, b T) int) {
	sort.Stable(sorter{
		len(list),
		func(i, j int) bool { return compare(list[i], list[j]) < 0 },
		func(i, j int) { list[i], list[j] = list[j], list[i] },
	})
}

// Sort sorts a list by a comparison, as slices.SortFunc does; where equals end up
// is left open.
func Sort[T any](list []T, compare func(a, b T) int) {
	sort.Sort(sorter{
		len(list),
		func(i, j int) bool { return compare(list[i], list[j]) < 0 },
		func(i, j int) { list[i], list[j] = list[j], list[i] },
	})
}

// Floats compares two numbers, none of them NaN.
func Floats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// sorter is a list of any kind as package sort wants it.
type sorter struct {
	n    int
	less func(i, j int) bool
	swap func(i, j int)
}

func (s sorter) Len() int           { return s.n }
func (s sorter) Less(i, j int) bool { return s.less(i, j) }
func (s sorter) Swap(i, j int)      { s.swap(i, j) }
