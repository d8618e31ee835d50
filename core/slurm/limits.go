package slurm

// counts are what jobs of an association, a QOS, or a user of one hold.
type counts struct {
	jobs, submitted int64
	tres            TRES
}

// book keeps what limits are held against (acct_policy.c).
type book struct {
	assoc                []counts
	qos                  []counts
	user                 map[[2]int]*counts // of a QOS and a user
	acct                 map[[2]int]*counts // of a QOS and an account's association
	raw                  []float64          // usage of associations, decayed, in billed CPU-seconds
	assocSpent, qosSpent []spent
	fair                 []float64 // fair-share factor of associations of users
}

func (b *book) open(c *Cluster) {
	b.assoc, b.qos = make([]counts, len(c.Assocs)), make([]counts, len(c.QOS))
	b.user, b.acct = map[[2]int]*counts{}, map[[2]int]*counts{}
	b.assocSpent, b.qosSpent = make([]spent, len(c.Assocs)), make([]spent, len(c.QOS))
	b.raw, b.fair = make([]float64, len(c.Assocs)), make([]float64, len(c.Assocs))
	for i := range b.fair {
		b.fair[i] = 1
	}
}

func at(m map[[2]int]*counts, a, b int) *counts {
	k := [2]int{a, b}
	if m[k] == nil {
		m[k] = &counts{}
	}
	return m[k]
}

// submit counts a job that is in the queue or runs.
func (b *book) submit(c *Controller, j *Job, n int64) {
	size := int64(1)
	if j.Array != nil { // of one that is taken out of the queue the tasks that are left
		size = int64(len(j.left))
	}
	for a := j.Assoc; a >= 0; a = c.Assocs[a].Parent {
		b.assoc[a].submitted += n * size
	}
	for _, q := range c.qosOf(j, j.first()) {
		if q >= 0 {
			b.qos[q].submitted += n * size
			at(b.user, q, j.User).submitted += n * size
			at(b.acct, q, c.accountOf(j)).submitted += n * size
		}
	}
}

// start counts a job that runs.
func (b *book) start(c *Controller, j *Job, n int64) {
	add := func(x *counts) {
		x.jobs += n
		if n > 0 {
			x.tres = x.tres.plus(j.used)
		} else {
			x.tres = x.tres.minus(j.used)
		}
	}
	for a := j.Assoc; a >= 0; a = c.Assocs[a].Parent {
		add(&b.assoc[a])
	}
	for _, q := range c.qosOf(j, j.Part) {
		if q >= 0 {
			add(&b.qos[q])
			add(at(b.user, q, j.User))
			add(at(b.acct, q, c.accountOf(j)))
		}
	}
}

// qosOf are the QOS that bound a job, the one that counts first in front: the
// partition's before its own, unless OverPartQOS swaps them; -1 none.
func (c *Controller) qosOf(j *Job, part int) [2]int {
	own, theirs := j.QOS, -1
	if part >= 0 {
		theirs = c.Partitions[part].QOS
	}
	if theirs == own {
		return [2]int{own, -1}
	}
	if own >= 0 && c.QOS[own].OverPart {
		return [2]int{own, theirs}
	}
	return [2]int{theirs, own}
}

// first is the partition that a job named first, -1 none.
func (j *Job) first() int {
	if len(j.Parts) == 0 {
		return -1
	}
	return j.Parts[0]
}

func (c *Controller) accountOf(j *Job) int {
	if j.Assoc >= 0 {
		return c.Assocs[j.Assoc].Parent
	}
	return -1
}

// mayRun says whether limits let a job be considered
// (acct_policy_job_runnable_pre_select).
func (c *Controller) mayRun(j *Job, part int) bool {
	if !c.Params.EnforceLimits {
		return true
	}
	if c.exhausted(j, part) {
		return false
	}
	user, group, account := false, false, false // a limit of this kind is set by a QOS in front
	for _, q := range c.qosOf(j, part) {
		if q < 0 {
			continue
		}
		l := &c.QOS[q].Limits
		if !group && l.GrpJobs < Unlimited {
			if group = true; c.book.qos[q].jobs >= l.GrpJobs {
				return false
			}
		}
		if !user && l.MaxJobs < Unlimited {
			if user = true; at(c.book.user, q, j.User).jobs >= l.MaxJobs {
				return false
			}
		}
		if !account && l.MaxJobsPA < Unlimited {
			if account = true; at(c.book.acct, q, c.accountOf(j)).jobs >= l.MaxJobsPA {
				return false
			}
		}
	}
	for a := j.Assoc; a >= 0; a = c.Assocs[a].Parent {
		l := &c.Assocs[a].Limits
		if !group && c.book.assoc[a].jobs >= l.GrpJobs || a == j.Assoc && !user && c.book.assoc[a].jobs >= l.MaxJobs {
			return false
		}
	}
	return true
}

