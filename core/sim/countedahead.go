package sim

import (
	"fmt"

	"batchlab/core/model"
)

// What follows is of counted simulations with advance reservations, or a calendar
// without failures: what is held is a step function.

// CountedDesk is Desk for counted simulations (package reserve).
type CountedDesk interface {
	// Reset prepares for a new simulation, before the scheduler does.
	Reset(v *CountedView)
	// Wake returns the next time at which the desk has something to do by itself, or
	// model.Never.
	Wake() model.Time
	// Serve is called before the scheduler decides, at instants at which the desk has
	// something to do, or jobs of reservations have come or ended. It books by
	// CountedView.Reserve and Return, keeps CountedView.Free, and says who begins.
	Serve(v *CountedView, r *Requests)
	// Seats returns what was accepted since Reset, in the order of acceptance.
	Seats() []Seat
}

// Seat is what an accepted reservation holds during [From, To).
type Seat struct {
	Job      model.JobID
	Procs    int32
	From, To model.Time // in whole slots
	Start    model.Time // of its job
	Until    model.Time // when its job is stopped; Never: by its request
}

// Reserve books what a reservation holds. It is for a CountedDesk.
func (v *CountedView) Reserve(s *Seat) {
	if s.To >= v.latest && v.Fault == nil {
		v.Fault = errTooLarge
	}
	v.Ahead.Add(s.From, s.To, -s.Procs)
	v.Booked = append(v.Booked, *s)
}

// Return gives back what is left of what a reservation holds. It is for a CountedDesk.
func (v *CountedView) Return(s *Seat) {
	if from := max(s.From, v.Now); from < s.To {
		left := *s
		left.From = from
		v.free(from, s.To, s.Procs)
		v.Freed = append(v.Freed, left)
	}
}

// free gives processors back.
func (v *CountedView) free(from, to model.Time, procs int32) {
	v.Ahead.Add(from, to, procs)
	v.sought.Freed(to)
	v.Rises++
}

// Earliest returns the first time from one on, not in the past, at which processors are
// free in Ahead for a length.
func (v *CountedView) Earliest(procs int32, length, from model.Time) model.Time {
	return v.sought.FitFrom(v.Ahead, procs, length, from)
}

// Begin starts the job of a reservation now. It is for a CountedDesk.
func (v *CountedView) Begin(s *Seat) { v.begun = append(v.begun, seated{s.Job, s.Until}) }

// Reject gives the job of a reservation up. It is for a CountedDesk.
func (v *CountedView) Reject() { v.rejected++ }

// seated is a reservation's job that begins, and when it is stopped.
type seated struct {
	job   model.JobID
	until model.Time
}

// Clear says whether a job may start now beside what lies ahead; it fits in what is free.
func (v *CountedView) Clear(j model.JobID) bool {
	job := &v.Jobs[j]
	return v.Ahead.Free(v.Now, v.Now+job.Limit, job.Procs)
}

// Hold books what a job holds that starts now. A scheduler calls it for each where there is
// something ahead, so that it sees it as it goes on.
func (v *CountedView) Hold(j model.JobID) {
	job := &v.Jobs[j]
	v.Ahead.Add(v.Now, v.Now+job.Limit, -job.Procs)
}

// countedAhead is what a run remembers of what lies ahead.
type countedAhead struct {
	desk  CountedDesk
	due   model.Time // when the desk has something to do
	turns []turn     // of the calendar, to come
	away  int32      // processors that the calendar takes now
	req   Requests
}

// prepare is for a run where something is reserved or taken away; base is the first
// submission.
func (r *countedRun) prepare(o *Options, base model.Time) {
	m, v := r.m, &r.m.view
	from := base
	for i := range r.p.Calendar {
		from = min(from, r.p.Calendar[i].From)
	}
	v.Ahead, v.Reserved = &m.ahead, resize(m.reserved, len(r.w.Jobs))
	m.reserved = v.Reserved
	clear(v.Reserved)
	v.Ahead.Reset(from, v.Procs)
	v.sought, v.latest = &m.sought, from+1<<(63-r.shift)
	v.sought.Reset()
	for i := range r.p.Calendar {
		c := &r.p.Calendar[i]
		v.Ahead.Add(c.From, c.To, -v.away(c))
	}
	r.beside = countedAhead{desk: o.CountedDesk, turns: turns(r.p), req: Requests{New: r.beside.req.New[:0]}}
	if r.beside.desk != nil {
		r.beside.desk.Reset(v)
	}
}

// away returns how many processors an entry of the calendar takes.
func (v *CountedView) away(c *model.CalendarEntry) int32 {
	if len(c.Nodes) > 0 {
		return v.Procs * int32(len(c.Nodes))
	}
	return c.Procs
}

// wake returns when the next thing lies ahead.
func (r *countedRun) wake() model.Time {
	now := model.Never
	if len(r.beside.turns) > 0 {
		now = r.beside.turns[0].at
	}
	if r.beside.desk != nil {
		r.beside.due = r.beside.desk.Wake()
		now = min(now, r.beside.due)
	}
	return now
}

// ended gives back what is left of what a job holds that ends now, and says whether it is
// the scheduler's.
func (r *countedRun) ended(v *CountedView, j model.JobID, now model.Time) bool {
	if v.Reserved[j] {
		r.beside.req.Ended = append(r.beside.req.Ended, j)
		return false
	}
	job := &v.Jobs[j]
	if end := v.Start[j] + job.Limit; end > now {
		v.free(now, end, job.Procs)
	}
	return true
}

// serve takes the calendar's turns and lets the desk do its part of an instant. It returns
// how many jobs of reservations wait no longer.
func (r *countedRun) serve(v *CountedView) (served int, err error) {
	b, m := &r.beside, r.m
	changed := false
	for ; len(b.turns) > 0 && b.turns[0].at <= v.Now; b.turns = b.turns[1:] {
		n := v.away(&r.p.Calendar[b.turns[0].entry])
		if !b.turns[0].take {
			n = -n
		}
		b.away, v.Free, changed = b.away+n, v.Free-n, true
	}
	v.Booked, v.Freed = v.Booked[:0], v.Freed[:0]
	if b.desk != nil {
		for j := v.Arrived; j < v.Next; j++ {
			if d := v.Jobs[j].Demand; d > 0 && v.Demands[d-1].Reservation != nil {
				v.Reserved[j] = true
				b.req.New = append(b.req.New, j)
			}
		}
		if len(b.req.New)+len(b.req.Ended) > 0 || b.due <= v.Now {
			v.begun, v.rejected = v.begun[:0], 0
			b.desk.Serve(v, &b.req)
			b.req.New, b.req.Ended = b.req.New[:0], b.req.Ended[:0]
			changed, served = true, len(v.begun)+v.rejected
			for _, s := range v.begun {
				end := min(v.Now+r.w.Executed(s.job), s.until)
				if end-r.base >= 1<<(63-r.shift) {
					return 0, errTooLarge
				}
				v.Start[s.job] = v.Now
				m.heap.Push(uint64(end-r.base)<<r.shift | uint64(s.job))
			}
		}
	}
	if changed && v.Free < 0 && v.Free+b.away < v.Procs {
		return 0, fmt.Errorf("sim: %T lets jobs run into a reservation or outage at %d", r.s, v.Now)
	}
	return served, nil
}
