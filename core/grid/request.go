package grid

import (
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// offer is what a provider can give a request.
type offer struct {
	provider int32
	from, to model.Time // booked, in whole slots
	start    model.Time // of the job
	length   model.Time // for which it may run, at the provider's speed
	procs    int32
}

// request is what a reservation asks for.
type request struct {
	ready, deadline model.Time
	length          model.Time // at speed 1
	procs           int32
	effort          model.Effort
}

// requestOf reads a job's reservation; what is past cannot be had any more.
func (s *Scheduler) requestOf(j model.JobID) request {
	r := s.reservation(j)
	length := r.Length
	if length == 0 {
		length = s.v.Jobs[j].Limit
	}
	return request{max(r.Ready, s.v.Now), r.Deadline, length, s.v.Jobs[j].Procs, r.Effort}
}

// bookings returns where a provider's reservations are accepted: beside running
// jobs, or with Suspend beside other reservations only.
func (s *Scheduler) bookings(p *provider) *availability {
	if s.Suspend {
		return &p.reserved
	}
	return &p.free
}

// ask asks a provider for a request, in its interval or later.
func (s *Scheduler) ask(p *provider, q request, late bool) (offer, bool) {
	q.length = model.Scaled(q.length, p.speed)
	if late {
		q.deadline = forever
	}
	o := offer{provider: int32(p.cluster), length: q.length, procs: q.procs}
	var ok bool
	switch q.effort {
	case model.EffortProcs: // as many processors as there are for the given time
		o.procs, ok = s.most(p, q)
		if ok {
			q.procs = o.procs
			ok = s.place(p, q, &o)
		}
	case model.EffortTime: // the longest time for the given processors
		if p.size < q.procs {
			return o, false
		}
		if o.start, o.length = s.bookings(p).longest(q.ready, q.deadline, q.procs, q.length); o.length > 0 {
			o.from, o.to, ok = o.start, o.start+o.length, true
		}
	default:
		ok = s.place(p, q, &o)
	}
	if s.v.Facts != nil {
		counts := &s.bookings(p).counts
		s.v.Facts.Asked(s.asking, s.v.Site.Platform.Clusters[p.cluster].Name, counts.Len(), counts.Step, q.ready, q.deadline, o.procs, o.length, o.start, ok)
	}
	return o, ok
}

// place finds the earliest start for a request and widens it to whole slots.
func (s *Scheduler) place(p *provider, q request, o *offer) bool {
	a := s.bookings(p)
	if q.procs > p.size {
		return false
	}
	if s.Slot <= 1 {
		start, ok := a.search(q.ready, q.deadline, q.procs, q.length)
		o.start, o.from, o.to = start, start, start+q.length
		return ok
	}
	start := q.ready // in the slot that holds it
	for start+q.length <= q.deadline {
		from, to := resource.Round(start, start+q.length, s.Slot)
		from = max(from, s.v.Now)
		if a.fits(from, to, q.procs) {
			o.start, o.from, o.to = start, from, to
			return true
		}
		next, _ := resource.Round(start, start, s.Slot)
		whole := (q.length + s.Slot - 1) / s.Slot * s.Slot
		at, ok := a.search(next+s.Slot, forever, q.procs, whole)
		if !ok {
			return false
		}
		start, _ = resource.Round(at+s.Slot-1, at+s.Slot-1, s.Slot)
	}
	return false
}

// most returns the most processors, up to those wanted, that are free for the
// request's time: fewer are free wherever more are.
func (s *Scheduler) most(p *provider, q request) (int32, bool) {
	var o offer
	lo, hi := int32(0), min(q.procs, p.size)
	for lo < hi {
		mid := lo + (hi-lo+1)/2
		q.procs = mid
		if s.place(p, q, &o) {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo, lo > 0
}

// better says whether offer a is to be preferred: with best effort the one that
// gives more, then the earlier completion.
func (q *request) better(a, b *offer) int {
	switch {
	case a.procs != b.procs:
		return int(b.procs - a.procs)
	case q.effort == model.EffortTime && a.length != b.length:
		return int(b.length - a.length)
	case a.start+a.length != b.start+b.length:
		return int(a.start + a.length - b.start - b.length)
	}
	return 0
}

// request accepts a reservation at a provider, late if need be, or rejects it.
func (s *Scheduler) request(j model.JobID) {
	q := s.requestOf(j)
	s.asking = j
	o, ok := s.choose(j, q)
	if s.v.Facts != nil {
		name := ""
		if ok {
			name = s.v.Site.Platform.Clusters[s.providers[o.provider].cluster].Name
		}
		s.v.Facts.Answered(j, name, o.start, o.start+o.length, ok)
	}
	if !ok {
		s.jobs[j].state = over
		s.out = append(s.out, sim.Decision{Verb: sim.Reject, Job: j})
		return
	}
	p := &s.providers[o.provider]
	b := &s.jobs[j]
	b.state, b.provider, b.procs = accepted, o.provider, o.procs
	b.start, b.from, b.to = o.start, o.from, o.to
	b.which = s.bookings(p).book(o.from, o.to, o.procs)
	b.booked = Booked{j, p.cluster, o.procs, o.from, o.to, o.start}
	b.kill = model.Never
	end := o.start + o.length
	if s.AtEnd == EndEarly && o.length > early {
		end -= early
	}
	if end < o.start+model.Scaled(b.left, p.speed) {
		b.kill = end
	}
	p.dirty, p.taken = true, true
	p.ahead++
	if s.Local == Conservative && !s.Suspend { // else it counts when it begins
		p.plan.take(o.from, o.to, o.procs)
	}
	s.agenda.Push(event{o.start, eventBegin, j, o.provider})
}

// finish ends reservations: jobs that still run are stopped.
func (s *Scheduler) finish() {
	for len(s.agenda) > 0 && s.agenda[0].at <= s.v.Now && s.agenda[0].kind != eventBegin {
		e := s.agenda.Pop()
		if e.kind == eventOver {
			s.over(e.provider)
			continue
		}
		b := &s.jobs[e.job]
		if b.state != begun || b.kill != e.at {
			continue
		}
		if s.AtEnd != EndSuspend {
			s.release(e.job)
			b.state = over
			s.out = append(s.out, sim.Decision{Verb: sim.End, Job: e.job})
			continue
		}
		p := &s.providers[b.provider]
		s.interrupt(p, e.job, true)
		s.enqueue(p, e.job)
	}
}

// over notes that processors of a provider become free by themselves.
func (s *Scheduler) over(provider int32) {
	p := &s.providers[provider]
	p.dirty, p.grown = true, true
}

// begin starts the reservations whose time has come.
func (s *Scheduler) begin() {
	for len(s.agenda) > 0 && s.agenda[0].at <= s.v.Now {
		e := s.agenda.Pop()
		if e.kind != eventBegin {
			s.over(e.provider)
			continue
		}
		b := &s.jobs[e.job]
		if b.state != accepted || b.start != e.at {
			continue
		}
		p := &s.providers[b.provider]
		if s.Suspend {
			s.makeRoom(p, b)
		}
		if free := p.free.now(); !s.Suspend && free < 0 || s.Suspend && free < b.procs { // only after a failure
			s.unbook(p, e.job, s.v.Now)
			s.over(e.provider) // what it held is free for others at this very instant
			p.ahead--
			s.request(e.job)
			continue
		}
		b.state = begun
		p.ahead, p.underway = p.ahead-1, p.underway+1
		if s.Suspend {
			p.free.book(max(b.from, s.v.Now), b.to, b.procs)
			p.plan.stale, p.taken = true, true
		}
		if b.kill != model.Never {
			s.agenda.Push(event{b.kill, eventEnd, e.job, e.provider})
		}
		if s.Hold {
			s.agenda.Push(event{b.to, eventOver, -1, e.provider})
		}
		s.start(p, e.job, b.procs, report.StartedAsPlanned)
	}
}

// makeRoom suspends the batch jobs that started last until a reservation fits
// (table 1, LSF: "non-AR task suspended if it blocks AR task, resumed when AR
// ends").
func (s *Scheduler) makeRoom(p *provider, b *job) {
	for p.free.now() < b.procs && len(p.running) > 0 {
		j := p.running[len(p.running)-1]
		s.interrupt(p, j, true)
		s.enqueue(p, j)
	}
}
