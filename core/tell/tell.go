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

// Kind says what sort of decision one is.
type Kind string

// Kinds of decisions. The first ones let a job start.
const (
	Starts  Kind = "starts"   // it is its turn, and it fits
	Before  Kind = "before"   // passes the head: ends, by its request, before the shadow time
	Beside  Kind = "beside"   // passes the head: takes only what the head leaves over
	Passes  Kind = "passes"   // passes jobs that do not fit and have no promise
	Planned Kind = "planned"  // its planned start has come
	Logged  Kind = "logged"   // the log says so
	Books   Kind = "books"    // an advance reservation begins
	Stops   Kind = "stops"    // the first that does not fit: nobody may pass
	Head    Kind = "head"     // the first that does not fit, with a promised start
	TooWide Kind = "too-wide" // too few processors are free
	Apart   Kind = "apart"    // enough are free, but not where it could use them
	Delays  Kind = "delays"   // it would delay the head
	Turn    Kind = "turn"     // it fits, and it is not its turn
	Licence Kind = "licence"  // copies of a licence are missing
	Limit   Kind = "limit"    // a limit on its user or class is reached
	Kept    Kind = "kept"     // what it needs is reserved or out of order
	New     Kind = "new"      // comes into the plan
	Earlier Kind = "earlier"  // its planned start moves earlier
	Later   Kind = "later"    // its planned start moves later
	Stays   Kind = "stays"    // its planned start stays
	Outside Kind = "outside"  // not planned: too many stand before it
	Reject  Kind = "reject"   // it never starts
	Leaves  Kind = "leaves"   // it is withdrawn before it has started
	Stop    Kind = "stop"     // it is stopped and runs again from its beginning
	Suspend Kind = "suspend"  // it is stopped and goes on later
	End     Kind = "end"      // it is stopped for good
	Draft   Kind = "draft"    // the plan that the optimiser begins with
	Move    Kind = "move"     // a move of the optimiser that was kept
	Improve Kind = "improve"  // what the optimiser's moves came to
	Offer   Kind = "offer"    // a provider's offer for a reservation
	Refuses Kind = "refuses"  // a provider has no start for a reservation
	Accept  Kind = "accept"   // a reservation is accepted
	Decline Kind = "decline"  // a reservation is turned down
	Queued  Kind = "queued"   // it waits at its provider
	Send    Kind = "send"     // a batch job goes to a provider
	Note    Kind = "note"     // words of the scheduler's own
)

// Begins says whether a job starts by a decision of this kind.
func (k Kind) Begins() bool {
	switch k {
	case Starts, Before, Beside, Passes, Planned, Logged, Books:
		return true
	}
	return false
}

