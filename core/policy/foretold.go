package policy

import (
	"batchlab/core/model"
	"batchlab/core/sim"
)

// What follows is EASY on predictions (EASY++; Tsafrir, Etsion and Feitelson 2007):
// the head's reservation and who may pass it go by what View.Book foretells, jobs
// are killed at their requests, and a prediction that is exceeded is corrected.
// Advance reservations and the calendar still go by requests, since nobody may run
// into them.

// ForetoldEASY is EASY backfilling whose reservations go by predictions.
type ForetoldEASY struct{ EASY }

// NewForetoldEASY returns EASY on predictions with what o says: orders, ties and
// threshold. Its view must have a book.
func NewForetoldEASY(o *CountedEASY) *ForetoldEASY {
	e := &ForetoldEASY{*NewEASY(o)}
	e.foretold = true
	return e
}

var _ sim.Planner = (*ForetoldEASY)(nil)

// Wake returns when the next prediction of a running job is exceeded, if somebody
// waits who might start then.
func (e *ForetoldEASY) Wake() model.Time {
	if e.queue.count == 0 || len(e.running.jobs) == 0 {
		return model.Never
	}
	if at := e.running.jobs[0].end; at > e.view.Now {
		return at
	}
	return model.Never
}

// ends returns when a job that starts now in a claim is thought to end.
func (b *backfiller) ends(v *sim.View, j model.JobID, claim model.Claim) model.Time {
	end := ends(v, j, claim)
	if b.foretold {
		end = min(end, v.Now+max(1, v.Site.Scaled(v.Book.Seconds(j)-v.Done[j], claim)))
	}
	return end
}

// correct gives jobs that still run at the end of their predictions longer ones.
func (b *backfiller) correct(v *sim.View) {
	if !b.foretold {
		return
	}
	for len(b.running.jobs) > 0 && b.running.jobs[0].end <= v.Now {
		r := b.running.jobs[0]
		until := v.Lasts(r.job)
		b.running.remove(r.end, r.job)
		b.running.add(until, r.procs, r.job)
		b.until[r.job] = until
		b.known, b.eased, b.anew = false, true, true
	}
}
