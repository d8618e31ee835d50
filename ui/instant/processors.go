package instant

import "slices"

// rows is a set of processors, and what it is drawn as.
type rows []bool

// spans calls visit with the runs of rows that are in the set, from the lowest.
func (r rows) spans(visit func(first, count int32)) {
	for i := 0; i < len(r); i++ {
		if !r[i] {
			continue
		}
		k := i
		for k < len(r) && r[k] {
			k++
		}
		visit(int32(i), int32(k-i))
		i = k
	}
}

// highest returns the n highest rows of the set, or fewer.
func (r rows) highest(n int32) rows {
	out := make(rows, len(r))
	for i := len(r) - 1; i >= 0 && n > 0; i-- {
		if r[i] {
			out[i] = true
			n--
		}
	}
	return out
}

// lowest returns the n lowest rows of the set, or fewer.
func (r rows) lowest(n int32) rows {
	out := make(rows, len(r))
	for i := 0; i < len(r) && n > 0; i++ {
		if r[i] {
			out[i] = true
			n--
		}
	}
	return out
}

// smallest returns n rows in one piece where there is one, the smallest that will do,
// else the lowest.
func (r rows) smallest(n int32) rows {
	out, least := r.lowest(n), int32(1<<31-1)
	r.spans(func(first, count int32) {
		if count >= n && count < least {
			least = count
			clear(out)
			for i := first; i < first+n; i++ {
				out[i] = true
			}
		}
	})
	return out
}

func (r rows) count() (n int) {
	for _, in := range r {
		if in {
			n++
		}
	}
	return n
}

func (r rows) without(q rows) rows {
	out := slices.Clone(r)
	for i := range out {
		out[i] = out[i] && !q[i]
	}
	return out
}

func (r rows) with(q rows) rows {
	out := slices.Clone(r)
	for i := range out {
		out[i] = out[i] && q[i]
	}
	return out
}
