package ui

import "strings"

// tableOfNeeds reports whether a CSV file says what jobs need, by its first
// line: a column of jobs and one of what they need.
func tableOfNeeds(text string) bool {
	has := columns(text)
	return has["job"] && (has["due"] || has["licences"] || has["weight"] || has["setup"] || has["on"])
}

// tableOfPredictions reports whether one says how long jobs are foretold to run.
func tableOfPredictions(text string) bool {
	has := columns(text)
	return has["job"] && has["predicted"]
}

// columns are the names in the first line of a CSV file.
func columns(text string) map[string]bool {
	head, _, _ := strings.Cut(text, "\n")
	has := map[string]bool{}
	for name := range strings.SplitSeq(head, ",") {
		has[strings.ToLower(strings.Trim(name, " \t\r\"\ufeff"))] = true
	}
	return has
}
