package catalog

import (
	"strconv"
	"strings"
)

// Suggest returns the candidate that a mistyped word most likely means, or ""
// when none is close: at most one edit (insert, delete, replace, or swap of
// neighbours) for every three letters, and at least one. Of equally close
// candidates the first wins. Case does not count.
func Suggest(word string, candidates []string) string {
	if len(word) > 64 {
		return "" // no key is near that long
	}
	word = strings.ToLower(word)
	best, least := "", max(1, len(word)/3)+1
	for _, c := range candidates {
		if d := distance(word, strings.ToLower(c)); d < least {
			best, least = c, d
		}
	}
	return best
}

// DidYouMean returns `; did you mean "order"?` for a mistyped word, or "" when
// no candidate is close.
func DidYouMean(word string, candidates []string) string {
	if s := Suggest(word, candidates); s != "" {
		return "; did you mean " + strconv.Quote(s) + "?"
	}
	return ""
}

// distance is the number of edits between a and b (optimal string alignment),
// over bytes: keys are ASCII.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
