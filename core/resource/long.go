package resource

import (
	"slices"

	"batchlab/core/model"
)

// Long is Counts for profiles that may have thousands of steps: the same step
// function. As long as it is short it is a Counts; then it stands in blocks that
// know the least and the most of their steps, so that a search passes over blocks
// that hold nothing or hinder nothing, and a booking that covers a block changes
// one number. The zero value needs a Reset.
type Long struct {
	flat   Counts
	spans  []span // in order of time; empty: flat holds the steps
	blocks [][longBlock]step
	unused []int32
	near   int // the span that was found last: mostly the next to be asked for
}

const (
	longBlock = 16
	longAbove = 256 // steps beyond which blocks are faster
	flatBelow = 2   // blocks of which one Counts is made again
)

// span is one block: steps [lo, hi) of it, to all of which add is to be added.
type span struct {
	at          model.Time // of its first step
	least, most int32      // with add
	add         int32
	block       int32
	lo, hi      int32
}

// Reset makes all procs processors free from a point in time on.
func (c *Long) Reset(from model.Time, procs int32) {
	c.flat.Reset(from, procs)
	c.spans = c.spans[:0]
}

// deepen goes over to blocks.
func (c *Long) deepen() {
	c.unused = c.unused[:0]
	for i := range c.blocks {
		c.unused = append(c.unused, int32(i))
	}
	const part = longBlock * 3 / 4
	for steps := c.flat.steps[c.flat.lo:]; len(steps) > 0; {
		n := min(part, len(steps))
		c.open(len(c.spans))
		s := &c.spans[len(c.spans)-1]
		s.hi = int32(copy(c.blocks[s.block][:n], steps))
		c.bound(s)
		steps = steps[n:]
	}
}

// flatten goes back to one list.
func (c *Long) flatten() {
	c.flat.steps, c.flat.lo = c.list(c.flat.steps[:0]), 0
	c.spans = c.spans[:0]
}

// open makes room for a span at a position.
func (c *Long) open(k int) {
	var s span
	if n := len(c.unused); n > 0 {
		s.block, c.unused = c.unused[n-1], c.unused[:n-1]
	} else {
		s.block = int32(len(c.blocks))
		c.blocks = append(c.blocks, [longBlock]step{})
	}
	c.spans = slices.Insert(c.spans, k, s)
}

// drop removes a span without steps.
func (c *Long) drop(k int) {
	c.unused = append(c.unused, c.spans[k].block)
	c.spans = slices.Delete(c.spans, k, k+1)
}

// of returns the steps of a span.
func (c *Long) of(s *span) []step { return c.blocks[s.block][s.lo:s.hi] }

// bound computes what a span knows of its steps.
func (c *Long) bound(s *span) {
	steps := c.of(s)
	least, most := steps[0].free, steps[0].free
	for i := range steps {
		least, most = min(least, steps[i].free), max(most, steps[i].free)
	}
	s.at, s.least, s.most = steps[0].at, least+s.add, most+s.add
}

// Advance is Counts.Advance; it may say that something has become free where
// nothing has.
func (c *Long) Advance(now model.Time) (rose bool) {
	if len(c.spans) == 0 {
		return c.flat.Advance(now)
	}
	k := 0
	for k+1 < len(c.spans) && c.spans[k+1].at <= now {
		c.unused = append(c.unused, c.spans[k].block)
		k++
	}
	rose = k > 0
	if k > 0 {
		c.spans = c.spans[:copy(c.spans, c.spans[k:])]
	}
	s := &c.spans[0]
	lo := s.lo
	for s.lo+1 < s.hi && c.blocks[s.block][s.lo+1].at <= now {
		rose = rose || c.blocks[s.block][s.lo+1].free > c.blocks[s.block][s.lo].free
		s.lo++
	}
	if first := &c.blocks[s.block][s.lo]; first.at < now {
		first.at, s.at = now, now
	}
	if s.lo != lo {
		c.bound(s)
	}
	if len(c.spans) < flatBelow {
		c.flatten()
	}
	return rose
}

// CopyFrom makes c equal to d, which is left as it is.
func (c *Long) CopyFrom(d *Long) {
	c.spans = append(c.spans[:0], d.spans...)
	Visit(len(d.spans))
	if len(d.spans) == 0 {
		c.flat.CopyFrom(&d.flat)
		return
	}
	c.blocks, c.unused = append(c.blocks[:0], d.blocks...), append(c.unused[:0], d.unused...)
}

