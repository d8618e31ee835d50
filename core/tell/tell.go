// Package tell holds what a scheduler decided at one instant and why: as data,
// with the sentences that are made of it in one place (Sentence). Schedulers fill
// Facts, the simulator makes a Step of them, and nothing here knows how schedules
// come about.
//
// A Step holds only what the scheduler could know at its instant: requests, never
// run times.
package tell

import (
	"batchlab/core/model"
	"batchlab/core/report"
)

// Term is one part of a job's value.
type Term struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// Value is what an order or a priority makes of a job: its terms, and their sum.
type Value struct {
	Job   model.JobID `json:"job"`
	Sum   float64     `json:"sum"`
	Terms []Term      `json:"terms,omitempty"`
}

// Waiting is a job of the queue at an instant, those that start then included.
// What Kind does not use is zero, or model.Never.
type Waiting struct {
	Job    model.JobID  `json:"job"`
	Number int64        `json:"number"`
	Title  string       `json:"title,omitempty"` // of a reservation of the platform
	Procs  int32        `json:"procs"`
	Limit  model.Time   `json:"limit"` // requested, seconds
	Submit model.Time   `json:"submit"`
	Kind   Kind         `json:"kind,omitempty"`  // what was decided about it last; "": nothing is known
	At     model.Time   `json:"at"`              // promised or planned start; model.Never: none
	Was    model.Time   `json:"was"`             // planned before; model.Never: it was not
	Place  int32        `json:"place"`           // cluster of At; −1: not said
	Parts  []model.Part `json:"parts,omitempty"` // of At, where machines are named
	Free   int32        `json:"free"`            // processors that were free at its turn
	Over   model.Time   `json:"over,omitempty"`  // it stands first since it has waited for more than so many seconds
	Late   model.Time   `json:"late,omitempty"`  // by how much it would delay the head
	Sent   string       `json:"sent,omitempty"`  // provider at which it waits
	Cause               // what keeps it from starting
	Value  *Value       `json:"value,omitempty"`
	Reason string       `json:"reason,omitempty"` // why it waits, in the scheduler's own word

	// From is what the job's prediction comes from, nil where nothing is learnt.
	From *report.Basis `json:"from,omitempty"`
}

// Running is a job that runs.
type Running struct {
	Job    model.JobID `json:"job"`
	Number int64       `json:"number"`
	Title  string      `json:"title,omitempty"` // of a reservation of the platform
	Procs  int32       `json:"procs"`
	Start  model.Time  `json:"start"`
	Until  model.Time  `json:"until"` // by its request
}

// InUse is a licence.
type InUse struct {
	Name   string  `json:"name"`
	Copies int32   `json:"copies"`
	Free   int32   `json:"free"`            // before the scheduler decides
	Holds  []Holds `json:"holds,omitempty"` // in order of starts, at most MostListed
}

// Holds are the copies of a licence that a job holds.
type Holds struct {
	Number int64      `json:"number"`
	Copies int32      `json:"copies"`
	Since  model.Time `json:"since"`
	Takes  bool       `json:"takes,omitempty"` // it starts by a decision of this instant
}

// Booking is what an advance reservation holds or will hold.
type Booking struct {
	Number   int64 `json:"number"`
	Procs    int32 `json:"procs"`
	From, To model.Time
	Cluster  int32 `json:"cluster"`
}

// Outage is an entry of the calendar that begins, or ends at To.
type Outage struct {
	What  string     `json:"what"` // Outage, Failure or Reservation
	Name  string     `json:"name,omitempty"`
	Procs int32      `json:"procs"`
	Back  int32      `json:"back,omitempty"` // of one that ends: processors that nothing else of the calendar takes
	To    model.Time `json:"to"`
}

// User is a user who reacts.
type User struct {
	User   int32      `json:"user"`
	Thinks model.Time `json:"thinks"`          // since when; model.Never: no more
	Waits  []int64    `json:"waits,omitempty"` // for these jobs' ends, at most 4
	Open   []int64    `json:"open,omitempty"`  // jobs that have not ended, and for which the next ones do not wait, at most 4
	Until  model.Time `json:"until"`           // with the truth: until when; else model.Never
}

// Step is one instant of a run.
type Step struct {
	Index int        `json:"index"` // of the run's instants, from 0; −1: a time between two of them
	Total int        `json:"total"` // instants of the run
	Now   model.Time `json:"now"`

	Ended   []Running `json:"ended,omitempty"` // Until: by the request
	Came    []Waiting `json:"came,omitempty"`  // the first MostListed; Place, State and the like are empty
	Back    []int64   `json:"back,omitempty"`  // numbers of jobs that a failure stopped
	Arrived int       `json:"arrived"`         // all that came
	Runs    []Running `json:"runs,omitempty"`  // before the scheduler decides, the first MostListed to end by request
	Busy    int       `json:"busy"`            // all that run
	Procs   int32     `json:"procs"`           // processors that there are
	Free    int32     `json:"free"`            // before the scheduler decides
	Ready   string    `json:"order,omitempty"` // the order of the queue, in words
	Queue   []Waiting `json:"queue,omitempty"` // the first MostListed, in the scheduler's order
	Waits   int       `json:"waits"`           // all that wait, those that start now included
	Starts  int       `json:"starts"`          // all that start now

	Decisions []Decision `json:"decisions,omitempty"`
	Untold    int        `json:"untold,omitempty"` // decisions that are left out: jobs that stand far behind and wait

	Head     model.JobID `json:"head"` // −1: none
	Shadow   model.Time  `json:"shadow"`
	Spare    int32       `json:"spare"` // left over at the shadow time, before any job passes; −1: not said
	Place    int32       `json:"place"` // cluster of the promise; −1: not said
	Licences []InUse     `json:"licences,omitempty"`
	Bookings []Booking   `json:"bookings,omitempty"`
	Outages  []Outage    `json:"outages,omitempty"` // that begin or end now
	Users    []User      `json:"users,omitempty"`
	Held     []Held      `json:"held,omitempty"`  // the first MostListed that are not eligible yet, or left before they were
	Holds    int         `json:"holds,omitempty"` // all of them
}

