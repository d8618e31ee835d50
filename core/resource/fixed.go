package resource

import "batchlab/core/model"

// Fixed is a table of slots of one length, the structure that Kurowski et al.
// 2011 (section 3.3, figures 4 and 5) compare with slots of different lengths:
// a booking takes each slot that it touches as a whole. Short slots make long
// tables; long slots leave processors idle. The zero value needs a Reset.
type Fixed struct {
	base   model.Time
	length model.Time
	procs  int32
	free   []int32 // of the slots up to the last that was booked
}

// Reset makes all procs processors free from a time on, in slots of length ≥ 1
// seconds, the first of which begins at the last multiple of length up to from.
func (f *Fixed) Reset(from, length model.Time, procs int32) {
	*f = Fixed{base: floorTo(from, length), length: length, procs: procs, free: f.free[:0]}
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

// slots returns the first slot of [from, to) and the one after its last.
func (f *Fixed) slots(from, to model.Time) (first, end int) {
	from, to = Round(from, to, f.length)
	return int((from - f.base) / f.length), int((to - f.base) / f.length)
}

// Add changes the free processors of each slot that [from, to) touches by delta.
func (f *Fixed) Add(from, to model.Time, delta int32) {
	first, end := f.slots(from, to)
	for len(f.free) < end {
		f.free = append(f.free, f.procs)
	}
	for i := first; i < end; i++ {
		f.free[i] += delta
	}
}

// Len returns the number of slots in the table.
func (f *Fixed) Len() int { return len(f.free) }

// Search returns the earliest start within ⟨ready, deadline⟩ of a booking of
// procs processors for length ≥ 1 seconds, and whether there is one: ready itself
// where the slot that holds it is free, else the start of a slot.
func (f *Fixed) Search(ready, deadline model.Time, procs int32, length model.Time) (model.Time, bool) {
	start := max(ready, f.base)
	if procs > f.procs {
		return 0, false
	}
	for start+length <= deadline {
		first, end := f.slots(start, start+length)
		i := first
		for i < end && (i >= len(f.free) || f.free[i] >= procs) {
			i++
		}
		if i == end {
			return start, true
		}
		start = f.base + model.Time(i+1)*f.length
	}
	return 0, false
}
