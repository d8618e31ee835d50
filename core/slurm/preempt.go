package slurm

import (
	"cmp"
	"slices"
)

// outranks says whether a waiting job may preempt another, by QOS or partition.
func (c *Controller) outranks(a, b record) bool {
	return c.above(a.job.QOS, b.job.QOS, a.part, b.part)
}

func (c *Controller) above(qos, other, part, otherPart int) bool {
	switch {
	case c.Params.PreemptQOS:
		return qos >= 0 && other >= 0 && slices.Contains(c.QOS[qos].Preempts, other)
	case c.Params.PreemptPartition:
		return c.Partitions[part].Tier > c.Partitions[otherPart].Tier && c.Partitions[part].set.meets(c.Partitions[otherPart].set)
	}
	return false
}

// Mode is what becomes of a running job that is preempted.
func (c *Controller) Mode(j *Job) Mode {
	if c.Params.PreemptQOS && j.QOS >= 0 && c.QOS[j.QOS].Mode != ModeCluster {
		return c.QOS[j.QOS].Mode
	}
	if c.Params.PreemptPartition && c.Partitions[j.Part].Preempt != ModeCluster {
		return c.Partitions[j.Part].Preempt
	}
	return c.Params.PreemptMode
}

// mayPreempt says whether a waiting job may take the place of a running one now, in a
// partition.
func (c *Controller) mayPreempt(j *Job, part int, a *Job) bool {
	if !c.preempts() {
		return false
	}
	return c.Mode(a) != ModeOff && c.above(j.QOS, a.QOS, part, a.Part) && !c.exempt(a)
}

// Spare leaves a running job alone until the next second, in which the caller has it end.
func (c *Controller) Spare(j *Job, now int64) { j.resumed = now }

// exempt says whether a running job has not run for long enough to be preempted.
func (c *Controller) exempt(a *Job) bool {
	exempt := c.Params.PreemptExempt
	if a.QOS >= 0 && c.QOS[a.QOS].ExemptTime > 0 {
		exempt = c.QOS[a.QOS].ExemptTime
	}
	return exempt > 0 && max(a.Started, a.resumed)+exempt > c.now
}

// rank orders those who have to go: lowest first.
func (c *Controller) rank(a *Job) int64 {
	n := int64(min(len(a.Nodes), 0xffff))
	if c.Params.PreemptQOS {
		if a.QOS < 0 {
			return n
		}
		return c.QOS[a.QOS].Priority<<16 + n
	}
	return c.Partitions[a.Part].Tier<<16 + n
}

// runNow chooses nodes for a job now, and the running jobs that have to go for it
// (Controller.victims): one after another leaves until it fits; then they are ordered
// by how many of the nodes each gave, and it is done again (_run_now).
func (c *Controller) runNow(j *Job, part int, cand set) (choice, bool) {
	c.victims, c.Yield, c.atop = c.victims[:0], c.Yield[:0], false
	if got, ok := c.choose(j, part, cand, &c.free); ok {
		return got, true
	}
	if c.gang {
		if got, ok := c.upon(j, part, cand); ok {
			return got, true
		}
	}
	var list []*Job
	for _, a := range c.Active {
		if c.mayPreempt(j, part, a) && (c.Mode(a) == ModeRequeue || c.Mode(a) == ModeCancel) {
			a.useful = 0
			list = append(list, a)
		}
	}
	if len(list) == 0 {
		return choice{}, false
	}
	slices.SortFunc(list, func(a, b *Job) int {
		first := cmp.Compare(c.rank(a), c.rank(b))
		if c.Params.YoungestOrder {
			first = cmp.Compare(b.Started, a.Started)
		}
		return cmp.Or(first, cmp.Compare(a.serial, b.serial))
	})
	s := &c.scratch
	for pass := 0; ; {
		u := c.think()
		fit := -1
		var got choice
		for i, a := range list {
			if !a.nodeSet.meets(cand) {
				continue
			}
			c.away(u, a, keepsNothing)
			a.useful = 0
			var ok bool
			if got, ok = c.choose(j, part, cand, &s.future); ok {
				fit = i
				break
			}
		}
		if fit < 0 {
			return choice{}, false
		}
		nodes := newSet(len(c.Cluster.Nodes))
		for _, n := range got.nodes {
			nodes.add(int(n))
		}
		enough := pass > c.Params.PreemptReorder
		pass++
		if enough || len(list) <= pass {
			for _, a := range list[:fit+1] {
				if a.nodeSet.meets(nodes) {
					c.victims = append(c.victims, a)
				}
			}
			return got, true
		}
		for i, a := range list {
			switch {
			case i < fit:
				a.useful = 0
				for _, n := range a.Nodes {
					if nodes.has(int(n)) {
						a.useful++
					}
				}
			case i == fit:
				a.useful = 99999
			default:
				a.useful = 0
			}
		}
		slices.SortStableFunc(list, func(a, b *Job) int { return cmp.Compare(b.useful, a.useful) })
	}
}