// mayHave says whether limits let a job have these resources now
// (acct_policy_job_runnable_post_select).
func (c *Controller) mayHave(j *Job, part int, got choice) bool {
	if !c.Params.EnforceLimits {
		return true
	}
	ask := TRES{Node: int64(len(got.nodes))}
	most := TRES{Node: 1}
	for k, n := range got.nodes {
		one := TRES{CPU: int64(got.cpus[k]), Mem: c.memory(j, n, got.cpus[k]), GPU: int64(j.GPUs)}
		ask = ask.plus(one)
		most = TRES{max(most.CPU, one.CPU), max(most.Mem, one.Mem), 1, max(most.GPU, one.GPU)}
	}
	return c.mayHold(j, part, ask, most)
}

// mayPlan says whether limits would let a job have nodes for a plan, by the CPUs and
// memory that it asks for.
func (c *Controller) mayPlan(j *Job, part int, nodes set) bool {
	if !c.Params.EnforceLimits {
		return true
	}
	n := int64(nodes.count())
	ask := TRES{CPU: int64(j.minCPUs()), Node: n, GPU: n * int64(j.GPUs)}
	if j.MemCPU > 0 {
		ask.Mem = j.MemCPU * ask.CPU
	} else {
		ask.Mem = j.MemNode * n
	}
	return c.mayHold(j, part, ask, TRES{})
}

// mayHold holds what a job would have, in all and at most on a node, against limits.
func (c *Controller) mayHold(j *Job, part int, ask, most TRES) bool {
	if !times(ask, c.limit(j, part)).within(c.longest(j, part)) {
		return false
	}
	ahead := NoLimits() // what QOS in front have set
	for _, q := range c.qosOf(j, part) {
		if q < 0 {
			continue
		}
		l := &c.QOS[q].Limits
		if !ask.within(free(l.MaxTRES, ahead.MaxTRES)) || !most.within(free(l.MaxTRESPerNode, ahead.MaxTRESPerNode)) ||
			!c.book.qos[q].tres.plus(ask).within(free(l.GrpTRES, ahead.GrpTRES)) ||
			!at(c.book.user, q, j.User).tres.plus(ask).within(free(l.MaxTRESPU, ahead.MaxTRESPU)) ||
			!at(c.book.acct, q, c.accountOf(j)).tres.plus(ask).within(free(l.GrpPA, ahead.GrpPA)) ||
			!c.remaining(q, -1).plus(times(ask, c.limit(j, part))).within(free(l.GrpRunMins, ahead.GrpRunMins)) {
			return false
		}
		ahead.MaxTRES, ahead.MaxTRESPerNode, ahead.GrpTRES = ahead.MaxTRES.or(l.MaxTRES), ahead.MaxTRESPerNode.or(l.MaxTRESPerNode), ahead.GrpTRES.or(l.GrpTRES)
		ahead.MaxTRESPU, ahead.GrpPA, ahead.GrpRunMins = ahead.MaxTRESPU.or(l.MaxTRESPU), ahead.GrpPA.or(l.GrpPA), ahead.GrpRunMins.or(l.GrpRunMins)
	}
	for a := j.Assoc; a >= 0; a = c.Assocs[a].Parent {
		l := &c.Assocs[a].Limits
		if !c.book.assoc[a].tres.plus(ask).within(free(l.GrpTRES, ahead.GrpTRES)) || !ask.within(free(l.MaxTRES, ahead.MaxTRES)) ||
			!c.remaining(-1, a).plus(times(ask, c.limit(j, part))).within(free(l.GrpRunMins, ahead.GrpRunMins)) {
			return false
		}
	}
	return true
}

// free is a limit where none in front is set.
func free(own, ahead TRES) TRES {
	pick := func(o, a int64) int64 {
		if a < Unlimited {
			return Unlimited * 4
		}
		return o
	}
	return TRES{pick(own.CPU, ahead.CPU), pick(own.Mem, ahead.Mem), pick(own.Node, ahead.Node), pick(own.GPU, ahead.GPU)}
}

func times(t TRES, s int64) TRES { return TRES{t.CPU * s, t.Mem * s, t.Node * s, t.GPU * s} }

// remaining is what the running jobs of a QOS, or below an association, may still use
// until their limits, in TRES-seconds.
func (c *Controller) remaining(qos, assoc int) (sum TRES) {
	limits := c.Params.EnforceLimits
	if limits {
		if qos >= 0 && c.QOS[qos].GrpRunMins == NoTRES || assoc >= 0 && c.Assocs[assoc].GrpRunMins == NoTRES {
			return TRES{}
		}
	}
	for _, a := range c.Active {
		in := qos >= 0 && (a.QOS == qos || c.Partitions[a.Part].QOS == qos)
		for x := a.Assoc; x >= 0 && assoc >= 0; x = c.Assocs[x].Parent {
			in = in || x == assoc
		}
		if in {
			sum = sum.plus(times(a.used, max(a.Ends-c.now, 0)))
		}
	}
	return sum
}
