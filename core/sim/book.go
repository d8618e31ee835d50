package sim

import (
	"slices"

	"batchlab/core/model"
)

// learn writes into the book, if there is one, which of the scheduler's jobs have ended at
// this instant.
func (v *View) learn() {
	if v.Book == nil {
		return
	}
	for _, j := range v.Ended {
		v.Book.End(j, v.Ran(j))
	}
}

// enter writes into the book which of the scheduler's jobs wait from this instant on.
func (v *View) enter() {
	for _, list := range [...][]model.JobID{v.Back, v.New} {
		for _, j := range list {
			v.Book.Submit(j)
		}
	}
}

// Ran returns for how long a job that runs or has just ended has run in all, in
// seconds of a machine of speed 1, as its request counts them.
func (v *View) Ran(j model.JobID) model.Time {
	ran := v.Now - v.Start[j]
	if v.Site.Platform.PowerScales {
		if whole := v.Jobs[j].Limit - v.Done[j]; whole > 0 {
			if takes := v.Site.Scaled(whole, v.Held[j]); takes > 0 {
				ran = model.Time(float64(ran) * (float64(whole) / float64(takes)))
			}
		}
	}
	return min(max(v.Done[j]+ran, 1), v.Jobs[j].Limit)
}

// Foretold returns what is left of the time that a job is thought to run, which
// waits: seconds of a machine of speed 1, 1 … what is left of its request.
func (v *View) Foretold(j model.JobID) model.Time {
	return max(1, v.Book.Seconds(j)-v.Done[j])
}

// Lasts returns when a job that runs is thought to end: after now, and not after
// its request, or its due time if it is stopped then. A prediction that it has exceeded
// is corrected.
func (v *View) Lasts(j model.JobID) model.Time {
	length := v.Book.Length(j, v.Ran(j))
	return min(v.Start[j]+max(v.Site.Scaled(length-v.Done[j], v.Held[j]), v.Now-v.Start[j]+1), v.Until(j))
}

// Eases returns the next time at which something ends that is known of: a running
// job by its request, what a reservation holds, an entry of the calendar.
// model.Never if there is nothing of the kind.
func (v *View) Eases() model.Time {
	next := model.Never
	later := func(at model.Time) {
		if at > v.Now {
			next = min(next, at)
		}
	}
	r := v.run
	for _, key := range r.m.heap { // of an attempt that was stopped, too: then it does not run
		if j := model.JobID(key & (1<<r.shift - 1)); r.m.end[j] != model.Never {
			later(v.Until(j))
		}
	}
	for _, b := range v.Bookings.All() {
		later(b.To)
	}
	for _, i := range r.failures { // those to come are not known
		later(v.Site.Platform.Calendar[i].To)
	}
	for len(r.ends) > 0 && r.ends[0] <= v.Now {
		r.ends = r.ends[1:]
	}
	if len(r.ends) > 0 {
		later(r.ends[0])
	}
	return next
}

// ends returns when the entries of a calendar end that are known from the
// beginning, ascending.
func ends(p *model.Platform) (list []model.Time) {
	for i := range p.Calendar {
		if c := &p.Calendar[i]; c.Kind != model.KindFailure {
			list = append(list, c.To)
		}
	}
	slices.Sort(list)
	return list
}

// May says whether a job may start now in a claim, by its request: nobody may run
// into an outage, an advance reservation or what the pass has committed. For
// schedulers that plan by something else than requests.
func (v *View) May(j model.JobID, claim model.Claim) bool {
	return v.Space == nil || v.Space.Holds(&v.Needs[j], claim, v.Now, v.Ends(j, claim))
}

// Commit books on Space, until the end of the pass, that a job starts now in a claim;
// where there is no Space, nothing lies ahead.
func (v *View) Commit(j model.JobID, claim model.Claim) {
	if v.Space != nil {
		v.Space.Book(&v.Needs[j], claim, v.Now, v.Ends(j, claim))
	}
}
