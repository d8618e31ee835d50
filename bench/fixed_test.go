package bench

import (
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
	"batchlab/core/resource"
)

// fixed is a table of slots of one length, the structure that Kurowski et al.
// 2011 (section 3.3, figures 4 and 5) compare with slots of different lengths:
// a booking takes each slot that it touches as a whole. Short slots make long
// tables; long slots leave processors idle. The zero value needs a Reset.
type fixed struct {
	base   model.Time
	length model.Time
	procs  int32
	free   []int32 // of the slots up to the last that was booked
}

// Reset makes all procs processors free from a time on, in slots of length ≥ 1
// seconds, the first of which begins at the last multiple of length up to from.
func (f *fixed) Reset(from, length model.Time, procs int32) {
	base, _ := resource.Round(from, from, length)
	*f = fixed{base: base, length: length, procs: procs, free: f.free[:0]}
}

// slots returns the first slot of [from, to) and the one after its last.
func (f *fixed) slots(from, to model.Time) (first, end int) {
	from, to = resource.Round(from, to, f.length)
	return int((from - f.base) / f.length), int((to - f.base) / f.length)
}

// Add changes the free processors of each slot that [from, to) touches by delta.
func (f *fixed) Add(from, to model.Time, delta int32) {
	first, end := f.slots(from, to)
	for len(f.free) < end {
		f.free = append(f.free, f.procs)
	}
	for i := first; i < end; i++ {
		f.free[i] += delta
	}
}

// Len returns the number of slots in the table.
func (f *fixed) Len() int { return len(f.free) }

// Search returns the earliest start within ⟨ready, deadline⟩ of a booking of
// procs processors for length ≥ 1 seconds, and whether there is one: ready itself
// where the slot that holds it is free, else the start of a slot.
func (f *fixed) Search(ready, deadline model.Time, procs int32, length model.Time) (model.Time, bool) {
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

// The fixed-slot table agrees with a table of seconds in which every booking is
// widened to whole slots, and with slots of one second it agrees with ARTS².
func TestFixedAgreesWithSeconds(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 3000 {
		const horizon = 200
		slot := model.Time(1 + r.IntN(20))
		procs := 1 + r.Int32N(20)
		from := model.Time(r.IntN(30))
		var f fixed
		f.Reset(from, slot, procs)
		var c resource.Counts
		c.Reset(f.base, procs)
		for range r.IntN(20) {
			at := from + model.Time(r.IntN(horizon))
			need, length := 1+r.Int32N(procs), model.Time(1+r.IntN(60))
			lo, hi := resource.Round(at, at+length, slot)
			if c.Free(lo, hi, need) {
				f.Add(at, at+length, -need)
				c.Add(lo, hi, -need)
			}
		}
		ready := from + model.Time(r.IntN(horizon))
		deadline := ready + model.Time(r.IntN(horizon))
		need, length := 1+r.Int32N(procs), model.Time(1+r.IntN(60))
		want, there := model.Time(0), false
		for at := ready; at+length <= deadline && !there; at++ {
			if lo, hi := resource.Round(at, at+length, slot); c.Free(lo, hi, need) {
				want, there = at, true
			}
		}
		if got, ok := f.Search(ready, deadline, need, length); ok != there || ok && got != want {
			t.Fatalf("slots of %d: got %d %v, want %d %v", slot, got, ok, want, there)
		}
	}
}
