// Package resource holds free resources over time: where a job fits earliest,
// what a reservation takes away and what a release gives back. It is the one
// deep structure behind conservative backfilling, plans and reservations
// (CARTS in Kurowski et al. 2011, section 4).
//
// Counts is the profile of a cluster whose processors are interchangeable.
package resource

import "batchlab/core/model"

// Counts says how many processors are free from each point in time on, as a
// step function, the last step for ever. Neighbouring steps always differ. The
// zero value needs a Reset.
type Counts struct {
	steps []step
	lo    int // steps before it lie in the past
}

type step struct {
	at   model.Time
	free int32 // until the next step
}

// Reset makes all procs processors free from a point in time on.
func (c *Counts) Reset(from model.Time, procs int32) {
	c.steps, c.lo = append(c.steps[:0], step{from, procs}), 0
}

// Advance forgets what lies before now. Times never go back. It says whether
// anything has become free since.
func (c *Counts) Advance(now model.Time) (rose bool) {
	for c.lo+1 < len(c.steps) && c.steps[c.lo+1].at <= now {
		rose = rose || c.steps[c.lo+1].free > c.steps[c.lo].free
		c.lo++
	}
	if s := &c.steps[c.lo]; s.at < now {
		s.at = now
	}
	if c.lo > 256 && c.lo > len(c.steps)/2 {
		c.steps, c.lo = c.steps[:slack+copy(c.steps[slack:], c.steps[c.lo:])], slack
	}
	return rose
}

// slack is how much room is left in front of the steps when they move, so that
// insertions near now, which most are, need not move all that lies in the future.
const slack = 64

// Len returns the number of steps from now on.
func (c *Counts) Len() int { return len(c.steps) - c.lo }

// Step returns the i-th step from now on: its start and the processors free.
func (c *Counts) Step(i int) (model.Time, int32) {
	s := &c.steps[c.lo+i]
	return s.at, s.free
}

// find returns the step that holds during t, which is not in the past.
func (c *Counts) find(t model.Time) int {
	lo, hi := c.lo, len(c.steps)
	if lo+1 < hi && c.steps[lo+1].at > t {
		return lo
	}
	for hi-lo > 1 {
		mid := int(uint(lo+hi) >> 1)
		if c.steps[mid].at <= t {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// insert makes a step in front of the one at a position and returns where it
// stands: there, or one to the left, where what lies before it has moved.
func (c *Counts) insert(i int, s step) int {
	if c.lo > 0 && i-c.lo < len(c.steps)-i {
		c.lo--
		copy(c.steps[c.lo:], c.steps[c.lo+1:i])
		c.steps[i-1] = s
		return i - 1
	}
	c.steps = append(c.steps, step{})
	copy(c.steps[i+1:], c.steps[i:])
	c.steps[i] = s
	return i
}

// join removes step i where it does not differ from the one before, and returns
// by how many places what lies before it has moved to the right.
func (c *Counts) join(i int) int {
	switch {
	case i <= c.lo || c.steps[i].free != c.steps[i-1].free:
		return 0
	case i-c.lo < len(c.steps)-i:
		copy(c.steps[c.lo+1:i+1], c.steps[c.lo:i])
		c.lo++
		return 1
	}
	c.steps = c.steps[:i+copy(c.steps[i:], c.steps[i+1:])]
	return 0
}

// Add changes the free processors during [from, to) by delta: negative to
// reserve, positive to release. Whether there are as many is for the caller to
// know: EarliestFit says so.
func (c *Counts) Add(from, to model.Time, delta int32) {
	if from >= to {
		return
	}
	i := c.find(from)
	if c.steps[i].at < from {
		i = c.insert(i+1, step{from, c.steps[i].free})
	}
	k := i
	for k < len(c.steps) && c.steps[k].at < to {
		c.steps[k].free += delta
		k++
	}
	Visit(k - i)
	if k == len(c.steps) || c.steps[k].at != to { // the last step ran on beyond to
		i -= k - c.insert(k, step{to, c.steps[k-1].free - delta})
	} else {
		i += c.join(k)
	}
	c.join(i)
}

// EarliestFit returns the earliest time from now on at which procs processors
// are free for length seconds. procs must not exceed the machine.
func (c *Counts) EarliestFit(procs int32, length model.Time) model.Time {
	steps := c.steps[c.lo:]
	i := 0
	for {
		for steps[i].free < procs { // the last step has the whole machine free
			i++
		}
		start := steps[i].at
		for i++; i < len(steps) && steps[i].at-start < length && steps[i].free >= procs; i++ {
		}
		if i == len(steps) || steps[i].at-start >= length {
			Visit(i)
			return start
		}
	}
}

// EarlierFit returns the earliest time before start at which a job that holds
// procs processors from start on could begin instead, looking only at steps
// that begin before limit, and whether there is one. The job itself is left in
// the profile: what it would use from start on, it already holds.
func (c *Counts) EarlierFit(procs int32, length, start, limit model.Time) (model.Time, bool) {
	steps := c.steps[c.lo:]
	limit = min(limit, start)
	i := 0
	for ; i < len(steps) && steps[i].at < limit; i++ {
		if steps[i].free < procs {
			continue
		}
		from := steps[i].at
		end := min(start, from+length)
		for i++; i < len(steps) && steps[i].at < end && steps[i].free >= procs; i++ {
		}
		if i == len(steps) || steps[i].at >= end {
			Visit(i)
			return from, true
		}
	}
	Visit(i)
	return 0, false
}

// MostBefore returns the most processors that are free at one time before limit,
// from now on; it looks at the step that holds now in any case.
func (c *Counts) MostBefore(limit model.Time) int32 {
	steps := c.steps[c.lo:]
	most := steps[0].free
	for _, s := range steps[1:] {
		if s.at >= limit {
			break
		}
		most = max(most, s.free)
	}
	return most
}

// FitBetween is EarlierFit from a point on, not before now: the earliest time
// in [from, start) at which a job that holds procs processors from start on,
// itself left in the profile, could begin instead; start if there is none.
func (c *Counts) FitBetween(procs int32, length, from, start model.Time) model.Time {
	i := c.lo
	if from > c.steps[i].at {
		i = c.find(from)
	}
	steps, first := c.steps, i
	for i < len(steps) && steps[i].at < start {
		if steps[i].free < procs {
			i++
			continue
		}
		at := max(steps[i].at, from)
		end := min(start, at+length)
		for i++; i < len(steps) && steps[i].at < end && steps[i].free >= procs; i++ {
		}
		if i == len(steps) || steps[i].at >= end {
			Visit(i - first)
			return at
		}
	}
	Visit(i - first)
	return start
}