// MostListed is how many waiting jobs, running jobs and decisions about jobs that
// wait a Step lists.
const MostListed = 100

// Facts is what a scheduler says of itself at an instant. All of it is optional:
// what is not there is made of the decisions themselves. Jobs are those that
// waited when it began to decide, unless it says otherwise.
type Facts struct {
	// Waits is there where reasons are recorded (see Briefly), after the decisions have been
	// carried out: it is called with each job that waits. What the job lacks is found out;
	// who lacks nothing waits for Turn, behind Head. Note takes one of which the scheduler
	// says itself why it waits, and behind whom (−1 nobody). Unpromised says that nobody
	// asks what jobs are promised: Shadow and Plans.
	Waits      func(j model.JobID)
	Note       func(j model.JobID, why report.Code, head model.JobID)
	Turn       report.Code
	Unpromised bool

	Ready string        // the order of the queue, in words: "oldest first"
	Order []model.JobID // the queue in the scheduler's own order
	Stops bool          // nobody passes the first that does not fit

	// Head has a promised start: model.JobID −1 none. Tried are the jobs behind it
	// in the order in which they were tried.
	Head   model.JobID
	Shadow model.Time
	Spare  int32        // processors left over then before any job passes; −1: cannot be said in one number
	Where  *model.Claim // of the promise; nil: not said
	Tried  []model.JobID

	// Jobs that have waited for more than Threshold seconds stand first; −1: there is
	// no threshold.
	Threshold model.Time

	Reserve model.Time // least wait, seconds, at which a job gets a planned start; 0: none is needed

	// Plans are the planned starts of the jobs that still wait after the decision, in
	// any order. Where Order is given, they are told in that, else by the plan before.
	Plans []Plan

	// Draft is the plan that an optimiser begins with: that of the instant before,
	// compressed, with those that have come. It is noted with a Decision of that kind,
	// behind which the moves stand.
	Draft []Plan
	Ahead bool // it plans ahead: also when nobody waits any more
	Again bool // planned starts were made anew: those that stay are told as well

	Sent   []Sent // jobs that wait at a provider; others are with the grid
	Values []Value
	Users  func(j model.JobID) float64 // what a job's user has used, processor-seconds, where jobs stand by that; else nil
	Said   []Decision                  // what else it decided, in order: shown before the others

	Bookings []Booking // reservations that it has accepted and keeps by itself, until they begin

	// Told are all decisions, in order, of a scheduler that tells them itself: what is
	// made of them is their numbers alone. Text of one about a job that could start now
	// stands before what it says. Plans are then all that hold when the instant is over.
	Told []Decision
	// Sentence says, in the scheduler's own words, why a job waits; d says which limit holds
	// it back. nil: it has no words.
	Sentence func(j model.JobID, d *Decision) string
	// Word is the scheduler's own word for why a job waits, "" none; of a job about which
	// nothing is decided now, the decision has its kind alone. nil: it has no words.
	Word func(j model.JobID, d *Decision) string
	// Slurm says that jobs which are not eligible have Slurm's reasons.
	Slurm bool
}

// Plan is the planned start of a job.
type Plan struct {
	Job   model.JobID
	At    model.Time
	Where model.Claim
}

// Sent is a job that waits at a provider.
type Sent struct {
	Job  model.JobID
	Name string
}

// Reset forgets everything, and keeps the memory.
func (f *Facts) Reset() {
	*f = Facts{Order: f.Order[:0], Tried: f.Tried[:0], Plans: f.Plans[:0], Sent: f.Sent[:0], Values: f.Values[:0], Said: f.Said[:0], Bookings: f.Bookings[:0], Draft: f.Draft[:0], Told: f.Told[:0],
		Head: -1, Shadow: model.Never, Spare: -1, Threshold: -1}
}

// Briefly says that who waits, behind whom, and what is promised is all that is asked for.
// A program that lets no run be told is without the rest.
func (f *Facts) Briefly() bool { return !steps || f.Waits != nil }

// Promised returns the start that a job is promised, model.Never none.
func (f *Facts) Promised(j model.JobID) model.Time {
	for i := range f.Plans {
		if f.Plans[i].Job == j {
			return f.Plans[i].At
		}
	}
	if f.Head == j {
		return f.Shadow
	}
	return model.Never
}

// Drafts notes the plan that an optimiser begins with, in the best of so many climbs,
// and in what order its jobs stand, in words; its moves are noted next.
func (f *Facts) Drafts(plan []Plan, climbs int, how string) {
	f.Draft = append(f.Draft[:0], plan...)
	d := Decide(Draft, -1)
	d.Plan = &Beginning{Climbs: climbs, How: how}
	f.Said = append(f.Said, d)
}

// Say adds a note in the scheduler's own words about a job, −1 none.
func (f *Facts) Say(j model.JobID, text string) {
	d := Decide(Note, j)
	d.Text = text
	f.Said = append(f.Said, d)
}
