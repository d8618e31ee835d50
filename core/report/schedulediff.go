package report

import "batchlab/core/model"

// Apart says where two schedules of the same jobs part.
type Apart struct {
	Jobs      int       `json:"jobs"`
	Different int       `json:"different"` // jobs whose start or end differs; 0: the schedules are the same
	First     *ApartJob `json:"first,omitempty"`
}

// ApartJob is the first job, by time, that is not scheduled alike.
type ApartJob struct {
	Job    model.JobID   `json:"-"`      // index
	Number int64         `json:"number"` // of the job
	At     model.Time    `json:"at"`     // the instant at which they part: what one of the two does then, the other does not
	Starts [2]model.Time `json:"starts"` // −1: rejected
	Ends   [2]model.Time `json:"ends"`
}

// Keys of promises.
const (
	PromiseStarve  = "starve"       // nobody waits longer than somebody does under the other schedule
	PromiseHead    = "head"         // whoever is first in the queue starts when the requests of the running jobs said
	PromiseReserve = "reservations" // accepted reservations begin within their interval
)

// Promise is something that holds of a schedule of this workload, or does not.
type Promise struct {
	Key    string     `json:"key"`
	Holds  bool       `json:"holds"`
	Of     int        `json:"of"`              // jobs to which it was given
	Broken int        `json:"broken"`          // of these, jobs for which it does not hold
	Worst  int64      `json:"worst,omitempty"` // number of the job that is worst off, or would be
	By     model.Time `json:"by"`              // starve: its wait; else by how many seconds it came too late
	Other  model.Time `json:"other,omitempty"` // starve: the longest wait under the other schedule
	At     model.Time `json:"at"`              // when the worst job was promised its start, or submitted
}

// Against sets one run beside another of the same jobs.
type Against struct {
	Key      string    `json:"key"`   // of the other scheduler
	Label    string    `json:"label"` // of the other scheduler
	Apart    Apart     `json:"apart"`
	Promises []Promise `json:"promises"` // that can be given on this platform
}
