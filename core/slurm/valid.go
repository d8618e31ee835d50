package slurm

import (
	"math"
	"sort"
)

// For how long a cycle that started no job is worth as much as another one. Of the time
// it knows only this: which slots of the map a job would meet that began now, when running
// jobs end, and how far the map reaches. As long as none of that changes and nothing
// happens, every plan comes out the same, and nobody starts.

// until bounds Valid.
func (c *Controller) until(at int64) { c.Valid = min(c.Valid, at) }

// valid begins with what is known before a cycle.
func (c *Controller) valid() {
	p := &c.Params
	c.Valid = math.MaxInt64
	if p.BFMinAge > 0 || p.BFRunningReserve || p.EnforceLimits || p.CompleteWait > 0 || c.preempts() || len(c.Reserved) > 0 {
		c.until(c.now)
	}
	for _, j := range c.Waiting {
		c.fixed(j)
	}
	for _, j := range c.Active {
		c.until(j.Ends)
	}
}

// fixed bounds Valid by a job that waits for something else than its turn, or is an array.
func (c *Controller) fixed(j *Job) {
	if j.Begin > c.now || j.waitUntil > c.now || j.After.some() || j.Array != nil || j.Het != 0 {
		c.until(c.now)
	}
}

// edges bounds Valid by when a job that begins now, and may run until to, meets one slot
// more that takes a candidate away, or, as none is known, brings a later try.
func (c *Controller) edges(m space, to int64, cand set, later int64) {
	next := sort.Search(len(m), func(i int) bool { return m[i].from > to })
	for later > 0 && next < len(m) && cand.within(m[next].free) {
		next++
	}
	if next < len(m) {
		c.until(c.now + m[next].from - to)
	}
}

// beyond bounds Valid by when the map, which reaches further with time, holds more of a
// plan.
func (c *Controller) beyond(m space, from, to int64) {
	if end := m[len(m)-1].to; from >= end {
		c.until(c.now)
	} else if to >= end { // a slot comes behind the plan
		c.until(to + c.Params.BFResolution - c.Params.BFWindow)
	}
}

// kept is the last cycle's map with its plans, and who was gone through.
type kept struct {
	space space
	cycle
	list     []record
	from     int64 // the least begin of a plan
	over     bool  // it has ended before the end of the queue
	standing bool  // nothing has happened since, but that jobs have come
}

// extends says how many of the queue the last cycle has gone through, where another one
// would come to the same with them: nothing has happened since but that others have come,
// behind all of them, and no slot is over. Then its map goes on. -1: it would not.
func (k *kept) extends(c *Controller, queue []record, roomy bool) int {
	if !c.Steady || !k.standing || roomy != c.roomy || c.Tell != nil || c.now >= min(c.Valid, k.from) || len(queue) < len(k.list) || c.Params.BFMinPrio > 0 {
		return -1
	}
	for i := range k.list {
		if queue[i].job != k.list[i].job || queue[i].part != k.list[i].part {
			return -1
		}
	}
	for _, r := range queue[len(k.list):] {
		c.fixed(r.job)
	}
	k.space[0].from = c.Params.floor(c.now)
	k.space[len(k.space)-1].to = c.Params.Beyond(c.now)
	return len(k.list)
}
