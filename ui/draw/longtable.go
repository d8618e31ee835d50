package draw

import "slices"

// portion is how many rows of a long table the page lays out in one frame.
const portion = 100

// Portions puts the rows of a table together for as many frames as they take; at
// least one.
func Portions(rows []Markup) []Markup {
	if len(rows) == 0 {
		return []Markup{""}
	}
	var list []Markup
	for part := range slices.Chunk(rows, portion) {
		list = append(list, Join(part))
	}
	return list
}
