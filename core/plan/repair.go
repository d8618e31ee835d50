package plan

import (
	"cmp"
	"math"
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
)

// repair lets the jobs of a lane, from a place of its list on, start as
// algorithm 2 has it, and books what differs from the plan as it is. Behind the
// place until it stops as soon as nothing that differs runs any longer and the
// next job starts as before: the rest of the plan is the same. differ is when the
// last of what differs already ends. A plain lane's candidate is put together of
// row.
func (t *tuner) repair(c, from, until int, differ model.Time, row row) {
	if t.lanes[c].plain {
		t.repairCounts(c, from, differ, row)
	} else {
		t.repairAny(c, from, until, differ)
	}
}

// list is the state of a lane at the last start while jobs are placed in order:
// what is free, and what ends when.
type list struct {
	at      model.Time
	free    int32
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

// repairAny is repair on named nodes, under limits and around the calendar.
func (t *tuner) repairAny(c, from, until int, differ model.Time) {
	p, l, d, g := t.p, &t.p.lanes[c], &t.lanes[c], &t.list
	t.begin0(g, l, d)
	if from > 0 {
		g.at = p.slots[l.jobs[from-1]].start
		for ; g.run < len(d.ends) && d.ends[g.run].at <= g.at; g.run++ {
			t.give(g, l, d.ends[g.run].slot, p.parts[d.ends[g.run].slot], 1)
		}
		for k := from - 1; k >= 0; k-- {
			i := l.jobs[k]
			s := &p.slots[i]
			if s.start+d.longest <= g.at {
				break
			}
			if end := s.start + s.length; end > g.at {
				g.pend = append(g.pend, held{end, i, -1, 0})
				t.give(g, l, i, p.parts[i], -1)
			}
		}
		slices.SortFunc(g.pend, func(a, b held) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.slot, b.slot))
		})
	}
	for k := from; k < len(l.jobs); k++ {
		i := l.jobs[k]
		s := &p.slots[i]
		mark := len(g.parts)
		for !t.place(g, l, d, i) {
			if !t.pass(g, l, d) {
				t.dWait += math.MaxInt64 / 4 // cannot be placed at all: never kept
				return
			}
		}
		parts := g.parts[mark:]
		if g.at != s.start || s.fresh || !slices.Equal(parts, p.parts[i]) && !l.counted {
			slow := s.slowdown(g.at)
			t.changes = append(t.changes, change{slot: i, start: g.at, slow: slow, first: int32(len(t.parts)), count: int32(len(parts))})
			t.parts = append(t.parts, parts...)
			t.dWait += int64(g.at - s.start)
			t.dSlow += slow - s.slow
			t.shares[s.active].delta += int64(g.at - s.start)
			differ = max(differ, max(g.at, s.start)+s.length)
		} else if k > until && g.at >= differ {
			return
		}
		t.give(g, l, i, parts, -1)
		e := held{g.at + s.length, i, int32(mark), int32(len(parts))}
		g.pend = append(g.pend, e)
		m := len(g.pend) - 1
		for ; m > g.head && g.pend[m-1].at > e.at; m-- {
			g.pend[m] = g.pend[m-1]
		}
		g.pend[m] = e
	}
}

// begin0 writes the state of now, before anything planned starts.
func (t *tuner) begin0(g *list, l *lane, d *tuned) {
	p := t.p
	g.at, g.free, g.head, g.run = t.now, d.idle, 0, 0
	g.pend, g.parts = g.pend[:0], g.parts[:0]
	g.nodes = append(g.nodes[:0], d.left...)
	if p.limits.UserProcs > 0 {
		g.users = append(g.users[:0], d.users...)
	}
	g.classes = append(g.classes[:0], d.classes...)
}

