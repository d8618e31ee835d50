package slurm

import "slices"

// record is a job in one of the partitions that it named.
type record struct {
	job  *Job
	part int
	prio float64
}

// queue makes and sorts the queue of a loop (build_job_queue, sort_job_queue2 in
// job_scheduler.c): pending jobs that may start as far as they themselves go.
func (c *Controller) queue() []record {
	c.records = c.records[:0]
	c.scratch.waits = append(c.scratch.waits[:0], c.Waiting...)
	for _, j := range c.scratch.waits {
		if !c.eligible(j) {
			continue
		}
		for i, part := range j.Parts {
			c.records = append(c.records, record{job: j, part: part, prio: j.Priority[i]})
		}
	}
	slices.SortStableFunc(c.records, c.before)
	return c.records
}

// Order returns the jobs that wait in the order in which the last loop went through
// them. It is valid until the next one.
func (c *Controller) Order() (list []*Job) {
	for i := range c.records {
		if j := c.records[i].job; j.State == Pending && !slices.Contains(list, j) {
			list = append(list, j)
		}
	}
	return list
}

// Each visits the jobs that waited when the last loop began, in each of their partitions
// and in the order of its queue, and says whether it came to them.
func (c *Controller) Each(visit func(j *Job, part int, reached bool)) {
	for i := range c.records {
		visit(c.records[i].job, c.records[i].part, i < c.reached)
	}
}

// Line returns the jobs that wait in the order in which a loop would go through them now.
func (c *Controller) Line() []*Job {
	c.queue()
	return c.Order()
}

// Passed says whether a job that the last loop has started stood behind one that waits.
func (c *Controller) Passed(j *Job) bool {
	for i := range c.records {
		if o := c.records[i].job; o == j {
			return false
		} else if o.State == Pending {
			return true
		}
	}
	return false
}

func (c *Controller) before(a, b record) int {
	if c.preempts() {
		if x, y := c.outranks(a, b), c.outranks(b, a); x != y {
			return sign(x)
		}
	}
	if x, y := a.job.Reserved >= 0, b.job.Reserved >= 0; x != y {
		return sign(x)
	}
	if x, y := c.Partitions[a.part].Tier, c.Partitions[b.part].Tier; x != y {
		return sign(x > y)
	}
	if a.prio != b.prio {
		return sign(a.prio > b.prio)
	}
	if a.job.Submit != b.job.Submit && a.job.waitUntil == 0 && b.job.waitUntil == 0 {
		return sign(a.job.Submit < b.job.Submit)
	}
	if a.job.ID != b.job.ID {
		return sign(a.job.ID < b.job.ID)
	}
	if a.job.Task != b.job.Task {
		return sign(a.job.Task < b.job.Task)
	}
	return 0
}

func sign(first bool) int {
	if first {
		return -1
	}
	return 1
}

// Awaits says whether a job that waits may not begin before a time to come.
func (c *Controller) Awaits(now int64) bool {
	return slices.ContainsFunc(c.Waiting, func(j *Job) bool { return max(j.Begin, j.waitUntil) > now })
}

// eligible says whether a job waits for nothing but its turn (job_independent), and
// notes since when.
func (c *Controller) eligible(j *Job) bool {
	if j.never || j.State != Pending {
		return false
	}
	if j.Begin > c.now || j.waitUntil > c.now {
		j.Reason = ReasonBeginTime
		return false
	}
	if j.After.some() {
		switch met, never := c.met(j); {
		case never:
			j.Reason, j.never, j.failed = ReasonDependencyNever, true, true
			if c.Params.KillInvalidDepend {
				c.Cancel(j, c.now)
			}
			return false
		case !met:
			j.Reason = ReasonDependency
			return false
		}
	}
	if j.eligible == never {
		j.eligible = c.now
	}
	return true
}

// throttled says whether an array has as many tasks at once as it may.
func throttled(j *Job) bool {
	return j.Array != nil && (len(j.left) == 0 || j.Throttle > 0 && j.live >= j.Throttle)
}
