// Package react turns a workload of fixed submissions into users who react: a
// user submits the next batch of jobs only after what it depends on has ended,
// and after thinking. It follows the model of Zakay and Feitelson ("Preserving
// user behavior characteristics in trace-based simulation of parallel job
// scheduling", MASCOTS 2014) as Klusáček and Chlumský (2016, section 4.3)
// describe it.
//
// Extract finds batches, sessions and dependencies in a log (extract.go) and
// says in a report.Reaction what it found; Agents are the users (agent.go), a
// sim.Source. docs/simulation-rules.md (Users who react) says the same for people.
//
// It guesses nothing: a job without a user is submitted when the log says so,
// a job whose end is unknown has nothing that depends on it, and
// both are counted.
package react

import (
	"batchlab/core/model"
	"batchlab/core/report"
)

// Batches says which submission begins a new batch of its user: one that can
// have been a reaction. The two readings are those that Zakay and Feitelson
// ("On identifying user session boundaries in parallel workload logs", JSSPP
// 2012) compare.
type Batches uint8

const (
	// Last: the job submitted just before it has ended.
	Last Batches = iota
	// Max: every earlier job of the user has ended.
	Max
)

// Sessions says which submission begins a new session of its user.
type Sessions uint8

const (
	// ByThink: one more than Params.ThinkGap after the end of what it depends on.
	ByThink Sessions = iota
	// ByArrival: one more than Params.ArrivalGap after the submission before it.
	ByArrival
)

// Rhythm says how the hours of the day bind users.
type Rhythm uint8

const (
	// NoRhythm: users come back as long after an end as they did in the log.
	NoRhythm Rhythm = iota
	// Daily: sessions begin at the time of day at which they did, and within a
	// session users submit in their own hours of the day only.
	Daily
	// Weekly: the same with the time of the week, and on their own days of it.
	Weekly
)

// Defaults of the literature, in seconds.
const (
	// DefaultThinkGap is the think time beyond which a session is over in the
	// literature (20 minutes; Zakay and Feitelson 2012 on earlier work).
	DefaultThinkGap = 1200
	// DefaultArrivalGap is the time between submissions beyond which a session
	// is over where only submissions are looked at, which Zakay and Feitelson
	// (2012) propose.
	DefaultArrivalGap = 3600
)

// Params say how users are found in a log, and how they behave. The zero value
// is not valid: see Defaults.
type Params struct {
	Batches              Batches
	Sessions             Sessions
	ThinkGap, ArrivalGap model.Time // seconds, at least 0
	Stated               bool       // use preceding jobs that the log states (SWF fields 17 and 18)
	Drawn                bool       // think times are drawn from the log's instead of kept
	Rhythm               Rhythm
}

// Defaults returns the default parameters.
func Defaults() Params {
	return Params{ThinkGap: DefaultThinkGap, ArrivalGap: DefaultArrivalGap, Stated: true}
}

// Evidence is what a log says beside its jobs, by index of the job.
type Evidence struct {
	// End is when the job ended, model.Never where nobody knows.
	End []model.Time
	// Preceding is the job after whose end the log says that the job was
	// submitted, −1 where it says nothing; nil: it says nothing at all.
	Preceding []int32
}

// Behaviour is what Extract found: the jobs of a workload divided into batches
// by user, and what each batch depends on. It serves any number of Agents.
type Behaviour struct {
	Report report.Reaction

	pool    *model.Workload
	params  Params
	order   []int32      // jobs, batch by batch
	offset  []model.Time // parallel to order: from the batch's first submission
	batches []batch
	users   []user
	edges   []int32 // batches that depend on a job, from child[j] to child[j+1]
	child   []int32 // by job and one more
}

// user is a range of batches, in order.
type user struct {
	id          int32 // −1: the jobs without a user, as one batch
	from, to    int32 // batches
	hours, days uint32
}

// batch is jobs of one user that were submitted without waiting for one another.
type batch struct {
	from, to int32      // of Behaviour.order
	user     int32      // index
	parents  int32      // jobs that must have ended; 0: submitted when the log says so
	start    model.Time // first submission in the log
	gap      model.Time // in the log, from the last end of a parent to start
	after    model.Time // least time after the last submission of the batch before it: 0 or 1
	session  bool       // it begins a session
}

// jobs returns the jobs of a batch in order of submission.
func (b *Behaviour) jobs(k int32) []int32 { return b.order[b.batches[k].from:b.batches[k].to] }

// Parents calls visit for every job and each job that must have ended before it
// may be submitted, both as indices of the workload.
func (b *Behaviour) Parents(visit func(job, parent int32)) {
	for parent := range b.pool.Jobs {
		for _, k := range b.edges[b.child[parent]:b.child[parent+1]] {
			for _, j := range b.jobs(k) {
				visit(j, int32(parent))
			}
		}
	}
}
