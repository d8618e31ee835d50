package resource

import (
	"math"

	"batchlab/core/model"
)

// Reach says until when processors are free from the first step of a Counts on,
// for many questions while it does not change: each looks at the few steps at
// which less is free than ever before, which are found once, and no further into
// the future than it was asked. The zero value is ready.
type Reach struct {
	from  model.Time // where it begins, if later than the first step
	drops []step     // where fewer are free than at all steps before
	next  int        // the first step that was not looked at; of a Long in blocks: the first block
	found bool
}

// Reset forgets, since the profile has changed.
func (r *Reach) Reset() { r.found, r.from = false, -model.Never }

// From is Reset, and lets it begin at a later time.
func (r *Reach) From(at model.Time) { r.found, r.from = false, at }

// Until returns the first time before horizon at which fewer than procs
// processors are free; horizon if there is none.
func (r *Reach) Until(c *Counts, procs int32, horizon model.Time) model.Time {
	if !r.found {
		first := c.lo
		if r.from > c.steps[first].at {
			first = c.find(r.from)
		}
		r.found, r.next, r.drops = true, first+1, append(r.drops[:0], c.steps[first])
	}
	for ; r.least() >= procs && r.next < len(c.steps) && c.steps[r.next].at < horizon; r.next++ {
		if s := c.steps[r.next]; s.free < r.least() {
			r.drops = append(r.drops, s)
		}
	}
	return r.look(procs, horizon)
}

// least returns how few are free at one of the steps that were looked at.
func (r *Reach) least() int32 {
	if len(r.drops) == 0 {
		return math.MaxInt32
	}
	return r.drops[len(r.drops)-1].free
}

// look returns the first drop below procs, horizon if that comes first.
func (r *Reach) look(procs int32, horizon model.Time) model.Time {
	lo, hi := 0, len(r.drops)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if r.drops[mid].free < procs {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	if lo == len(r.drops) {
		return horizon
	}
	return min(r.drops[lo].at, horizon)
}

// Within is Until for a Long.
func (r *Reach) Within(c *Long, procs int32, horizon model.Time) model.Time {
	if len(c.spans) == 0 {
		return r.Until(&c.flat, procs, horizon)
	}
	if !r.found {
		if r.found, r.next, r.drops = true, 0, r.drops[:0]; r.from > c.spans[0].at {
			k, i := c.find(r.from)
			s := &c.spans[k]
			for _, x := range c.blocks[s.block][i:s.hi] {
				if x.free += s.add; x.free < r.least() {
					r.drops = append(r.drops, x)
				}
			}
			r.next = k + 1
		}
	}
	for ; r.least() >= procs && r.next < len(c.spans) && c.spans[r.next].at < horizon; r.next++ {
		if s := &c.spans[r.next]; s.least < r.least() {
			for _, x := range c.of(s) {
				if x.free += s.add; x.free < r.least() {
					r.drops = append(r.drops, x)
				}
			}
		}
	}
	return r.look(procs, horizon)
}
