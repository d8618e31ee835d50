package report

import (
	"slices"

	"batchlab/core/model"
)

// Reaction is what was found of users in a workload: how their submissions
// divide into batches and sessions, what depends on what, and how long they
// think (package react).
type Reaction struct {
	Ends  string `json:"ends"`  // where the ends of jobs come from: "log" or "easy", a schedule by EASY
	Jobs  int    `json:"jobs"`  // all
	Users int    `json:"users"` // with at least one job
	Once  int    `json:"once"`  // users with one job, who have nothing to react to
	// Silent jobs have no user: they are submitted when the log says so.
	Silent int `json:"silent"`
	NoEnd  int `json:"no_end"` // jobs of which nobody knows when they ended

	Batches    int `json:"batches"`
	Sessions   int `json:"sessions"`
	Reacting   int `json:"reacting"`    // batches that depend on something
	Depends    int `json:"depends"`     // pairs of a batch and a job that it depends on
	Stated     int `json:"stated"`      // preceding jobs that the log states
	StatedUsed int `json:"stated_used"` // of these, borne out by the log's own times

	Think  Spread `json:"think"`  // seconds from the last end to the next batch, within a session
	Breaks Spread `json:"breaks"` // the same between sessions

	BatchJobs    []Bar `json:"batch_jobs"`    // batches by jobs
	SessionJobs  []Bar `json:"session_jobs"`  // sessions by jobs
	SessionSpans []Bar `json:"session_spans"` // sessions by seconds from the first submission to the last
}

// Reacts says whether anything depends on anything: otherwise users who react
// do what replayed submissions do.
func (r *Reaction) Reacts() bool { return r.Reacting > 0 }

// Spread is a distribution of seconds.
type Spread struct {
	Count  int        `json:"count"`
	Mean   float64    `json:"mean"`
	Median model.Time `json:"median"` // nearest rank
	P90    model.Time `json:"p90"`
	Max    model.Time `json:"max"`
	Bars   []Bar      `json:"bars"`
}

// Complaint is a job that waited longer than its user finds acceptable.
type Complaint struct {
	Job        model.JobID // index in the workload's columns
	User       int32
	Wait       model.Time // seconds
	Acceptable model.Time // seconds
	Level      float64    // Wait ÷ Acceptable, more than 1
}

// Submitted returns when the jobs of a run were submitted: as the workload
// says, unless users react.
func (c *Columns) Submitted(jobs *Jobs) []model.Time {
	if len(c.Submit) > 0 {
		return c.Submit
	}
	return jobs.Submit
}

// Asked returns when the jobs of a run began to wait: when they were submitted, where
// dependencies are kept when they became eligible, and as advance reservations not before the time from which they want their
// processors (model.Workload.Asked), nor after their start.
func (c *Columns) Asked(jobs *Jobs) []model.Time {
	asked := c.Submitted(jobs)
	if len(c.Eligible) > 0 {
		asked = c.Eligible
	}
	if len(jobs.Reserved) == 0 {
		return asked
	}
	asked = slices.Clone(asked)
	for i := range jobs.Reserved {
		r := &jobs.Reserved[i]
		asked[r.Job] = max(asked[r.Job], min(c.Start[r.Job], r.Ready+c.moved(jobs, int(r.Job))))
	}
	return asked
}

// moved is how much later than the workload says a job of a run was submitted, in
// seconds: 0 unless users react. Its deadline and its reservation are as much later.
func (c *Columns) moved(jobs *Jobs, job int) model.Time {
	if len(c.Submit) == 0 {
		return 0
	}
	return c.Submit[job] - jobs.Submit[job]
}

// Due returns the deadline of a job in a run; ok is false for one that has none.
func (c *Columns) Due(jobs *Jobs, job int) (at model.Time, ok bool) {
	if job >= len(jobs.Due) || jobs.Due[job] == 0 {
		return 0, false
	}
	return jobs.Due[job] + c.moved(jobs, job), true
}

// Reservation returns what a job of a run wants that is an advance reservation; ok
// is false for one that is none.
func (c *Columns) Reservation(jobs *Jobs, job int) (r Reservation, ok bool) {
	at, ok := slices.BinarySearchFunc(jobs.Reserved, job, func(r Reservation, job int) int { return int(r.Job) - job })
	if ok {
		by := c.moved(jobs, job)
		r = jobs.Reserved[at]
		r.Ready, r.Deadline = r.Ready+by, r.Deadline+by
	}
	return r, ok
}
