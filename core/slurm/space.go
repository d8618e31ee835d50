package slurm

import (
	"sort"
)

// slot is a stretch of time of a cycle's map, with the whole nodes that no plan holds.
type slot struct {
	from, to int64
	free     set
}

// space is the map of a cycle: slots in order of time (node_space_map of backfill.c).
type space []slot

// open makes it one slot.
func (m *space) open(from, to int64, free set) {
	if cap(*m) == 0 {
		*m = append(*m, slot{})
	}
	*m = (*m)[:1]
	first := &(*m)[0]
	first.from, first.to, first.free = from, to, append(first.free[:0], free...)
}

// split makes two of a slot. What a map of an earlier cycle has left behind it is used again.
func (m *space) split(i int, at int64) {
	n := len(*m)
	if n < cap(*m) {
		*m = (*m)[:n+1]
	} else {
		*m = append(*m, slot{})
	}
	spare := (*m)[n].free
	copy((*m)[i+1:], (*m)[i:n])
	one, two := &(*m)[i], &(*m)[i+1]
	one.to, two.from, two.free = at, at, append(spare[:0], one.free...)
}

// take removes nodes from a stretch of time, splitting slots at its ends
// (_add_reservation).
func (m *space) take(from, to int64, nodes set) {
	first := sort.Search(len(*m), func(i int) bool { return (*m)[i].to > from })
	for i := first; i < len(*m) && (*m)[i].from < to; i++ {
		if (*m)[i].from < from {
			m.split(i, from)
			continue
		}
		if (*m)[i].to > to {
			m.split(i, to)
		}
		(*m)[i].free.without(nodes)
	}
}

// records is how many records of Slurm's map a plan adds: one for its begin and one for
// its end, unless a slot ends there. The first to begin where the map does adds one, too.
func (m space) records(from, to int64) (n int) {
	n = 2
	for i := range m {
		if m[i].to == from {
			n--
		}
		if m[i].to == to {
			n--
		}
	}
	return n
}

// later is the end of the first slot from a time on, up to another one and the slot after
// it, after which a node more of those asked for is free, 0 for none; and which slot is
// the first.
func (m space) later(from, to int64, asked set) (first int, later int64) {
	first = sort.Search(len(m), func(i int) bool { return m[i].to > from })
	for i := first; i+1 < len(m) && later == 0; i++ {
		if gains(asked, m[i].free, m[i+1].free) {
			later = m[i].to
		}
		if m[i+1].from > to { // the last that is looked at, with the one that follows it
			if later == 0 && i+2 < len(m) && gains(asked, m[i+1].free, m[i+2].free) {
				later = m[i+1].to
			}
			break
		}
	}
	return first, later
}

// keep removes from a set the nodes that some plan holds in a slot from the first on that
// begins up to a time, that time included.
func (m space) keep(first int, to int64, nodes set) {
	for i := first; i < len(m) && m[i].from <= to; i++ {
		nodes.and(m[i].free)
	}
}

// gains says whether the second set offers a node of those asked for that the first
// does not.
func gains(asked, now, next set) bool {
	for i := range asked {
		if asked[i]&next[i]&^now[i] != 0 {
			return true
		}
	}
	return false
}

// enough is keep that stops where fewer nodes are left that are idle than are needed. It
// counts them every few slots only, and at the end: what is left only becomes fewer.
func (m space) enough(first int, to int64, nodes, idle set, need int) bool {
	for i := first; i < len(m) && m[i].from <= to; i++ {
		free := m[i].free[:len(nodes)]
		for k := range nodes {
			nodes[k] &= free[k]
		}
		if (i-first)&3 == 0 && nodes.common(idle) < need {
			return false
		}
	}
	return nodes.common(idle) >= need
}

// clashes says whether another plan holds one of the nodes in [from, to)
// (_test_resv_overlap).
func (m space) clashes(from, to int64, nodes set) bool {
	first := sort.Search(len(m), func(i int) bool { return m[i].to > from })
	for i := first; i < len(m) && m[i].from < to; i++ {
		if !nodes.within(m[i].free) {
			return true
		}
	}
	return false
}
