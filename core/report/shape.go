package report

import "batchlab/core/model"

// Shape describes the jobs of a workload in counts, for small charts before
// anything runs.
type Shape struct {
	Calendar bool    `json:"calendar"` // Hours and Days are of the log's local time; else they count from the log's time 0
	Hours    [24]int `json:"hours"`    // jobs submitted in each hour of the day
	Days     [7]int  `json:"days"`     // on each day of the week, Monday first; without a calendar of each week of the log

	Sizes []Bar `json:"sizes"` // by processors: 1, 2, 3–4, 5–8, …
	Runs  []Bar `json:"runs"`  // by executed seconds

	// Accuracy counts jobs by executed ÷ requested time in ten equal parts, the
	// last with 1 included. Jobs that requested nothing stand in Unasked.
	Accuracy [10]int `json:"accuracy"`
	Unasked  int     `json:"unasked"`

	Users []UserShare `json:"users"` // most processor-seconds first, at most 12
	Named int         `json:"named"` // jobs with a user
}

// Bar is how many jobs lie between From and To, both included.
type Bar struct {
	From int64 `json:"from"`
	To   int64 `json:"to"` // model.Never: open
	Jobs int   `json:"jobs"`
}

// UserShare is one user's part of a workload.
type UserShare struct {
	User int32   `json:"user"`
	Jobs int     `json:"jobs"`
	Area float64 `json:"area"` // share of all executed processor-seconds, 0–1
}

// Open says whether a bar has no upper end.
func (b Bar) Open() bool { return b.To >= int64(model.Never) }

// Line is one line of a log, for showing.
type Line struct {
	Number int    `json:"number"` // from 1
	Text   string `json:"text"`
}
