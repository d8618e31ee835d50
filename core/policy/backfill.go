package policy

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// ranking says in which order a backfilling scheduler of machines takes the
// waiting jobs. The jobs come in order of submission.
type ranking interface {
	reset(v *sim.View)
	// admit is called for the jobs that users who react have just submitted.
	admit(v *sim.View)
	// begin is called once at each pass, before anything starts.
	begin(v *sim.View, waiting []model.JobID)
	// top returns the position of the job that stands first.
	top(v *sim.View, waiting []model.JobID) int
	// sort puts jobs into the order in which they are tried behind the head.
	sort(v *sim.View, jobs []model.JobID)
	// started tells that a job starts, or is given up.
	started(j model.JobID)
}

// siteBackfill is EASY backfilling on machines and licences (rule 8 of
// simulation; Techiouba et al. 2008, section 1): jobs start in order while they
// fit; the first that does not is the head. Its reservation is the earliest
// time at which, by the requested ends of the running jobs and the calendar, one
// machine has its processors and all its licences are free, on the most
// powerful such machine. Then each other job that fits now starts, in the order
// of the ranking, if it ends as requested before that time, or else on a
// machine and with licences that the head leaves over.
type siteBackfill struct {
	rank ranking

	waiting []model.JobID  // in order of submission
	running []siteRunning  // ascending by requested end
	free    *resource.Pool // now, after what this pass has started
	extra   *resource.Pool // what the head leaves over from its reservation on
	both    *resource.Pool // scratch
	try     []model.JobID

	byPriority bool // the order is one of priorities: so are the words for a wait

	head        model.JobID // −1: none is left waiting
	shadow      model.Time
	reservation model.Claim
}

type siteRunning struct {
	end   model.Time // requested
	job   model.JobID
	claim model.Claim
}

// Reset prepares for a new simulation.
func (b *siteBackfill) Reset(v *sim.View) {
	b.waiting, b.running, b.head = b.waiting[:0], b.running[:0], -1
	b.free, b.extra, b.both = v.Site.NewPool(), v.Site.NewPool(), v.Site.NewPool()
	b.rank.reset(v)
}

// Reservation returns the job that holds the reservation after a pass, the
// time at which it would start by the requests of the running jobs, and where;
// −1 when no job waits.
func (b *siteBackfill) Reservation() (head model.JobID, at model.Time, where model.Claim) {
	return b.head, b.shadow, b.reservation
}

// Decide starts what fits in order, then fills the gap before the head's
// reservation.
func (b *siteBackfill) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	b.join(v)
	out = b.expire(v, out)
	if b.head = -1; len(b.waiting) == 0 {
		return out
	}
	b.rank.begin(v, b.waiting)
	for len(b.waiting) > 0 {
		at := b.rank.top(v, b.waiting)
		j := b.waiting[at]
		claim, ok := b.room(v, j).Place(&v.Needs[j])
		if !ok {
			b.head = j
			break
		}
		b.waiting = remove(b.waiting, at)
		out = b.start(v, out, j, claim, report.StartedInOrder)
	}
	if b.head < 0 {
		return out
	}
	b.try = b.try[:0]
	for _, j := range b.waiting {
		if j != b.head && b.free.Fits(&v.Needs[j]) {
			b.try = append(b.try, j)
		}
	}
	b.reserve(v)
	if len(b.try) == 0 {
		return out
	}
	b.rank.sort(v, b.try)
	begun := len(out)
	for _, j := range b.try {
		out = b.backfill(v, out, j)
	}
	if len(out) > begun {
		b.waiting = slices.DeleteFunc(b.waiting, func(j model.JobID) bool {
			return slices.ContainsFunc(out[begun:], func(d sim.Decision) bool { return d.Job == j })
		})
	}
	return out
}

// join takes over what has happened since the last pass.
func (b *siteBackfill) join(v *sim.View) {
	if len(v.Ended) > 0 {
		b.running = slices.DeleteFunc(b.running, func(r siteRunning) bool {
			_, ended := slices.BinarySearch(v.Ended, r.job)
			return ended
		})
	}
	for _, j := range v.Back {
		b.running = slices.DeleteFunc(b.running, func(r siteRunning) bool { return r.job == j })
		at, _ := slices.BinarySearch(b.waiting, j)
		b.waiting = slices.Insert(b.waiting, at, j)
	}
	if v.Pool != nil && v.Arrived < v.Next {
		b.rank.admit(v)
	}
	for j := v.Arrived; j < v.Next; j++ {
		b.waiting = append(b.waiting, j)
	}
	b.free.CopyFrom(v.Free)
}

