package resource

import "batchlab/core/model"

// Reach says until when processors are free from the first step of a Counts on,
// for many questions while it does not change: each looks at the few steps at
// which less is free than ever before, which are found once, and no further into
// the future than it was asked. The zero value is ready.
type Reach struct {
	drops []step // where fewer are free than at all steps before
	next  int    // the first step that was not looked at
	found bool
}

// Reset forgets, since the profile has changed.
func (r *Reach) Reset() { r.found = false }

// Until returns the first time before horizon at which fewer than procs
// processors are free; horizon if there is none.
func (r *Reach) Until(c *Counts, procs int32, horizon model.Time) model.Time {
	if !r.found {
		r.found, r.next, r.drops = true, c.lo+1, append(r.drops[:0], c.steps[c.lo])
	}
	least := r.drops[len(r.drops)-1].free
	for ; least >= procs && r.next < len(c.steps) && c.steps[r.next].at < horizon; r.next++ {
		if s := c.steps[r.next]; s.free < least {
			least = s.free
			r.drops = append(r.drops, s)
		}
	}
	lo, hi := 0, len(r.drops) // the first drop below procs
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
