package ui

import "strings"

// tableOfNeeds reports whether a CSV file says what jobs need, by its first
// line: a column of jobs and one of what they need.
func tableOfNeeds(text string) bool {
	has := columns(text)
	return has["job"] && (has["due"] || has["licences"] || has["weight"] || has["setup"] || has["on"])
}

// tableOfPredictions reports whether one says how long jobs are predicted to run.
func tableOfPredictions(text string) bool {
	has := columns(text)
	return has["job"] && has["predicted"]
}

// tableOfExtra reports whether one says what stands beside the jobs of a log: whom they
// wait for, when they leave, what they name of a cluster. With columns for times of
// submission, start or end a table is a log of its own.
func tableOfExtra(text string) bool {
	has := columns(text)
	for name := range has {
		for _, of := range [...]string{"submit", "start", "end", "run", "elapsed", "duration"} {
			if strings.HasPrefix(name, of) {
				return false
			}
		}
	}
	for _, name := range [...]string{"after", "begin", "withdrawn", "array", "het", "partition", "qos", "account"} {
		if has["job"] && has[name] {
			return true
		}
	}
	return false
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
