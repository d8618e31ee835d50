package ui

import "strings"

// tableOfNeeds reports whether a CSV file says what jobs need, by its first
// line: a column of jobs and one of what they need.
func tableOfNeeds(text string) bool {
	head, _, _ := strings.Cut(text, "\n")
	has := map[string]bool{}
	for name := range strings.SplitSeq(head, ",") {
		has[strings.ToLower(strings.Trim(name, " \t\r\"\ufeff"))] = true
	}
	return has["job"] && (has["due"] || has["licences"] || has["weight"] || has["setup"] || has["on"])
}
