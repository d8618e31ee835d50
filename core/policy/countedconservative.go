package policy

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// Conservative is conservative backfilling: every job gets a planned start
// when it is submitted, and no planned start ever moves later (rule 9; Mu'alem
// and Feitelson 2001). The zero value is ready.
//
// The rule places all waiting jobs again, in order of planned start, whenever
// a job has ended before its request. The profile is kept instead, because the
// outcome is the same: later jobs of the order begin no earlier than a job's
// old start, so before that start they are not in its way, and from it on the
// job already holds what it needs. A job moves only if it fits earlier with
// itself left in, and only to a start before the end of what became free.
type CountedConservative struct {
	// Given holds the planned starts of jobs that had one before the simulation began,
	// 0 or less: none; nil: no job has. There must be room for them.
	Given []model.Time

	free    resource.Long
	planned []resource.Planned // in order of (start, job)
	squeeze resource.Squeeze

	// Scratch of rebook.
	short []span // of reservations for which there is too little
	met   []int32
	moved []resource.Planned
}

// span is [from, to).
type span struct{ from, to model.Time }

var _ sim.Planner = (*CountedConservative)(nil)

// Reset prepares for a new simulation.
func (c *CountedConservative) Reset(v *sim.CountedView) {
	var first model.Time
	if len(v.Jobs) > 0 {
		first = v.Jobs[0].Submit
	}
	c.free.Reset(first, v.Procs)
	if sim.Ahead && v.Ahead != nil {
		c.free.CopyFrom(v.Ahead)
	}
	c.planned = c.planned[:0]
	c.squeeze.Reset()
}

// Wake returns the next planned start.
func (c *CountedConservative) Wake() model.Time {
	if len(c.planned) == 0 {
		return model.Never
	}
	return c.planned[0].Start
}

// Planned calls visit with the planned start of every waiting job.
func (c *CountedConservative) Planned(visit func(j model.JobID, start model.Time)) {
	for _, p := range c.planned {
		visit(p.Job, p.Start)
	}
}

// Pass gives back what ended early, moves what can move, places arrivals and
// starts what is planned for now.
func (c *CountedConservative) Pass(v *sim.CountedView, starts []model.JobID) []model.JobID {
	c.free.Advance(v.Now)
	freed := v.Now // end of what became free
	for _, j := range v.Ended {
		job := &v.Jobs[j]
		if end := v.Start[j] + job.Limit; end > v.Now {
			c.free.Add(v.Now, end, job.Procs)
			freed = max(freed, end)
		}
	}
	if sim.Ahead && v.Ahead != nil {
		freed = max(freed, c.rebook(v))
	}
	if freed > v.Now {
		c.squeeze.Compress(&c.free, c.planned, freed, sim.ProfileSteps(len(c.planned)), v.Pulse)
	}
	for j := v.Arrived; j < v.Next; j++ {
		if sim.Ahead && v.Ahead != nil && v.Reserved[j] {
			continue
		}
		if !v.Pulse.Beat(sim.ProfileSteps(len(c.planned))) {
			return starts
		}
		job := &v.Jobs[j]
		at := model.Time(0)
		if int(j) < len(c.Given) {
			at = c.Given[j]
		}
		if at <= 0 {
			at = c.free.FitFrom(job.Procs, job.Limit, v.Now)
		}
		c.free.Add(at, at+job.Limit, -job.Procs)
		if at == v.Now && (len(c.planned) == 0 || c.planned[0].Start > at) {
			starts = c.start(v, starts, j) // nothing else is planned for now: no need to queue
			continue
		}
		c.insert(resource.Planned{Start: at, Limit: job.Limit, Procs: job.Procs, Job: j, Kind: -1})
	}
	n := 0
	for ; n < len(c.planned) && c.planned[n].Start == v.Now; n++ {
		starts = c.start(v, starts, c.planned[n].Job)
	}
	c.planned = c.planned[:copy(c.planned, c.planned[n:])]
	return starts
}

func (c *CountedConservative) start(v *sim.CountedView, starts []model.JobID, j model.JobID) []model.JobID {
	if v.Record != nil {
		v.Record.Decide(j, report.StartedAsPlanned)
	}
	if sim.Ahead && v.Ahead != nil {
		v.Hold(j)
	}
	return append(starts, j)
}

// rebook takes over what reservations have given back and what they have taken, which
// takes precedence over plans: of the planned jobs that meet those for which there is too
// little, who has no room beside them and the jobs planned before gets a new place, in the
// order of starts; all others stay. It returns the end of what became free.
func (c *CountedConservative) rebook(v *sim.CountedView) model.Time {
	freed := v.Now
	for i := range v.Freed {
		b := &v.Freed[i]
		c.free.Add(b.From, b.To, b.Procs)
		freed = max(freed, b.To)
	}
	for i := range v.Booked {
		b := &v.Booked[i]
		c.free.Add(max(b.From, v.Now), b.To, -b.Procs)
	}
	c.short = c.short[:0]
	last := v.Now
	for i := range v.Booked {
		if b := &v.Booked[i]; c.free.Least(max(b.From, v.Now), b.To) < 0 {
			c.short = append(c.short, span{b.From, b.To})
			last = max(last, b.To)
		}
	}
	if len(c.short) > 0 {
		freed = max(freed, c.displace(v, last))
	}
	return freed
}

// displace is for what reservations hold up to a time where there is too little.
func (c *CountedConservative) displace(v *sim.CountedView, last model.Time) (freed model.Time) {
	c.met = c.met[:0]
	for i := range c.planned {
		p := &c.planned[i]
		if p.Start >= last {
			break
		}
		if slices.ContainsFunc(c.short, func(b span) bool { return p.Start < b.to && p.Start+p.Limit > b.from }) {
			c.met = append(c.met, int32(i))
			c.free.Add(p.Start, p.Start+p.Limit, p.Procs)
		}
	}
	moved := c.moved[:0]
	for _, i := range c.met {
		p := &c.planned[i]
		if c.free.Free(p.Start, p.Start+p.Limit, p.Procs) {
			c.free.Add(p.Start, p.Start+p.Limit, -p.Procs)
			continue
		}
		freed = max(freed, p.Start+p.Limit)
		moved = append(moved, *p)
		p.Job = -1
	}
	if c.moved = moved; len(moved) == 0 {
		return freed
	}
	c.planned = slices.DeleteFunc(c.planned, func(p resource.Planned) bool { return p.Job < 0 })
	for _, p := range moved {
		if !v.Pulse.Beat(sim.ProfileSteps(len(c.planned))) {
			return freed
		}
		p.Start = c.free.FitFrom(p.Procs, p.Limit, v.Now)
		c.free.Add(p.Start, p.Start+p.Limit, -p.Procs)
		c.insert(p)
	}
	return freed
}

// insert adds a job in order.
func (c *CountedConservative) insert(p resource.Planned) {
	lo, hi := 0, len(c.planned)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if p.Before(&c.planned[mid]) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	c.planned = append(c.planned, resource.Planned{})
	copy(c.planned[lo+1:], c.planned[lo:])
	c.planned[lo] = p
}
