package report

import "batchlab/core/model"

// Parts is what one run leaves behind so that it can be set beside another of the same
// experiment, changed in some way: sums over its measured batch jobs, all of them and by
// what they are.
type Parts struct {
	Jobs     string `json:"jobs"`     // fingerprint of the jobs: number, submission, processors, request, run time
	Schedule string `json:"schedule"` // fingerprint of all executions
	Days     int    `json:"days"`     // of 86,400 s from the first submission: D of Waves
	// Known are the jobs of which the log says how long they waited (SWF field 3):
	// LoggedWait seconds together, and KnownWait seconds in this run. 0 where the jobs are
	// not those that the log tells of.
	Known      int   `json:"known,omitempty"`
	KnownWait  int64 `json:"known_wait,omitempty"`
	LoggedWait int64 `json:"logged_wait,omitempty"`
	Nodes      int64 `json:"nodes,omitempty"` // machines of a platform that lists them
	// Taken are the processor-hours that reservations and outages of the document take, as it states them.
	Taken float64 `json:"taken,omitempty"`
	List  []Part  `json:"list"` // all jobs first, then by what, in order of From
}

// PaidRun is one run as who gains and who pays is computed of it, for the page.
type PaidRun struct {
	Run   *Run   `json:"run"` // its measures, without what is drawn
	Parts *Parts `json:"parts"`
	Block []byte `json:"block"` // its part of the digest, packed
}

// Part is some jobs of a run.
type Part struct {
	By    string     `json:"by"` // "": all jobs; else one of the By… words of parts
	From  int64      `json:"from"`
	To    int64      `json:"to"`
	Jobs  int        `json:"jobs"`
	Wait  int64      `json:"wait"`  // seconds, of all jobs together
	Work  int64      `json:"work"`  // processor-seconds executed
	Waves [4]float64 `json:"waves"` // of waits, as those of Waves
	Users [][4]int64 `json:"users"` // user, jobs, processor-seconds, seconds of waiting; in order of the first job
}

// What parts go by: the number of SWF field 16, of field 15, requested processors and
// GPUs (from and to are the least and the greatest of a class), the number of an account
// of the platform, the number of field 13, and the week of submission, ⌊s ÷ 604,800⌋.
const (
	ByPartition = "partition"
	ByQueue     = "queue"
	BySize      = "size"
	ByGPUs      = "gpus"
	ByAccount   = "account"
	ByGroup     = "group"
	ByWeek      = "week"
)

// Pays says who gains and who pays by one change: mean waits before and after, pair by
// pair of repetitions, which share their draws.
type Pays struct {
	Scheduler int    `json:"scheduler"` // index in the experiment
	Label     string `json:"label"`     // before
	// Nothing says that every execution of every pair is the same, to the second: the change
	// changes nothing.
	Nothing bool `json:"nothing"`
	Alike   bool `json:"alike"` // before and after, the jobs are the same
	// Error is how far the simulated mean wait before the change lies from the logged one, in
	// seconds; nil where the log knows no waits. A smaller difference is within what the model
	// gets wrong.
	Error  *float64  `json:"model_error_s,omitempty"`
	Within bool      `json:"within_model_error,omitempty"` // the difference in mean wait of all jobs is not larger
	Rows   []PaysRow `json:"rows"`
	Shifts *Shifts   `json:"shifts,omitempty"` // of repetition 0, where the jobs are the same
	Cost   *Cost     `json:"cost,omitempty"`   // nil: the change takes and gives no capacity
}

// PaysRow is a part of the jobs, before and after.
type PaysRow struct {
	By   string  `json:"by,omitempty"`
	From int64   `json:"from"`
	To   int64   `json:"to"`
	Jobs int     `json:"jobs"` // before, in the first pair
	Work float64 `json:"work"` // their part of all processor-seconds executed, 0 to 1
	// Before and After are mean waits in seconds: the mean over the pairs, of draws from a log
	// the log's own. Difference is after − before, with the 95 % interval by the rules of
	// Comparison. Of phases (Interval ByPhases) all are medians, and Low and High the least and
	// the greatest difference: a band, no interval.
	Before     float64  `json:"before_s"`
	After      float64  `json:"after_s"`
	Difference float64  `json:"difference_s"`
	Low        *float64 `json:"low_s"`
	High       *float64 `json:"high_s"`
	Relative   *float64 `json:"relative"`
	Pairs      int      `json:"pairs"`
	Interval   string   `json:"interval,omitempty"`
	Without    string   `json:"without,omitempty"`
	Verdict    string   `json:"verdict"`
	// Told says that the difference may be said: of parts, of which there are many, by a
	// stricter rule than the verdict's (docs/reading-the-charts.md).
	Told bool `json:"told"`
}

// Shifts say which jobs start later and which earlier.
type Shifts struct {
	Later   int     `json:"later"`
	Earlier int     `json:"earlier"`
	As      int     `json:"as_before"`
	Delay   int64   `json:"delay_s"` // of those that start later, together
	Gain    int64   `json:"gain_s"`  // of those that start earlier
	Most    []Shift `json:"most"`    // that pay most, at most six, the most first
}

// Started is when a job started for the last time, −1 never.
type Started struct {
	Number        int64
	Submit, Start model.Time
}

// Shift is one job, before and after.
type Shift struct {
	Number int64      `json:"job"`
	Submit model.Time `json:"submit"`
	Before model.Time `json:"start_before"`
	After  model.Time `json:"start_after"`
}

// Cost is the capacity that a change adds, or takes when below 0, over the time from the
// first submission to the last end before the change.
type Cost struct {
	Hours      float64  `json:"hours"` // that time
	Processors int64    `json:"processors"`
	Nodes      *int64   `json:"nodes,omitempty"`      // of platforms made of machines
	NodeHours  *float64 `json:"node_hours,omitempty"` // nodes × hours
	ProcHours  float64  `json:"processor_hours"`      // processors × hours
	// Taken are the processor-hours that reservations and outages take more than before.
	Taken float64 `json:"taken_processor_hours"`
}