// give gives back (sign 1) what a slot holds, or takes it (−1).
func (t *tuner) give(g *list, l *lane, i int32, parts []model.Part, sign int32) {
	p := t.p
	s := &p.slots[i]
	g.free += sign * s.procs
	if p.limits.UserProcs > 0 {
		g.users[s.user] -= sign * s.procs
	}
	for c, bits := 0, s.classes; bits != 0; c, bits = c+1, bits>>1 {
		if bits&1 != 0 {
			g.classes[c] -= sign * s.procs
		}
	}
	if !l.counted {
		a := p.wants[int(i)*len(p.lanes)+int(l.cluster)].Each
		for _, part := range parts {
			a.Procs = part.Procs
			g.nodes[part.Node].Add(&a, sign)
		}
	}
}

// pass goes on to the next time at which something ends.
func (t *tuner) pass(g *list, l *lane, d *tuned) bool {
	next := model.Never
	if g.head < len(g.pend) {
		next = g.pend[g.head].at
	}
	if g.run < len(d.ends) {
		next = min(next, d.ends[g.run].at)
	}
	for i := range d.turns {
		if to := d.turns[i].To; to > g.at {
			next = min(next, to)
		}
	}
	if next == model.Never {
		return false
	}
	g.at = max(g.at, next)
	for ; g.head < len(g.pend) && g.pend[g.head].at <= g.at; g.head++ {
		e := &g.pend[g.head]
		parts := t.p.parts[e.slot]
		if e.first >= 0 {
			parts = g.parts[e.first : e.first+e.count]
		}
		t.give(g, l, e.slot, parts, 1)
	}
	for ; g.run < len(d.ends) && d.ends[g.run].at <= g.at; g.run++ {
		i := d.ends[g.run].slot
		t.give(g, l, i, t.p.parts[i], 1)
	}
	return true
}

// place finds out whether a slot can start at the time of the state, and appends
// the nodes that it takes to g.parts.
func (t *tuner) place(g *list, l *lane, d *tuned, i int32) bool {
	p := t.p
	s := &p.slots[i]
	if g.free < s.procs || p.limits.UserProcs > 0 && g.users[s.user]+s.procs > p.limits.UserProcs {
		return false
	}
	for c, bits := 0, s.classes; bits != 0; c, bits = c+1, bits>>1 {
		if bits&1 != 0 && g.classes[c]+s.procs > l.caps[c] {
			return false
		}
	}
	until := g.at + s.length
	if l.counted {
		for k := range d.turns { // what is free only falls where an entry begins
			if e := &d.turns[k]; e.To > g.at && e.From < until && t.freeAt(g, l, d, max(e.From, g.at)) < s.procs {
				return false
			}
		}
		return true
	}
	w := &p.wants[int(i)*len(p.lanes)+int(l.cluster)]
	begun, left, count := len(g.parts), w.Procs, w.Parts
	for n := range g.nodes {
		free := &g.nodes[n]
		if !free.Holds(&w.Each) || !w.Suits(n) || len(d.turns) > 0 && d.away(l.rank[n], g.at, until) {
			continue
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

// away says whether the calendar takes a node at any time in [from, to).
func (d *tuned) away(node int32, from, to model.Time) bool {
	for i := range d.turns {
		if e := &d.turns[i]; e.To > from && e.From < to && slices.Contains(e.Nodes, node) {
			return true
		}
	}
	return false
}

// freeAt returns the processors of a counted lane that are free at a time if
// nothing more is placed.
func (t *tuner) freeAt(g *list, l *lane, d *tuned, at model.Time) int32 {
	free := g.free
	for k := g.head; k < len(g.pend) && g.pend[k].at <= at; k++ {
		free += t.p.slots[g.pend[k].slot].procs
	}
	for k := g.run; k < len(d.ends) && d.ends[k].at <= at; k++ {
		free += t.p.slots[d.ends[k].slot].procs
	}
	for k := range d.turns {
		if e := &d.turns[k]; e.From <= at && at < e.To {
			if len(e.Nodes) > 0 {
				free -= l.procs
			} else {
				free -= e.Procs
			}
		}
	}
	return free
}
