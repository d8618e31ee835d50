package plan

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// While a candidate is repaired, what jobs hold only ever becomes less from the
// time of the state on, unless a further one is placed. What the calendar and
// reservations take does not: it stands in supplies, which say how much there is
// from each time on beside them. A job fits if it fits now and at each time
// before its end at which a supply has fallen.

// supply is how much of something there is over time: steps from now on. An empty
// one never changes.
type supply []level

type level struct {
	at   model.Time
	have int32
}

// kind says what a supply is of: a class of limits (its number), or one of these,
// or ofLicence minus the number of a licence.
type kind int32

const (
	ofLane    kind = -1
	ofUser    kind = -2
	ofLicence kind = -3
)

// gone is what the calendar or a reservation takes of a node.
type gone struct {
	from, to model.Time
	Amount   resource.Amount
}

// supplyOf copies what a profile says; nil if it has one step alone, of most.
func supplyOf(out supply, c *resource.Counts, most int32) supply {
	out = out[:0]
	for i := range c.Len() {
		at, have := c.Step(i)
		out = append(out, level{at, have})
	}
	if len(out) == 1 && out[0].have == most {
		return out[:0]
	}
	return out
}

// taken writes what the calendar, as far as it is known, and reservations take of
// a lane from now on.
func (t *tuner) taken(c int) {
	p, l, d := t.p, &t.p.lanes[c], &t.lanes[c]
	d.supply, d.userSupply = d.supply[:0], resized(d.userSupply, len(p.users))
	d.classSupply, d.gone = resized(d.classSupply, len(l.Caps)), resized(d.gone, len(l.Have))
	for i := range d.userSupply {
		d.userSupply[i] = d.userSupply[i][:0]
	}
	for i := range d.classSupply {
		d.classSupply[i] = d.classSupply[i][:0]
	}
	for n := range d.gone {
		d.gone[n] = d.gone[n][:0]
	}
	if !d.taken {
		return
	}
	q := &t.scratch
	q.Reset(t.now, l.Size)
	p.each(t.now, func(e *model.CalendarEntry) {
		if l.Counted {
			if n := p.away(l, e); n > 0 {
				q.Add(max(e.From, t.now), e.To, -n)
			}
			return
		}
		for r, index := range l.Rank {
			if slices.Contains(e.Nodes, index) {
				d.gone[r] = append(d.gone[r], gone{e.From, e.To, l.Have[r]})
			}
		}
	})
	if l.Counted {
		for _, b := range p.bookings.All() {
			if b.To > t.now && b.Claim.Cluster == l.Cluster {
				q.Add(max(b.From, t.now), b.To, -b.Claim.Procs())
			}
		}
		d.supply = supplyOf(d.supply, q, l.Size)
		t.rising(d.supply)
	}
	for _, b := range p.bookings.All() {
		if b.To <= t.now || b.Claim.Cluster != l.Cluster || l.Counted {
			continue
		}
		for _, part := range p.space.Places(b.Claim) {
			d.gone[part.Node] = append(d.gone[part.Node], gone{b.From, b.To, resource.Amount{Procs: part.Procs, Mem: b.Need.Mem, Disk: b.Need.Disk, GPUs: b.Need.GPUs}})
		}
	}
	for n := range d.gone {
		for i := range d.gone[n] {
			t.rises = append(t.rises, d.gone[n][i].to)
		}
	}
	if p.limits.None() || p.bookings.Len() == 0 {
		return
	}
	for u := range d.userSupply {
		if p.limits.UserProcs > 0 {
			q.Reset(t.now, p.limits.UserProcs)
			t.booked(l, q, func(b *sim.Booking) bool { return p.jobs[b.Job].User == p.users[u] })
			d.userSupply[u] = supplyOf(d.userSupply[u], q, p.limits.UserProcs)
			t.rising(d.userSupply[u])
		}
	}
	for k := range d.classSupply {
		q.Reset(t.now, l.Caps[k])
		t.booked(l, q, func(b *sim.Booking) bool { return p.jobs[b.Job].Limit > p.limits.Classes[k].LongerThan })
		d.classSupply[k] = supplyOf(d.classSupply[k], q, l.Caps[k])
		t.rising(d.classSupply[k])
	}
}

// booked takes the reservations of a lane that count from a profile.
func (t *tuner) booked(l *lane, q *resource.Counts, counts func(*sim.Booking) bool) {
	bookings := t.p.bookings.All()
	for i := range bookings {
		if b := &bookings[i]; b.To > t.now && b.Claim.Cluster == l.Cluster && counts(b) {
			q.Add(max(b.From, t.now), b.To, -b.Claim.Procs())
		}
	}
}

// rising notes when a supply becomes larger.
func (t *tuner) rising(s supply) {
	for i := 1; i < len(s); i++ {
		if s[i].have > s[i-1].have {
			t.rises = append(t.rises, s[i].at)
		}
	}
}

