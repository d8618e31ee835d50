package profile

import "batchlab/core/model"

// Reach says until when processors are free from the first step of a Counts on,
// for many questions while it does not change: each looks at the few steps at
// which less is free than ever before, which are found once. The zero value is
// ready.
type Reach struct {
	drops []step // where fewer are free than at all steps before
	found bool
}

// Reset forgets, since the profile has changed.
func (r *Reach) Reset() { r.found = false }

// Until returns the first time at which fewer than procs processors are free;
// model.Never if there is none.
func (r *Reach) Until(c *Counts, procs int32) model.Time {
	if !r.found {
		r.found, r.drops = true, r.drops[:0]
		least := int32(1<<31 - 1)
		for _, s := range c.steps[c.lo:] {
			if s.free < least {
				least = s.free
				r.drops = append(r.drops, s)
			}
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
		return model.Never
	}
	return r.drops[lo].at
}
