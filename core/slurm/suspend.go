package slurm

import (
	"cmp"
	"math/bits"
	"slices"
)

// PreemptMode=SUSPEND,GANG: who may preempt starts at once on cores of others, who stand
// still meanwhile. They keep their memory, GPUs and cores against everybody of their own
// rank, and go on on the same cores when nobody who stands above them uses one of these
// (_job_test of select/cons_tres with gang scheduling; gang.c). A job's cores on a node are
// its lowest free ones.

// gangs says whether jobs may be suspended for others.
func (c *Controller) gangs() bool {
	if !c.preempts() {
		return false
	}
	return c.Params.PreemptMode == ModeSuspend || c.Params.PreemptQOS && slices.ContainsFunc(c.QOS, func(q QOS) bool { return q.Mode == ModeSuspend }) ||
		c.Params.PreemptPartition && slices.ContainsFunc(c.Partitions, func(p Partition) bool { return p.Preempt == ModeSuspend })
}

// suspends says whether a running job, or one that is suspended, would stand still for
// another in a partition.
func (c *Controller) suspends(j *Job, part int, a *Job) bool {
	return c.gang && c.Mode(a) == ModeSuspend && c.above(j.QOS, a.QOS, part, a.Part) && !c.exempt(a)
}

// keeps is what a job still holds in a layer.
type keeps uint8

const (
	keepsAll keeps = iota
	keepsMemory
	keepsNothing
)

// layer fills a usage with what is free of cores beside those of some jobs: a core that
// several hold is held once.
func (c *Controller) layer(u *usage, of func(*Job) keeps) {
	u.fill(c.Cluster.Nodes)
	for i := range c.cores {
		c.cores[i].clear()
	}
	for _, a := range c.Active {
		k := of(a)
		if k == keepsNothing {
			continue
		}
		for i, n := range a.Nodes {
			u.mem[n] -= c.memory(a, n, a.CPUs[i])
			u.gpu[n] -= a.GPUs
			if k == keepsAll {
				u.jobs[n]++
				c.cores[n].with(a.Cores[i])
			}
		}
	}
	for n := range u.cpu {
		if u.cpu[n] -= int32(c.cores[n].count()); u.cpu[n] <= 0 {
			u.idle.drop(n)
		}
	}
}

// think begins with what is free now, for who thinks jobs away.
func (c *Controller) think() *usage {
	u := &c.scratch.future
	if u.copy(&c.free); c.gang {
		for _, a := range c.Active {
			a.kept = keepsAll
		}
	}
	return u
}

// away thinks a running job away, or of one that would be suspended its cores.
func (c *Controller) away(u *usage, a *Job, kept keeps) {
	if !c.gang {
		u.take(a, c, -1)
		return
	}
	a.kept = kept
	c.layer(u, func(x *Job) keeps { return x.kept })
}

// fill makes it all that nodes have.
func (u *usage) fill(nodes []Node) {
	if u.idle == nil {
		u.idle = newSet(len(nodes))
	}
	u.idle.fill(len(nodes))
	u.cpu, u.mem, u.gpu, u.jobs = u.cpu[:0], u.mem[:0], u.gpu[:0], u.jobs[:0]
	for i := range nodes {
		n := &nodes[i]
		u.cpu, u.mem, u.gpu, u.jobs = append(u.cpu, n.CPUs), append(u.mem, n.Memory), append(u.gpu, n.GPUs), append(u.jobs, 0)
	}
}

// upon chooses nodes for a job on cores of those who would stand still for it, and says
// who they are (Controller.Yield).
func (c *Controller) upon(j *Job, part int, cand set) (choice, bool) {
	s := &c.scratch
	c.layer(&s.future, func(a *Job) keeps {
		if c.suspends(j, part, a) {
			return keepsMemory
		}
		return keepsAll
	})
	got, ok := c.choose(j, part, cand, &s.future)
	if !ok {
		return got, false
	}
	c.atop = true
	for _, a := range c.Active {
		if !a.Suspended && c.suspends(j, part, a) && c.takes(got, a) {
			c.Yield = append(c.Yield, a)
		}
	}
	return got, true
}

// takes says whether the cores that a choice would have, as layer has left them, are some
// of a job's.
func (c *Controller) takes(got choice, a *Job) bool {
	for i, n := range got.nodes {
		if k := slices.Index(a.Nodes, n); k >= 0 && c.lowest(int(n), got.cpus[i]).meets(a.Cores[k]) {
			return true
		}
	}
	return false
}

// lowest are the lowest cores of a node that layer has left.
func (c *Controller) lowest(node int, count int32) set {
	s := newSet(int(c.Cluster.Nodes[node].CPUs))
	for i, w := range c.cores[node] {
		for w = ^w; w != 0 && count > 0; w &= w - 1 {
			s.add(i<<6 + bits.TrailingZeros64(w))
			count--
		}
	}
	return s
}

// cover gives a job that begins its cores, and lets those stand still who yield to it.
func (c *Controller) cover(run *Job) {
	if !c.gang {
		return
	}
	c.layer(&c.scratch.future, func(a *Job) keeps {
		if a == run || c.atop && c.suspends(run, run.Part, a) {
			return keepsMemory
		}
		return keepsAll
	})
	run.Cores = nil
	for i, n := range run.Nodes {
		run.Cores = append(run.Cores, c.lowest(int(n), run.CPUs[i]))
	}
	for _, a := range c.Yield {
		c.accrue(a, c.now)
		a.Suspended, a.still = true, c.now
		c.Still = append(c.Still, a)
	}
	c.Yield = c.Yield[:0]
	c.layer(&c.free, func(*Job) keeps { return keepsAll })
}

// GoOn lets those who stand still go on for whom nobody is in the way any more, the
// highest first, of equal ones the one that started first; may, if it is not nil, says
// whether one can. It comes after jobs have ended.
func (c *Controller) GoOn(now int64, may func(*Job) bool) (list []*Job) {
	if !c.gang {
		return nil
	}
	var still []*Job
	for _, a := range c.Active {
		if a.Suspended {
			still = append(still, a)
		}
	}
	slices.SortStableFunc(still, func(a, b *Job) int {
		return cmp.Or(cmp.Compare(c.rank(b)>>16, c.rank(a)>>16), cmp.Compare(a.Started, b.Started), cmp.Compare(a.serial, b.serial))
	})
	for _, a := range still {
		if slices.ContainsFunc(c.Active, func(o *Job) bool { return !o.Suspended && o.meets(a) }) || may != nil && !may(a) {
			continue
		}
		a.Suspended, a.resumed = false, now
		a.Ends += now - a.still
		a.accrued = now
		c.changed()
		list = append(list, a)
	}
	return list
}

// meets says whether two jobs have a core in common.
func (a *Job) meets(b *Job) bool {
	if !a.nodeSet.meets(b.nodeSet) {
		return false
	}
	for i, n := range a.Nodes {
		if k := slices.Index(b.Nodes, n); k >= 0 && a.Cores[i].meets(b.Cores[k]) {
			return true
		}
	}
	return false
}
