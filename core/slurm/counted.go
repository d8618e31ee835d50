package slurm

import (
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
	slices.Sort(nodes)
	s.nodes = nodes
	s.cpus = s.cpus[:0]
	for range nodes {
		s.cpus = append(s.cpus, 1)
	}
	return choice{nodes, s.cpus}, true
}