// Free says whether procs processors are free during all of [from, to), which is
// not empty and does not lie in the past.
func (c *Long) Free(from, to model.Time, procs int32) bool {
	if len(c.spans) == 0 {
		return c.flat.Free(from, to, procs)
	}
	at, ok := c.fit(procs, to-from, from, model.Never, from+1)
	return ok && at == from
}

// Now returns the first step: since when it holds, and what is free.
func (c *Long) Now() (model.Time, int32) {
	if len(c.spans) == 0 {
		return c.flat.Step(0)
	}
	s := &c.spans[0]
	return s.at, c.blocks[s.block][s.lo].free + s.add
}

// Flat returns the same steps as a Counts, which is written to scratch where c
// stands in blocks.
func (c *Long) Flat(scratch *Counts) *Counts {
	if len(c.spans) == 0 {
		return &c.flat
	}
	scratch.steps, scratch.lo = c.list(scratch.steps[:0]), 0
	return scratch
}

// list appends all steps.
func (c *Long) list(steps []step) []step {
	c.Each(func(at model.Time, free int32) bool {
		steps = append(steps, step{at, free})
		return true
	})
	return steps
}

// Each calls visit for each step from now on until it returns false.
func (c *Long) Each(visit func(at model.Time, free int32) bool) {
	if len(c.spans) == 0 {
		for _, x := range c.flat.steps[c.flat.lo:] {
			if !visit(x.at, x.free) {
				return
			}
		}
	}
	for k := range c.spans {
		s := &c.spans[k]
		for _, x := range c.of(s) {
			if !visit(x.at, x.free+s.add) {
				return
			}
		}
	}
}

// find returns the span and the step in its block that hold during t, which is
// not past.
func (c *Long) find(t model.Time) (int, int) {
	k, hi := 0, len(c.spans)
	if n := c.near; n < hi && c.spans[n].at <= t && (n+1 == hi || t < c.spans[n+1].at) {
		k, hi = n, n+1
	} else if hi > 1 && c.spans[1].at > t {
		hi = 1
	} else if n++; n < hi && c.spans[n].at <= t && (n+1 == hi || t < c.spans[n+1].at) { // or the one behind it
		k, hi = n, n+1
	}
	for hi-k > 1 {
		mid := int(uint(k+hi) >> 1)
		if c.spans[mid].at <= t {
			k = mid
		} else {
			hi = mid
		}
	}
	c.near = k
	s := &c.spans[k]
	b := &c.blocks[s.block]
	i, end := int(s.lo), int(s.hi)
	for end-i > 1 {
		mid := int(uint(i+end) >> 1)
		if b[mid%longBlock].at <= t {
			i = mid
		} else {
			end = mid
		}
	}
	return k, i
}

// room sees to it that two steps can be put into a span, and says whether steps have moved:
// of a full one the upper half gets a block of its own.
func (c *Long) room(k int) bool {
	s := &c.spans[k]
	if s.hi <= longBlock-2 {
		return false
	}
	if b := &c.blocks[s.block]; s.hi-s.lo <= longBlock-2 {
		s.lo, s.hi = 0, int32(copy(b[:], b[s.lo:s.hi]))
		return true
	}
	c.open(k + 1)
	s, n := &c.spans[k], &c.spans[k+1]
	mid := (s.lo + s.hi) / 2
	n.lo, n.hi, n.add = 0, int32(copy(c.blocks[n.block][:], c.blocks[s.block][mid:s.hi])), s.add
	s.hi = mid
	c.bound(n)
	c.bound(s)
	return true
}

// before returns the free processors of the step in front of one; ok is false if
// there is none.
func (c *Long) before(k, i int) (int32, bool) {
	s := &c.spans[k]
	if i > int(s.lo) {
		return c.blocks[s.block][i-1].free + s.add, true
	}
	if k == 0 {
		return 0, false
	}
	s = &c.spans[k-1]
	return c.blocks[s.block][s.hi-1].free + s.add, true
}

// join removes the first step of a span where it does not differ from the one before.
func (c *Long) join(k int) {
	s := &c.spans[k]
	if free, ok := c.before(k, int(s.lo)); !ok || free != c.blocks[s.block][s.lo].free+s.add {
		return
	}
	if s.lo++; s.hi == s.lo {
		c.drop(k)
	} else {
		c.bound(s)
	}
}

