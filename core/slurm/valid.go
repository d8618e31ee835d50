package slurm

import (
	"math"
	"sort"
)

// For how long a cycle that started nobody is worth as much as another one. Of the time
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
		if j.Begin > c.now || j.waitUntil > c.now || j.After.some() || j.Array != nil {
			c.until(c.now)
		}
	}
	for _, j := range c.Active {
		c.until(j.Ends)
	}
}

// edges bounds Valid by when a job that begins now, and may run until to, meets other
// slots: when the first one is over, or it reaches one more.
func (c *Controller) edges(m space, to int64) {
	first := sort.Search(len(m), func(i int) bool { return m[i].to > c.now })
	if first < len(m) {
		c.until(m[first].to)
	}
	if next := sort.Search(len(m), func(i int) bool { return m[i].from > to }); next < len(m) {
		c.until(c.now + m[next].from - to)
	}
}

// beyond bounds Valid by when the map, which reaches further with time, holds more of a
// plan.
func (c *Controller) beyond(m space, from, to int64) {
	if end := m[len(m)-1].to; from >= end {
		c.until(c.now)
	} else if to > end {
		c.until(to - c.Params.BFWindow)
	}
}
