package slurm

import (
	"cmp"
	"slices"
)

// willRun is the earliest start that the selection plugin sees for a job on candidate
// nodes, with the nodes that it would have (_will_run_test of select/cons_tres and
// select/linear). It knows running jobs by their limits, and takes them away in groups
// that end within a window, which doubles: so starts are late by up to the window.
func (c *Controller) willRun(j *Job, part int, cand set, now int64) (start int64, nodes set, ok bool) {
	if c.Partitions[part].Counted && !c.preempts() {
		return c.willRunCounted(j, cand, now)
	}
	s := &c.scratch
	pick := func(u *usage) bool {
		got, fits := c.choose(j, part, cand, u)
		if fits {
			nodes = newSet(len(c.Cluster.Nodes))
			for _, n := range got.nodes {
				nodes.add(int(n))
			}
		}
		return fits
	}
	if pick(&c.free) {
		return now, nodes, true
	}
	u := c.think()
	s.ends = s.ends[:0]
	victims := false
	for _, a := range c.Active {
		if c.mayPreempt(j, part, a) {
			if victims = true; c.Mode(a) == ModeSuspend {
				c.away(u, a, keepsMemory)
			} else {
				c.away(u, a, keepsNothing)
			}
			continue
		}
		s.ends = append(s.ends, a)
	}
	if victims && pick(&s.future) {
		return now, nodes, true
	}
	slices.SortFunc(s.ends, func(a, b *Job) int { return cmp.Or(cmp.Compare(a.Ends, b.Ends), cmp.Compare(a.serial, b.serial)) })
	if c.Params.Select == Linear {
		return c.willRunLinear(j, part, cand, now, pick, &nodes)
	}
	c.busyFirst = c.Params.BFBusyNodes
	defer func() { c.busyFirst = false }()
	origin, window := int64(0), int64(30)
	for i := 0; i < len(s.ends); {
		var last *Job
		count, test := 0, true
		next := int64(-1)
		for i < len(s.ends) {
			a := s.ends[i]
			i++
			if !a.nodeSet.meets(cand) {
				continue
			}
			if origin == 0 {
				origin = c.Params.origin(a.Ends)
			}
			last = a
			c.away(u, a, keepsNothing)
			if count++; count > 201 {
				test = false
				break
			}
			if i == len(s.ends) {
				next = -1
				break
			}
			if next = s.ends[i].Ends; next > origin+window {
				break
			}
		}
		if last == nil {
			break
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
			if i >= len(s.ends) || next <= origin+window {
				break
			}
		}
		if pick(&s.future) {
			if c.Params.relevantEnd() {
				for k := i - 1; k >= 0; k-- {
					if s.ends[k].nodeSet.meets(nodes) {
						last = s.ends[k]
						break
					}
				}
			}
			return c.foreseenEnd(last, now), nodes, true
		}
	}
	return 0, nil, false
}

// willRunLinear takes jobs away one by one.
func (c *Controller) willRunLinear(j *Job, part int, cand set, now int64, pick func(*usage) bool, nodes *set) (int64, set, bool) {
	s := &c.scratch
	for _, a := range s.ends {
		if !a.nodeSet.meets(cand) {
			continue
		}
		c.away(&s.future, a, keepsNothing)
		if pick(&s.future) {
			return c.foreseenEnd(a, now), *nodes, true
		}
	}
	return 0, nil, false
}

// foreseenEnd is when a running job is thought to end (_guess_job_end): by its limit,
// and once that is over by what enforces it.
func (c *Controller) foreseenEnd(j *Job, now int64) int64 {
	if j.Ends > now {
		return j.Ends
	}
	over := c.Params.OverTime
	if p := &c.Partitions[j.Part]; p.OverTime != 0 {
		over = p.OverTime
	}
	switch {
	case over == 0:
		return max(j.Ends+c.Params.KillWait, now+1)
	case over >= Unlimited:
		return now + c.limit(j, j.Part)
	}
	return max(j.Ends+c.Params.KillWait+over, now+1)
}
