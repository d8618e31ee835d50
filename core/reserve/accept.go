package reserve

import (
	"sort"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// Request is what a reservation asks for.
type Request struct {
	Job             model.JobID
	Need            *resource.Need
	Ready, Deadline model.Time
	Due             model.Time // when its job is stopped, done or not; Never: it is not
	Length          model.Time // at speed 1
	Effort          model.Effort
}

// Offer is what a cluster can give a request.
type Offer struct {
	Need     *resource.Need
	Claim    model.Claim
	From, To model.Time // booked, in whole slots
	Start    model.Time // of the job
	Length   model.Time // for which it may run there
	Procs    int32
}

// Chooser chooses the offer that a reservation takes.
type Chooser interface {
	// Served is called when the requests of an instant have been served, before
	// reservations begin.
	Served(v *sim.View)
	Choose(d *Desk, v *sim.View, q *Request) (Offer, bool)
}

// requestOf reads a job's reservation; what lies before a time cannot be had any
// more.
func (d *Desk) requestOf(j model.JobID, from model.Time) Request {
	r := d.v.Demand(j).Reservation
	length := r.Length
	if length == 0 {
		length = d.v.Jobs[j].Limit
	}
	due := model.Never
	if d.v.Kills(j) {
		due = d.v.Due[j]
	}
	return Request{j, &d.v.Needs[j], max(r.Ready, from), r.Deadline, due, length, r.Effort}
}

// Ask asks a cluster for a request, in its interval or, late, whenever it can be
// had first.
func (d *Desk) Ask(cluster int32, q *Request, late bool) (Offer, bool) {
	o, ok := d.offer(cluster, q, late)
	if f := d.v.Facts; f != nil {
		deadline := q.Deadline
		if late {
			deadline = forever
		}
		free := d.space().Total(cluster)
		f.Asked(q.Job, d.v.Site.Platform.Clusters[cluster].Name, free.Len(), free.Step, q.Ready, deadline, o.Procs, o.Length, o.Start, ok)
	}
	return o, ok
}

func (d *Desk) offer(cluster int32, q *Request, late bool) (Offer, bool) {
	sp := d.space()
	o := Offer{Need: q.Need, Length: sp.Longest(cluster, q.Length), Procs: q.Need.Procs}
	deadline := q.Deadline
	if late {
		deadline = forever
	}
	switch q.Effort {
	case model.EffortProcs: // as many processors as there are for the given time
		return o, d.most(cluster, q, deadline, q.Need.Procs, &o)
	case model.EffortTime: // the longest time for the given processors
		start, length := sp.LongestOn(cluster, q.Need, q.Ready, min(deadline, q.Due), o.Length)
		if length == 0 {
			return o, false
		}
		_, claim, ok := sp.FitOn(cluster, q.Need, length, start, start+1)
		o.Start, o.From, o.To, o.Length, o.Claim = start, start, start+length, length, claim
		return o, ok
	}
	return o, d.fit(cluster, q, deadline, &o)
}

// fit finds the earliest start for an offer. A job that is stopped at its due time holds
// its processors until then at most, so that it starts before, and what lies behind is
// not in its way.
func (d *Desk) fit(cluster int32, q *Request, deadline model.Time, o *Offer) bool {
	if d.place(cluster, q.Ready, min(deadline, q.Due), o) {
		return true
	}
	first := max(q.Ready, q.Due-o.Length+1)
	if q.Due > deadline || first >= q.Due {
		return false
	}
	whole := o.Length
	until := func(n int) bool { // the later it starts, the less it holds
		at := first + model.Time(n)
		o.Length = q.Due - at
		return d.place(cluster, at, q.Due, o)
	}
	n := sort.Search(int(q.Due-first), until)
	ok := first+model.Time(n) < q.Due && until(n)
	o.Length = whole
	return ok
}

// place finds the earliest start for an offer and widens it to whole slots.
func (d *Desk) place(cluster int32, ready, deadline model.Time, o *Offer) (ok bool) {
	sp := d.space()
	if d.Slot <= 1 {
		o.Start, o.Claim, ok = sp.FitOn(cluster, o.Need, o.Length, ready, deadline-o.Length+1)
		o.From, o.To = o.Start, o.Start+o.Length
		return ok
	}
	for start := ready; start+o.Length <= deadline; { // in the slot that holds it
		from, to := resource.Round(start, start+o.Length, d.Slot)
		from = max(from, sp.Now())
		if _, claim, fits := sp.FitOn(cluster, o.Need, to-from, from, from+1); fits {
			o.Start, o.From, o.To, o.Claim = start, from, to, claim
			return true
		}
		next, _ := resource.Round(start, start, d.Slot)
		whole := (o.Length + d.Slot - 1) / d.Slot * d.Slot
		at, _, fits := sp.FitOn(cluster, o.Need, whole, next+d.Slot, forever)
		if !fits {
			return false
		}
		start, _ = resource.Round(at+d.Slot-1, at+d.Slot-1, d.Slot)
	}
	return false
}

// most finds the most processors, up to those wanted, that are free for the
// offer's length: fewer are free wherever more are. Of jobs that ask for nodes it
// takes whole ones.
func (d *Desk) most(cluster int32, q *Request, deadline model.Time, wanted int32, o *Offer) bool {
	need, found := o.Need, false
	unit := max(1, need.PerNode)
	try := *o
	for lo, hi := int32(0), wanted/unit; lo < hi; {
		mid := lo + (hi-lo+1)/2
		try.Need, try.Procs = need.Fewest(mid*unit), mid*unit
		if d.fit(cluster, q, deadline, &try) {
			*o, lo, found = try, mid, true
		} else {
			hi = mid - 1
		}
	}
	return found
}

// Better says whether offer a is to be preferred, negative, or b: with best effort
// the one that gives more, then the earlier completion.
func (q *Request) Better(a, b *Offer) int {
	switch {
	case a.Procs != b.Procs:
		return int(b.Procs - a.Procs)
	case q.Effort == model.EffortTime && a.Length != b.Length:
		return int(b.Length - a.Length)
	case a.Start+a.Length < b.Start+b.Length:
		return -1
	case a.Start+a.Length > b.Start+b.Length:
		return 1
	}
	return 0
}

// choose chooses the earliest completion over all clusters that may serve a
// request, the first of equals: in its interval or, unless such requests are
// rejected, after it (section 5.4: "ARs are searched in larger interval").
func (d *Desk) choose(q *Request) (Offer, bool) {
	if d.Chooser != nil {
		return d.Chooser.Choose(d, d.v, q)
	}
	for _, late := range [...]bool{false, true} {
		if late && d.Reject {
			break
		}
		var best Offer
		found := false
		for c := range d.v.Site.Platform.Clusters {
			if o, ok := d.Ask(int32(c), q, late); ok && (!found || q.Better(&o, &best) < 0) {
				best, found = o, true
			}
		}
		if found {
			return best, true
		}
	}
	return Offer{}, false
}

// accept accepts a reservation from a time on, late if need be, or rejects it.
func (d *Desk) accept(j model.JobID, from model.Time) {
	q := d.requestOf(j, from)
	o, ok := d.choose(&q)
	if d.v.Facts != nil {
		name := ""
		if ok {
			name = d.v.Site.Platform.Clusters[o.Claim.Cluster].Name
		}
		d.v.Facts.Answered(j, name, o.Start, o.Start+o.Length, ok)
	}
	if !ok {
		d.reject(j)
		return
	}
	b := &d.jobs[j]
	*b = job{state: accepted, start: o.Start, kill: model.Never, first: Booked{j, o.Claim, o.From, o.To, o.Start},
		booking: sim.Booking{Job: j, Need: o.Need, Claim: o.Claim, From: o.From, To: o.To}}
	end := o.Start + o.Length
	if d.AtEnd == EndEarly && o.Length > early {
		end -= early
	}
	if end < o.Start+d.v.Limit(j, o.Claim) {
		b.kill = end
	}
	if d.reserved != nil {
		d.reserved.Book(o.Need, o.Claim, o.From, o.To)
	} else {
		d.v.Reserve(b.booking)
	}
	if o.From < o.Start && d.reserved == nil {
		d.agenda.Push(event{o.From, eventHold, j})
	}
	d.agenda.Push(event{o.Start, eventBegin, j})
}

// reject gives a reservation up.
func (d *Desk) reject(j model.JobID) {
	d.jobs[j].state = over
	d.do(sim.Reject, j, model.Claim{})
}
