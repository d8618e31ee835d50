package slurm

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"
)

// Interchangeable processors (Partition.Counted) are nodes of one CPU each, thousands
// of them as a rule. What is free of them is a set, and so everything about them is
// done 64 at a time; who is chosen is who choose would choose.

// chooseCounted is choose for processors that are only counted.
func (c *Controller) chooseCounted(j *Job, cand set, u *usage) (choice, bool) {
	s := &c.scratch
	if s.picked == nil {
		s.picked = newSet(len(c.Cluster.Nodes))
	}
	if !c.fill(s.picked, int(j.minCPUs()), cand, u.idle) {
		return choice{}, false
	}
	s.nodes, s.cpus = s.nodes[:0], s.cpus[:0]
	for i, w := range s.picked {
		for ; w != 0; w &= w - 1 {
			s.nodes, s.cpus = append(s.nodes, int32(i<<6+bits.TrailingZeros64(w))), append(s.cpus, 1)
		}
	}
	return choice{s.nodes, s.cpus}, true
}

// fill puts into a set as many candidates that are idle as are needed, if there are: the
// run of neighbours that fits best, or the longest ones and then what fits the rest best,
// each from its lowest number up.
func (c *Controller) fill(into set, need int, cand, idle set) bool {
	have := cand.common(idle)
	if have < need {
		return false
	}
	for i, w := range idle {
		into[i] = w & cand[i]
	}
	if have == need {
		return true
	}
	s := &c.scratch
	s.runs = s.runs[:0]
	open := -1
	for i, w := range into {
		at := 0
		for at < 64 {
			if open < 0 {
				skip := bits.TrailingZeros64(w >> at)
				if at += skip; skip == 64 || at >= 64 {
					break
				}
				open = i<<6 + at
			}
			long := bits.TrailingZeros64(^(w >> at))
			if at += long; at >= 64 {
				break // it may go on in the next word
			}
			s.runs = append(s.runs, stretch{from: open, nodes: int32(i<<6 + at - open)})
			open = -1
		}
	}
	if open >= 0 {
		s.runs = append(s.runs, stretch{from: open, nodes: int32(len(into)<<6 - open)})
	}
	into.clear()
	for need > 0 {
		best, most := -1, int32(0)
		for i := range s.runs {
			n := s.runs[i].nodes
			if n == 0 {
				continue
			}
			if suffices := int(n) >= need; best < 0 || suffices && (int(most) < need || n < most) || !suffices && int(most) < need && n > most {
				best, most = i, n
			}
		}
		r := &s.runs[best]
		n := min(int(r.nodes), need)
		into.stretch(r.from, r.from+n)
		need -= n
		r.nodes = 0
	}
	return true
}

// preempts says whether waiting jobs may take the place of running ones.
func (c *Controller) preempts() bool { return c.Params.Preempts() }

// ahead is what will be free of counted processors as running jobs end, one after another.
type ahead struct {
	known bool
	jobs  []*Job // by their ends
	idle  []set  // when so many of them have ended
	free  []int  // and how many are in it
	words []uint64
}

// ahead computes what will be free, anew where a job has come or gone.
func (c *Controller) ahead() *ahead {
	a := &c.future
	if a.known {
		return a
	}
	a.known = true
	a.jobs = append(a.jobs[:0], c.Active...)
	slices.SortFunc(a.jobs, func(x, y *Job) int { return cmp.Or(cmp.Compare(x.Ends, y.Ends), cmp.Compare(x.serial, y.serial)) })
	n := len(c.free.idle)
	a.words = slices.Grow(a.words[:0], n*(len(a.jobs)+1))[:n*(len(a.jobs)+1)]
	a.idle, a.free = a.idle[:0], a.free[:0]
	for i := range len(a.jobs) + 1 {
		now := set(a.words[i*n : (i+1)*n])
		if i == 0 {
			copy(now, c.free.idle)
		} else {
			copy(now, a.idle[i-1])
			now.with(a.jobs[i-1].nodeSet)
		}
		a.idle, a.free = append(a.idle, now), append(a.free, now.count())
	}
	return a
}

// by is how many running jobs have ended up to a time, by their limits.
func (a *ahead) by(at int64) int {
	return sort.Search(len(a.jobs), func(i int) bool { return a.jobs[i].Ends > at })
}

// SetEnds says when a running job has to end, where that is not its start and its limit.
func (c *Controller) SetEnds(j *Job, at int64) {
	j.Ends = at
	c.changed()
}

// willRunCounted is willRun for processors that are only counted: nobody is chosen before
// enough are free, and what is free after each end is known.
func (c *Controller) willRunCounted(j *Job, cand set, now int64) (start int64, nodes set, ok bool) {
	need, a := int(j.minCPUs()), c.ahead()
	if c.scratch.picked == nil {
		c.scratch.picked = newSet(len(c.Cluster.Nodes))
	}
	nodes = c.scratch.picked
	if c.fill(nodes, need, cand, a.idle[0]) {
		return now, nodes, true
	}
	if cand.count() < need {
		return 0, nil, false
	}
	origin, window, linear := int64(0), int64(30), c.Params.Select == Linear
	for i := 0; i < len(a.jobs); {
		var last *Job
		count, test := 0, true
		next := int64(-1)
		for i < len(a.jobs) {
			x := a.jobs[i]
			i++
			if !x.nodeSet.meets(cand) {
				continue
			}
			if last = x; linear {
				break
			}
			if origin == 0 {
				origin = c.Params.origin(x.Ends)
			}
			if count++; count > 201 {
				test = false
				break
			}
			if i == len(a.jobs) {
				break
			}
			if next = a.jobs[i].Ends; next > origin+window {
				break
			}
		}
		if last == nil {
			break
		}
		if !test {
			continue
		}
		for !linear {
			if w := c.Params.BFWindowLinear; w > 0 {
				window += w
			} else {
				window *= 2
			}
			if i >= len(a.jobs) || next <= origin+window {
				break
			}
		}
		if a.free[i] < need || !c.fill(nodes, need, cand, a.idle[i]) {
			continue
		}
		if c.Params.relevantEnd() && !linear {
			for k := i - 1; k >= 0; k-- {
				if a.jobs[k].nodeSet.meets(nodes) {
					last = a.jobs[k]
					break
				}
			}
		}
		return c.foreseenEnd(last, now), nodes, true
	}
	return 0, nil, false
}
