package sim

import (
	"cmp"
	"fmt"
	"slices"

	"batchlab/core/model"
	"batchlab/core/order"
)

// What follows stops jobs that run: because their nodes fail, or because the
// scheduler wants it. They wait again.

// stop ends a running job before it is done; it waits again.
func (r *siteRun) stop(j model.JobID, why model.EndReason) {
	v := r.v
	r.release(j)
	r.claims = append(r.claims, v.Held[j])
	r.past = append(r.past, model.Execution{
		Job: j, Attempt: v.Attempt[j], Submit: r.submitted(j), Start: v.Start[j], End: v.Now,
		Procs: v.Held[j].Procs(), Cluster: v.Held[j].Cluster, Reason: why,
	})
	if why == model.EndSuspended {
		v.Done[j] += v.Now - v.Start[j]
	} else {
		v.Done[j] = 0
	}
	if r.since == nil {
		r.since = make([]model.Time, len(v.Jobs))
	}
	r.since[j] = v.Now
	v.Attempt[j]++
	v.Start[j], v.Held[j] = model.Never, model.Claim{}
	r.waiting++
}

// submitted returns since when a job waits, or waited for its last start: its
// submission, or the end of its attempt before.
func (r *siteRun) submitted(j model.JobID) model.Time {
	if r.v.Attempt[j] > 0 {
		return r.since[j]
	}
	return r.v.Jobs[j].Submit
}

// fail stops what runs on the nodes of a failure. Where only counts of
// processors are gone, the jobs that started last are stopped until the others
// have enough, of those that started together the last submitted first.
func (r *siteRun) fail(c *model.CalendarEntry) {
	v := r.v
	var hit []model.JobID
	for _, entry := range r.m.heap {
		j := model.JobID(entry & (1<<r.shift - 1))
		if r.m.end[j] == r.base+model.Time(entry>>r.shift) && r.touches(j, c) && !slices.Contains(hit, j) {
			hit = append(hit, j)
		}
	}
	slices.SortFunc(hit, func(a, b model.JobID) int { return cmp.Or(cmp.Compare(v.Start[b], v.Start[a]), cmp.Compare(b, a)) })
	for _, j := range hit {
		if len(c.Nodes) == 0 && v.Free.On(v.Site.Counted(c.Cluster)) >= 0 {
			break
		}
		r.stop(j, model.EndOutage)
		if d := &r.reserves; d.of == nil || !d.of[j] {
			v.Back = append(v.Back, j)
		} else {
			d.req.Lost = append(d.req.Lost, j)
		}
	}
}

// failing says whether a failure holds processors of a counted cluster now: then
// an entry that begins may find too few, through no fault of the scheduler, which
// could not foresee the failure.
func (r *siteRun) failing(c *model.CalendarEntry) bool {
	return len(c.Nodes) == 0 && slices.ContainsFunc(r.failures, func(i int32) bool { return r.v.Site.Platform.Calendar[i].Cluster == c.Cluster })
}

// touches says whether a running job holds anything of what an entry may take.
func (r *siteRun) touches(j model.JobID, c *model.CalendarEntry) bool {
	if len(c.Nodes) == 0 {
		return r.v.Held[j].Cluster == c.Cluster
	}
	return slices.ContainsFunc(r.v.Held[j].Parts, func(p model.Part) bool { return slices.Contains(c.Nodes, p.Node) })
}

// preempt stops a running job because the scheduler wants it.
func (r *siteRun) preempt(s any, d *Decision) error {
	v, j := r.v, d.Job
	if j < 0 || j >= v.Next || r.m.end[j] == model.Never || v.Start[j] >= v.Now {
		return fmt.Errorf("sim: %T stops at %d job index %d, which has not run before", s, v.Now, j)
	}
	why := model.EndPreempted
	if d.Verb == End {
		r.release(j)
		if r.cut == nil {
			r.cut = make([]model.Time, len(v.Jobs))
			for i := range r.cut {
				r.cut[i] = model.Never
			}
		}
		r.cut[j] = v.Now
		if r.source != nil {
			r.source.over(j, v.Now)
		}
		return nil
	}
	if d.Verb == Suspend {
		if why = model.EndSuspended; v.Site.Platform.PowerScales {
			return fmt.Errorf("sim: %T suspends job %d, which is not possible where run times depend on the machine", s, v.Jobs[j].Number)
		}
	}
	r.stop(j, why)
	if v.Book != nil {
		v.Book.Submit(j)
	}
	return nil
}

// turns lists the starts and ends of the calendar, ends first at equal times.
func turns(p *model.Platform) []turn {
	var list []turn
	for i := range p.Calendar {
		list = append(list, turn{p.Calendar[i].From, true, int32(i)}, turn{p.Calendar[i].To, false, int32(i)})
	}
	order.Stable(list, func(a, b turn) int {
		if c := cmp.Compare(a.at, b.at); c != 0 || a.take == b.take {
			return c
		}
		if a.take {
			return 1
		}
		return -1
	})
	return list
}