// Add changes the free processors during [from, to) by delta, like Counts.Add.
func (c *Long) Add(from, to model.Time, delta int32) {
	if len(c.spans) == 0 {
		if c.flat.Add(from, to, delta); c.flat.Len() > longAbove {
			c.deepen()
		}
		return
	}
	if from >= to || delta == 0 {
		return
	}
	k, i := c.find(from)
	if c.room(k) {
		k, i = c.find(from)
	}
	last := k // the span that holds before to
	for last+1 < len(c.spans) && c.spans[last+1].at < to {
		last++
	}
	if last > k && c.room(last) && last+1 < len(c.spans) && c.spans[last+1].at < to {
		last++
	}
	Visit(last - k)
	c.change(k, i, from, to, delta)
	for m := k + 1; m < last; m++ {
		s := &c.spans[m]
		s.add, s.least, s.most = s.add+delta, s.least+delta, s.most+delta
	}
	if last > k {
		c.change(last, int(c.spans[last].lo), from, to, delta)
	}
	if n := last + 1; n < len(c.spans) && c.spans[n].at == to {
		c.join(n)
	}
	if c.spans[k].at == from {
		c.join(k)
	}
}

// change adds delta to the steps of a span from step i on that begin before to. Step i is
// cut at from, and the last of them at to, unless the next span goes on there. Two steps
// must find room.
func (c *Long) change(k, i int, from, to model.Time, delta int32) {
	s := &c.spans[k]
	b := &c.blocks[s.block]
	hi, j := int(s.hi), i+1
	free := b[i].free
	least, most := free, free
	for ; j < hi && b[j].at < to; j++ {
		free = b[j].free
		least, most = min(least, free), max(most, free)
	}
	head := 0 // by how many places they move
	if b[i].at < from {
		head = 1
	} else if i > int(s.lo) && b[i-1].free == b[i].free+delta {
		head = -1
	}
	tail, rest := j+head, j // where what is behind them goes to, and begins
	cut := false
	if j < hi && b[j].at == to {
		if b[j].free == free+delta {
			rest++
		}
	} else if cut = j < hi || k+1 == len(c.spans) || c.spans[k+1].at > to; cut {
		tail++
	}
	if tail > rest {
		copy(b[tail:], b[rest:hi])
	}
	switch head {
	case 0:
		for m := i; m < j; m++ {
			b[m].free += delta
		}
	case 1:
		for m := j; m > i+1; m-- {
			b[m] = step{b[m-1].at, b[m-1].free + delta}
		}
		b[i+1] = step{from, b[i].free + delta}
	default:
		for m := i + 1; m < j; m++ {
			b[m-1] = step{b[m].at, b[m].free + delta}
		}
	}
	if tail < rest {
		copy(b[tail:], b[rest:hi])
	}
	if cut {
		b[tail-1] = step{to, free}
	}
	s.hi = int32(hi + tail - rest)
	if delta < 0 && most+s.add < s.most || delta > 0 && least+s.add > s.least { // the other bound stands
		s.least, s.most = min(s.least, least+delta+s.add), max(s.most, most+delta+s.add)
	} else {
		c.bound(s)
	}
}

// FitFrom is Counts.FitFrom.
func (c *Long) FitFrom(procs int32, length, from model.Time) model.Time {
	if len(c.spans) == 0 {
		return c.flat.FitFrom(procs, length, from)
	}
	at, ok := c.fit(procs, length, from, model.Never, model.Never)
	if !ok {
		return model.Never
	}
	return at
}

// FitBetween returns the earliest time in [from, limit) and before start at which
// a job that holds processors from start on, itself left in the profile, could
// begin instead, and whether there is one.
func (c *Long) FitBetween(procs int32, length, from, start, limit model.Time) (model.Time, bool) {
	if len(c.spans) > 0 {
		return c.fit(procs, length, from, start, min(start, limit))
	}
	if from <= c.flat.steps[c.flat.lo].at {
		return c.flat.EarlierFit(procs, length, start, limit)
	}
	at := c.flat.FitBetween(procs, length, from, start)
	return at, at < min(start, limit)
}

