package slurm

import "sort"

// slot is a stretch of time of a cycle's map, with the whole nodes that no plan holds.
type slot struct {
	from, to int64
	free     set
}

// space is the map of a cycle: slots in order of time (node_space_map of backfill.c).
type space []slot

// take removes nodes from a stretch of time, splitting slots at its ends
// (_add_reservation).
func (m *space) take(from, to int64, nodes set) {
	for i := 0; i < len(*m); i++ {
		s := (*m)[i]
		if s.to <= from || s.from >= to {
			continue
		}
		if s.from < from {
			*m = append(*m, slot{})
			copy((*m)[i+1:], (*m)[i:])
			(*m)[i].to = from
			(*m)[i+1].from, (*m)[i+1].free = from, s.free.clone()
			continue
		}
		if s.to > to {
			*m = append(*m, slot{})
			copy((*m)[i+1:], (*m)[i:])
			(*m)[i].to = to
			(*m)[i+1].from, (*m)[i+1].free = to, s.free.clone()
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

// open removes from a set the nodes that some plan holds in a slot that meets [from,
// to], its end included, and returns the end of the first slot after which a node more
// is free, 0 for none.
func (m space) open(from, to int64, nodes set) (later int64) {
	first := sort.Search(len(m), func(i int) bool { return m[i].to > from })
	for i := first; i+1 < len(m) && later == 0; i++ {
		if gains(nodes, m[i].free, m[i+1].free) {
			later = m[i].to
		}
		if m[i+1].from > to { // the last that is looked at, with the one that follows it
			if later == 0 && i+2 < len(m) && gains(nodes, m[i+1].free, m[i+2].free) {
				later = m[i+1].to
			}
			break
		}
	}
	for i := first; i < len(m) && m[i].from <= to; i++ {
		nodes.and(m[i].free)
	}
	return later
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

// clashes says whether another plan holds one of the nodes in [from, to)
// (_test_resv_overlap).
func (m space) clashes(from, to int64, nodes set) bool {
	for i := range m {
		if m[i].to > from && m[i].from < to && !nodes.within(m[i].free) {
			return true
		}
	}
	return false
}
