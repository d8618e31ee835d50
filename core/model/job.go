// Package model holds the data that every part of Batchlab shares: jobs as
// users ask for them, the truth that stays hidden from schedulers, the
// platform, and the schedule that a simulation produces.
//
// It is a leaf: it imports nothing of the project and does no work beyond
// checking and deriving what follows from its own data. Start at Workload and
// Schedule; Schedule.Check is the judge that every test calls.
//
// # Whole seconds, one digest
//
// Native and WebAssembly code agree bit for bit on integers and on single float
// operations, but not on math.Exp or math.Pow, nor where a compiler may fuse a
// product and a sum. So times are int64 seconds; scores are one division; products
// are rounded before they are added (float64(a*b) + c); sums of whole numbers are
// exact, 128 bits wide, and divided once. Random numbers are PCG streams named by
// consumer and repetition (Stream). The digest, one SHA-256 over all starts and ends,
// is then a test of everything.
package model

// Time is a point in time or a span, in whole seconds. Points count from the
// workload's own origin (SWF's UnixStartTime). Floating point never holds a
// time.
type Time int64

// Never is later than every time that a simulation reaches.
const Never Time = 1 << 62

// JobID is a job's index in Workload.Jobs.
type JobID = int32

// Job is what a user asked for and what a scheduler may see. It holds the
// fields that every study uses; rarer demands stand in Workload.Demands so
// that the hot loops stay compact.
type Job struct {
	Number int64 // SWF field 1, unique within a log that follows the standard
	Submit Time  // SWF field 2
	Limit  Time  // requested time in seconds (SWF field 9), at least 1: the job is killed at it
	Procs  int32 // requested processors (SWF field 8, else 5), at least 1
	User   int32 // SWF field 12, −1 unknown
	Group  int32 // SWF field 13, −1 unknown
	Queue  int32 // SWF field 15, −1 unknown
	// Executable is SWF field 14, which program it runs; −1 (or 0, of jobs that no log states) unknown.
	Executable int32
	Demand     int32 // 1 + index into Workload.Demands; 0: nothing beyond processors and time
	Record     int32 // index of the log record it came from, −1 for a generated job
}

// Truth is what only the simulator knows of a job.
type Truth struct {
	Run        Time // seconds it would run, at least 1; the simulator stops it at its Limit
	LoggedWait Time // SWF field 3: the wait in the real schedule, −1 unknown
}

// Demand holds the demands of a job that few workloads state.
// The zero value asks for nothing.
type Demand struct {
	Nodes, PerNode          int32 // nodes × processors per node; 0: spread freely
	MemPerNode, DiskPerNode int64 // bytes
	GPUsPerNode             int32
	Licences                []LicenceNeed
	Eligible                []int32 // cluster indices; nil: every cluster
	On                      []int32 // indices into Platform.Nodes; nil: every node
	Priority                int32
	Weight                  float64
	Setup                   Time
	Reservation             *Reservation // an advance reservation instead of a batch job
	Due                     Time         // 0: none
	OnDue                   DuePolicy
	NoLimit                 bool // the user stated no requested time: Job.Limit is a stand-in
	// Partitions are those that the job named, by index into Platform.Partitions, in its
	// order. On holds the nodes of the first of them.
	Partitions []int32
	QOS        int32 // 1 + index into Platform.QOS; 0: none
	Account    int32 // 1 + index into Platform.Accounts; 0: none
}

// LicenceNeed asks for copies of a floating licence for a job's whole run.
type LicenceNeed struct {
	Licence int32 // index into Platform.Licences
	Copies  int32
}

// Reservation is the interval ⟨Ready, Deadline⟩ within which an advance
// reservation wants its processors (Kurowski et al. 2011, section 3). It is fixed
// when the interval is as long as the reservation, else flexible.
type Reservation struct {
	Ready, Deadline Time
	Length          Time // how long the processors are reserved; 0: the job's requested time
	Effort          Effort
	Name            string // of one that the platform asks for by itself; "": a job's own
}

// Effort says what a reservation takes that cannot have all it wants.
type Effort uint8

