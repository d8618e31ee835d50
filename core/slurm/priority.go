package slurm

import (
	"math"
	"slices"
)

// setPriority computes the priority of a waiting job in each of its partitions
// (_get_priority_internal of priority/multifactor), again or for the first time.
func (c *Controller) setPriority(j *Job, again bool) {
	p := &c.Params
	j.priced = c.now
	f := c.factors(j)
	base := f.Age + f.Assoc + f.Fair + f.Size
	for i, part := range j.Parts {
		v := base + c.partFactor(part) + f.QOS + c.tresFactor(j, part) - float64(j.Nice)
		v = math.Floor(min(max(v, 1), math.MaxUint32))
		if p.IncrOnly && again {
			v = max(v, j.Priority[i])
		}
		j.Priority[i] = v
	}
}

// Factors are the terms of a job's priority, each with its weight.
type Factors struct{ Age, Assoc, Fair, Size, Part, QOS, TRES, Nice float64 }

// Factors are the terms of a waiting job's priority in its i-th partition, as they were
// when it was computed last: their sum, from 1 on and rounded down, is its priority.
func (c *Controller) Factors(j *Job, i int) Factors {
	f := c.factors(j)
	f.Part, f.TRES, f.Nice = c.partFactor(j.Parts[i]), c.tresFactor(j, j.Parts[i]), -float64(j.Nice)
	return f
}

// factors are those of them that are the same in all of a job's partitions.
func (c *Controller) factors(j *Job) (f Factors) {
	p := &c.Params
	age := 0.0
	since := j.eligible
	if p.AccrueAlways {
		since = j.Submit
	}
	if since != never && j.priced > since {
		age = min(float64(j.priced-since)/float64(max(p.MaxAge, 1)), 1)
	}
	f.Age, f.Size = float64(float64(p.WeightAge)*age), float64(float64(p.WeightSize)*c.size(j))
	if j.Assoc >= 0 {
		if !p.NoDatabase {
			f.Fair = float64(float64(p.WeightFair) * c.book.fair[j.Assoc])
		}
		f.Assoc = float64(float64(p.WeightAssoc) * normal(c.Assocs[j.Assoc].Priority, c.mostAssoc(), p.RawAssoc))
	}
	if j.QOS >= 0 {
		f.QOS = float64(float64(p.WeightQOS) * normal(c.QOS[j.QOS].Priority, c.mostQOS(), p.RawQOS))
	}
	return f
}

func (c *Controller) partFactor(part int) float64 {
	return float64(float64(c.Params.WeightPartition) * normal(c.Partitions[part].JobFactor, c.mostPart(), c.Params.RawPart))
}

// normal is a factor as a part of the largest, or, as NO_NORMAL_* have it, as it is.
func normal(own, most int64, raw bool) float64 {
	switch {
	case raw:
		return float64(own)
	case most > 0:
		return float64(own) / float64(most)
	}
	return 0
}

// size is the factor of a job's size.
func (c *Controller) size(j *Job) float64 {
	nodes, cpus := float64(j.MinNodes), float64(j.minCPUs())
	allNodes, all := float64(c.total.Node), float64(c.total.CPU)
	if allNodes == 0 || all == 0 {
		return 0
	}
	if c.Params.SmallByTime {
		f := max(nodes*all/allNodes, cpus) / (float64(c.limit(j, j.Parts[0])) / 60) / all
		if c.Params.FavorSmall {
			return 1 - min(f, 1)
		}
		return min(f, 1)
	}
	if c.Params.FavorSmall {
		return ((allNodes-nodes)/allNodes + (all-cpus)/all) / 2
	}
	return (nodes/allNodes + cpus/all) / 2
}

