package policy

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// Orig-BF on predictions (OrigBF.Foretold): reservations are as long as View.Book
// foretells, and a running job that has exceeded its prediction is given a longer
// one before they are made anew. Jobs are killed at their requests, and nobody may
// run into an outage or an advance reservation by its request: who would gets a
// reservation later on.

// ForetoldOrigBF is Orig-BF whose reservations go by predictions. It has instants
// of its own.
type ForetoldOrigBF struct{ *OrigBF }

// NewForetoldOrigBF returns it; the view must have a book.
func NewForetoldOrigBF(s *OrigBF) *ForetoldOrigBF {
	s.Foretold = true
	return &ForetoldOrigBF{s}
}

var _ sim.Planner = (*ForetoldOrigBF)(nil)

// Wake returns when the next prediction of a running job is exceeded, if somebody
// waits who might start then.
func (s *ForetoldOrigBF) Wake() model.Time {
	if len(s.waiting) == 0 {
		return model.Never
	}
	return s.shelf().next()
}

// asks returns how long a job that waits is to run by reservations, on a machine of
// speed 1: what is left of its request, or of what is foretold.
func asks(v *sim.View, j model.JobID, foretold bool) model.Time {
	if foretold {
		return v.Foretold(j)
	}
	return v.Jobs[j].Limit - v.Done[j]
}

// fit returns the reservation of a job; with once, only if it is for now.
func (s *OrigBF) fit(v *sim.View, shelf shelf, j model.JobID, once bool) (model.Time, model.Claim, bool) {
	at, claim, ok := shelf.fit(v, j, v.Now, once)
	if !ok || !s.Foretold || at > v.Now || v.May(j, claim) {
		return at, claim, ok
	}
	if once {
		return 0, model.Claim{}, false
	}
	from := v.Eases()
	if from == model.Never {
		from = v.Now + 1
	}
	return shelf.fit(v, j, from, false)
}

// retell counts the waiting jobs anew by what is foretold of them.
func (c *origCounts) retell(v *sim.View, waiting []model.JobID) {
	c.waiting.clear()
	c.kinds.Reset() // other lengths come with each correction, and would be kept for ever
	for _, j := range waiting {
		c.hint[j] = -1
		c.waiting.n[c.waiting.of(v, j)]++
	}
}

// correct gives jobs that still run at the end of their predictions longer ones.
func (c *origCounts) correct(v *sim.View) {
	c.base.Advance(v.Now)
	for _, j := range c.held {
		if c.until[j] <= v.Now {
			c.until[j] = v.Lasts(j)
			c.hold(v, j, c.until[j], -1)
		}
	}
}

func (c *origCounts) next() model.Time {
	next := model.Never
	for _, j := range c.held {
		next = min(next, c.until[j])
	}
	return next
}

// correct is that of origCounts.
func (s *origNodes) correct(v *sim.View) {
	s.base.Advance(v.Now)
	var late []model.JobID
	for j, held := range s.running {
		if held.end <= v.Now {
			late = append(late, j)
		}
	}
	slices.Sort(late)
	for _, j := range late {
		held := s.running[j]
		held.end = v.Lasts(j)
		s.base.Book(&v.Needs[j], held.claim, v.Now, held.end)
		s.running[j] = held
	}
}

func (s *origNodes) next() model.Time {
	next := model.Never
	for _, held := range s.running {
		next = min(next, held.end)
	}
	return next
}