// expire gives up waiting jobs that would be stopped at their due time, which
// has come.
func (b *siteBackfill) expire(v *sim.View, out []sim.Decision) []sim.Decision {
	if v.Due == nil {
		return out
	}
	b.waiting = slices.DeleteFunc(b.waiting, func(j model.JobID) bool {
		late := v.Kills(j) && v.Due[j] <= v.Now
		if late {
			b.rank.started(j)
			out = append(out, sim.Decision{Verb: sim.Reject, Job: j})
		}
		return late
	})
	return out
}

// ends returns when a job that starts now in a claim ends at the latest.
func ends(v *sim.View, j model.JobID, claim model.Claim) model.Time {
	end := v.Now + v.Limit(j, claim)
	if v.Kills(j) {
		end = min(end, v.Due[j])
	}
	return end
}

// remove takes out one job; the first, which is the most common, without
// moving the others.
func remove(jobs []model.JobID, at int) []model.JobID {
	if at == 0 {
		return jobs[1:]
	}
	return slices.Delete(jobs, at, at+1)
}

// backfill starts a job behind the head if it does not delay it.
func (b *siteBackfill) backfill(v *sim.View, out []sim.Decision, j model.JobID) []sim.Decision {
	need := &v.Needs[j]
	room := b.room(v, j)
	claim, ok := room.Place(need)
	if !ok {
		return out
	}
	if ends(v, j, claim) <= b.shadow {
		return b.start(v, out, j, claim, report.BackfilledBeforeShadow)
	}
	if room != b.both {
		b.both.CopyFrom(room)
	}
	b.both.Min(b.extra)
	if claim, ok = b.both.Place(need); !ok {
		return out
	}
	b.extra.Take(need, claim)
	return b.start(v, out, j, claim, report.BackfilledExtra)
}

// start decides that a job starts now; it is no longer among the waiting.
func (b *siteBackfill) start(v *sim.View, out []sim.Decision, j model.JobID, claim model.Claim, why report.Code) []sim.Decision {
	b.free.Take(&v.Needs[j], claim)
	b.running = insertRunning(b.running, siteRunning{ends(v, j, claim), j, claim})
	b.rank.started(j)
	if v.Record != nil {
		v.Record.Decide(j, why)
	}
	return append(out, sim.Decision{Job: j, Claim: claim})
}

func insertRunning(list []siteRunning, r siteRunning) []siteRunning {
	at, _ := slices.BinarySearchFunc(list, r, func(a, b siteRunning) int {
		return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.job, b.job))
	})
	return slices.Insert(list, at, r)
}

// reserve finds the head's reservation and what it leaves over.
func (b *siteBackfill) reserve(v *sim.View) {
	need := &v.Needs[b.head]
	b.shadow, b.reservation = model.Never, model.Claim{}
	if len(v.Site.Platform.Calendar) > 0 {
		b.reserveAround(v, need)
		return
	}
	b.extra.CopyFrom(b.free)
	for i := range b.running {
		r := &b.running[i]
		b.extra.Give(&v.Needs[r.job], r.claim)
		if i+1 < len(b.running) && b.running[i+1].end == r.end {
			continue
		}
		if claim, ok := b.extra.Place(need); ok {
			b.shadow, b.reservation = r.end, claim
			b.extra.Take(need, claim)
			return
		}
	}
}

// Explain says of each waiting job whether a licence, processors, what the
// calendar takes or the head stand in its way.
func (b *siteBackfill) Explain(v *sim.View, note func(model.JobID, report.Code, model.JobID)) {
	for _, j := range b.waiting {
		head := b.head
		if j == head {
			head = -1
		}
		switch need := &v.Needs[j]; {
		case !v.Free.Licensed(need):
			note(j, report.WaitLicences, head)
		case b.booked(v, j):
			note(j, report.WaitReservation, head)
		case j == b.head || !v.Free.Fits(need):
			note(j, report.WaitProcessors, head)
		case b.byPriority:
			note(j, report.WaitPriority, head)
		default:
			note(j, report.WaitShadow, head)
		}
	}
}

// booked says whether a job waits for what the calendar takes: it would fit if
// nothing were taken now, or it fits now and would run into an entry.
func (b *siteBackfill) booked(v *sim.View, j model.JobID) bool {
	if len(v.Site.Platform.Calendar) == 0 {
		return false
	}
	need := &v.Needs[j]
	if v.Free.Fits(need) {
		b.both.CopyFrom(v.Free)
		b.clear(v, b.both, v.Now, v.Now+longest(v, j))
		return !b.both.Fits(need)
	}
	b.both.CopyFrom(v.Free)
	b.both.Unbooked(v.Now)
	return b.both.Fits(need)
}
