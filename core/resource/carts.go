package resource

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/order"
)

// Counts is the structure CARTS ("change-based advance reservation time slots")
// of Kurowski et al. 2011, section 3.4: slots of different lengths, each with
// the number of processors that are free during it, found by binary search. A
// slot is a step of Counts. This file adds what advance reservations need: the
// generation of the slots from reservations, and searches in an interval.

// Booking is an interval [From, To) during which Procs processors are taken.
type Booking struct {
	From, To model.Time
	Procs    int32
}

// Generate makes the slots of a machine of procs processors on which bookings
// stand, in O(n): algorithm 1. byStart and byEnd hold the same bookings, which
// are not empty in time, in order of their starts and of their ends; none
// starts before from.
//
// The printed pseudo-code has slips, which are corrected here: i is initialised
// twice and j never; m1 and t1, the first slot, are never set, so that the time
// before the first booking is lost; the inner loops compare the start of booking
// i with the end of the same i (meant is the end of booking j) and go on while
// one condition OR the other holds (meant is AND: else all starts are taken
// before the first end, and the index runs out of the array); nothing removes a
// last slot that equals the one before it.
func (c *Counts) Generate(from model.Time, procs int32, byStart, byEnd []Booking) {
	c.Reset(from, procs)
	i, j := 0, 0
	free := procs
	for i < len(byStart) || j < len(byEnd) {
		at := model.Never
		if i < len(byStart) {
			at = byStart[i].From
		}
		if j < len(byEnd) {
			at = min(at, byEnd[j].To)
		}
		for i < len(byStart) && byStart[i].From == at { // starts before the next end
			free -= byStart[i].Procs
			i++
		}
		for j < len(byEnd) && byEnd[j].To == at { // ends before the next start
			free += byEnd[j].Procs
			j++
		}
		last := &c.steps[len(c.steps)-1]
		switch {
		case last.free == free: // the slots would not differ
		case last.at == at: // only the first, at from itself
			last.free = free
		default:
			c.steps = append(c.steps, step{at, free})
		}
	}
}

// GenerateFrom sorts bookings, which it leaves alone, and generates from them:
// O(n log n).
func (c *Counts) GenerateFrom(from model.Time, procs int32, bookings []Booking) {
	byStart, byEnd := slices.Clone(bookings), slices.Clone(bookings)
	order.Stable(byStart, func(a, b Booking) int { return cmp.Compare(a.From, b.From) })
	order.Stable(byEnd, func(a, b Booking) int { return cmp.Compare(a.To, b.To) })
	c.Generate(from, procs, byStart, byEnd)
}

// Search returns the earliest start of a booking of procs processors for
// length ≥ 1 seconds that lies within ⟨ready, deadline⟩, and whether there is
// one: ARTS² ("advance reservation time slot search"), algorithm 2. It finds the
// first slot by binary search and then looks at each slot once: O(log v + slots
// touched). What lies before the first slot is past, and never free.
//
// The printed pseudo-code has slips, which are corrected here: the slot searched
// for, argmin { t_i ≥ r }, is the one after the slot that holds r, so that a start
// in that slot is missed; the start returned is that of a slot and not at least
// r; the last slot, which has no t_{i+1}, is never looked at, although it goes on
// for ever; the binary search begins at slot 0 and there is none; and after the
// loop nothing tells a start that was found from a deadline that was exceeded or
// from slots that ran out.
func (c *Counts) Search(ready, deadline model.Time, procs int32, length model.Time) (model.Time, bool) {
	start := max(ready, c.steps[c.lo].at)
	for i := c.find(start); start+length <= deadline; i++ {
		if c.steps[i].free < procs { // not enough: start with the next slot
			if i+1 == len(c.steps) {
				return 0, false
			}
			start = c.steps[i+1].at
			continue
		}
		if i+1 == len(c.steps) || c.steps[i+1].at-start >= length {
			return start, true
		}
	}
	return 0, false
}

// Free says whether procs processors are free during all of [from, to), which
// is not empty.
func (c *Counts) Free(from, to model.Time, procs int32) bool {
	if from < c.steps[c.lo].at {
		return false
	}
	for i := c.find(from); i < len(c.steps) && c.steps[i].at < to; i++ {
		if c.steps[i].free < procs {
			return false
		}
	}
	return true
}

// Least returns the fewest processors that are free at one time of [from, to),
// which is not empty and does not lie in the past.
func (c *Counts) Least(from, to model.Time) int32 {
	i := c.find(from)
	least := c.steps[i].free
	for i++; i < len(c.steps) && c.steps[i].at < to; i++ {
		least = min(least, c.steps[i].free)
	}
	return least
}

// Longest returns for how long procs processors are free from a time on, at
// most until; 0 when they are not.
func (c *Counts) Longest(from, until model.Time, procs int32) model.Time {
	if from < c.steps[c.lo].at {
		return 0
	}
	for i := c.find(from); i < len(c.steps) && c.steps[i].at < until; i++ {
		if c.steps[i].free < procs {
			return max(0, c.steps[i].at-from)
		}
	}
	return max(0, until-from)
}

// Starts are feasible starts: every second of [From, To], both included.
type Starts struct{ From, To model.Time }

// Feasible appends all starts within ⟨ready, deadline⟩ of a booking of procs
// processors for length ≥ 1 seconds, in ascending windows that do not touch: the
// answer to a query of a grid scheduler (section 3.1 misses such queries in
// existing systems, which answer yes or no).
func (c *Counts) Feasible(out []Starts, ready, deadline model.Time, procs int32, length model.Time) []Starts {
	from := max(ready, c.steps[c.lo].at)
	for i := c.find(from); from+length <= deadline; {
		for i < len(c.steps) && c.steps[i].free < procs {
			if i++; i == len(c.steps) {
				return out
			}
			from = c.steps[i].at
		}
		for i < len(c.steps) && c.steps[i].free >= procs {
			i++
		}
		end := deadline
		if i < len(c.steps) {
			end = min(end, c.steps[i].at)
		}
		if end-from >= length {
			out = append(out, Starts{from, end - length})
		}
		if i == len(c.steps) {
			break
		}
		from = c.steps[i].at
	}
	return out
}

// floorTo returns the last multiple of unit up to t.
func floorTo(t, unit model.Time) model.Time {
	if m := t % unit; m < 0 {
		return t - m - unit
	} else {
		return t - m
	}
}

// Round returns [from, to) widened to whole slots of a length.
func Round(from, to, slot model.Time) (model.Time, model.Time) {
	return floorTo(from, slot), floorTo(to+slot-1, slot)
}
