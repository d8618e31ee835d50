package grid

import (
	"cmp"
	"slices"

	"batchlab/core/model"
)

// Booked is a reservation as it was accepted.
type Booked struct {
	Job      model.JobID
	Cluster  int32
	Procs    int32
	From, To model.Time // reserved, in whole slots
	Start    model.Time // of its job
}

// Booked returns the reservations that were accepted since Reset, in order of
// their jobs.
func (s *Scheduler) Booked() []Booked {
	var list []Booked
	for j := range s.jobs {
		if b := &s.jobs[j]; b.booked.Procs > 0 {
			list = append(list, b.booked)
		}
	}
	return list
}

// named is a start with named processors.
type named struct {
	job   model.JobID
	start model.Time
	which []uint64
}

// Holds says for how long the executions of a schedule that it has just made
// hold processors, reservations as long as they keep them, and with static
// binding which.
func (s *Scheduler) Holds(sched *model.Schedule) []model.Hold {
	starts := slices.Clone(s.named)
	slices.SortFunc(starts, func(a, b named) int { return cmp.Or(cmp.Compare(a.job, b.job), cmp.Compare(a.start, b.start)) })
	var list []model.Hold
	for i := range sched.Executions {
		e := &sched.Executions[i]
		if e.Reason == model.EndRejected || int(e.Job) >= len(s.jobs) {
			continue
		}
		h := model.Hold{Job: e.Job, Start: e.Start, From: e.Start, To: e.End}
		if b := &s.jobs[e.Job].booked; b.Procs > 0 && b.Start == e.Start {
			h.Reserved = true
			if !s.Suspend { // else batch jobs stay until its job starts
				h.From = b.From
			}
			if s.Hold && e.Reason != model.EndOutage {
				h.To = max(b.To, e.End)
			}
		}
		for len(starts) > 0 && (starts[0].job < e.Job || starts[0].job == e.Job && starts[0].start < e.Start) {
			starts = starts[1:]
		}
		if len(starts) > 0 && starts[0].job == e.Job && starts[0].start == e.Start {
			h.Which = starts[0].which
		}
		if h.Reserved || h.Which != nil {
			list = append(list, h)
		}
	}
	return list
}
