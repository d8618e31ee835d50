package slurm

import (
	"cmp"
	"math/bits"
	"slices"
)

// Interchangeable processors (Partition.Counted) are nodes of one CPU each, thousands
// of them as a rule. What is free of them is a set, and so everything about them is
// done 64 at a time; who is chosen is who choose would choose.

// chooseCounted is choose for processors that are only counted.
func (c *Controller) chooseCounted(j *Job, cand set, u *usage) (choice, bool) {
	need, have := int(j.minCPUs()), 0
	for i, w := range u.idle {
		have += bits.OnesCount64(w & cand[i])
	}
	if have < need {
		return choice{}, false
	}
	s := &c.scratch
	s.runs = s.runs[:0]
	open := -1
	for i, w := range u.idle {
		w &= cand[i]
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
			s.runs = append(s.runs, stretch{from: open, to: i<<6 + at - 1, nodes: int32(i<<6 + at - open)})
			open = -1
		}
	}
	if open >= 0 {
		end := len(u.idle) << 6
		s.runs = append(s.runs, stretch{from: open, to: end - 1, nodes: int32(end - open)})
	}
	nodes := s.nodes[:0]
	for need > 0 {
		best := -1
		for i := range s.runs {
			r := &s.runs[i]
			if r.nodes == 0 {
				continue
			}
			if best < 0 {
				best = i
				continue
			}
			most := s.runs[best].nodes
			if suffices := int(r.nodes) >= need; suffices && (int(most) < need || r.nodes < most) || !suffices && int(most) < need && r.nodes > most {
				best = i
			}
		}
		r := &s.runs[best]
		for i := r.from; i <= r.to && need > 0; i++ {
			nodes = append(nodes, int32(i))
			need--
		}
		r.nodes = 0
	}
	if !slices.IsSorted(nodes) {
		slices.Sort(nodes)
	}
	s.nodes = nodes
	s.cpus = s.cpus[:0]
	for range nodes {
		s.cpus = append(s.cpus, 1)
	}
	return choice{nodes, s.cpus}, true
}

// preempts says whether waiting jobs may take the place of running ones.
func (c *Controller) preempts() bool { return c.Params.PreemptQOS || c.Params.PreemptPartition }

// byEnd are the running jobs in order of their ends, sorted anew where one has come or gone.
func (c *Controller) byEnd() []*Job {
	s := &c.scratch
	if !c.sorted {
		s.ends = append(s.ends[:0], c.Active...)
		slices.SortFunc(s.ends, func(a, b *Job) int { return cmp.Or(cmp.Compare(a.Ends, b.Ends), cmp.Compare(a.serial, b.serial)) })
		c.sorted = true
	}
	return s.ends
}

// SetEnds says when a running job has to end, where that is not its start and its limit.
func (c *Controller) SetEnds(j *Job, at int64) {
	j.Ends = at
	c.sorted = false
}

// willRunCounted is willRun for processors that are only counted: as long as too few are
// free in all, nobody is chosen.
func (c *Controller) willRunCounted(j *Job, cand set, now int64) (start int64, nodes set, ok bool) {
	s := &c.scratch
	need := int(j.minCPUs())
	if cand.count() < need {
		return 0, nil, false
	}
	pick := func() bool {
		got, fits := c.chooseCounted(j, cand, &s.future)
		if fits {
			if s.picked == nil {
				s.picked = newSet(len(c.Cluster.Nodes))
			}
			nodes = s.picked
			nodes.clear()
			for _, n := range got.nodes {
				nodes.add(int(n))
			}
		}
		return fits
	}
	s.future.idle = append(s.future.idle[:0], c.free.idle...)
	if pick() {
		return now, nodes, true
	}
	free := 0
	for i, w := range s.future.idle {
		free += bits.OnesCount64(w & cand[i])
	}
	ends := c.byEnd()
	origin, window, linear := int64(0), int64(30), c.Params.Select == Linear
	for i := 0; i < len(ends); {
		var last *Job
		count, test := 0, true
		next := int64(-1)
		for i < len(ends) {
			a := ends[i]
			i++
			gain := 0
			for k, w := range a.nodeSet {
				gain += bits.OnesCount64(w & cand[k])
			}
			if gain == 0 {
				continue
			}
			free += gain
			for k, w := range a.nodeSet {
				s.future.idle[k] |= w
			}
			if last = a; linear {
				break
			}
			if origin == 0 {
				origin = a.Ends + 30 - a.Ends%30
			}
			if count++; count > 201 {
				test = false
				break
			}
			if i == len(ends) {
				break
			}
			if next = ends[i].Ends; next > origin+window {
				break
			}
		}
		if last == nil {
			break
		}
		if linear {
			if free >= need && pick() {
				return c.foreseenEnd(last, now), nodes, true
			}
			continue
		}
		if !test {
			continue
		}
		for {
			if w := c.Params.BFWindowLinear; w > 0 {
				window += w
			} else {
				window *= 2
			}
			if i >= len(ends) || next <= origin+window {
				break
			}
		}
		if free >= need && pick() {
			if c.Params.relevantEnd() {
				for k := i - 1; k >= 0; k-- {
					if ends[k].nodeSet.meets(nodes) {
						last = ends[k]
						break
					}
				}
			}
			return c.foreseenEnd(last, now), nodes, true
		}
	}
	return 0, nil, false
}