// Decision is one decision about one job, with the numbers that it went by. What
// its kind does not use is zero, or model.Never for times.
type Decision struct {
	Kind   Kind         `json:"kind"`
	Job    model.JobID  `json:"job"`              // −1: about none
	Number int64        `json:"number,omitempty"` // of the job
	Title  string       `json:"title,omitempty"`  // of a reservation of the platform
	Needs  int32        `json:"needs,omitempty"`  // processors
	Free   int32        `json:"free"`             // processors that are free at its turn
	Limit  model.Time   `json:"limit,omitempty"`  // requested time, seconds
	Ends   model.Time   `json:"ends"`             // when it must end if it starts now
	At     model.Time   `json:"at"`               // promised or planned start; shadow time
	Was    model.Time   `json:"was"`              // planned start before; model.Never: none
	Spare  int32        `json:"spare"`            // left over at the shadow time, before this decision; −1: cannot be said in one number
	Head   int64        `json:"head,omitempty"`   // number of the job that has the promise; behind which it stands
	Late   model.Time   `json:"late,omitempty"`   // by how much the head would start later, seconds
	Frees  []int64      `json:"frees,omitempty"`  // numbers of the jobs that must have ended by At, at most 4; that a move has moved; whose plans are in its way
	More   int          `json:"more,omitempty"`   // so many more of them; of an improvement: moves that were looked at; of a provider: its queue
	Name   string       `json:"name,omitempty"`   // of a licence, provider or machine
	Copies int32        `json:"copies,omitempty"` // of the licence that it needs
	Left   int32        `json:"left,omitempty"`   // copies that are free; of a provider: processors, −1 if it was drawn; of a move of one job: its place before, from 1
	Have   int32        `json:"have,omitempty"`   // copies that there are; of a move of one job: its place
	Why    Kind         `json:"why,omitempty"`    // of the head, and of what stops the queue: why it does not start
	Place  int32        `json:"place"`            // cluster of At; −1: not said
	Parts  []model.Part `json:"parts,omitempty"`  // of At, where machines are named
	Text   string       `json:"text,omitempty"`   // a note's words
	Said   string       `json:"said,omitempty"`   // how its sentence goes on where a scheduler says that itself; about no job all of it; times as Fill reads them
	Tag    string       `json:"tag,omitempty"`    // verdict, where a scheduler has its own
	Reason string       `json:"reason,omitempty"` // why it waits, in the scheduler's own word
	From   model.Time   `json:"from,omitempty"`   // of a plan in a map of slots: what it holds there, in whole slots
	To     model.Time   `json:"to,omitempty"`
	Slots  []Slot       `json:"slots,omitempty"`  // starts that were looked at, in order
	Scores []Score      `json:"scores,omitempty"` // of an improvement
	Moves  int          `json:"moves,omitempty"`  // improvements that were kept, of More; of a move: which one it is, counted from 1
	Fresh  bool         `json:"fresh,omitempty"`  // the job has just been submitted
	Bound  []Bound      `json:"bound,omitempty"`  // limits that are reached, one for each cluster where it could run
	Asks   *Asks        `json:"asks,omitempty"`   // what else than processors it asks for
	Lack   *Lack        `json:"lack,omitempty"`   // what it cannot have although enough processors are free
	Taken  []Taken      `json:"taken,omitempty"`  // all that it would run into, by beginning
	Until  []Taken      `json:"until,omitempty"`  // what is over at At
	Waited model.Time   `json:"waited,omitempty"` // seconds, of a job that stands first since it has waited for more than Over
	Over   model.Time   `json:"over,omitempty"`   // seconds
	Used   *Used        `json:"used,omitempty"`   // where jobs stand by what users have used
	Begins []Start      `json:"begins,omitempty"` // the plan that an optimiser begins with, by planned start
}

// Asks is what a job asks of each machine beside processors.
type Asks struct {
	GPUs      int32 `json:"gpus,omitempty"`
	Mem, Disk int64 // bytes
}

// Lack is what a job cannot have where it could run: processors together, GPUs,
// memory or disk space, and how much of it the machines have that could serve it,
// those with most first.
type Lack struct {
	What string `json:"what"`           // "processors", "GPUs", "memory" or "disk space"
	Part string `json:"part,omitempty"` // name of its partition, where that does not have all machines; else ""
	On   []Has  `json:"on"`             // at most 3
	More int    `json:"more,omitempty"`
}

// Has is how much is free of what a machine, or a cluster, has: bytes of memory and
// disk space.
type Has struct {
	Name string `json:"name"`
	Free int64  `json:"free"`
	Of   int64  `json:"of"`
}

// Taken is what an outage, a failure or a reservation takes away.
type Taken struct {
	What   string   `json:"what"`             // outage, failure or reservation
	Name   string   `json:"name,omitempty"`   // of an entry of the calendar, or of a reservation of the platform
	Number int64    `json:"number,omitempty"` // of the job whose reservation it is; 0: none
	Procs  int32    `json:"procs"`
	On     []string `json:"on,omitempty"` // its machines, or its cluster where there are several
	From   model.Time
	To     model.Time
	Ahead  bool `json:"ahead,omitempty"` // it has not begun
}

