package sim

import (
	"fmt"
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
)

// Desk accepts advance reservations apart from scheduling (package reserve). It
// serves before the scheduler decides, and says what it holds by View.Reserve
// and View.Return; schedulers keep clear of that.
type Desk interface {
	// Reset prepares for a new simulation, before the scheduler does.
	Reset(v *View)
	// Static says whether all jobs are bound to named processors of counted
	// clusters when they are booked.
	Static() bool
	// Wake returns the next time at which the desk has something to do, later than
	// now, or model.Never.
	Wake() model.Time
	// Over is called at each instant after the completions, before failures begin:
	// what was kept until now holds nothing any more.
	Over(v *View)
	// Serve is called at each instant after its events, before the scheduler
	// decides. What the desk decides it does by View.Do.
	Serve(v *View, r *Requests) error
}

// Requests is what has happened at an instant to jobs of reservations, in order of
// JobID.
type Requests struct {
	New   []model.JobID // have just been submitted
	Ended []model.JobID
	Lost  []model.JobID // a failure took their nodes
}

// SpaceUser is a Scheduler that asks View.Space.
type SpaceUser interface {
	Scheduler
	NeedsSpace()
}

// Reserve books what a reservation holds, from now on or later. It is for a Desk.
func (v *View) Reserve(b Booking) {
	b.Which = v.Space.Book(b.Need, b.Claim, b.From, b.To)
	v.Bookings.add(b)
	v.Booked = append(v.Booked, b)
}

// Return gives back what is left of a job's booking, if anything is. It is for a
// Desk.
func (v *View) Return(j model.JobID) {
	held := v.Bookings.of(j)
	if held == nil {
		return
	}
	b := *held
	v.Bookings.remove(j)
	if b.From = max(b.From, v.Now); b.From < b.To {
		v.Space.Unbook(b.Need, b.Claim, b.From, b.To, b.Which)
		v.Freed = append(v.Freed, b)
	}
}

// reserves are the jobs of an engine's run that belong to its desk.
type reserves struct {
	desk  Desk
	of    []bool // by JobID
	req   Requests
	ended []model.JobID            // all that have ended now, for users who react
	bound map[model.JobID][]uint64 // batch jobs that run, with static binding
	named []Bound
}

// Bound is an execution that was bound to named processors.
type Bound struct {
	Job   model.JobID
	Start model.Time
	Which []uint64
}

// serve lets the desk do its part of an instant.
func (r *siteRun) serve() error {
	d, v := &r.reserves, r.v
	v.Booked, v.Freed, v.Begun = v.Booked[:0], v.Freed[:0], v.Begun[:0]
	v.Over = append(append(v.Over[:0], d.req.Ended...), d.req.Lost...)
	slices.Sort(d.req.Ended)
	slices.Sort(d.req.Lost)
	err := d.desk.Serve(v, &d.req)
	d.req.Ended, d.req.Lost, d.req.New = d.req.Ended[:0], d.req.Lost[:0], d.req.New[:0]
	slices.Sort(v.Back)
	return err
}

// Do carries a decision out at once. It is for a Desk; a job that it suspends
// waits from then on for the scheduler.
func (v *View) Do(one Decision) error {
	r := v.run
	procs := v.Held[one.Job].Procs()
	if err := r.do(r.reserves.desk, &one); err != nil {
		return err
	}
	switch reserved := r.reserves.of[one.Job]; {
	case reserved && one.Verb == Start:
		v.Begun = append(v.Begun, one.Job)
	case reserved && one.Verb != Reject:
		v.Over = append(v.Over, one.Job)
	}
	if v.Record != nil {
		v.Record.note(&CountedView{Now: v.Now, Jobs: v.Jobs}, one.Job, report.WaitNone, -1)
	}
	if one.Verb == Suspend || one.Verb == Stop {
		if r.reserves.of[one.Job] = false; procs != v.Needs[one.Job].Procs { // it goes on with what it had
			v.Needs[one.Job] = *v.Needs[one.Job].Fewest(procs)
		}
		v.Back = append(v.Back, one.Job)
	}
	return nil
}

// facts keeps View.Space. Its calendar is that which is known.
func (r *siteRun) facts() {
	v := r.v
	from := r.base
	for i := range v.Site.Platform.Calendar {
		from = min(from, v.Site.Platform.Calendar[i].From)
	}
	v.Space = v.Site.NewSpace(from, r.reserves.desk != nil && r.reserves.desk.Static())
	for i := range v.Site.Platform.Calendar {
		if c := &v.Site.Platform.Calendar[i]; c.Kind != model.KindFailure {
			v.Space.Away(c, c.From)
		}
	}
}

// Ends returns when a job that starts now in a claim ends at the latest.
func (v *View) Ends(j model.JobID, c model.Claim) model.Time {
	end := v.Now + v.Limit(j, c)
	if v.Kills(j) {
		end = min(end, v.Due[j])
	}
	return end
}

// Longest bounds how long a job may hold what it starts on, now or later, wherever
// that is. A job that is stopped at a due time holds nothing from then on.
func (v *View) Longest(j model.JobID) model.Time {
	limit := v.Left(j)
	if v.Site.Platform.PowerScales {
		limit = max(limit, model.Scaled(limit, v.Site.Nodes[len(v.Site.Nodes)-1].Speed))
	}
	if v.Kills(j) && v.Now < v.Due[j] {
		limit = min(limit, v.Due[j]-v.Now)
	}
	return limit
}

// Until returns when a running job ends at the latest.
func (v *View) Until(j model.JobID) model.Time {
	end := v.Start[j] + v.Limit(j, v.Held[j])
	if v.Kills(j) {
		end = min(end, v.Due[j])
	}
	return end
}

// clear says why a job may not start although its claim is free now: it could run
// into a reservation; "" where it may.
func (r *siteRun) clear(j model.JobID, c model.Claim) string {
	v := r.v
	if v.Bookings.Len() == 0 || r.reserves.of != nil && r.reserves.of[j] {
		return ""
	}
	end := v.Ends(j, c)
	if v.Space.Holds(&v.Needs[j], c, v.Now, end) {
		return ""
	}
	return fmt.Sprintf("until %d it may run into what is reserved or taken away", end)
}

// hold books what a job holds that has just started, and unhold takes it back.
func (r *siteRun) hold(j model.JobID, claim model.Claim) {
	v, d := r.v, &r.reserves
	if v.Space == nil {
		return
	}
	var which []uint64
	if d.of != nil && d.of[j] {
		which = v.Bookings.of(j).Which
	} else if which = v.Space.Book(&v.Needs[j], claim, v.Now, v.Ends(j, claim)); which != nil {
		if d.bound == nil {
			d.bound = map[model.JobID][]uint64{}
		}
		d.bound[j] = which
	}
	if which != nil {
		d.named = append(d.named, Bound{j, v.Now, which})
	}
}

// BoundTo returns the processors of a cluster to which a running job is bound, by number; nil
// where it is not. It is read-only.
func (v *View) BoundTo(j model.JobID) []uint64 { return v.run.reserves.bound[j] }

func (r *siteRun) unhold(j model.JobID) {
	v, d := r.v, &r.reserves
	if v.Space == nil || d.of != nil && d.of[j] {
		return
	}
	v.Space.Unbook(&v.Needs[j], v.Held[j], v.Now, v.Until(j), d.bound[j])
	delete(d.bound, j)
}
