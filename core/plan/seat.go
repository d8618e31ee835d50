package plan

import (
	"slices"

	"batchlab/core/model"
)

// seat is a waiting job of a plain lane as its repair reads it. The seats of a
// lane stand in the order of its list, so that a repair goes through one stretch
// of memory from one end to the other: a list of slots in the order of their
// starts would lead all over theirs. Times are seconds from now.
type seat struct {
	start   int64   // planned; of a job that stands elsewhere than in the plan as it is, ^start
	inverse float64 // unit ÷ max(request, τ)
	length  uint32  // seconds that it may take on the lane
	offset  uint32  // length and what it has waited so far: its slowdown is (start + offset) · inverse
	procs   int32
	active  int32 // index of its user among those of the plan
}

// slowdown returns the bounded slowdown, in units, of a start.
func (s *seat) slowdown(start int64) int64 {
	return max(unit, int64(float64(start+int64(s.offset))*s.inverse))
}

// row is the list of a plain lane's candidate from the point of change on, put
// together of seats of the current one: two stretches that stand elsewhere now,
// and the rest behind them.
type row struct{ first, second, rest []seat }

// shifted is the row after a seat has moved from one place to another.
func (t *tuner) shifted(c, from, to int) row {
	seats := t.lanes[c].seats
	switch {
	case !t.lanes[c].plain:
		return row{}
	case from < to:
		return row{seats[from+1 : to+1], seats[from : from+1], seats[to+1:]}
	}
	return row{seats[from : from+1], seats[to:from], seats[from+1:]}
}

// without is the row after the seat at a place has gone.
func (t *tuner) without(c, at int) row {
	if !t.lanes[c].plain {
		return row{}
	}
	return row{rest: t.lanes[c].seats[at+1:]}
}

// with is the row after a slot has come to a place from another lane.
func (t *tuner) with(c, at int, i int32) row {
	d := &t.lanes[c]
	if !d.plain {
		return row{}
	}
	t.moved = append(t.moved[:0], t.seat(i))
	return row{first: t.moved, rest: d.seats[at:]}
}

// turned is the row after many changes between two places of the new list.
func (t *tuner) turned(c, from, until int) row {
	d := &t.lanes[c]
	if !d.plain {
		return row{}
	}
	jobs := t.p.lanes[c].jobs
	t.moved = t.moved[:0]
	for _, i := range jobs[from : until+1] {
		t.moved = append(t.moved, t.seat(i))
	}
	return row{first: t.moved, rest: d.seats[len(d.seats)-(len(jobs)-1-until):]}
}

// seat writes the seat of a slot. One that has come from a lane of another speed
// takes another time, so that its slowdown differs before it starts elsewhere.
func (t *tuner) seat(i int32) seat {
	s := &t.p.slots[i]
	x := seat{
		start: int64(s.start - t.now), inverse: s.inverse, length: uint32(s.length),
		offset: uint32(t.now - s.since + s.length), procs: s.procs, active: s.active,
	}
	if s.fresh {
		t.dSlow += s.weight*x.slowdown(x.start) - s.slow
		x.start = ^x.start
	}
	return x
}

// fill writes the seats of a plain lane again.
func (t *tuner) fill(c int) {
	d := &t.lanes[c]
	d.seats, d.ahead = d.seats[:0], false
	for len(t.at) < len(t.p.slots) {
		t.at = append(t.at, 0)
	}
	for _, i := range t.p.lanes[c].jobs {
		d.seats = append(d.seats, t.seat(i))
		t.at[i] = int64(t.p.slots[i].start - t.now)
	}
}

// sync makes the slots say what the seats say. While random search moves jobs
// within a lane nobody reads the starts of slots, and writing them at each
// improvement would drive the seats out of the cache.
func (t *tuner) sync() {
	for c := range t.lanes {
		d := &t.lanes[c]
		if !d.ahead {
			continue
		}
		d.ahead = false
		for k, i := range t.p.lanes[c].jobs {
			s := &t.p.slots[i]
			s.start = t.now + model.Time(d.seats[k].start)
			s.slow = s.slowdown(s.start)
		}
	}
}

