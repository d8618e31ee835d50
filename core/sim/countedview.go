package sim

import (
	"batchlab/core/model"
	"batchlab/core/predict"
	"batchlab/core/resource"
	"batchlab/core/tell"
)

// View is what a scheduler may see at one instant. All of it is read-only to
// the scheduler and valid only during the call.
type CountedView struct {
	Now  model.Time
	Jobs []model.Job // every job of the workload; a scheduler looks only at those below Next
	// Demands hold the rarer demands of jobs, see model.Job.Demand; deadlines are
	// all that counts here.
	Demands []model.Demand
	Start   []model.Time // start times, valid for jobs that have started
	Procs   int32        // of the machine
	Free    int32        // free processors, before this pass starts anything

	// Where users react, submissions are not known before they happen: Jobs is
	// filled as they do, with only the first submission known at Reset. Pool
	// then holds what all jobs ask for, in an order that says nothing, so that a
	// scheduler can prepare, and Origin says of each submitted job which of them
	// it is. Both are nil where submissions are replayed.
	Pool   []model.Job
	Origin []int32 // by JobID, valid below Next

	// What happened at this instant, completions first (rule 4).
	Ended   []model.JobID // jobs that have just ended, in order of JobID
	Arrived model.JobID   // jobs [Arrived, Next) have just been submitted
	Next    model.JobID

	// Ahead is what is free over time, by the requests of running jobs, the calendar and
	// reservations; nil where nothing is reserved or taken away. A scheduler starts no job
	// who does not fit into it until its requested end (Clear), and books whom it starts
	// (Hold). Free may be less than nothing, where outages overlap.
	Ahead *resource.Long
	// Rises grows whenever anything may have become free in Ahead.
	Rises int
	// Reserved says which of the submitted jobs belong to a CountedDesk, and not to the
	// scheduler, by JobID; nil where there is no Ahead.
	Reserved []bool
	Booked   []Seat // that have come since the last pass
	Freed    []Seat // parts that were given back since the last pass

	sought   *resource.Sought
	latest   model.Time // for the clock
	begun    []seated   // at this instant, by the desk
	rejected int

	// Book foretells run times; nil where nobody asked for that.
	Book *predict.Book

	// Record is nil unless decisions are recorded.
	Record *Record

	// Facts is nil unless this instant is told. A scheduler may note there what it
	// goes by as it decides.
	Facts *tell.Facts

	heap    Heap // at an instant that is told: running jobs, and
	mask    uint64
	waiting int

	// Pulse is to be used by schedulers that search within a pass.
	Pulse *Pulse

	// Fault is set by a scheduler that cannot decide, such as for a formula
	// that divides by zero. It ends the simulation.
	Fault error
}

// CountedScheduler decides which waiting jobs start.
type CountedScheduler interface {
	// Reset prepares for a new simulation of v.Jobs on v.Procs processors.
	// Memory of an earlier simulation is to be used again.
	Reset(v *CountedView)
	// Pass is called once at each instant, after its completions and
	// submissions. It appends the jobs to start now, in order, to starts.
	Pass(v *CountedView, starts []model.JobID) []model.JobID
}

// BookKeeper is a scheduler that writes the book of predictions itself, so that it
// can leave out what it need not know. For all others the simulator does.
type BookKeeper interface {
	KeepsBook()
}
