package reserve

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// Desk accepts the advance reservations of a workload (sim.Desk). At each instant:
// what has ended gives back what it held; what a failure hit is asked for again;
// reservations end; requests are served, if it is time; reservations begin.
type Desk struct {
	Options
	// Chooser chooses among clusters; nil: the earliest completion in the interval
	// or, unless such requests are rejected, after it.
	Chooser Chooser

	v        *sim.View // during Serve
	fault    error
	jobs     []job
	queue    []model.JobID
	lost     []model.JobID // whose booking a failure has spoilt, at this instant
	agenda   agenda
	base     model.Time      // the first submission, 0 where users react: periods count from it
	reserved *resource.Space // with Suspend: what reservations leave of each other
	query    *query          // nil: nobody asks
}

var _ sim.Desk = (*Desk)(nil)

// forever is a deadline that no simulation reaches, and no job without a limit leaves
// time for.
const forever = sim.Endless / 2

// state is where a reservation is.
type state uint8

const (
	asked    state = iota // not served yet
	accepted              // it has not begun
	holding               // it holds what it has booked, its job has not begun
	begun
	over
)

// job is what the desk knows of one job.
type job struct {
	state   state
	booking sim.Booking
	start   model.Time // of the job, within the booking
	kept    bool       // its job has ended, it still holds what it has booked
	kill    model.Time // when the job is stopped; Never: by its request
	first   Booked     // as it was accepted last
}

// Booked is a reservation as it was accepted.
type Booked struct {
	Job      model.JobID
	Claim    model.Claim
	From, To model.Time // reserved, in whole slots
	Start    model.Time // of its job
}

// Static says whether jobs are bound to named processors (Options.Static).
func (d *Desk) Static() bool { return d.Options.Static }

// Reset prepares for a new simulation.
func (d *Desk) Reset(v *sim.View) {
	d.v, d.base, d.reserved = nil, 0, nil
	if v.Pool == nil && len(v.Jobs) > 0 { // else users react: the first instant is not known
		d.base = v.Jobs[0].Submit
	}
	d.jobs = make([]job, len(v.Jobs))
	d.queue, d.agenda = d.queue[:0], d.agenda[:0]
	if d.Suspend {
		d.reserved = v.Site.NewSpace(v.Space.Now(), false)
		for i := range v.Site.Platform.Calendar {
			if c := &v.Site.Platform.Calendar[i]; c.Kind != model.KindFailure {
				d.reserved.Away(c, c.From)
			}
		}
	}
	if d.query != nil {
		d.query.served = d.servedAt(d.query.ask.At)
	}
}

// Wake returns when the desk has something to do next.
func (d *Desk) Wake() model.Time {
	wake := model.Never
	for len(d.agenda) > 0 && d.agenda[0].kind == eventEnd && !d.ends(d.agenda[0]) {
		d.agenda.Pop() // nothing happens then
	}
	if len(d.agenda) > 0 {
		wake = d.agenda[0].at
	}
	if d.v != nil && len(d.queue) > 0 {
		wake = min(wake, d.v.Now+d.Delta-(d.v.Now-d.base)%d.Delta)
	}
	if q := d.query; q != nil && q.answer == nil {
		wake = min(wake, q.served)
	}
	return wake
}

// Over frees what was kept until now.
func (d *Desk) Over(v *sim.View) {
	if !d.Hold || len(d.agenda) == 0 || d.agenda[0].at > v.Now {
		return
	}
	d.v = v
	for _, e := range d.agenda {
		if e.at <= v.Now && e.kind == eventOver {
			d.finish(e)
		}
	}
}

// Serve does what the desk has to do at an instant.
func (d *Desk) Serve(v *sim.View, r *sim.Requests) error {
	d.v, d.fault = v, nil
	if d.reserved != nil {
		d.reserved.Advance(v.Now)
		for i := range v.Site.Platform.Calendar {
			if c := &v.Site.Platform.Calendar[i]; c.Kind == model.KindFailure && c.From == v.Now {
				d.reserved.Away(c, v.Now)
			}
		}
	}
	for _, j := range r.Ended {
		d.ended(j)
	}
	for _, j := range r.Lost { // a failure waits for no period
		d.free(j)
		d.jobs[j].state = asked
	}
	for _, j := range r.Lost {
		d.accept(j, v.Now)
	}
	for len(d.agenda) > 0 && d.agenda[0].at <= v.Now && d.agenda[0].kind <= eventOver {
		d.finish(d.agenda.Pop())
	}
	d.queue = append(d.queue, r.New...)
	if d.Delta == 0 || (v.Now-d.base)%d.Delta == 0 {
		for _, j := range d.queue {
			if !v.Pulse.Beat(requestSteps + v.Bookings.Len()) {
				return d.fault
			}
			d.turn(j)
			d.accept(j, v.Now)
		}
		d.queue = d.queue[:0]
	}
	d.after()
	if d.Chooser != nil {
		d.Chooser.Served(v)
	}
	d.comeUp()
	for _, j := range d.lost { // they can be had later only: nothing becomes free now
		d.accept(j, v.Now+1)
	}
	d.lost = d.lost[:0]
	d.comeUp() // their slots may have begun
	return d.fault
}

