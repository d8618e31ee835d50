package reserve

import (
	"math/bits"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// Counted is Desk on one cluster of interchangeable processors without failures, where
// counts say all (sim.CountedDesk): what is accepted, when and for how long is the same.
// It binds nothing, suspends nobody, and serves no users who react (Options.Counts).
type Counted struct {
	Options

	v     *sim.CountedView // during Serve
	seats []sim.Seat       // in the order of acceptance
	of    []int32          // by JobID: 1 + index into seats; 0: none
	state []state          // of a seat
	queue []model.JobID
	heap  sim.Heap // what happens next to seats: (time − base) << shift | index
	due   []int32  // seats that were accepted now and begin now
	base  model.Time
	first model.Time // the first submission: periods count from it
	shift int
}

var _ sim.CountedDesk = (*Counted)(nil)

// Counts says whether Counted can do what is asked for.
func (o *Options) Counts() bool { return !o.Static && !o.Suspend && o.AtEnd != EndSuspend }

// Reset prepares for a new simulation.
func (d *Counted) Reset(v *sim.CountedView) {
	n := len(v.Jobs)
	d.v, d.seats, d.state, d.queue, d.heap = v, d.seats[:0], d.state[:0], d.queue[:0], d.heap[:0]
	d.due = d.due[:0]
	if cap(d.of) < n {
		d.of = make([]int32, n)
	}
	d.of, d.shift, d.first = d.of[:n], bits.Len(uint(n)), 0
	clear(d.of)
	if n > 0 {
		d.first = v.Jobs[0].Submit
	}
	d.base, _ = v.Ahead.Now()
}

// Seats returns what was accepted since Reset.
func (d *Counted) Seats() []sim.Seat { return d.seats }

// Holds says for how long reservations hold what they have in a schedule that was just
// made, as Desk.Holds does.
func (d *Counted) Holds(s *model.Schedule) []model.Hold {
	var list []model.Hold
	for j, i := range d.of {
		if i == 0 {
			continue
		}
		b, e := &d.seats[i-1], &s.Executions[j]
		h := model.Hold{Job: e.Job, Start: e.Start, From: b.From, To: e.End, Reserved: true}
		if d.Hold {
			h.To = max(b.To, e.End)
		}
		list = append(list, h)
	}
	return list
}

// Wake returns when the desk has something to do next.
func (d *Counted) Wake() model.Time {
	wake := model.Never
	if len(d.heap) > 0 {
		wake = d.base + model.Time(d.heap[0]>>d.shift)
	}
	if len(d.queue) > 0 {
		wake = min(wake, d.v.Now+d.Delta-(d.v.Now-d.first)%d.Delta)
	}
	return wake
}

// after has something happen to a seat at a time.
func (d *Counted) after(at model.Time, seat int32) {
	d.heap.Push(uint64(at-d.base)<<d.shift | uint64(seat))
}

// Serve does what the desk has to do at an instant: what has ended gives back what it
// held, requests are served, if it is time, and reservations go on.
func (d *Counted) Serve(v *sim.CountedView, r *sim.Requests) {
	for _, j := range r.Ended {
		i := d.of[j] - 1
		if s := &d.seats[i]; !d.Hold || s.To <= v.Now {
			v.Free += s.Procs
			v.Return(s)
		} else {
			d.after(s.To, i)
		}
		d.state[i] = over
	}
	d.queue = append(d.queue, r.New...)
	if d.Delta == 0 || (v.Now-d.first)%d.Delta == 0 {
		for _, j := range d.queue {
			if !v.Pulse.Beat(requestSteps) {
				return
			}
			d.accept(j)
		}
		d.queue = d.queue[:0]
	}
	for _, i := range d.due {
		d.next(i)
	}
	d.due = d.due[:0]
	for len(d.heap) > 0 && d.heap[0]>>d.shift <= uint64(v.Now-d.base) {
		i := int32(d.heap[0] & (1<<d.shift - 1))
		d.heap.Pop()
		d.next(i)
	}
}

// next lets a seat go on to its next state: it holds what it has booked, its job begins,
// or what was kept after it becomes free.
func (d *Counted) next(i int32) {
	v, s := d.v, &d.seats[i]
	switch d.state[i] {
	case over:
		v.Free += s.Procs
	case accepted:
		v.Free -= s.Procs
		if d.state[i] = holding; s.Start > v.Now {
			d.after(s.Start, i)
			return
		}
		fallthrough
	default:
		d.state[i] = begun
		v.Begin(s)
	}
}

// accept accepts a reservation, late if need be, or rejects it.
func (d *Counted) accept(j model.JobID) {
	v, job := d.v, &d.v.Jobs[j]
	r := v.Demands[job.Demand-1].Reservation
	length := r.Length
	if length == 0 {
		length = job.Limit
	}
	s := sim.Seat{Job: j, Procs: job.Procs, Until: model.Never}
	length, ok := d.offer(r, length, &s)
	if !ok {
		v.Reject()
		return
	}
	end := s.Start + length
	if d.AtEnd == EndEarly && length > early {
		end -= early
	}
	if end < s.Start+job.Limit {
		s.Until = end
	}
	i := int32(len(d.seats))
	d.seats, d.state = append(d.seats, s), append(d.state, accepted)
	d.of[j] = i + 1
	v.Reserve(&s)
	if s.From <= v.Now {
		d.due = append(d.due, i)
	} else {
		d.after(s.From, i)
	}
}

// offer finds a seat in the interval of a request or, unless such requests are rejected,
// after it, and says for how long its job may run.
func (d *Counted) offer(r *model.Reservation, length model.Time, s *sim.Seat) (model.Time, bool) {
	ready := max(r.Ready, d.v.Now)
	if r.Effort == model.EffortExact && d.Slot <= 1 { // late is as early as it can be had
		at := d.v.Earliest(s.Procs, length, ready)
		s.Start, s.From, s.To = at, at, at+length
		return length, s.To <= r.Deadline || !d.Reject && s.To <= forever
	}
	for _, deadline := range [...]model.Time{r.Deadline, forever} {
		ok := false
		switch r.Effort {
		case model.EffortProcs:
			ok = d.most(ready, deadline, length, s)
		case model.EffortTime:
			var most model.Time
			if s.Start, most = d.longest(s.Procs, ready, deadline, length); most > 0 {
				s.From, s.To = s.Start, s.Start+most
				return most, true
			}
		default:
			ok = d.place(ready, deadline, length, s)
		}
		if ok || d.Reject {
			return length, ok
		}
	}
	return 0, false
}

// place finds the earliest start and widens it to whole slots.
func (d *Counted) place(ready, deadline, length model.Time, s *sim.Seat) bool {
	v := d.v
	if d.Slot <= 1 {
		at := v.Earliest(s.Procs, length, ready)
		s.Start, s.From, s.To = at, at, at+length
		return s.To <= deadline
	}
	for start := ready; start+length <= deadline; { // in the slot that holds it
		from, to := resource.Round(start, start+length, d.Slot)
		if from = max(from, v.Now); v.Ahead.Free(from, to, s.Procs) {
			s.Start, s.From, s.To = start, from, to
			return true
		}
		next, _ := resource.Round(start, start, d.Slot)
		whole := (length + d.Slot - 1) / d.Slot * d.Slot
		at := v.Earliest(s.Procs, whole, next+d.Slot)
		if at >= forever {
			return false
		}
		start, _ = resource.Round(at+d.Slot-1, at+d.Slot-1, d.Slot)
	}
	return false
}

// most finds the most processors, up to those wanted, that are free for a length: fewer
// are free wherever more are.
func (d *Counted) most(ready, deadline, length model.Time, s *sim.Seat) (found bool) {
	try := *s
	for lo, hi := int32(0), s.Procs; lo < hi; {
		try.Procs = lo + (hi-lo+1)/2
		if d.place(ready, deadline, length, &try) {
			*s, lo, found = try, try.Procs, true
		} else {
			hi = try.Procs - 1
		}
	}
	return found
}

// longest finds the longest time up to most for which processors are free, and its
// earliest start: what is free for a time is so for a shorter one. 0: not at all.
func (d *Counted) longest(procs int32, ready, deadline, most model.Time) (start, length model.Time) {
	for lo, hi := model.Time(0), min(most, deadline-ready); lo < hi; {
		mid := lo + (hi-lo+1)/2
		if at := d.v.Earliest(procs, mid, ready); at+mid <= deadline {
			lo, start, length = mid, at, mid
		} else {
			hi = mid - 1
		}
	}
	return start, length
}
