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
	EndOutage                     // lost its nodes; may be resubmitted
)

// Execution is one attempt to run a job. A job has one, unless failures make
// it run again.
type Execution struct {
	Job     JobID
	Attempt int32 // from 0
	Submit  Time  // of this attempt
	Start   Time  // −1 for a rejected job
	End     Time
	Procs   int32
	Cluster int32
	Reason  EndReason
	Claim   int32 // 1 + index into Schedule.Claims; 0: only counted
}

// Wait is start − submit in seconds; 0 for a rejected job.
func (e *Execution) Wait() Time {
	if e.Start < 0 && e.Reason == EndRejected {
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
	// Logged marks the real schedule of a log (`as-logged`), which may use
	// more processors than the machine has.
	Logged bool
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
	seen := JobID(-1)
	for i := range s.Executions {
		e := &s.Executions[i]
		if int(e.Job) >= len(w.Jobs) || e.Job < 0 {
			return fmt.Errorf("model: execution %d: no job %d", i, e.Job)
		}
		j := &w.Jobs[e.Job]
		limit, run := s.scaled(e, j.Limit), s.scaled(e, w.Executed(e.Job))
		switch {
		case e.Attempt == 0 && e.Job != seen+1, e.Attempt != 0 && (i == 0 || s.Executions[i-1].Job != e.Job || s.Executions[i-1].Attempt != e.Attempt-1):
			return fmt.Errorf("model: job %d: executions out of order or missing", j.Number)
		case e.Reason == EndRejected:
		case e.Start < e.Submit || e.Submit < j.Submit:
			return fmt.Errorf("model: job %d starts at %d, before its submission at %d", j.Number, e.Start, e.Submit)
		case e.End-e.Start > limit:
			return fmt.Errorf("model: job %d runs %d s, longer than its request of %d s", j.Number, e.End-e.Start, limit)
		case e.Reason != EndOutage && e.End-e.Start != run:
			return fmt.Errorf("model: job %d runs %d s instead of %d s", j.Number, e.End-e.Start, run)
		case e.Procs != j.Procs:
			return fmt.Errorf("model: job %d holds %d processors instead of %d", j.Number, e.Procs, j.Procs)
		}
		seen = e.Job
	}
	if int(seen) != len(w.Jobs)-1 {
		return fmt.Errorf("model: %d of %d jobs have no execution", len(w.Jobs)-1-int(seen), len(w.Jobs))
	}
	if s.Logged {
		return nil
	}
	if len(s.Claims) > 0 || s.Platform.machines() {
		return s.checkClaims()
	}
	return s.checkCapacity()
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
		if e := &s.Executions[i]; e.Reason != EndRejected {
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
	used := make([]int, len(s.Platform.Clusters))
	for _, e := range events {
		used[e.cluster] += int(e.delta)
		if size := s.Platform.Clusters[e.cluster].Procs(); used[e.cluster] > size {
			return fmt.Errorf("model: at %d, %d of %d processors of cluster %q are in use (job index %d)",
				e.at, used[e.cluster], size, s.Platform.Clusters[e.cluster].Name, e.job)
		}
	}
	return nil
}
