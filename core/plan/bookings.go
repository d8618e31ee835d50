package plan

import (
	"slices"

	"batchlab/core/sim"
)

// rebook takes over which reservations have come, which takes precedence over
// plans, and what was given back, into which the next compression moves jobs.
func (p *Plan) rebook(v *sim.View) {
	p.bookings = v.Bookings // profiles that are stale will be made of these
	for i := range v.Freed {
		b := &v.Freed[i]
		l := &p.lanes[b.Claim.Cluster]
		l.freed = max(l.freed, b.To)
		if !p.outdated(l) {
			p.space.Unbook(b.Need, b.Claim, b.From, b.To, nil)
		}
	}
	for i := range v.Booked {
		if b := &v.Booked[i]; !p.outdated(&p.lanes[b.Claim.Cluster]) {
			p.space.Book(b.Need, b.Claim, b.From, b.To)
		}
	}
	for i := range v.Booked {
		p.refresh(&p.lanes[v.Booked[i].Claim.Cluster])
	}
	if len(v.Booked) > 0 && !failing(v) { // else see disrupt
		p.displace(v.Booked)
	}
}

// displace makes room for reservations: of the planned jobs that meet them, those
// that have no room beside them and the jobs planned before get a new place, in
// the order of their starts; all others stay.
func (p *Plan) displace(booked []sim.Booking) {
	p.all = p.all[:0]
	for i := range booked {
		if b := &booked[i]; p.space.Lacks(b.Need, b.Claim, b.From, b.To) {
			p.meets(b)
		}
	}
	if len(p.all) == 0 {
		return
	}
	p.byStart(p.all)
	p.all = slices.Compact(p.all)
	for _, i := range p.all {
		p.book(i, p.slots[i].start, 1)
	}
	moved := p.moved[:0]
	for _, i := range p.all {
		s := &p.slots[i]
		if !p.beat(i) {
			return
		}
		if p.holds(i) {
			p.book(i, s.start, -1)
			continue
		}
		l := &p.lanes[s.lane]
		l.jobs = removeOrdered(l.jobs, i)
		l.freed = max(l.freed, s.start+s.length)
		moved = append(moved, i)
	}
	p.moved = moved
	for _, i := range moved {
		if !p.beat(i) {
			return
		}
		p.backfill(i)
	}
}

// meets appends to p.all the planned jobs that run while a reservation holds its
// cluster or its licences.
func (p *Plan) meets(b *sim.Booking) {
	for c := range p.lanes {
		l := &p.lanes[c]
		if l.Cluster != b.Claim.Cluster && (p.needs == nil || len(b.Need.Licences) == 0) {
			continue
		}
		for _, i := range l.jobs {
			s := &p.slots[i]
			if s.start >= b.To {
				break
			}
			if s.start+s.length > b.From {
				p.all = append(p.all, i)
			}
		}
	}
}

// byStart sorts slots by start, then job.
func (p *Plan) byStart(list []int32) {
	sortBy(list, func(a, b int32) bool {
		return p.slots[a].stands(&p.slots[b])
	})
}