// fit finds the earliest time in [from, limit) from which procs processors are
// free for a length, or up to a time from which on nothing hinders.
func (c *Long) fit(procs int32, length, from, until, limit model.Time) (model.Time, bool) {
	k, i := 0, 0
	if s := &c.spans[0]; from > s.at {
		k, i = c.find(from)
	} else {
		i = int(s.lo)
	}
	first := k
	for {
		// The next step that has as many.
		s := &c.spans[k]
		b := &c.blocks[s.block]
		for least := procs - s.add; ; {
			for i < int(s.hi) && b[i].free < least {
				i++
			}
			if i < int(s.hi) {
				break
			}
			for k++; k < len(c.spans) && c.spans[k].most < procs; k++ {
				if c.spans[k].at >= limit {
					Visit(k - first)
					return 0, false
				}
			}
			if k == len(c.spans) {
				Visit(k - first)
				return 0, false
			}
			s = &c.spans[k]
			b, i, least = &c.blocks[s.block], int(s.lo), procs-s.add
		}
		at := max(b[i].at, from)
		if at >= limit {
			Visit(k - first)
			return 0, false
		}
		c.near = k
		// Up to the end, or the next step that has not.
		end := until
		if length < until-at {
			end = at + length
		}
		i++
		for least := procs - s.add; ; {
			for i < int(s.hi) && b[i].at < end && b[i].free >= least {
				i++
			}
			if i < int(s.hi) {
				if b[i].at >= end {
					Visit(k - first)
					return at, true
				}
				break
			}
			for k++; k < len(c.spans) && c.spans[k].at < end && c.spans[k].least >= procs; k++ {
			}
			if k == len(c.spans) || c.spans[k].at >= end {
				Visit(k - first)
				return at, true
			}
			s = &c.spans[k]
			b, i, least = &c.blocks[s.block], int(s.lo), procs-s.add
		}
	}
}

// Least is Counts.Least.
func (c *Long) Least(from, to model.Time) int32 {
	if len(c.spans) == 0 {
		return c.flat.Least(from, to)
	}
	k, i := c.find(from)
	s := &c.spans[k]
	b := &c.blocks[s.block]
	least := b[i].free + s.add
	for i++; i < int(s.hi) && b[i].at < to; i++ {
		least = min(least, b[i].free+s.add)
	}
	if i < int(s.hi) {
		return least
	}
	for k++; k < len(c.spans) && c.spans[k].at < to; k++ {
		s = &c.spans[k]
		if k+1 < len(c.spans) && c.spans[k+1].at <= to {
			least = min(least, s.least)
			continue
		}
		for _, x := range c.of(s) {
			if x.at >= to {
				break
			}
			least = min(least, x.free+s.add)
		}
	}
	return least
}

// MostBefore is Counts.MostBefore.
func (c *Long) MostBefore(limit model.Time) int32 {
	if len(c.spans) == 0 {
		return c.flat.MostBefore(limit)
	}
	most := int32(0)
	for k := range c.spans {
		s := &c.spans[k]
		if k > 0 && s.at >= limit {
			break
		}
		if k+1 < len(c.spans) && c.spans[k+1].at <= limit {
			most = max(most, s.most)
			continue
		}
		for i, x := range c.of(s) {
			if x.at >= limit && (k > 0 || i > 0) {
				break
			}
			most = max(most, x.free+s.add)
		}
	}
	return most
}

// Next returns the next time from a point on, not in the past, at which procs
// processors are free; model.Never if there is none.
func (c *Long) Next(procs int32, from model.Time) model.Time {
	if len(c.spans) == 0 {
		for i := c.flat.find(from); i < len(c.flat.steps); i++ {
			if c.flat.steps[i].free >= procs {
				return max(from, c.flat.steps[i].at)
			}
		}
		return model.Never
	}
	for k, i := c.find(from); k < len(c.spans); k, i = k+1, -1 {
		s := &c.spans[k]
		if i < 0 {
			if i = int(s.lo); s.most < procs {
				continue
			}
		}
		b := &c.blocks[s.block]
		for ; i < int(s.hi); i++ {
			if b[i%longBlock].free+s.add >= procs {
				return max(from, b[i].at)
			}
		}
	}
	return model.Never
}

// Strip writes what holds during [from, to), which does not begin in the past, to a
// Counts; what it says of later times is of no use.
func (c *Long) Strip(out *Counts, from, to model.Time) {
	out.steps, out.lo = append(out.steps[:0], make([]step, slack)...), slack
	if len(c.spans) == 0 {
		i := c.flat.find(from)
		n := i + 1
		for n < len(c.flat.steps) && c.flat.steps[n].at < to {
			n++
		}
		out.steps = append(out.steps, c.flat.steps[i:n]...)
	} else {
		for k, i := c.find(from); k < len(c.spans) && (i >= 0 || c.spans[k].at < to); k, i = k+1, -1 {
			s := &c.spans[k]
			for _, x := range c.blocks[s.block][max(i, int(s.lo)):s.hi] {
				out.steps = append(out.steps, step{x.at, x.free + s.add})
			}
		}
	}
	if s := &out.steps[slack]; s.at < from {
		s.at = from
	}
}
