package policy

import (
	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// How Orig-BF keeps clear of advance reservations: what they hold is taken from
// what running jobs leave free, and all its own reservations, which are rebuilt
// at each pass, stand beside them.

// rebook takes over which reservations have come and what was given back.
func (s *OrigBF) rebook(v *sim.View, shelf shelf) {
	for i := range v.Freed {
		shelf.book(v, &v.Freed[i], s.number(v, v.Freed[i].Job), 1)
	}
	for i := range v.Booked {
		shelf.book(v, &v.Booked[i], s.number(v, v.Booked[i].Job), -1)
	}
}

func (c *origCounts) book(v *sim.View, b *sim.Booking, user int32, sign int32) {
	from := max(b.From, v.Now)
	c.base.Advance(v.Now)
	c.base.Add(from, b.To, sign*heldBy(b.Claim))
	c.limits.book(v, b.Job, user, from, b.To, sign*heldBy(b.Claim))
}

func (s *origNodes) book(v *sim.View, b *sim.Booking, user int32, sign int32) {
	from, l := max(b.From, v.Now), &s.clusters[b.Claim.Cluster]
	s.advance(v)
	want := resource.Want{Each: resource.Amount{Mem: b.Need.Mem, Disk: b.Need.Disk, GPUs: b.Need.GPUs}}
	switch {
	case l.counted:
		l.counts.base.Add(from, b.To, sign*heldBy(b.Claim))
	case sign < 0:
		l.base.Reserve(&want, s.local(l, b.Claim), from, b.To)
	default:
		l.base.Release(&want, s.local(l, b.Claim), from, b.To)
		l.base.Open(from)
	}
	l.limits.book(v, b.Job, user, from, b.To, sign*heldBy(b.Claim))
	for _, need := range b.Need.Licences {
		s.licences[need.Licence].base.Add(from, b.To, sign*need.Copies)
	}
}

// heldBy returns the processors of a claim.
func heldBy(c model.Claim) int32 {
	n := int32(0)
	for _, part := range c.Parts {
		n += part.Procs
	}
	return n
}
