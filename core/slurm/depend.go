package slurm

// Depend is what a job waits for: Terms, all of them or any.
type Depend struct {
	Terms []Term
	Any   bool
}

func (d *Depend) some() bool { return len(d.Terms) > 0 }

// Term is one condition over other jobs.
type Term struct {
	Kind  DependKind
	Job   int64 // number of the other; none of Singleton
	Task  int   // of an array, -1 all of it
	Delay int64 // seconds (after:N+min)
}

// DependKind is what a dependency asks of another job.
type DependKind uint8

const (
	After DependKind = iota // it has started
	AfterAny
	AfterOK
	AfterNotOK
	AfterCorr
	Singleton
)

// met says whether what a job waits for has come, or can never come
// (test_job_dependency in job_scheduler.c).
func (c *Controller) met(j *Job) (met, never bool) {
	all, any, lost := true, false, 0
	for _, t := range j.After.Terms {
		ok, bad := c.term(j, t)
		all, any = all && ok, any || ok
		if bad {
			lost++
		}
	}
	if j.After.Any {
		return any, !any && lost == len(j.After.Terms)
	}
	return all, lost > 0
}

func (c *Controller) term(j *Job, t Term) (met, never bool) {
	if t.Kind == Singleton {
		for _, a := range c.Active {
			if a.User == j.User && a.Name == j.Name && a.ID < j.ID {
				return false, false
			}
		}
		for _, w := range c.Waiting {
			if w.User == j.User && w.Name == j.Name && w.ID < j.ID {
				return false, false
			}
		}
		return true, false
	}
	o := c.jobs[t.Job]
	if o == nil {
		return true, false // purged
	}
	if t.Kind == After && o.Array != nil && o.State == Pending {
		// Of an array its last task, which keeps the array's record.
		return len(o.left) == 0 && c.now >= o.Started+t.Delay, false
	}
	if t.Kind == After {
		since := o.Started
		if o.State == Cancelled {
			since = o.Ended
		}
		return o.State != Pending && c.now >= since+t.Delay, false
	}
	if !c.over(o) {
		return false, false
	}
	ok := o.State == Completed && o.Exit == 0
	if o.Array != nil {
		ok = o.fails == 0 && !o.failed
	}
	switch t.Kind {
	case AfterOK, AfterCorr:
		return ok, !ok
	case AfterNotOK:
		return !ok, ok
	}
	return true, false
}

// over says whether a job, with all tasks, has ended and its nodes are free.
func (c *Controller) over(o *Job) bool {
	if o.Array == nil {
		return o.State > Running && !o.completing
	}
	if o.State == Cancelled {
		return o.live == 0
	}
	return o.done == len(o.Array) && !o.completing
}
