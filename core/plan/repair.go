package plan

import (
	"cmp"
	"math"
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
)

// span is what of a lane's new job list may stand elsewhere than in the plan as
// it is: from its first place to its last.
type span struct{ lane, from, until int }

// repair lets the jobs of lanes, from a place of each list on, start as algorithm
// 2 has it, and books what differs from the plan as it is. Behind the last place
// it stops as soon as nothing that differs runs any longer and the next job
// starts as before: the rest of the plan is the same. differ is when the last of
// what differs already ends. A plain lane's candidate is put together of row.
// Where waiting jobs need floating licences, all lanes are repaired at once.
func (t *tuner) repair(s span, differ model.Time, row row) {
	if t.lanes[s.lane].plain {
		t.repairCounts(s.lane, s.from, differ, row)
		return
	}
	t.spans = append(t.spans[:0], s)
	t.repairAny(t.before(s), differ)
}

// before returns when the job in front of a span starts: now if there is none.
func (t *tuner) before(s span) model.Time {
	if s.from == 0 {
		return t.now
	}
	return t.p.slots[t.p.lanes[s.lane].jobs[s.from-1]].start
}

// repairJoint repairs all lanes at once, of which spans name those that differ.
// An instant counts for all: the lists are served in the order of the lanes, each
// as far as the jobs at its head can start.
func (t *tuner) repairJoint(spans []span, differ model.Time) {
	p, begin := t.p, model.Never
	for _, s := range spans {
		begin = min(begin, t.before(s))
	}
	t.spans = t.spans[:0]
	for c := range p.lanes {
		jobs, s := p.lanes[c].jobs, span{lane: c, from: len(p.lanes[c].jobs), until: -1}
		if k := slices.IndexFunc(spans, func(s span) bool { return s.lane == c }); k >= 0 {
			s = spans[k]
		}
		for s.from > 0 && p.slots[jobs[s.from-1]].start >= begin {
			s.from--
		}
		t.spans = append(t.spans, s)
	}
	t.repairAny(begin, differ)
}

// list is the state of a lane at the last start while jobs are placed in order:
// what is free, and what ends when.
type list struct {
	next    int // of the lane's jobs
	held    int32
	nodes   []resource.Amount
	users   []int32 // processors held, by user
	classes []int32
	pend    []held // ascending
	head    int
	run     int // of tuned.ends, the next
	parts   []model.Part
}

// held is an end to come of what was placed.
type held struct {
	at    model.Time
	slot  int32
	first int32 // of list.parts; −1: Plan.parts
	count int32
}

// repairAny is repair on named nodes, under limits, with licences and around what
// the calendar and reservations take, of t.spans from the state of begin on.
func (t *tuner) repairAny(begin, differ model.Time) {
	p := t.p
	t.at0 = begin
	copy(t.copies, t.idle)
	for k := range t.spans {
		t.open(&t.spans[k], begin)
	}
	for {
		if t.joint && t.at0 >= differ && t.met() {
			return
		}
		done := true
		for k := range t.spans {
			s := &t.spans[k]
			l, d := &p.lanes[s.lane], &t.lanes[s.lane]
			g := &d.list
			for ; g.next < len(l.jobs); g.next++ {
				i := l.jobs[g.next]
				mark := len(g.parts)
				if !t.place(g, l, d, i) {
					break
				}
				if t.begins(g, l, i, mark, &differ) && !t.joint && g.next > s.until && t.at0 >= differ {
					return
				}
				t.give(g, l, i, g.parts[mark:], -1)
				g.hold(held{t.at0 + p.slots[i].length, i, int32(mark), int32(len(g.parts) - mark)})
			}
			done = done && g.next == len(l.jobs)
		}
		if done {
			return
		}
		if !t.pass() {
			t.dWait += math.MaxInt64 / 4 // cannot be placed at all: never kept
			return
		}
	}
}

// met says whether every list has come to where the plan as it is stands now.
func (t *tuner) met() bool {
	for k := range t.spans {
		s := &t.spans[k]
		jobs, next := t.p.lanes[s.lane].jobs, t.lanes[s.lane].list.next
		if next <= s.until || next < len(jobs) && t.p.slots[jobs[next]].start < t.at0 {
			return false
		}
	}
	return true
}

// begins books the start of a slot now, and reports whether it is that of the
// plan as it is.
func (t *tuner) begins(g *list, l *lane, i int32, mark int, differ *model.Time) bool {
	t.count++
	s, parts := &t.p.slots[i], g.parts[mark:]
	if t.at0 == s.start && !s.fresh && (l.Counted || slices.Equal(parts, t.p.parts[i])) {
		return true
	}
	slow := s.slowdown(t.at0)
	t.changes = append(t.changes, change{slot: i, start: t.at0, slow: slow, first: int32(len(t.parts)), count: int32(len(parts))})
	t.parts = append(t.parts, parts...)
	t.dWait += s.weight * int64(t.at0-s.start)
	t.dSlow += slow - s.slow
	t.shares[s.active].delta += int64(t.at0 - s.start)
	*differ = max(*differ, max(t.at0, s.start)+s.length)
	return false
}

// hold inserts an end to come.
func (g *list) hold(e held) {
	g.pend = append(g.pend, e)
	m := len(g.pend) - 1
	for ; m > g.head && g.pend[m-1].at > e.at; m-- {
		g.pend[m] = g.pend[m-1]
	}
	g.pend[m] = e
}

