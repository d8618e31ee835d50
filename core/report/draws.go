package report

import "fmt"

// Draws says how the repetitions of a log were drawn: repetition 0 is the log,
// the others are draws from it. By phases, the jobs are the same in all of them.
type Draws struct {
	By string `json:"by"` // "weeks", "users", "shake" or ByPhases
	// Pieces is how many pieces of about the same weight there were to draw from;
	// 0: the draws are no sample of anything, but the log with other chances.
	Pieces float64 `json:"pieces"`
}

// What draws want, so that intervals of them hold (docs/reading-the-charts.md).
const (
	FewestUsers = 12 // users whose draws are offered first
	FewestWeeks = 6  // whole weeks: two blocks
	BlockOfDraw = 3  // weeks in a row that the page draws
	fewest      = 2  // pieces, below which there is no interval
)

// Held says, for people, how often such intervals held the truth in a study of
// generated logs (docs/reading-the-charts.md); "" for what is no sample.
func (d *Draws) Held() string {
	switch d.By {
	case "weeks":
		return "of 284 generated logs at each of three loads, 93 to 100 in 100 such intervals held the truth, fewest for slowdowns; as many where users share busy seasons"
	case "users":
		return "of 284 generated logs at each of three loads, 95 to 100 in 100 such intervals held the truth, fewest for slowdowns; 90 to 97 where users share busy seasons"
	}
	return ""
}

// Lacks says, for people, why these draws give no interval; "" when they do.
func (d *Draws) Lacks() string {
	switch {
	case d.Pieces == 0 || d.Pieces >= fewest:
		return ""
	case d.By == "users":
		return "nearly all of the work is one user's: draws of users give no interval"
	}
	return fmt.Sprintf("there are fewer than two blocks of weeks to draw from (%.1f): no interval", d.Pieces)
}
