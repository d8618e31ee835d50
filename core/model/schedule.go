package model

import (
	"fmt"
	"slices"
)

// EndReason says why an execution ended.
type EndReason uint8

// Why executions end.
const (
	EndCompleted EndReason = iota // ran for its run time
	EndKilled                     // stopped at its requested time
	EndRejected                   // never started
	EndOutage                     // lost its nodes; waits again, to run from its beginning
	EndPreempted                  // stopped by the scheduler; waits again, to run from its beginning
	EndSuspended                  // stopped by the scheduler; waits again, to go on with what is left
	EndDue                        // stopped for good at its due time (DueKill)
	EndReserved                   // stopped for good at the end of its reservation
	EndWithdrawn                  // never started: it left the queue before
	EndNever                      // never started: what it waits for never comes, and it was never eligible
)

// Unserved reports whether the job never started.
func (r EndReason) Unserved() bool { return r == EndRejected || r == EndWithdrawn || r == EndNever }

// cut reports whether an execution was stopped for good before it was done.
func (r EndReason) cut() bool { return r == EndDue || r == EndReserved }

// Final reports whether no further attempt follows.
func (r EndReason) Final() bool { return r != EndOutage && r != EndPreempted && r != EndSuspended }

// Execution is one attempt to run a job. A job has one, unless failures or
// preemption make it run again.
type Execution struct {
	Job     JobID
	Attempt int32 // from 0
	Submit  Time  // of this attempt; from the second on, the end of the one before
	Start   Time  // −1 for a job that never started
	End     Time
	Procs   int32
	Cluster int32
	Reason  EndReason
	Claim   int32 // 1 + index into Schedule.Claims; 0: only counted
}

// Wait is start − submit in seconds; 0 for a job that never started.
func (e *Execution) Wait() Time {
	if e.Start < 0 && e.Reason.Unserved() {
		return 0
	}
	return e.Start - e.Submit
}

// Schedule is what a simulation produced: the executions in order of
// (Job, Attempt).
type Schedule struct {
	Workload   *Workload
	Platform   *Platform
	Executions []Execution
	// Claims says where executions ran, on platforms where that was decided
	// job by job; see Execution.Claim.
	Claims []Claim
	// Holds says of single executions for how long and which processors they
	// hold, where that is more than the execution itself says: advance
	// reservations, and what is bound to named processors. In order of (Job,
	// Start).
	Holds []Hold
	// Logged marks the real schedule of a log (`as-logged`), which may use
	// more processors than the machine has.
	Logged bool
}

// Hold says that the processors of an execution are held during [From, To),
// which contains the execution, whether or not its job runs.
type Hold struct {
	Job      JobID
	Start    Time // of the execution
	From, To Time
	Reserved bool     // by an advance reservation
	Which    []uint64 // the set of processors of its cluster, by their numbers there; nil: any
}

