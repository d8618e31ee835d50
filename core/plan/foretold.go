package plan

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// What follows is planning on predictions (Options.Foretold). Jobs stand in the
// plan for as long as View.Book foretells; they are killed at their requests all
// the same. A plan on predictions breaks: a running job goes on for longer than was
// foretold, or a waiting one is predicted again to take longer. Then it is made
// anew in the order in which jobs were to start, so that who is put back stays in
// front of those who stood behind. And nobody may run into an outage or an
// advance reservation by its request: who would is put off as it comes to its turn.

// retell takes over what is predicted now of the jobs that wait and run, and repairs
// the plan where it no longer holds.
func (s *Scheduler) retell(v *sim.View) {
	p, broken := s.plan, false
	if len(v.Ended)+len(v.Back)+len(v.Freed) > 0 {
		for c := range p.lanes { // by requests, too, there is more room than there was
			for _, i := range p.lanes[c].jobs {
				if s := &p.slots[i]; s.after > 0 {
					s.after = 0
					p.lanes[c].freed = max(p.lanes[c].freed, s.start+s.length)
				}
			}
		}
	}
	for c := range p.lanes {
		l := &p.lanes[c]
		for _, i := range l.running {
			slot := &p.slots[i]
			if slot.start+slot.length > v.Now {
				continue
			}
			was := slot.slowdown(slot.start)
			slot.length = v.Lasts(slot.job) - slot.start
			s.past.slow += slot.slowdown(slot.start) - was
			broken, l.stale = true, true
		}
		if len(v.Ended) == 0 { // predictions of waiting jobs go by completions
			continue
		}
		for _, i := range l.jobs {
			slot := &p.slots[i]
			asked := v.Foretold(slot.job)
			if asked == slot.asked {
				continue
			}
			takes := p.space.Longest(l.Cluster, asked)
			if takes > slot.length {
				broken = true
			} else {
				l.freed = max(l.freed, slot.start+slot.length)
				if !l.stale {
					p.space.Shorten(&p.asks[slot.job], slot.lane, slot.procs, p.parts[i], slot.start+takes, slot.start+slot.length)
				}
			}
			slot.tells(asked, p.tau)
			slot.length = takes
		}
	}
	if broken {
		p.mend()
	}
}

// mend makes the plan of the waiting jobs again: in the order of their starts, each
// at its earliest fit beside those before it. So a job that is in the way of none
// keeps its place or moves to an earlier one, and who has lost it comes before
// whoever was planned behind.
func (p *Plan) mend() {
	p.lift()
	p.kinds.Reset() // other lengths come with each correction, and would be kept for ever
	p.kinds.Begin()
	for _, i := range p.all {
		s, l := &p.slots[i], &p.lanes[0]
		if !p.beat(i) {
			return
		}
		if len(p.lanes) > 1 || !l.Counted || s.after > 0 || p.limited(i, l) {
			p.backfill(i)
			continue
		}
		// Less and less is free: none of its kind finds an earlier one after it.
		since := p.kinds.Since(&s.kind, 0, s.procs, s.length, p.now)
		*since = l.Counts.FitFrom(s.procs, s.length, *since)
		s.lane, s.start = 0, *since
		p.book(i, s.start, -1)
		p.insert(i)
	}
	for c := range p.lanes { // each has its earliest fit: nothing else moves
		p.lanes[c].freed = p.now
	}
}

// tells notes how long a slot's job is thought to take.
func (s *slot) tells(asked, tau model.Time) {
	s.asked, s.inverse, s.kind = asked, unit/float64(max(asked, tau)), -1
}

// turn puts the jobs of a lane whose turn has come in order of submission: which of them
// are tried first matters, and lists have those that start together as they were placed.
func (l *lane) turn(p *Plan) {
	n := 0
	for n < len(l.jobs) && p.slots[l.jobs[n]].start == p.now {
		n++
	}
	slices.SortFunc(l.jobs[:n], func(a, b int32) int { return int(p.slots[a].job - p.slots[b].job) })
}

// bars says whether the first job of a lane, whose turn has come, may not start
// where it is planned, since it might run into what lies ahead; then it stands
// elsewhere now: on other nodes that are free for as long as it may run, or later.
func (s *Scheduler) bars(v *sim.View, l *lane) bool {
	p := s.plan
	i := l.jobs[0]
	slot := &p.slots[i]
	j := slot.job
	if v.May(j, p.claim(i)) {
		return false
	}
	p.refresh(l)
	p.book(i, v.Now, 1)
	l.jobs = l.jobs[:copy(l.jobs, l.jobs[1:])]
	l.freed = max(l.freed, slot.start+slot.length)
	if claim, ok := v.Space.Place(&v.Needs[j], v.Now, v.Now+v.Longest(j)); ok {
		if to := &p.lanes[claim.Cluster]; p.stand(i, to, claim) {
			return true
		}
	}
	if slot.after = v.Eases(); slot.after == model.Never {
		slot.after = v.Now + 1
	}
	p.backfill(i)
	return true
}

// stand plans a slot, which the profiles do not hold, for now in a claim, and
// reports whether there is room for it beside all others.
func (p *Plan) stand(i int32, l *lane, claim model.Claim) bool {
	p.refresh(l)
	s := &p.slots[i]
	was := s.lane
	s.lane, s.start, s.length = claim.Cluster, p.now, p.space.Longest(l.Cluster, s.asked)
	parts := slices.Clone(p.parts[i])
	if !l.Counted {
		p.parts[i] = append(p.parts[i][:0], p.space.Places(claim)...)
	}
	if !p.holds(i) {
		s.lane, p.parts[i] = was, parts
		return false
	}
	p.book(i, s.start, -1)
	p.insert(i)
	at := slices.Index(l.jobs, i) // in front, since its turn has come
	copy(l.jobs[1:at+1], l.jobs[:at])
	l.jobs[0] = i
	return true
}