// comeUp lets what was reserved from now on begin.
func (d *Desk) comeUp() {
	for len(d.agenda) > 0 && d.agenda[0].at <= d.v.Now {
		d.begin(d.agenda.Pop())
	}
}

// requestSteps is about what it costs to answer a request where nothing is booked, for
// sim.Pulse.
const requestSteps = 64

// do carries a decision out; the first fault ends the simulation.
func (d *Desk) do(verb sim.Verb, j model.JobID, claim model.Claim) {
	if d.fault == nil {
		d.fault = d.v.Do(sim.Decision{Verb: verb, Job: j, Claim: claim})
	}
}

// space returns where reservations are accepted: beside running jobs, or with
// Suspend beside other reservations only.
func (d *Desk) space() *resource.Space {
	if d.reserved != nil {
		return d.reserved
	}
	return d.v.Space
}

// free gives back what is left of a job's booking.
func (d *Desk) free(j model.JobID) {
	b := &d.jobs[j].booking
	if d.reserved != nil {
		d.reserved.Unbook(b.Need, b.Claim, max(b.From, d.v.Now), b.To, nil)
	}
	d.v.Return(j)
}

// keep lets a booking hold what it has booked although no job runs (sign −1), or
// no longer. The engine's pool says so to schedulers.
func (d *Desk) keep(j model.JobID, sign int) {
	b := &d.jobs[j].booking
	if sign < 0 {
		d.v.Free.Take(b.Need, b.Claim)
	} else {
		d.v.Free.Give(b.Need, b.Claim)
	}
}

// ended books the completion of a reservation's job.
func (d *Desk) ended(j model.JobID) {
	d.jobs[j].state = over
	d.leave(j)
}

// leave gives back what a reservation holds whose job runs no longer, at once or
// with Options.Hold at its end. A failure that begins as the job ends may have taken
// what was to be kept.
func (d *Desk) leave(j model.JobID) {
	b := &d.jobs[j]
	if !d.Hold || b.booking.To <= d.v.Now || !d.fits(&b.booking) {
		d.free(j)
		return
	}
	b.kept = true
	d.keep(j, -1)
	d.agenda.Push(event{b.booking.To, eventOver, j})
}

// finish ends a reservation whose job still runs, or what was kept after it.
func (d *Desk) finish(e event) {
	b := &d.jobs[e.job]
	switch {
	case e.kind == eventOver && b.kept:
		b.kept = false
		d.keep(e.job, 1)
		d.free(e.job)
	case d.ends(e):
		verb := sim.End
		if d.AtEnd == EndSuspend {
			verb = sim.Suspend
		}
		d.do(verb, e.job, model.Claim{})
		if b.state = over; verb == sim.Suspend {
			b.state = asked // a batch job like any other
		}
		d.leave(e.job)
	}
}

// ends says whether an event stops a reservation's job, which still runs.
func (d *Desk) ends(e event) bool {
	b := &d.jobs[e.job]
	return e.kind == eventEnd && b.state == begun && b.kill == e.at
}

// begin starts what was reserved for now.
func (d *Desk) begin(e event) {
	b := &d.jobs[e.job]
	v := d.v
	if e.kind == eventHold && b.state == accepted && b.booking.From == e.at && d.fits(&b.booking) {
		b.state = holding
		d.keep(e.job, -1)
	}
	if e.kind != eventBegin || b.state != accepted && b.state != holding || b.start != e.at {
		return
	}
	if b.state == holding {
		d.keep(e.job, 1)
	}
	if d.Suspend {
		d.makeRoom(&b.booking)
	}
	if !d.fits(&b.booking) { // only after a failure
		d.free(e.job)
		b.state = asked
		d.lost = append(d.lost, e.job)
		return
	}
	if b.state = begun; d.Suspend {
		b.booking.From = v.Now
		v.Reserve(b.booking)
	}
	if b.kill != model.Never {
		d.agenda.Push(event{b.kill, eventEnd, e.job})
	}
	d.do(sim.Start, e.job, b.booking.Claim)
	if v.Record != nil {
		v.Record.Decide(e.job, report.StartedAsPlanned)
	}
}

