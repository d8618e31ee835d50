package policy

import (
	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// origSpace is what both shelves of Orig-BF go by: what running jobs, the calendar and
// advance reservations leave free, kept from pass to pass, and a copy into which the
// reservations of a pass go, beside which nobody else stands.
type origSpace struct {
	base, plan *resource.Space
	calendar   []bool // its entries that are known
	foretold   bool
}

func newOrigSpace(v *sim.View, foretold bool) origSpace {
	return origSpace{v.Site.NewSpace(-model.Never, false), v.Site.NewSpace(-model.Never, false), make([]bool, len(v.Site.Platform.Calendar)), foretold}
}

// begin makes the copy, as of now.
func (s *origSpace) begin(v *sim.View) {
	s.base.Advance(v.Now)
	for i, known := range s.calendar {
		if c := &v.Site.Platform.Calendar[i]; !known && v.Known(c) {
			s.calendar[i] = true
			s.base.Away(c, v.Now)
		}
	}
	s.plan.CopyFrom(s.base)
}

// rebook takes over which reservations have come and what was given back.
func (s *origSpace) rebook(v *sim.View) {
	if len(v.Freed)+len(v.Booked) > 0 {
		s.base.Advance(v.Now)
	}
	for i := range v.Freed {
		b := &v.Freed[i]
		s.base.Unbook(b.Need, b.Claim, b.From, b.To, nil)
	}
	for i := range v.Booked {
		b := &v.Booked[i]
		s.base.Book(b.Need, b.Claim, b.From, b.To)
	}
}
