package policy

import (
	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// origCounts is the shelf of a cluster of interchangeable processors. What
// running jobs leave free is kept from pass to pass; reservations go into a
// copy.
type origCounts struct {
	base, plan resource.Counts
	free       int32        // now, after what this pass has started
	until      []model.Time // requested ends of running jobs, by JobID
	calendar   knownCalendar
	limits     origLimits
}

func newOrigCounts(v *sim.View) *origCounts {
	c := &origCounts{calendar: newKnownCalendar(v)}
	procs := v.Site.Procs()
	c.base.Reset(-model.Never, procs)
	c.limits.reset(&v.Site.Platform.Limits, procs)
	return c
}

func (c *origCounts) open(v *sim.View) { c.free = v.Free.Procs() }

func (c *origCounts) starts(v *sim.View, j model.JobID, user int32, claim model.Claim) {
	end := v.Now + v.Limit(j, claim)
	for int(j) >= len(c.until) {
		c.until = append(c.until, 0)
	}
	c.until[j] = end
	c.base.Add(v.Now, end, -v.Jobs[j].Procs)
	c.limits.hold(v, j, user, v.Now, end, 1)
	c.free -= v.Jobs[j].Procs
}

func (c *origCounts) ends(v *sim.View, j model.JobID, user int32) {
	c.base.Advance(v.Now)
	if end := c.until[j]; end > v.Now { // the view no longer knows the start of one that was stopped
		c.base.Add(v.Now, end, v.Jobs[j].Procs)
		c.limits.hold(v, j, user, v.Now, end, -1)
	}
}

func (c *origCounts) begin(v *sim.View) {
	c.base.Advance(v.Now)
	c.calendar.learn(v, func(e *model.CalendarEntry) {
		c.base.Add(max(e.From, v.Now), e.To, -e.Procs)
	})
	c.plan.CopyFrom(&c.base)
	c.limits.begin()
}

func (c *origCounts) now(v *sim.View, j model.JobID) bool { return v.Jobs[j].Procs <= c.free }

func (c *origCounts) fit(v *sim.View, j model.JobID, user int32, once bool) (model.Time, model.Claim, bool) {
	job, length := &v.Jobs[j], v.Limit(j, model.Claim{})
	at := v.Now
	for {
		next := c.limits.fit(v, j, user, c.plan.FitFrom(job.Procs, length, at), length)
		if once && next > v.Now {
			return 0, model.Claim{}, false
		}
		if next == at {
			break
		}
		at = next
	}
	if at > v.Now {
		return at, model.Claim{}, true
	}
	claim, ok := v.Free.Place(&v.Needs[j])
	return at, claim, ok
}

func (c *origCounts) take(v *sim.View, j model.JobID, user int32, at model.Time, _ model.Claim) {
	length := v.Limit(j, model.Claim{})
	c.plan.Add(at, at+length, -v.Jobs[j].Procs)
	c.limits.take(v, j, user, at, at+length)
}

// knownCalendar finds the entries of the calendar that have become known.
type knownCalendar struct{ seen []bool }

func newKnownCalendar(v *sim.View) knownCalendar {
	return knownCalendar{make([]bool, len(v.Site.Platform.Calendar))}
}

// learn visits the entries that are known now and were not before, those that
// have ended left out.
func (k *knownCalendar) learn(v *sim.View, visit func(*model.CalendarEntry)) {
	for i, seen := range k.seen {
		if c := &v.Site.Platform.Calendar[i]; !seen && v.Known(c) {
			k.seen[i] = true
			if c.To > v.Now {
				visit(c)
			}
		}
	}
}