// Kinds of request (Kurowski et al. 2011, section 3.1).
const (
	EffortExact Effort = iota // all or nothing
	EffortProcs               // "per-slot best effort": as many processors as there are for the given time
	EffortTime                // "per-time best effort": the longest time for the given processors
)

// DuePolicy says what happens at a job's due time.
type DuePolicy uint8

// What may happen at a due time.
const (
	DueCount  DuePolicy = iota // lateness is only measured
	DueReject                  // a job that cannot meet it is rejected
	DueKill                    // the job is stopped at it
)

// Workload is the input of one simulation: jobs in order of (Submit, Number),
// with the hidden truth beside them.
type Workload struct {
	Name       string
	Jobs       []Job
	Truth      []Truth  // parallel to Jobs; never handed to a scheduler
	Demands    []Demand // rarer demands, see Job.Demand
	UnixStart  int64    // Unix time of time 0; 0 unknown
	TimeZone   string   // SWF TimeZoneString, "" unknown
	Processors int      // machine size that the source states; 0 unknown
	// Origin says which job of the workload that users reacted with each job is,
	// by index; nil where submissions were replayed.
	Origin []int32
	// Gates say what jobs wait for before they are eligible, and when they leave the
	// queue, by index of the workload that was handed in (Origin leads there); nil:
	// every job is eligible when it is submitted. Never handed to a scheduler.
	Gates []Gate
	// Submitted says of each job of a schedule when it was submitted, where Job.Submit
	// is when it became eligible; nil where both are the same.
	Submitted []Time
}

// Gate is what a job waits for before it is eligible, and what others that wait for it
// go by.
type Gate struct {
	After     []Dependency
	Any       bool  // one of After is enough
	Begin     Time  // not eligible before
	Whole     Time  // of a group that starts together: when the last part is submitted; 0: it is there from the beginning
	Array     int32 // 1 + index of an array that limits how many of its jobs are eligible and not over; 0: none
	Limit     int32 // of the array: at least 1
	Withdrawn Time  // when it leaves the queue if it has not started; 0: never
	Failed    bool  // it ends, but not well: what the simulator alone knows
}

// Dependency is one predecessor, what of it is waited for, and how long after that.
type Dependency struct {
	Job   JobID // index in the workload
	On    Event
	Delay Time // seconds, at least 0
}

// Event is what of a predecessor is waited for. Of one that is over without having run
// Ended, NotOK and Started have come, and OK never does.
type Event uint8

// What may be waited for.
const (
	Ended   Event = iota // it is over
	OK                   // it has ended well
	NotOK                // it is over, and did not end well
	Started              // it has started
)

// Demand returns the rarer demands of job j, or nil when it has none.
func (w *Workload) Demand(j JobID) *Demand {
	if d := w.Jobs[j].Demand; d > 0 {
		return &w.Demands[d-1]
	}
	return nil
}

// Asked returns when job j begins to wait: with its submission, and as an advance
// reservation not before the time from which it wants its processors.
func (w *Workload) Asked(j JobID) Time {
	if d := w.Demand(j); d != nil && d.Reservation != nil {
		return max(w.Jobs[j].Submit, d.Reservation.Ready)
	}
	return w.Jobs[j].Submit
}

// SubmittedAt returns when job j was submitted, also where Job.Submit is when it became
// eligible.
func (w *Workload) SubmittedAt(j JobID) Time {
	if w.Submitted != nil {
		return w.Submitted[j]
	}
	return w.Jobs[j].Submit
}

// Gate returns what job j waits for before it is eligible, or nil where the workload
// says nothing of that.
func (w *Workload) Gate(j JobID) *Gate {
	if w.Gates == nil {
		return nil
	}
	if w.Origin != nil {
		j = w.Origin[j]
	}
	return &w.Gates[j]
}

// Executed returns the seconds that job j runs when nothing but its request
// stops it.
func (w *Workload) Executed(j JobID) Time { return min(w.Truth[j].Run, w.Jobs[j].Limit) }

// Span returns the first submission and the last one; zeros without jobs.
func (w *Workload) Span() (first, last Time) {
	if len(w.Jobs) == 0 {
		return 0, 0
	}
	return w.Jobs[0].Submit, w.Jobs[len(w.Jobs)-1].Submit
}
