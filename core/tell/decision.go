package tell

import "batchlab/core/model"

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

// Decision is one decision: about a job as a rule, with the numbers that it was made by.
// What belongs to some kinds alone stands in a type of its own. What a kind does not use
// is zero, nil, or model.Never for times.
type Decision struct {
	Kind   Kind        `json:"kind"`
	Job    model.JobID `json:"job"`              // −1: about none
	Number int64       `json:"number,omitempty"` // of the job
	Title  string      `json:"title,omitempty"`  // of a reservation of the platform
	Text   string      `json:"text,omitempty"`   // a note's words

	Needs  int32      `json:"needs,omitempty"`  // processors
	Free   int32      `json:"free"`             // processors that are free at its turn
	Limit  model.Time `json:"limit,omitempty"`  // requested time, seconds
	Ends   model.Time `json:"ends"`             // when it must end if it starts now; of an offer: when that ends
	Fresh  bool       `json:"fresh,omitempty"`  // the job has just been submitted
	Asks   *Asks      `json:"asks,omitempty"`   // what else than processors it asks for
	Used   *Used      `json:"used,omitempty"`   // where jobs stand by what users have used
	Waited model.Time `json:"waited,omitempty"` // seconds, of a job that stands first since it has waited for more than Over
	Over   model.Time `json:"over,omitempty"`   // seconds

	Promise
	Cause
	Own
	Plan     *Beginning `json:"plan,omitempty"`     // of Draft
	Moved    *Moved     `json:"moved,omitempty"`    // of Move
	Improved *Improved  `json:"improved,omitempty"` // of Improve
	Provider *Provider  `json:"provider,omitempty"` // of Offer, Refuses, Accept, Queued and Send
}

// Promise is a promised or planned start, and what a job that would pass another one is
// held against.
type Promise struct {
	At    model.Time   `json:"at"`              // promised or planned start; shadow time
	Was   model.Time   `json:"was"`             // planned start before; model.Never: none
	Spare int32        `json:"spare"`           // left over at the shadow time, before this decision; −1: cannot be said in one number
	Head  int64        `json:"head,omitempty"`  // number of the job that has the promise; behind which it stands
	Late  model.Time   `json:"late,omitempty"`  // by how much the head would start later, seconds
	Place int32        `json:"place"`           // cluster of At; −1: not said
	Parts []model.Part `json:"parts,omitempty"` // of At, where machines are named
	Frees []int64      `json:"frees,omitempty"` // numbers of the jobs that must have ended by At, or whose plans are in its way, at most MostNamed
	More  int          `json:"more,omitempty"`  // so many more of them
	Until []Taken      `json:"until,omitempty"` // what is over at At
}

// Cause is what keeps a job from starting.
type Cause struct {
	Why     Kind    `json:"why,omitempty"`     // of the head, and of what stops the queue: why it does not start
	Licence *Copies `json:"licence,omitempty"` // of which too few copies are free
	Bound   []Bound `json:"bound,omitempty"`   // limits that are reached, one for each cluster where it could run
	Lack    *Lack   `json:"lack,omitempty"`    // what it cannot have although enough processors are free
	Taken   []Taken `json:"taken,omitempty"`   // all that it would run into, by beginning
}

// Own is what a scheduler says that tells its decisions itself.
type Own struct {
	Said   string     `json:"said,omitempty"`   // how the sentence goes on; about no job all of it; times as Fill reads them
	Tag    string     `json:"tag,omitempty"`    // verdict
	Reason string     `json:"reason,omitempty"` // why the job waits, in the scheduler's own word
	From   model.Time `json:"from,omitempty"`   // of a plan in a map of slots: what it holds there, in whole slots
	To     model.Time `json:"to,omitempty"`
}

// Copies are copies of a licence.
type Copies struct {
	Name  string `json:"name"`
	Needs int32  `json:"needs"` // by the job
	Free  int32  `json:"free"`
	Of    int32  `json:"of"` // copies that there are
}

// Beginning is the plan that an optimiser begins with.
type Beginning struct {
	Climbs int     `json:"climbs"`           // of which it is that of the best
	How    string  `json:"how,omitempty"`    // in what order its jobs stand
	Starts []Start `json:"starts,omitempty"` // by planned start, at most MostListed
	More   int     `json:"more,omitempty"`   // so many more of them
}

// Moved is a move of an optimiser that was kept.
type Moved struct {
	Which  int     `json:"which"`           // counted from 1
	Jobs   []int64 `json:"jobs"`            // numbers of those that it has moved, at most MostNamed
	More   int     `json:"more,omitempty"`  // so many more of them
	To     string  `json:"to,omitempty"`    // cluster to which one job has gone
	From   int32   `json:"from,omitempty"`  // places of one job in the plan, before and after,
	Place  int32   `json:"place,omitempty"` // counted from 1
	Scores []Score `json:"scores"`
}

// Improved is what the moves of an optimiser came to.
type Improved struct {
	Tries  int     `json:"tries"` // moves that were looked at
	Kept   int     `json:"kept"`
	Scores []Score `json:"scores,omitempty"`
}

// Provider is who is asked in a grid, and what is found there.
type Provider struct {
	Name  string `json:"name"`            // "": the grid itself
	Slots []Slot `json:"slots,omitempty"` // starts that were looked at, in order
	Queue int    `json:"queue,omitempty"` // jobs that wait there
	Free  int32  `json:"free,omitempty"`  // processors; −1: the provider was drawn by lot
}

// Decide returns a decision of a kind about a job, −1 none, with nothing else in it.
func Decide(k Kind, j model.JobID) Decision {
	return Decision{Kind: k, Job: j, Ends: model.Never, Promise: Promise{At: model.Never, Was: model.Never, Spare: -1, Place: -1}}
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
