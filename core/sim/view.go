package sim

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/predict"
	"batchlab/core/resource"
	"batchlab/core/tell"
)

// View is what a scheduler of machines may see at one instant. All of it
// is read-only to the scheduler and valid only during the call.
type View struct {
	Now  model.Time
	Site *resource.Site
	Jobs []model.Job // a scheduler looks only at those below Next
	// Demands hold the rarer demands of jobs, see Demand.
	Demands []model.Demand
	Needs   []resource.Need // what each job asks of the site
	Due     []model.Time    // by JobID: deadlines, 0 none; nil when no job has one
	Free    *resource.Pool  // what is free, before this pass starts anything
	Start   []model.Time    // by JobID: since when a job runs, or when it ran; Never: it waits
	Held    []model.Claim   // by JobID: where they run

	Attempt []int32      // by JobID: how often it was stopped
	Done    []model.Time // by JobID: seconds that it has run before it was suspended

	// Where users react, as in CountedView.
	Pool   []model.Job
	Origin []int32

	// What happened at this instant, completions first (rule 4).
	Ended   []model.JobID // in order of JobID
	Back    []model.JobID // a failure took their nodes, they wait again; in order of JobID
	Arrived model.JobID   // jobs [Arrived, Next) have just been submitted
	Next    model.JobID
	New     []model.JobID // those of them that are for the scheduler: batch jobs
	// Gone are jobs that are withdrawn now and have not started, in order of JobID. From
	// now on they are jobs that are stopped at their due time, which has come (Kills): a
	// scheduler gives them up like these. Nothing told it before.
	Gone []model.JobID

	// Space is what is free over time, by the requests of running jobs, the calendar
	// as far as it is known, and bookings. It is there on platforms with a
	// calendar, with reservations, and for a SpaceUser; else nil. A scheduler may
	// book on it what it decides and promises: when its pass is over, that is undone.
	Space *resource.Space

	// Only is, of a provider of a grid, 1 + the cluster that is its own; else 0: all
	// are the scheduler's.
	Only int32

	// What advance reservations hold. Their jobs are none of the scheduler's.
	Bookings *Bookings // in force or ahead, as they are now
	Booked   []Booking // that have come since the last pass
	Freed    []Booking // parts that were given back since the last pass
	// Jobs of reservations that have begun, or run no longer, since the last pass:
	// for books about who has consumed what.
	Begun, Over []model.JobID

	// Book foretells run times; nil where nobody asked for that. On machines of
	// unequal speed it speaks of one of speed 1, as requests do.
	Book *predict.Book

	// Record is nil unless decisions are recorded.
	Record *Record

	// Facts is nil unless this instant is told. A scheduler may note there what it
	// goes by as it decides.
	Facts *tell.Facts

	run *siteRun

	// Pulse is to be used by schedulers that search within a decision.
	Pulse *Pulse

	// Fault is set by a scheduler that cannot decide, such as for a formula
	// that divides by zero. It ends the simulation.
	Fault error
}

// Limit returns how long a job may run in a claim: what is left of its request.
func (v *View) Limit(j model.JobID, c model.Claim) model.Time {
	return v.Site.Scaled(v.Left(j), c)
}

// Left returns what is left of a job's request, at speed 1; Endless where it has no
// limit (Unlimited).
func (v *View) Left(j model.JobID) model.Time {
	if v.run.endless {
		if d := v.Demand(j); d != nil && d.NoLimit && !(v.run.reserves.of != nil && v.run.reserves.of[j]) {
			return Endless
		}
	}
	return v.Jobs[j].Limit - v.Done[j]
}

// Endless is longer than any simulation, and so short that thousands of it add up.
const Endless model.Time = 1 << 44

// Unlimited is a Scheduler under which batch jobs whose users stated no limit
// (Demand.NoLimit) may run for ever, for all that anybody knows. Orders use what
// stands for their requests all the same.
type Unlimited interface {
	Scheduler
	Unlimited() bool
}

// Demand returns the rarer demands of a job, or nil when it has none.
func (v *View) Demand(j model.JobID) *model.Demand {
	if d := v.Jobs[j].Demand; d > 0 {
		return &v.Demands[d-1]
	}
	return nil
}

// Plain returns the cluster that is the scheduler's where that is one of
// interchangeable processors and nothing else is counted: a number says what is free.
func (v *View) Plain() (cluster int32, ok bool) {
	if v.Only == 0 && len(v.Site.Platform.Clusters) > 1 {
		return -1, false
	}
	cluster = max(0, v.Only-1)
	return cluster, v.Site.Plain(cluster)
}

// Rises grows whenever anything may have become free where the scheduler's jobs run
// (Space.Rises).
func (v *View) Rises() int { return v.Space.Rises(v.Only - 1) }

// Known says whether a scheduler may know of a calendar entry: of failures only
// once they have begun.
func (v *View) Known(c *model.CalendarEntry) bool {
	return c.Kind != model.KindFailure || c.From <= v.Now
}

// Kills says whether a job is stopped at its deadline (model.DueKill): it cannot
// start then or later.
func (v *View) Kills(j model.JobID) bool {
	if v.Due == nil || v.Due[j] <= 0 {
		return false
	}
	return v.run.gone != nil && v.run.gone[j] || v.Demand(j).OnDue == model.DueKill
}

// Running returns the jobs that run, in order of JobID, those of reservations
// included.
func (v *View) Running() []model.JobID {
	var list []model.JobID
	for _, entry := range v.run.m.heap {
		j := model.JobID(entry & (1<<v.run.shift - 1))
		if v.run.m.end[j] == v.run.base+model.Time(entry>>v.run.shift) {
			list = append(list, j)
		}
	}
	slices.Sort(list)
	return slices.Compact(list) // of a job that was stopped and started again at once both ends may be there
}

// Verb is what a decision does to a job.
type Verb uint8

// What a scheduler may decide.
const (
	Start   Verb = iota // start it now in Decision.Claim
	Reject              // never start it
	Stop                // stop it now; it waits again, to run from its beginning
	Suspend             // stop it now; it waits again, to go on with what is left
	End                 // stop it now for good: the end of its reservation
)

// Decision is what a scheduler wants done; the engine does it, or stops with
// an error that names what cannot be done. Decisions are carried out in order,
// so that a job that is stopped makes room for those that start after it.
type Decision struct {
	Verb  Verb
	Job   model.JobID
	Claim model.Claim
}

// Scheduler decides on a site of machines.
type Scheduler interface {
	// Reset prepares for a new simulation. Memory of an earlier one is to be
	// used again.
	Reset(v *View)
	// Decide is called once at each instant, after its events. It appends its
	// decisions in order.
	Decide(v *View, out []Decision) []Decision
}
