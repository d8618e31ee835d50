package grid

import (
	"batchlab/core/model"
	"batchlab/core/resource"
)

// availability is what a provider has free over time: counts of processors, or
// with static binding the processors themselves. A booking has a set of words in
// the second case and nil in the first.
type availability struct {
	size   int32
	named  bool
	counts resource.Counts
	sets   resource.Sets
}

func (a *availability) reset(from model.Time, size int32, named bool) {
	a.size, a.named = size, named
	a.counts.Reset(from, size)
	if named {
		a.sets.Reset(from, size)
	}
}

func (a *availability) advance(now model.Time) {
	a.counts.Advance(now)
	if a.named {
		a.sets.Advance(now)
	}
}

// fits says whether procs processors are free during [from, to).
func (a *availability) fits(from, to model.Time, procs int32) bool {
	if !a.counts.Free(from, to, procs) {
		return false
	}
	if !a.named {
		return true
	}
	_, n := a.sets.Room(from, to)
	return n >= procs
}

// book takes processors, which are free, during [from, to); with names the
// lowest numbers.
func (a *availability) book(from, to model.Time, procs int32) []uint64 {
	var which []uint64
	if a.named {
		room, _ := a.sets.Room(from, to)
		which = resource.Lowest(nil, room, procs)
		a.sets.Take(from, to, which)
	}
	a.counts.Add(from, to, -procs)
	return which
}

// give frees what book took, during [from, to).
func (a *availability) give(from, to model.Time, procs int32, which []uint64) {
	a.counts.Add(from, to, procs)
	if a.named {
		a.sets.Give(from, to, which)
	}
}

// search returns the earliest start within ⟨ready, deadline⟩ (ARTS²).
func (a *availability) search(ready, deadline model.Time, procs int32, length model.Time) (model.Time, bool) {
	if a.named {
		return a.sets.Search(ready, deadline, procs, length)
	}
	return a.counts.Search(ready, deadline, procs, length)
}

// now returns how many processors are free now.
func (a *availability) now() int32 {
	_, n := a.counts.Step(0)
	return n
}

// longest returns the longest time up to most for which procs processors are
// free within ⟨ready, deadline⟩, and its earliest start.
func (a *availability) longest(ready, deadline model.Time, procs int32, most model.Time) (start, length model.Time) {
	from := max(ready, a.begin())
	for i := -1; i < a.counts.Len() && length < most; i++ {
		at := from
		if i >= 0 {
			if at, _ = a.counts.Step(i); at <= from {
				continue
			}
		}
		if at >= deadline {
			break
		}
		n := a.counts.Longest(at, min(deadline, at+most), procs)
		for n > length && a.named { // the longest for which the same processors are free
			if _, room := a.sets.Room(at, at+n); room >= procs {
				break
			}
			n = a.shorter(at, n, procs)
		}
		if n > length {
			start, length = at, n
		}
	}
	return start, length
}

// shorter returns the longest time below n for which the same procs processors
// are free from a time on.
func (a *availability) shorter(at, n model.Time, procs int32) model.Time {
	lo := model.Time(0) // feasible
	for n-lo > 1 {
		mid := lo + (n-lo)/2
		if _, room := a.sets.Room(at, at+mid); room >= procs {
			lo = mid
		} else {
			n = mid
		}
	}
	return lo
}

// begin returns the earliest time that is not past.
func (a *availability) begin() model.Time {
	at, _ := a.counts.Step(0)
	return at
}
