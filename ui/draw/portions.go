package draw

import "strings"

// portion is how many rows of a long table the page lays out in one frame.
const portion = 100

// Portions puts the rows of a table together for as many frames as they take; at
// least one.
func Portions(rows []string) []string {
	list := []string{""}
	for len(rows) > 0 {
		n := min(portion, len(rows))
		list[len(list)-1] = strings.Join(rows[:n], "")
		if rows = rows[n:]; len(rows) > 0 {
			list = append(list, "")
		}
	}
	return list
}