// Used is what a job's user has used up to now, by the books of the scheduler.
type Used struct {
	User    int32   `json:"user"`
	Seconds float64 `json:"seconds"` // processor-seconds
}

// Start is a job of a plan, and when and where it is to start.
type Start struct {
	Job    model.JobID  `json:"job"`
	Number int64        `json:"number"`
	At     model.Time   `json:"at"`
	Place  int32        `json:"place"` // cluster; −1: not said
	Parts  []model.Part `json:"parts,omitempty"`
}

// Bound is a limit on what some jobs hold of a cluster at a time: those of one user,
// or those that ask for more than a time.
type Bound struct {
	Longer  model.Time `json:"longer"` // requested time, seconds; −1: jobs of the user
	User    int32      `json:"user"`
	Whose   string     `json:"whose,omitempty"`   // of a partition, a QOS or an account: "account 3", "user 5 in QOS high"; else ""
	Jobs    bool       `json:"jobs,omitempty"`    // running jobs are bounded, not processors
	Unit    string     `json:"unit,omitempty"`    // what is bounded instead of processors and jobs: "GPUs"
	Cluster string     `json:"cluster,omitempty"` // "" there is one only
	Most    int32      `json:"most"`              // processors
	Held    int32      `json:"held"`
	By      []int64    `json:"by,omitempty"` // numbers of the jobs that hold them, at most 4
	More    int        `json:"more,omitempty"`
}

// Slot is a start that a search for a reservation looked at: whether its
// processors are free from there for its whole length, else how few are, and when.
type Slot struct {
	At    model.Time `json:"at"`
	Fits  bool       `json:"fits"`
	Least int32      `json:"least"` // fewest processors that are free from At on for the length asked for
	When  model.Time `json:"when"`  // since when so few are
}

// Score is one term of an optimiser's objective, before and after.
type Score struct {
	Name     string  `json:"name"`
	Old, New float64 // as the optimiser counts
}

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
	Lack   string       `json:"lack,omitempty"`  // what it cannot have where it could run: Lack.What
	Taken  []Taken      `json:"taken,omitempty"`
	Over   model.Time   `json:"over,omitempty"` // it stands first since it has waited for more than so many seconds
	Late   model.Time   `json:"late,omitempty"` // by how much it would delay the head
	Name   string       `json:"name,omitempty"` // of the licence that is missing
	Copies int32        `json:"copies,omitempty"`
	Left   int32        `json:"left,omitempty"`
	Have   int32        `json:"have,omitempty"`
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

// Decide returns a decision of a kind about a job, −1 none, with nothing else in it.
func Decide(k Kind, j model.JobID) Decision {
	return Decision{Kind: k, Job: j, Ends: model.Never, At: model.Never, Was: model.Never, Spare: -1, Place: -1}
}

// Reset forgets everything, and keeps the memory.
func (f *Facts) Reset() {
	*f = Facts{Order: f.Order[:0], Tried: f.Tried[:0], Plans: f.Plans[:0], Sent: f.Sent[:0], Values: f.Values[:0], Said: f.Said[:0], Bookings: f.Bookings[:0], Draft: f.Draft[:0], Told: f.Told[:0],
		Head: -1, Shadow: model.Never, Spare: -1, Threshold: -1}
}

// Drafts notes the plan that an optimiser begins with, in the best of so many climbs,
// and in what order its jobs stand, in words; its moves are noted next.
func (f *Facts) Drafts(plan []Plan, climbs int, how string) {
	f.Draft = append(f.Draft[:0], plan...)
	d := Decide(Draft, -1)
	d.Moves, d.Text = climbs, how
	f.Said = append(f.Said, d)
}

// Say adds a note in the scheduler's own words about a job, −1 none.
func (f *Facts) Say(j model.JobID, text string) {
	d := Decide(Note, j)
	d.Text = text
	f.Said = append(f.Said, d)
}
