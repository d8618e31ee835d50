package policy

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// What follows lets a scheduler of machines keep clear of reservations and
// outages. It thinks in pools at single times: free resources only ever become
// less at the start of a calendar entry, so a job fits for its whole request if
// it fits at its start and at each such start before its end.

// room returns what a job can use that starts now: b.free itself, or b.scratch
// lowered to what the calendar leaves.
func (b *backfiller) room(v *sim.View, j model.JobID) *resource.Pool {
	if len(v.Site.Platform.Calendar) == 0 {
		return b.free
	}
	b.scratch.CopyFrom(b.free)
	b.clear(v, b.scratch, v.Now, v.Now+longest(v, j))
	return b.scratch
}

// longest bounds how long a job may hold what it starts on.
func longest(v *sim.View, j model.JobID) model.Time { return v.Longest(j) }

// clear lowers a pool to what is free at each start of a calendar entry in
// (from, to).
func (b *backfiller) clear(v *sim.View, pool *resource.Pool, from, to model.Time) {
	for i := range v.Site.Platform.Calendar {
		c := &v.Site.Platform.Calendar[i]
		if at := c.From; at > from && at < to && v.Known(c) {
			pool.Min(b.at(v, at))
		}
	}
}

// at returns what is free at a time to come if no further job starts.
func (b *backfiller) at(v *sim.View, t model.Time) *resource.Pool {
	pool := v.Site.NewPool()
	pool.CopyFrom(b.free)
	for i := range b.running.jobs {
		if r := &b.running.jobs[i]; b.surely(v, r) <= t {
			pool.Give(&v.Needs[r.job], b.claim(v, r.job))
		}
	}
	pool.Advance(v.Now, t)
	return pool
}

// reserveAround is reserve on a site with a calendar.
func (b *backfiller) reserveAround(v *sim.View, need *resource.Need) {
	var times []model.Time
	for i := range b.running.jobs {
		times = append(times, b.surely(v, &b.running.jobs[i]))
	}
	for i := range v.Site.Platform.Calendar {
		c := &v.Site.Platform.Calendar[i]
		if to := c.To; to > v.Now && v.Known(c) {
			times = append(times, to)
		}
	}
	slices.Sort(times)
	for _, t := range slices.Compact(times) {
		pool := b.at(v, t)
		b.clear(v, pool, t, t+longest(v, b.head))
		if claim, ok := pool.Place(need); ok {
			b.shadow, b.reservation = t, claim
			b.extra.CopyFrom(b.at(v, t))
			b.extra.Take(need, claim)
			return
		}
	}
}

// leaveHead lowers what a job finds that starts now to what it and the head both have
// from the head's reservation on: at that time, and at each start of a calendar
// entry before one of the two ends. What is taken away after the job has ended
// may be the job's until then.
func (b *backfiller) leaveHead(v *sim.View, j model.JobID, room *resource.Pool) {
	room.Min(b.extra)
	until := min(v.Now+longest(v, j), b.shadow+longest(v, b.head))
	for i := range v.Site.Platform.Calendar {
		c := &v.Site.Platform.Calendar[i]
		if at := c.From; at > b.shadow && at < until && v.Known(c) {
			pool := b.at(v, at)
			pool.Take(&v.Needs[b.head], b.reservation)
			room.Min(pool)
		}
	}
}