// licences writes how many copies what runs and reservations leave.
func (t *tuner) licences() {
	p := t.p
	t.joint = p.needs != nil && slices.ContainsFunc(t.all, func(i int32) bool { return len(p.needs[i]) > 0 })
	if !t.joint {
		return
	}
	platform := p.site.Platform
	t.idle, t.copies, t.supply = resized(t.idle, len(platform.Licences)), resized(t.copies, len(platform.Licences)), resized(t.supply, len(platform.Licences))
	for k := range platform.Licences {
		t.idle[k], t.supply[k] = platform.Licences[k].Copies, t.supply[k][:0]
	}
	for c := range p.lanes {
		for _, i := range p.lanes[c].running {
			for _, n := range p.needs[i] {
				t.idle[n.Licence] -= n.Copies
			}
		}
	}
	for k := range platform.Licences {
		q := &t.scratch
		if q.Reset(t.now, platform.Licences[k].Copies); platform.Licences[k].Copies == 0 {
			continue
		}
		for _, b := range p.bookings.All() {
			for _, n := range b.Need.Licences {
				if int(n.Licence) == k && b.To > t.now {
					q.Add(max(b.From, t.now), b.To, -n.Copies)
				}
			}
		}
		t.supply[k] = supplyOf(t.supply[k], q, platform.Licences[k].Copies)
		t.rising(t.supply[k])
	}
}

// enough says whether a supply, of which held is held now, has more for a slot
// from the time of the state on until another.
func (t *tuner) enough(s supply, more int32, until model.Time, held int32, slot *slot, k kind) bool {
	if len(s) == 0 {
		return true
	}
	i := len(s) - 1 // the level that holds now
	if s[i].at > t.at0 {
		lo, hi := 0, i
		for hi-lo > 1 {
			if mid := (lo + hi) / 2; s[mid].at <= t.at0 {
				lo = mid
			} else {
				hi = mid
			}
		}
		i = lo
	}
	for ; i < len(s) && (s[i].at < until || s[i].at <= t.at0); i++ {
		if s[i].have-held >= more {
			continue
		}
		if s[i].at <= t.at0 || s[i].have-held+t.ended(s[i].at, slot, k) < more {
			return false
		}
	}
	return true
}

// ended returns how much of a kind jobs that hold it now give back until a time.
func (t *tuner) ended(at model.Time, slot *slot, k kind) int32 {
	sum := int32(0)
	for n := range t.spans {
		c := t.spans[n].lane
		if k > ofLicence && int32(c) != slot.lane {
			continue
		}
		d := &t.lanes[c]
		g := &d.list
		for h := g.head; h < len(g.pend) && g.pend[h].at <= at; h++ {
			sum += t.part(g.pend[h].slot, slot, k)
		}
		for h := g.run; h < len(d.ends) && d.ends[h].at <= at; h++ {
			sum += t.part(d.ends[h].slot, slot, k)
		}
	}
	return sum
}

// part returns what a slot holds of a kind: beside a slot of which user.
func (t *tuner) part(i int32, beside *slot, k kind) int32 {
	s := &t.p.slots[i]
	switch {
	case k <= ofLicence:
		for _, n := range t.p.needs[i] {
			if n.Licence == int32(ofLicence-k) {
				return n.Copies
			}
		}
		return 0
	case k == ofUser && s.user != beside.user, k >= 0 && s.classes>>k&1 == 0:
		return 0
	}
	return s.procs
}

// least returns what of a node is free from the time of the state on until
// another, beside what the calendar and reservations take.
func (t *tuner) least(g *list, l *lane, d *tuned, n int, until model.Time) *resource.Amount {
	a := t.free(g, l, d, n, t.at0)
	for i := range d.gone[n] {
		if at := d.gone[n][i].from; at > t.at0 && at < until {
			b := t.free(g, l, d, n, at)
			a.Procs, a.GPUs, a.Mem, a.Disk = min(a.Procs, b.Procs), min(a.GPUs, b.GPUs), min(a.Mem, b.Mem), min(a.Disk, b.Disk)
		}
	}
	t.room = a
	return &t.room
}

// free returns what of a node is free at a time if nothing more is placed.
func (t *tuner) free(g *list, l *lane, d *tuned, n int, at model.Time) resource.Amount {
	a := g.nodes[n]
	give := func(i int32, parts []model.Part) {
		for _, part := range parts {
			if int(part.Node) == n {
				b := t.p.wants[int(i)*len(t.p.lanes)+int(l.Cluster)].Each
				b.Procs = part.Procs
				a.Add(&b, 1)
			}
		}
	}
	for k := g.head; k < len(g.pend) && g.pend[k].at <= at; k++ {
		give(g.pend[k].slot, g.of(t.p, &g.pend[k]))
	}
	for k := g.run; k < len(d.ends) && d.ends[k].at <= at; k++ {
		give(d.ends[k].slot, t.p.parts[d.ends[k].slot])
	}
	for i := range d.gone[n] {
		if e := &d.gone[n][i]; e.from <= at && at < e.to {
			a.Add(&e.Amount, -1)
		}
	}
	return a
}

// resized returns a slice of a length whose elements keep their memory.
func resized[T any](s []T, n int) []T {
	for len(s) < n {
		var zero T
		s = append(s, zero)
	}
	return s[:n]
}
