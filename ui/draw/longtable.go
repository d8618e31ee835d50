package draw

import (
	"slices"
	"strings"
)

// portion is how many rows of a long table the page lays out in one frame.
const portion = 100

// Portions puts the rows of a table together for as many frames as they take; at
// least one.
func Portions(rows []string) []string {
	if len(rows) == 0 {
		return []string{""}
	}
	var list []string
	for part := range slices.Chunk(rows, portion) {
		list = append(list, strings.Join(part, ""))
	}
	return list
}