func (c *Controller) tresFactor(j *Job, part int) float64 {
	p := &c.Params
	if p.WeightCPU == 0 && p.WeightMem == 0 && p.WeightGPU == 0 {
		return 0
	}
	var all TRES
	for _, n := range c.Partitions[part].Nodes {
		node := &c.Cluster.Nodes[n]
		all = all.plus(TRES{int64(node.CPUs), node.Memory, 1, int64(node.GPUs)})
	}
	share := func(w, have, of int64) float64 {
		if of == 0 {
			return 0
		}
		return float64(w) * (float64(have) / float64(of))
	}
	mem := j.MemNode * int64(j.MinNodes)
	if j.MemCPU > 0 {
		mem = j.MemCPU * int64(j.minCPUs())
	}
	return share(p.WeightCPU, int64(j.minCPUs()), all.CPU) + share(p.WeightMem, mem, all.Mem) + share(p.WeightGPU, int64(j.GPUs)*int64(j.MinNodes), all.GPU)
}

func (c *Controller) mostPart() (m int64) {
	for i := range c.Partitions {
		m = max(m, c.Partitions[i].JobFactor)
	}
	return m
}

func (c *Controller) mostQOS() (m int64) {
	for i := range c.QOS {
		m = max(m, c.QOS[i].Priority)
	}
	return m
}

func (c *Controller) mostAssoc() (m int64) {
	for i := range c.Assocs {
		m = max(m, c.Assocs[i].Priority)
	}
	return m
}

// Recalculate is what comes every PriorityCalcPeriod (_decay_thread): usage decays,
// running jobs add theirs, shares and all priorities are recomputed. last is when
// it came before, 0 at first.
func (c *Controller) Recalculate(now, last int64) {
	c.now = now
	if !c.Params.Multifactor || c.Params.NoDatabase { // without slurmdbd the decay thread is not started (init of priority/multifactor)
		return
	}
	if h := c.Params.HalfLife; h > 0 && last > 0 {
		keep := pow(1-0.693/float64(h), now-last)
		for i := range c.book.raw {
			c.book.raw[i] = float64(c.book.raw[i] * keep)
			c.book.assocSpent[i].keep(keep)
		}
		for i := range c.book.qosSpent {
			c.book.qosSpent[i].keep(keep)
		}
	}
	c.forget(now)
	for _, j := range c.Active {
		c.accrue(j, now)
	}
	if c.Params.NoFairTree {
		c.classicShares()
	} else {
		c.fairTree()
	}
	c.changed()
	for _, j := range c.Waiting {
		c.eligible(j)
		c.setPriority(j, true)
	}
}

// Settled says that usage stays what it is as long as nothing runs: what is left of it is
// too little to become less.
func (c *Controller) Settled() bool {
	if c.Params.HalfLife == 0 {
		return true
	}
	keep := pow(1-0.693/float64(c.Params.HalfLife), c.Params.CalcPeriod)
	return !slices.ContainsFunc(c.book.raw, func(u float64) bool { return float64(u*keep) != u })
}

// accrue books what a running job has used since the last time (_apply_new_usage).
func (c *Controller) accrue(j *Job, now int64) {
	d := now - j.accrued
	if d <= 0 || j.Suspended || !c.Params.Multifactor {
		return
	}
	j.accrued = now
	p := &c.Params
	bill := float64(p.BillCPU*float64(j.used.CPU)) + float64(p.BillMem*float64(j.used.Mem)) + float64(p.BillGPU*float64(j.used.GPU))
	use, seconds := float64(float64(d)*bill), float64(d)
	if p.HalfLife > 0 {
		keep := pow(1-0.693/float64(p.HalfLife), d)
		use, seconds = float64(use*keep), float64(seconds*keep)
	}
	if j.QOS >= 0 {
		use, seconds = float64(use*c.QOS[j.QOS].UsageFactor), float64(seconds*c.QOS[j.QOS].UsageFactor)
	}
	for _, q := range c.qosOf(j, j.Part) {
		if q >= 0 {
			c.book.qosSpent[q].add(j.used, seconds)
		}
	}
	for a := j.Assoc; a >= 0; a = c.Assocs[a].Parent {
		c.book.raw[a] += use
		c.book.assocSpent[a].add(j.used, seconds)
	}
}

// pow is a power with a whole exponent, by squares: the same bits everywhere.
func pow(x float64, n int64) float64 {
	r := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			r = float64(r * x)
		}
		x = float64(x * x)
	}
	return r
}
