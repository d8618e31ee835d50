package state

import (
	"batchlab/ui/words"
)

// SplitName writes the two parts of the weeks: "28–64" and "65–100".
func (r *Search) SplitName() (train, test string) {
	name := func(weeks []int) string {
		if len(weeks) == 0 {
			return words.None
		}
		first, last := weeks[0]+1, weeks[len(weeks)-1]+1
		if first == last {
			return words.Int(first)
		}
		return words.Int(first) + "–" + words.Int(last)
	}
	a, b := r.Split()
	return name(a), name(b)
}

// Count writes a number of windows: "12 months".
func (r *Search) Count(n int) string { return words.Count(n, r.Called(), r.Called()+"s") }