// Check proves that a schedule is feasible: every job has attempts 0, 1, … and
// ends once, nothing starts before it is submitted, runs longer than its
// request or other than its truth, and no cluster is over-allocated at any
// instant, calendar included. Where executions have claims, the same holds for
// every machine, its memory, disk and GPUs, and for the copies of every licence
// (checkClaims). The error names the first job that breaks a rule. A logged
// schedule may over-allocate.
func (s *Schedule) Check() error {
	w := s.Workload
	seen, done, open := JobID(-1), Time(0), false // done: seconds of suspended attempts
	for i := range s.Executions {
		e := &s.Executions[i]
		if int(e.Job) >= len(w.Jobs) || e.Job < 0 {
			return fmt.Errorf("model: execution %d: no job %d", i, e.Job)
		}
		j := &w.Jobs[e.Job]
		if e.Attempt == 0 {
			done = 0
		}
		limit, run := s.scaled(e, j.Limit-done), s.scaled(e, w.Executed(e.Job)-done)
		switch {
		case e.Attempt == 0 && e.Job != seen+1, e.Attempt != 0 && (i == 0 || s.Executions[i-1].Job != e.Job || s.Executions[i-1].Attempt != e.Attempt-1):
			return fmt.Errorf("model: job %d: executions out of order or missing", j.Number)
		case e.Attempt == 0 && open:
			return fmt.Errorf("model: job %d never ends", w.Jobs[seen].Number)
		case e.Attempt > 0 && (!open || e.Submit != s.Executions[i-1].End):
			return fmt.Errorf("model: job %d: attempt %d does not follow from the one before", j.Number, e.Attempt)
		case e.Reason.Unserved():
		case e.Start < e.Submit || e.Submit < j.Submit:
			return fmt.Errorf("model: job %d starts at %d, before its submission at %d", j.Number, e.Start, e.Submit)
		case e.End-e.Start > limit:
			return fmt.Errorf("model: job %d runs %d s, longer than its request of %d s", j.Number, e.End-e.Start, limit)
		case e.Reason.Final() && !e.Reason.cut() && e.End-e.Start != run:
			return fmt.Errorf("model: job %d runs %d s instead of %d s", j.Number, e.End-e.Start, run)
		case (!e.Reason.Final() || e.Reason.cut()) && (e.End <= e.Start || e.End-e.Start >= run):
			return fmt.Errorf("model: job %d is stopped after %d of %d s", j.Number, e.End-e.Start, run)
		case e.Reason.cut() && !w.endsEarly(e):
			return fmt.Errorf("model: job %d is stopped at %d, which is not its due time", j.Number, e.End)
		case e.Procs != j.Procs && !w.fewer(e.Job, e.Procs):
			return fmt.Errorf("model: job %d holds %d processors instead of %d", j.Number, e.Procs, j.Procs)
		}
		seen, open = e.Job, !e.Reason.Final()
		switch e.Reason {
		case EndSuspended:
			done += e.End - e.Start
		case EndOutage, EndPreempted:
			done = 0
		}
	}
	if open {
		return fmt.Errorf("model: job %d never ends", w.Jobs[seen].Number)
	}
	if int(seen) != len(w.Jobs)-1 {
		return fmt.Errorf("model: %d of %d jobs have no execution", len(w.Jobs)-1-int(seen), len(w.Jobs))
	}
	if s.Logged {
		return nil
	}
	if err := s.checkLimits(); err != nil {
		return err
	}
	if len(s.Claims) > 0 || s.Platform.machines() {
		return s.checkClaims()
	}
	return s.checkCapacity()
}

// endsEarly says whether a job may be stopped for good when an execution ends.
func (w *Workload) endsEarly(e *Execution) bool {
	d := w.Demand(e.Job)
	if d == nil || e.Reason == EndReserved {
		return d != nil && d.Reservation != nil
	}
	return d.OnDue == DueKill && e.End == d.Due
}

// fewer says whether a job may hold so many processors instead of all.
func (w *Workload) fewer(j JobID, procs int32) bool {
	d := w.Demand(j)
	return d != nil && d.Reservation != nil && d.Reservation.Effort == EffortProcs && procs > 0 && procs < w.Jobs[j].Procs
}

// checkCapacity sweeps over starts and ends, ends first at equal times.
func (s *Schedule) checkCapacity() error {
	type event struct {
		at      Time
		delta   int32
		cluster int32
		job     JobID
	}
	events := make([]event, 0, 2*len(s.Executions))
	for i := range s.Executions {
		if e := &s.Executions[i]; !e.Reason.Unserved() {
			events = append(events, event{e.Start, e.Procs, e.Cluster, e.Job}, event{e.End, -e.Procs, e.Cluster, e.Job})
		}
	}
	for _, c := range s.Platform.Calendar {
		events = append(events, event{c.From, c.Procs, c.Cluster, -1}, event{c.To, -c.Procs, c.Cluster, -1})
	}
	slices.SortFunc(events, func(a, b event) int {
		if a.at != b.at {
			if a.at < b.at {
				return -1
			}
			return 1
		}
		return int(a.delta) - int(b.delta)
	})
	used, away := make([]int, len(s.Platform.Clusters)), make([]int, len(s.Platform.Clusters))
	for _, e := range events {
		if e.job < 0 {
			away[e.cluster] += int(e.delta)
		} else {
			used[e.cluster] += int(e.delta)
		}
		if used[e.cluster] == 0 {
			continue // entries of the calendar may overlap
		}
		if size := s.Platform.Clusters[e.cluster].Procs(); used[e.cluster]+away[e.cluster] > size {
			return fmt.Errorf("model: at %d, %d of %d processors of cluster %q are in use (job index %d)",
				e.at, used[e.cluster]+away[e.cluster], size, s.Platform.Clusters[e.cluster].Name, e.job)
		}
	}
	return nil
}
