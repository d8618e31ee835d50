package slurm

// How jobs come and go.

// Submit puts a job into the queue. Its Submit has to be set.
func (c *Controller) Submit(j *Job, now int64) {
	c.now = now
	j.MinNodes, j.PerTask = max(j.MinNodes, 1), max(j.PerTask, 1)
	j.Tasks = max(j.Tasks, j.MinNodes)
	j.left, j.fit = j.Array, c.fitting(j)
	c.serial++
	j.serial = c.serial
	c.lastPrio--
	j.Priority = make([]float64, len(j.Parts))
	for i := range j.Priority {
		j.Priority[i] = c.lastPrio
	}
	if j.eligible = never; j.Begin == 0 && !j.After.some() {
		j.eligible = now
	}
	c.Waiting = append(c.Waiting, j)
	c.jobs[j.ID] = j
	c.book.submit(c, j, 1)
	if c.Params.Multifactor {
		c.setPriority(j, false)
	}
}

// fewest is how many nodes a job needs at least in a partition.
func (c *Controller) fewest(j *Job, part int) int {
	if p := &c.Partitions[part]; p.Counted || p.One {
		return 1
	}
	return int(j.MinNodes)
}

// minCPUs is how many CPUs a job needs in all.
func (j *Job) minCPUs() int32 { return j.Tasks * j.PerTask }

// begin starts a job, or the next task of an array, on nodes that were chosen.
func (c *Controller) begin(j *Job, part int, nodes, cpus []int32, backfill bool) *Job {
	run := j
	if j.Array != nil {
		task := *j
		task.Array, task.left, task.Task, task.parent = nil, nil, j.left[0], j
		task.Priority = append([]float64(nil), j.Priority...)
		run = &task
		c.serial++
		j.serial = c.serial
		j.left = j.left[1:]
		j.live++
		j.Started = c.now
	}
	run.Nodes, run.CPUs = append([]int32(nil), nodes...), append([]int32(nil), cpus...)
	run.Part, run.State, run.Started, run.Backfill, run.Plan = part, Running, c.now, backfill, 0
	run.Ends = c.now + c.limit(run, part)
	run.nodeSet = newSet(len(c.Cluster.Nodes))
	run.used = TRES{Node: int64(len(nodes))}
	for k, n := range nodes {
		run.nodeSet.add(int(n))
		run.used = run.used.plus(TRES{CPU: int64(cpus[k]), Mem: c.memory(run, n, cpus[k]), GPU: int64(j.GPUs)})
	}
	run.accrued = c.now
	run.Reason = NoReason
	c.free.take(run, c, 1)
	c.idle -= run.used.CPU
	c.changed()
	c.Active = append(c.Active, run)
	c.cover(run)
	if j.Array == nil || len(j.left) == 0 {
		c.unqueue(j)
	}
	c.book.start(c, run, 1)
	c.lease(run, 1)
	c.countWhole(run, 1)
	c.started = append(c.started, run)
	return run
}

func (c *Controller) unqueue(j *Job) {
	for i, w := range c.Waiting {
		if w == j {
			c.Waiting = append(c.Waiting[:i], c.Waiting[i+1:]...)
			return
		}
	}
}

// End lets a running job end: what it holds is free at once, its nodes once the
// epilog is through (Epilog).
func (c *Controller) End(j *Job, state State, exit int, now int64) {
	c.now = now
	for i, a := range c.Active {
		if a == j {
			c.Active = append(c.Active[:i], c.Active[i+1:]...)
			break
		}
	}
	if c.Params.EnforceLimits { // else what it used since the last time is never booked (_adjust_limit_usage)
		c.accrue(j, now)
	}
	if c.free.take(j, c, -1); c.gang {
		c.layer(&c.free, func(*Job) keeps { return keepsAll })
	}
	c.idle += j.used.CPU
	c.changed()
	j.State, j.Exit, j.Ended, j.completing = state, exit, now, true
	for _, n := range j.Nodes {
		c.closing[n]++
		c.busy.add(int(n))
	}
	c.book.start(c, j, -1)
	c.book.submit(c, j, -1)
	c.lease(j, -1)
	c.countWhole(j, -1)
	c.ending = append(c.ending, j)
	if p := j.parent; p != nil {
		p.live--
		p.done++
		if exit != 0 || state != Completed {
			p.fails++
		}
	}
}

// Epilog gives the nodes of a job that has ended free for others.
func (c *Controller) Epilog(j *Job) {
	if !j.completing {
		return
	}
	j.completing = false
	c.changed()
	for i, e := range c.ending {
		if e == j {
			c.ending = append(c.ending[:i], c.ending[i+1:]...)
			break
		}
	}
	for _, n := range j.Nodes {
		if c.closing[n]--; c.closing[n] == 0 {
			c.busy.drop(int(n))
		}
	}
}

// Requeue puts a job that was preempted back into the queue; it waits RequeueWait.
func (c *Controller) Requeue(j *Job, now int64) *Job {
	again := *j
	again.State, again.Nodes, again.CPUs, again.nodeSet, again.Cores = Pending, nil, nil, nil, nil
	again.Submit, again.waitUntil, again.completing = now, now+c.Params.RequeueWait, false
	again.eligible = never
	again.Begin = again.waitUntil
	c.now = now
	c.changed()
	c.Waiting = append(c.Waiting, &again)
	c.jobs[again.ID] = &again
	c.book.submit(c, &again, 1)
	return &again
}

// Cancel takes a job out of the queue. Errors are none: who runs is the caller's.
func (c *Controller) Cancel(j *Job, now int64) {
	if j.State != Pending {
		return
	}
	j.State, j.Ended = Cancelled, now
	j.failed = true
	c.changed()
	c.unqueue(j)
	c.book.submit(c, j, -1)
}

// Overdue are the running jobs whose limit is over when limits are checked
// (job_time_limit in job_mgr.c), in order of their start.
func (c *Controller) Overdue(now int64) (late []*Job) {
	for _, j := range c.Active {
		over := c.Params.OverTime
		if p := &c.Partitions[j.Part]; p.OverTime != 0 {
			over = p.OverTime
		}
		if !j.Suspended && (over < Unlimited && j.Ends+over <= now || c.usedUp(j, now)) {
			late = append(late, j)
		}
	}
	return late
}

// limit is for how long a job holds what it gets (backfill.c, step 2 of its walk).
func (c *Controller) limit(j *Job, part int) int64 {
	p := &c.Partitions[part]
	switch {
	case j.Limit > 0 && p.MaxTime > 0:
		return min(j.Limit, p.MaxTime)
	case j.Limit > 0:
		return j.Limit
	case p.DefaultTime > 0:
		return p.DefaultTime
	case p.MaxTime > 0:
		return p.MaxTime
	}
	return 365 * 86400
}
