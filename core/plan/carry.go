package plan

import "batchlab/core/model"

// carry is what compression has changed on interchangeable processors and has not
// written into the profile yet. Where an array of equal jobs waits, each moves to the
// start that another has left, one after the other to the end of the array: what the
// profile sees of all that is the first start taken and the last one left.
type carry struct {
	procs  int32      // of each of the jobs, which are alike
	length model.Time // seconds that each takes
	taken  []model.Time
	left   []model.Time // starts that are still in the profile: as many as were taken, ascending
	head   int          // of left: what stands before it has been taken again
}

// compressCounts is compressLane where only processors count.
func (p *Plan) compressCounts(l *lane) {
	c, before := &p.carry, p.now
	steps, stays, patience := p.steps(), 0, 3
	for k := 0; k < len(l.jobs) && before < l.freed; k++ {
		s := &p.slots[l.jobs[k]]
		was := s.start
		switch {
		case was == before:
			continue
		case !p.pulse.Beat(steps):
			c.settle(l)
			return
		case s.after > 0:
			c.settle(l)
			p.earlier(l.jobs[k], before)
		default:
			p.pull(l, s, before)
		}
		if before = s.start; before < was {
			l.freed, stays = max(l.freed, was+s.length), 0
		} else if stays++; stays > patience {
			c.settle(l)
			next := p.skip(l, k, before)
			if next-k < 4*patience { // looking was dearer than going on
				patience *= 2
			}
			if k, stays = next-1, 0; k >= 0 && k < len(l.jobs) {
				before = max(before, p.slots[l.jobs[k]].start)
			}
		}
	}
	c.settle(l)
}

// skip returns the first place of a list behind one at which a job could move to an
// earlier start: those before it would start while not even the narrowest job finds room.
func (p *Plan) skip(l *lane, at int, before model.Time) int {
	free, ok := l.Counts.FitBetween(p.least, 1, before, l.freed, l.freed)
	if !ok {
		return len(l.jobs)
	}
	lo, hi := at+1, len(l.jobs)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); p.slots[l.jobs[mid]].start > free {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// pull moves a slot to its earliest start from a time on, if that is before its own.
func (p *Plan) pull(l *lane, s *slot, before model.Time) {
	c, was := &p.carry, s.start
	if len(c.taken) > 0 && was <= c.taken[0]+c.length { // all that have moved still run until then: there is no more than the profile says
		if s.procs == c.procs && s.length == c.length && c.left[c.head] >= before {
			if c.follow(l, s, before) {
				return
			}
		} else if _, ok := l.Counts.FitBetween(s.procs, 1, before, was, was); !ok {
			return
		}
	}
	c.settle(l)
	if at, ok := l.Counts.FitBetween(s.procs, s.length, before, was, l.freed); ok {
		c.procs, c.length = s.procs, s.length
		c.taken, c.left = append(c.taken, at), append(c.left, was)
		s.start = at
	}
}

// follow moves a slot behind those that are alike and have moved: beside them, or to the
// first start that they have left, or not at all. It reports whether it could tell.
func (c *carry) follow(l *lane, s *slot, before model.Time) bool {
	n, was, left := int32(len(c.taken)), s.start, c.left[c.head]
	at, beside := l.Counts.FitBetween((n+1)*s.procs, 1, before, left, left)
	switch {
	case beside: // nothing of what they have left is needed
		if whole, ok := l.Counts.FitBetween((n+1)*s.procs, s.length, at, was, was); !ok || whole != at {
			return false
		}
		c.taken = append(c.taken, at)
	case left == was:
		return true
	default:
		if whole, ok := l.Counts.FitBetween(n*s.procs, s.length, left, was, was); !ok || whole != left {
			return false
		}
		at = left
		c.head++
	}
	c.left, s.start = append(c.left, was), at
	return true
}

// settle writes into the profile what it does not hold yet.
func (c *carry) settle(l *lane) {
	l.Counts.Moves(c.procs, c.length, c.taken, c.left[c.head:])
	c.taken, c.left, c.head = c.taken[:0], c.left[:0], 0
}
