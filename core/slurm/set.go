package slurm

import "math/bits"

// set is a set of nodes by their place in the table.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s set) drop(i int)     { s[i>>6] &^= 1 << (i & 63) }
func (s set) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

// fill makes it all of n nodes.
func (s set) fill(n int) {
	for i := range s {
		s[i] = ^uint64(0)
	}
	if n&63 != 0 {
		s[len(s)-1] = 1<<(n&63) - 1
	}
}

func (s set) clear() { clear(s) }

func (s set) and(o set) {
	for i := range s {
		s[i] &= o[i]
	}
}

// with adds another set.
func (s set) with(o set) {
	for i := range s {
		s[i] |= o[i]
	}
}

// stretch adds the nodes from one on up to another, which is not among them.
func (s set) stretch(from, to int) {
	for i := from >> 6; i<<6 < to; i++ {
		w := ^uint64(0)
		if i == from>>6 {
			w <<= from & 63
		}
		if to-i<<6 < 64 {
			w &= 1<<(to-i<<6) - 1
		}
		s[i] |= w
	}
}

func (s set) without(o set) {
	for i := range s {
		s[i] &^= o[i]
	}
}

func (s set) count() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// common counts the nodes that two sets have in common.
func (s set) common(o set) (n int) {
	for i := range s {
		n += bits.OnesCount64(s[i] & o[i])
	}
	return n
}

// within says whether o has every node of s.
func (s set) within(o set) bool {
	for i := range s {
		if s[i]&^o[i] != 0 {
			return false
		}
	}
	return true
}

// meets says whether they have a node in common.
func (s set) meets(o set) bool {
	for i := range s {
		if s[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

func (s set) clone() set { return append(set(nil), s...) }
