package grid

import (
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/resource"
)

// mostWindows bounds the windows of starts in an answer, mostSteps those of a
// provider's free processors.
const (
	mostWindows = 200
	mostSteps   = 2000
)

// query is a question about reservations that the scheduler answers instead of
// going on, at the moment at which a reservation that is asked for then would
// be served.
type query struct {
	ask    report.Ask
	served model.Time
	answer *report.Answer
}

// Query makes the next simulation answer a question and says when to stop it:
// Answer then returns what a reservation that is asked for at ask.At could have
// had, beside the running jobs' requests and the reservations accepted by then.
// Existing systems answer such queries with yes or no only (section 3.1).
func (s *Scheduler) Query(ask report.Ask) { s.query = &query{ask: ask} }

// Answered says whether the answer is there: the simulation need not go on.
func (s *Scheduler) Answered() bool { return s.query != nil && s.query.answer != nil }

// Answer returns the answer, and forgets the question. After a simulation that
// ended before the time of the question it is that of an empty grid with the
// reservations that are left.
func (s *Scheduler) Answer() *report.Answer {
	q := s.query
	if q == nil {
		return nil
	}
	if q.answer == nil {
		s.reply()
	}
	s.query = nil
	return q.answer
}

// servedAt says when a question is served: at its time, or the next multiple of δ.
func (s *Scheduler) servedAt(at model.Time) model.Time {
	if s.Delta > 0 {
		if r := (at - s.base) % s.Delta; r > 0 {
			at += s.Delta - r
		}
	}
	return at
}

// before answers a question that falls between the last instant and this one.
func (s *Scheduler) before() {
	if q := s.query; q != nil && q.answer == nil && s.v.Now > q.served {
		s.reply()
	}
}

// turn answers a question whose turn it is in the grid's queue: before a
// reservation that was submitted later.
func (s *Scheduler) turn(j model.JobID) {
	if q := s.query; q != nil && q.answer == nil && s.v.Now >= q.served && s.v.Jobs[j].Submit > q.ask.At {
		s.reply()
	}
}

// after answers a question of this instant, behind all reservations that the
// grid's queue held.
func (s *Scheduler) after() {
	if q := s.query; q != nil && q.answer == nil && s.v.Now >= q.served {
		s.reply()
	}
}

// reply answers at the time at which the question is served.
func (s *Scheduler) reply() {
	q := s.query
	then := *s.v
	then.Now = q.served
	at := s.v
	s.v = &then
	defer func() { s.v = at }()
	a := &report.Answer{Ask: q.ask, Served: q.served}
	for i := range s.providers {
		p := &s.providers[i]
		if q.ask.Cluster >= 0 && p.cluster != q.ask.Cluster {
			continue
		}
		b := s.bookings(p)
		b.advance(q.served)
		r := request{ready: max(q.ask.From, q.served), deadline: q.ask.To, length: model.Scaled(q.ask.Length, p.speed), procs: q.ask.Procs}
		one := report.ProviderAnswer{Name: then.Site.Platform.Clusters[p.cluster].Name, Cluster: p.cluster, Procs: p.size, Length: r.length}
		if r.procs <= p.size {
			one.Windows, one.More = s.windows(p, r)
			if one.LongestAt, one.Longest = b.longest(r.ready, r.deadline, r.procs, max(0, r.deadline-r.ready)); one.Longest == 0 {
				one.LongestAt = 0
			}
		}
		all := r
		all.procs = p.size
		if n, ok := s.most(p, all); ok {
			var o offer
			all.procs = n
			s.place(p, all, &o)
			one.Most, one.MostAt = n, o.start
		}
		one.At, one.Free = b.steps(r.ready, r.deadline)
		a.Providers = append(a.Providers, one)
	}
	q.answer = a
}

// windows returns all feasible starts of a request, and whether there are more.
func (s *Scheduler) windows(p *provider, q request) (list []report.Window, more bool) {
	add := func(from, to model.Time) {
		if n := len(list); n > 0 && list[n-1].To+1 == from {
			list[n-1].To = to
		} else {
			list = append(list, report.Window{From: from, To: to})
		}
	}
	if s.Slot <= 1 {
		for _, w := range s.bookings(p).feasible(q.ready, q.deadline, q.procs, q.length) {
			if add(w.From, w.To); len(list) > mostWindows {
				return list[:mostWindows], true
			}
		}
		return list, false
	}
	// Starts in one slot whose ends lie in one slot, too, take the same slots.
	var o offer
	for q.ready+q.length <= q.deadline && s.place(p, q, &o) {
		_, end := resource.Round(o.start, o.start+1, s.Slot)
		last := min(end-1, o.to-q.length, q.deadline-q.length)
		if add(o.start, last); len(list) > mostWindows {
			return list[:mostWindows], true
		}
		q.ready = last + 1
	}
	return list, false
}

// feasible returns all starts of a booking.
func (a *availability) feasible(ready, deadline model.Time, procs int32, length model.Time) []resource.Starts {
	if a.named {
		return a.sets.Feasible(nil, ready, deadline, procs, length)
	}
	return a.counts.Feasible(nil, ready, deadline, procs, length)
}

// steps returns how many processors are free during [from, to), as a step
// function that begins at from.
func (a *availability) steps(from, to model.Time) (at []model.Time, free []int32) {
	for i := range a.counts.Len() {
		t, n := a.counts.Step(i)
		if t >= to || len(at) == mostSteps {
			break
		}
		if t <= from {
			at, free = append(at[:0], from), append(free[:0], n)
			continue
		}
		at, free = append(at, t), append(free, n)
	}
	return at, free
}
