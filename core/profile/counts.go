// Package profile holds free resources over time: where a job fits earliest,
// what a reservation takes away and what a release gives back. It is the one
// deep structure behind conservative backfilling, plans and reservations
// (CARTS in Kurowski et al. 2011, section 4).
//
// Counts is the profile of a cluster whose processors are interchangeable.
package profile

import "batchlab/core/model"

// Counts says how many processors are free from each point in time on, as a
// step function: free[i] during [at[i], at[i+1]), the last for ever.
// Neighbouring steps always differ. The zero value needs a Reset.
type Counts struct {
	at   []model.Time
	free []int32
	lo   int // steps before it lie in the past
}

// Reset makes all procs processors free from a point in time on.
func (c *Counts) Reset(from model.Time, procs int32) {
	c.at, c.free, c.lo = append(c.at[:0], from), append(c.free[:0], procs), 0
}

// Advance forgets what lies before now. Times never go back.
func (c *Counts) Advance(now model.Time) {
	for c.lo+1 < len(c.at) && c.at[c.lo+1] <= now {
		c.lo++
	}
	if c.at[c.lo] < now {
		c.at[c.lo] = now
	}
	if c.lo > 256 && c.lo > len(c.at)/2 {
		n := copy(c.at, c.at[c.lo:])
		copy(c.free, c.free[c.lo:])
		c.at, c.free, c.lo = c.at[:n], c.free[:n], 0
	}
}

// Len returns the number of steps from now on.
func (c *Counts) Len() int { return len(c.at) - c.lo }

// Step returns the i-th step from now on: its start and the processors free.
func (c *Counts) Step(i int) (model.Time, int32) { return c.at[c.lo+i], c.free[c.lo+i] }

// find returns the step that holds during t, which is not in the past.
func (c *Counts) find(t model.Time) int {
	lo, hi := c.lo, len(c.at)
	for hi-lo > 1 {
		mid := int(uint(lo+hi) >> 1)
		if c.at[mid] <= t {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// cut makes a step begin at t and returns it.
func (c *Counts) cut(t model.Time) int {
	i := c.find(t)
	if c.at[i] == t {
		return i
	}
	i++
	c.at = append(c.at, 0)
	copy(c.at[i+1:], c.at[i:])
	c.at[i] = t
	c.free = append(c.free, 0)
	copy(c.free[i+1:], c.free[i:])
	c.free[i] = c.free[i-1]
	return i
}

// join removes the boundary at step i where both sides are equal.
func (c *Counts) join(i int) {
	if i > c.lo && i < len(c.at) && c.free[i] == c.free[i-1] {
		c.at = append(c.at[:i], c.at[i+1:]...)
		c.free = append(c.free[:i], c.free[i+1:]...)
	}
}

// Add changes the free processors during [from, to) by delta: negative to
// reserve, positive to release. Whether there are as many is for the caller to
// know: EarliestFit says so.
func (c *Counts) Add(from, to model.Time, delta int32) {
	if from >= to {
		return
	}
	i := c.cut(from)
	k := i
	for k < len(c.at) && c.at[k] < to {
		c.free[k] += delta
		k++
	}
	if k == len(c.at) || c.at[k] != to { // the last step ran on beyond to
		c.at = append(c.at, 0)
		copy(c.at[k+1:], c.at[k:])
		c.at[k] = to
		c.free = append(c.free, 0)
		copy(c.free[k+1:], c.free[k:])
		c.free[k] = c.free[k-1] - delta
	} else {
		c.join(k)
	}
	c.join(i)
}

// EarliestFit returns the earliest time from now on at which procs processors
// are free for length seconds. procs must not exceed the machine.
func (c *Counts) EarliestFit(procs int32, length model.Time) model.Time {
	at, free := c.at[c.lo:], c.free[c.lo:]
	free = free[:len(at)]
	i := 0
	for {
		for free[i] < procs { // the last step has the whole machine free
			i++
		}
		start, k := at[i], i+1
		for k < len(at) && at[k]-start < length && free[k] >= procs {
			k++
		}
		if k == len(at) || at[k]-start >= length {
			return start
		}
		i = k
	}
}

// EarlierFit returns the earliest time before start at which a job that holds
// procs processors from start on could begin instead, looking only at steps
// that begin before limit, and whether there is one. The job itself is left in
// the profile: what it would use from start on, it already holds.
func (c *Counts) EarlierFit(procs int32, length, start, limit model.Time) (model.Time, bool) {
	at, free := c.at[c.lo:], c.free[c.lo:]
	free = free[:len(at)]
	limit = min(limit, start)
	for i := 0; i < len(at) && at[i] < limit; i++ {
		if free[i] < procs {
			continue
		}
		from := at[i]
		end := min(start, from+length)
		for i++; i < len(at) && at[i] < end && free[i] >= procs; i++ {
		}
		if i == len(at) || at[i] >= end {
			return from, true
		}
	}
	return 0, false
}