// before returns how many seats start before a time.
func (d *tuned) before(start int64) int {
	lo, hi := 0, len(d.seats)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if d.seats[mid].start < start {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// keep makes the candidate's starts those of a plain lane.
func (t *tuner) keep(c int) {
	p, d := t.p, &t.lanes[c]
	edited := slices.ContainsFunc(t.edits, func(e edit) bool { return int(e.from) == c || int(e.to) == c })
	if !d.plain || !edited && len(d.starts) == 0 {
		return
	}
	p.lanes[c].stale = true
	jobs := p.lanes[c].jobs[d.from : d.from+len(d.starts)]
	if e := t.edits; edited && (len(e) > 1 || t.copied || e[0].from != e[0].to) { // the slots are in step: see sync
		for k, i := range jobs {
			s := &p.slots[i]
			s.start = t.now + model.Time(d.starts[k])
			s.slow = s.slowdown(s.start)
		}
		for i := range e {
			p.slots[e[i].slot].fresh = false
		}
		t.fill(c)
		return
	} else if edited {
		shift(d.seats, int(e[0].fromAt), int(e[0].toAt))
	}
	d.ahead = true
	for k, i := range jobs {
		d.seats[d.from+k].start = d.starts[k]
		t.at[i] = d.starts[k]
	}
}

// repairCounts is repair where only processors count. Times are seconds from
// now; an end is one word, (end << shift) | processors.
func (t *tuner) repairCounts(c, from int, differ model.Time, row row) {
	d := &t.lanes[c]
	base, shift := d.base, d.shift
	mask := uint64(1)<<shift - 1
	free, at, b := d.idle, int64(0), 0
	pend := t.pend[:0]
	if from > 0 { // the state in which the job before has started
		at = d.seats[from-1].start
		for ; base[b]>>shift <= uint64(at); b++ {
			free += int32(base[b] & mask)
		}
		for k := from - 1; k >= 0; k-- {
			s := &d.seats[k]
			if s.start+int64(d.longest) <= at {
				break
			}
			if end := s.start + int64(s.length); end > at {
				pend = append(pend, uint64(end)<<shift|uint64(s.procs))
				free -= s.procs
			}
		}
		slices.Sort(pend)
	}
	head := 0
	gone := int64(differ - t.now)
	dWait, dSlow := int64(0), int64(0)
	starts, shares, roots := d.starts[:0], t.shares, t.p.roots
	d.from = from
	stretches := [...][]seat{row.first, row.second, row.rest}
stretches:
	for n := range stretches {
		list := stretches[n]
		for k := range list {
			s := &list[k]
			procs := s.procs
			for free < procs {
				var e uint64
				if head < len(pend) && pend[head] < base[b] {
					e = pend[head]
					head++
				} else {
					e = base[b]
					b++
				}
				free += int32(e & mask)
				at = max(at, int64(e>>shift))
			}
			if old := s.start; at != old {
				if old < 0 {
					old = ^old
				}
				later, slower := at-old, s.slowdown(at)-s.slowdown(old)
				if roots {
					weight := t.p.weight(procs)
					later, slower = weight*later, weight*slower
				}
				dWait += later
				dSlow += slower
				shares[s.active].delta += at - old
				gone = max(gone, max(at, old)+int64(s.length))
			} else if n == 2 && at >= gone {
				break stretches
			}
			starts = append(starts, at)
			free -= procs
			end := uint64(at+int64(s.length))<<shift | uint64(procs)
			pend = append(pend, end)
			m := len(pend) - 1
			if m-head > 64 && pend[m-1] > end {
				m, _ = slices.BinarySearch(pend[head:m], end)
				m += head
				copy(pend[m+1:], pend[m:len(pend)-1])
			} else {
				for ; m > head && pend[m-1] > end; m-- {
					pend[m] = pend[m-1]
				}
			}
			pend[m] = end
		}
	}
	t.pend, d.starts = pend, starts
	t.count += int64(len(starts))
	t.dWait += dWait
	t.dSlow += dSlow
}