// open writes the state of a lane in which the jobs before a span have started.
func (t *tuner) open(s *span, begin model.Time) {
	p, l, d := t.p, &t.p.lanes[s.lane], &t.lanes[s.lane]
	g := &d.list
	g.next, g.held, g.head, g.run = s.from, l.Size-d.idle, 0, 0
	g.pend, g.parts = g.pend[:0], g.parts[:0]
	g.nodes = append(g.nodes[:0], d.left...)
	g.users, g.classes = append(g.users[:0], d.users...), append(g.classes[:0], d.classes...)
	if s.from == 0 && begin == t.now {
		return
	}
	for ; g.run < len(d.ends) && d.ends[g.run].at <= begin; g.run++ {
		t.give(g, l, d.ends[g.run].slot, p.parts[d.ends[g.run].slot], 1)
	}
	for k := s.from - 1; k >= 0; k-- {
		i := l.jobs[k]
		s := &p.slots[i]
		if s.start+d.longest <= begin {
			break
		}
		if end := s.start + s.length; end > begin {
			g.pend = append(g.pend, held{end, i, -1, 0})
			t.give(g, l, i, p.parts[i], -1)
		}
	}
	slices.SortFunc(g.pend, func(a, b held) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.slot, b.slot))
	})
}

// give gives back (sign 1) what a slot holds, or takes it (−1).
func (t *tuner) give(g *list, l *lane, i int32, parts []model.Part, sign int32) {
	p := t.p
	s := &p.slots[i]
	g.held -= sign * s.procs
	if p.limits.UserProcs > 0 {
		g.users[s.user] -= sign * s.procs
	}
	for c, bits := 0, s.classes; bits != 0; c, bits = c+1, bits>>1 {
		if bits&1 != 0 {
			g.classes[c] -= sign * s.procs
		}
	}
	if t.joint {
		for _, n := range p.needs[i] {
			t.copies[n.Licence] += sign * n.Copies
		}
	}
	if !l.Counted {
		a := p.wants[int(i)*len(p.lanes)+int(l.Cluster)].Each
		for _, part := range parts {
			a.Procs = part.Procs
			g.nodes[part.Node].Add(&a, sign)
		}
	}
}

// pass goes on to the next time at which something becomes free.
func (t *tuner) pass() bool {
	next := model.Never
	for k := range t.spans {
		d := &t.lanes[t.spans[k].lane]
		g := &d.list
		if g.head < len(g.pend) {
			next = min(next, g.pend[g.head].at)
		}
		if g.run < len(d.ends) {
			next = min(next, d.ends[g.run].at)
		}
	}
	if at, _ := slices.BinarySearch(t.rises, t.at0+1); at < len(t.rises) {
		next = min(next, t.rises[at])
	}
	if next == model.Never {
		return false
	}
	t.at0 = max(t.at0, next)
	for k := range t.spans {
		l, d := &t.p.lanes[t.spans[k].lane], &t.lanes[t.spans[k].lane]
		g := &d.list
		for ; g.head < len(g.pend) && g.pend[g.head].at <= t.at0; g.head++ {
			e := &g.pend[g.head]
			t.give(g, l, e.slot, g.of(t.p, e), 1)
		}
		for ; g.run < len(d.ends) && d.ends[g.run].at <= t.at0; g.run++ {
			i := d.ends[g.run].slot
			t.give(g, l, i, t.p.parts[i], 1)
		}
	}
	return true
}

// of returns the nodes of what was placed.
func (g *list) of(p *Plan, e *held) []model.Part {
	if e.first < 0 {
		return p.parts[e.slot]
	}
	return g.parts[e.first : e.first+e.count]
}

// place finds out whether a slot can start at the time of the state, and appends
// the nodes that it takes to g.parts.
func (t *tuner) place(g *list, l *lane, d *tuned, i int32) bool {
	p := t.p
	s := &p.slots[i]
	until := t.at0 + s.length
	if t.at0 < s.after {
		return false
	}
	if s.procs > l.Size-g.held || l.Counted && !t.enough(d.supply, s.procs, until, g.held, s, ofLane) {
		return false
	}
	if p.limits.UserProcs > 0 && (s.procs > p.limits.UserProcs-g.users[s.user] || !t.enough(d.userSupply[s.user], s.procs, until, g.users[s.user], s, ofUser)) {
		return false
	}
	for c, bits := 0, s.classes; bits != 0; c, bits = c+1, bits>>1 {
		if bits&1 != 0 && (s.procs > l.Caps[c]-g.classes[c] || !t.enough(d.classSupply[c], s.procs, until, g.classes[c], s, kind(c))) {
			return false
		}
	}
	if t.joint && !t.licensed(p.needs[i], s, until) {
		return false
	}
	if l.Counted {
		return true
	}
	w := p.wants[int(i)*len(p.lanes)+int(l.Cluster)]
	begun, left, count := len(g.parts), w.Procs, w.Parts
	for n := range g.nodes {
		free := &g.nodes[n]
		if !free.Holds(&w.Each) || !w.Suits(n) {
			continue
		}
		if len(d.gone[n]) > 0 {
			if free = t.least(g, l, d, n, until); !free.Holds(&w.Each) {
				continue
			}
		}
		procs := w.Each.Procs
		if w.Parts == 0 {
			procs = min(free.Procs, left)
		}
		g.parts = append(g.parts, model.Part{Node: int32(n), Procs: procs})
		left -= procs
		if count--; left == 0 && count <= 0 {
			return true
		}
	}
	g.parts = g.parts[:begun]
	return false
}

// licensed says whether copies of licences are free for a slot that starts now.
func (t *tuner) licensed(needs []model.LicenceNeed, s *slot, until model.Time) bool {
	for _, n := range needs {
		have := t.p.site.Platform.Licences[n.Licence].Copies
		if t.copies[n.Licence] < n.Copies || !t.enough(t.supply[n.Licence], n.Copies, until, have-t.copies[n.Licence], s, ofLicence-kind(n.Licence)) {
			return false
		}
	}
	return true
}
