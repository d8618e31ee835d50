package report

import "fmt"

// Draws says how the repetitions of a log were drawn: repetition 0 is the log,
// the others are draws from it.
type Draws struct {
	By string `json:"by"` // "weeks", "users" or "shake"
	// Pieces is how many pieces of about the same weight there were to draw from;
	// 0: the draws are no sample of anything, but the log with other chances.
	Pieces float64 `json:"pieces"`
}

// Fewest are the pieces below which the intervals of draws were right too seldom
// (docs/reading-the-charts.md).
const Fewest = 12

// Held says, for people, how often such intervals held the truth in a study of
// generated logs (docs/reading-the-charts.md); "" for what is no sample.
func (d *Draws) Held() string {
	switch d.By {
	case "weeks":
		return "of 100 intervals by weeks that say 95 %, 83 to 90 held the truth where weeks had nothing to do with each other, and 62 to 85 where users stay for weeks"
	case "users":
		return "of 100 intervals by users that say 95 %, 88 to 98 held the truth, and from 79 on where every log has the same load"
	}
	return ""
}

// Lacks says, for people, why intervals from these draws should not be trusted;
// "" when there is no reason.
func (d *Draws) Lacks() string {
	if d.Pieces == 0 || d.Pieces >= Fewest {
		return ""
	}
	what := "blocks of whole weeks"
	if d.By == "users" {
		what = "users, if all brought the same work,"
	}
	return fmt.Sprintf("there are only %.0f %s to draw from, less than %d: intervals are too narrow", d.Pieces, what, Fewest)
}