// fits says whether what was booked is free now.
func (d *Desk) fits(b *sim.Booking) bool { return d.v.Free.Holds(b.Need, b.Claim) }

// makeRoom suspends the batch jobs that started last until a reservation has its
// room for as long as it is booked (table 1, LSF: "non-AR task suspended if it
// blocks AR task, resumed when AR ends"). Where a failure leaves too little for
// that, what is free now has to do.
func (d *Desk) makeRoom(b *sim.Booking) {
	v := d.v
	running := slices.DeleteFunc(v.Running(), func(j model.JobID) bool {
		return v.Start[j] >= v.Now || d.jobs[j].state != asked || !touches(v, j, b)
	})
	slices.SortFunc(running, func(a, b model.JobID) int { return cmp.Or(cmp.Compare(v.Start[b], v.Start[a]), cmp.Compare(b, a)) })
	ahead := func() bool { return v.Space.Holds(b.Need, b.Claim, v.Now, b.To) }
	n := 0
	for ; n < len(running) && !ahead(); n++ { // only to see
		v.Space.Unbook(&v.Needs[running[n]], v.Held[running[n]], v.Now, v.Until(running[n]), nil)
	}
	enough := ahead()
	for _, j := range running[:n] {
		v.Space.Book(&v.Needs[j], v.Held[j], v.Now, v.Until(j))
	}
	if !enough {
		n = len(running)
	}
	for _, j := range running[:n] {
		if !enough && d.fits(b) {
			return
		}
		d.do(sim.Suspend, j, model.Claim{})
	}
}

// touches says whether a running job holds anything that a booking needs.
func touches(v *sim.View, j model.JobID, b *sim.Booking) bool {
	for _, l := range v.Needs[j].Licences {
		if slices.ContainsFunc(b.Need.Licences, func(n model.LicenceNeed) bool { return n.Licence == l.Licence }) {
			return true
		}
	}
	if v.Held[j].Cluster != b.Claim.Cluster {
		return false
	}
	return !v.Site.Platform.Limits.None() || slices.ContainsFunc(v.Held[j].Parts, func(p model.Part) bool {
		return slices.ContainsFunc(b.Claim.Parts, func(q model.Part) bool { return p.Node == q.Node })
	})
}

// Booked returns the reservations that were accepted since Reset, as they were
// accepted last, in order of their jobs.
func (d *Desk) Booked() []Booked {
	var list []Booked
	for j := range d.jobs {
		if b := &d.jobs[j]; b.first.To > b.first.From {
			list = append(list, b.first)
		}
	}
	return list
}

// Holds says for how long the executions of a schedule that was just made hold
// what they have, reservations as long as they keep it, and with static binding
// which processors.
func (d *Desk) Holds(s *model.Schedule, bound []sim.Bound) []model.Hold {
	bound = slices.Clone(bound)
	slices.SortFunc(bound, func(a, b sim.Bound) int { return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.Start, b.Start)) })
	var list []model.Hold
	for i := range s.Executions {
		e := &s.Executions[i]
		if e.Reason.Unserved() || int(e.Job) >= len(d.jobs) {
			continue
		}
		h := model.Hold{Job: e.Job, Start: e.Start, From: e.Start, To: e.End}
		if b := &d.jobs[e.Job].first; b.To > b.From && b.Start == e.Start {
			h.Reserved = true
			if !d.Suspend { // else batch jobs stay until its job starts
				h.From = b.From
			}
			if d.Hold && e.Reason != model.EndOutage {
				h.To = max(b.To, e.End)
			}
		}
		for len(bound) > 0 && (bound[0].Job < e.Job || bound[0].Job == e.Job && bound[0].Start < e.Start) {
			bound = bound[1:]
		}
		if len(bound) > 0 && bound[0].Job == e.Job && bound[0].Start == e.Start {
			h.Which = bound[0].Which
		}
		if h.Reserved || h.Which != nil {
			list = append(list, h)
		}
	}
	return list
}
