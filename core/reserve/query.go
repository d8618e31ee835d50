package reserve

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/resource"
)

// mostWindows bounds the windows of starts in an answer, mostSteps those of a
// cluster's free processors.
const (
	mostWindows = 200
	mostSteps   = 2000
)

// query is a question about reservations that the desk answers at the moment at
// which a reservation that is asked for then would be served.
type query struct {
	ask    report.Ask
	served model.Time
	answer *report.Answer
}

// Query makes the next simulation answer a question and says when to stop it:
// Answer then returns what a reservation that is asked for at ask.At could have
// had, beside the running jobs' requests and the reservations accepted by then.
// Existing systems answer such queries with yes or no only (section 3.1). The
// time of the question is an instant of its own; the schedule of such a
// simulation is not to be used.
func (d *Desk) Query(ask report.Ask) { d.query = &query{ask: ask} }

// Answered says whether the answer is there: the simulation need not go on.
func (d *Desk) Answered() bool { return d.query != nil && d.query.answer != nil }

// Answer returns the answer, and forgets the question; nil where nobody asked.
// After a simulation that ended before the time of the question it is that of the
// empty platform with the reservations that are left.
func (d *Desk) Answer() *report.Answer {
	q := d.query
	if q != nil && q.answer == nil && d.v != nil {
		then := *d.v
		then.Now, d.v = max(then.Now, q.served), &then
		then.Space.Advance(then.Now)
		if d.reserved != nil {
			d.reserved.Advance(then.Now)
		}
		d.reply()
	}
	if d.query = nil; q == nil {
		return nil
	}
	return q.answer
}

// servedAt says when a question is served: at its time, or the next multiple of δ.
func (d *Desk) servedAt(at model.Time) model.Time {
	if d.Delta > 0 {
		if r := (at - d.base) % d.Delta; r > 0 {
			at += d.Delta - r
		}
	}
	return at
}

// turn answers a question whose turn it is among requests: before one that was
// submitted later.
func (d *Desk) turn(j model.JobID) {
	if q := d.query; q != nil && q.answer == nil && d.v.Now >= q.served && d.v.Jobs[j].Submit > q.ask.At {
		d.reply()
	}
}

// after answers a question of this instant, behind all that was asked before.
func (d *Desk) after() {
	if q := d.query; q != nil && q.answer == nil && d.v.Now >= q.served {
		d.reply()
	}
}

// reply answers the question.
func (d *Desk) reply() {
	q, v, sp := d.query, d.v, d.space()
	a := &report.Answer{Ask: q.ask, Served: q.served}
	job := model.Job{Procs: q.ask.Procs, Limit: q.ask.Length, User: -1}
	for c := range v.Site.Platform.Clusters {
		cluster := &v.Site.Platform.Clusters[c]
		if q.ask.Cluster >= 0 && int(q.ask.Cluster) != c {
			continue
		}
		size := int32(cluster.Procs())
		need := v.Site.Need(&job, &model.Demand{Reservation: &model.Reservation{Effort: model.EffortProcs}})
		o := Offer{Need: &need, Length: sp.Longest(int32(c), q.ask.Length), Procs: q.ask.Procs}
		ready := max(q.ask.From, q.served)
		one := report.ProviderAnswer{Name: cluster.Name, Cluster: int32(c), Procs: size, Length: o.Length}
		if sp.Serves(&need, int32(c)) && q.ask.Procs <= size {
			one.Windows, one.More = d.windows(int32(c), o, ready, q.ask.To)
			one.LongestAt, one.Longest = sp.LongestOn(int32(c), &need, ready, q.ask.To, max(0, q.ask.To-ready))
		}
		if d.most(int32(c), &Request{Ready: ready, Due: model.Never}, q.ask.To, size, &o) {
			one.Most, one.MostAt = o.Procs, o.Start
		}
		one.At, one.Free = steps(sp.Total(int32(c)), ready, q.ask.To)
		a.Providers = append(a.Providers, one)
	}
	q.answer = a
}

// windows returns all feasible starts, and whether there are more.
func (d *Desk) windows(cluster int32, o Offer, ready, deadline model.Time) (list []report.Window, more bool) {
	add := func(from, to model.Time) bool {
		if n := len(list); n > 0 && list[n-1].To+1 == from {
			list[n-1].To = to
		} else {
			list = append(list, report.Window{From: from, To: to})
		}
		return len(list) <= mostWindows
	}
	if d.Slot <= 1 {
		d.space().Feasible(cluster, o.Need, o.Length, ready, deadline, func(w resource.Starts) bool { return add(w.From, w.To) })
	} else { // starts in one slot whose ends lie in one slot, too, take the same slots
		for ready+o.Length <= deadline && d.place(cluster, ready, deadline, &o) {
			_, end := resource.Round(o.Start, o.Start+1, d.Slot)
			last := min(end-1, o.To-o.Length, deadline-o.Length)
			if !add(o.Start, last) {
				break
			}
			ready = last + 1
		}
	}
	if len(list) > mostWindows {
		return slices.Clip(list[:mostWindows]), true
	}
	return list, false
}

// steps returns how many processors are free during [from, to), as a step
// function that begins at from.
func steps(c *resource.Counts, from, to model.Time) (at []model.Time, free []int32) {
	for i := range c.Len() {
		t, n := c.Step(i)
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
