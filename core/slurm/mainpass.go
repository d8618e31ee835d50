package slurm

import "slices"

// Main is a pass of the main scheduler (_schedule in job_scheduler.c): priority order,
// each partition until its first job that does not fit. It never passes over a blocked
// job. Without full it stops after QueueDepth jobs. The jobs that start are returned in
// order; Controller.Preempted holds those that had to make room: they have ended (End), and the caller
// says when their epilog is through and whether they wait again (Requeue).
func (c *Controller) Main(now int64, full bool) []*Job {
	c.now = now
	c.started, c.Preempted, c.Cut = c.started[:0], c.Preempted[:0], false
	c.Blocked, c.reached, c.Still = c.Blocked[:0], 0, c.Still[:0]
	if c.Params.SchedInterval < 0 || c.completing(now) {
		return nil
	}
	failed := make([]bool, len(c.Partitions))
	failedReserved := make([]bool, len(c.Reserved))
	tested := make([]int, len(c.Partitions))
	avail := c.all.clone()
	depth := 0
	var skip *Job
	for i, r := range c.queue() {
		c.reached = i
		j := r.job
		if j.State != Pending || j == skip {
			continue
		}
		for j.State == Pending {
			if throttled(j) {
				j.Reason = ReasonArrayLimit
				break
			}
			if c.Params.PartitionDepth > 0 && tested[r.part] >= c.Params.PartitionDepth {
				c.Cut = true
				break
			}
			tested[r.part]++
			if !full && depth > c.Params.QueueDepth {
				c.Cut = true
				return c.started
			}
			depth++
			if failed[r.part] && j.Reserved < 0 || j.Reserved >= 0 && failedReserved[j.Reserved] {
				if j.Reason == NoReason {
					j.Reason = ReasonPriority
				}
				skip = arrayOf(j)
				break
			}
			if why := c.barred(j, r.part); why != NoReason {
				j.Reason = why
				break
			}
			if why := c.allowed(j, r.part, true); why != NoReason {
				j.Reason = why
				break
			}
			if !c.licensed(j) {
				if j.Reason = ReasonLicences; c.Params.BFLicences {
					return c.started
				}
				break
			}
			if avail.common(c.Partitions[r.part].set) < c.fewest(j, r.part) {
				// Too many are down or withheld for jobs of higher partitions.
				j.Reason, skip, failed[r.part] = ReasonResources, arrayOf(j), true
				c.Blocked = append(c.Blocked, Block{j, r.part})
				break
			}
			got := noRoom
			if j.Het == 0 {
				got = c.start(j, r.part, avail, false)
			}
			if got == started {
				if slices.ContainsFunc(c.Blocked, func(b Block) bool { return b.Job == j }) {
					c.Cut = true // it stopped a partition before it found its place in this one
				}
				if m := c.Params.MaxStart; m > 0 && len(c.started) >= m {
					c.Cut = true
					return c.started
				}
				if j.Array == nil {
					break
				}
				continue
			}
			skip = arrayOf(j)
			switch got {
			case overLimit:
				j.Reason = ReasonLimit
				if !c.Params.AssocLimitStop {
					skip = nil
				} else {
					failed[r.part] = true
				}
			case hindered:
				j.Reason = ReasonReserved
			case impossible:
				if j.Reason == NoReason {
					j.Reason = ReasonResources
				}
			case noRoom:
				j.Reason = ReasonResources
				if j.Het == 0 && c.spares(j, r) {
					break
				}
				if j.Reserved >= 0 {
					failedReserved[j.Reserved] = true
					break
				}
				failed[r.part] = true
				c.Blocked = append(c.Blocked, Block{j, r.part})
				avail.without(c.Partitions[r.part].set)
			}
			break
		}
	}
	c.reached = len(c.records)
	return c.started
}

// arrayOf is a job if it is an array, whose other tasks are then passed over.
func arrayOf(j *Job) *Job {
	if j.Array != nil {
		return j
	}
	return nil
}

// spares says whether a job that does not fit blocks no job, since it is too young or
// of too low a priority for a reservation.
func (c *Controller) spares(j *Job, r record) bool {
	p := &c.Params
	return p.BFMinAge > 0 && c.now-j.eligible < p.BFMinAge || p.BFMinPrio > 0 && r.prio < float64(p.BFMinPrio)
}

// outcome of an attempt to start a job now.
type outcome uint8

const (
	started    outcome = iota
	noRoom             // nodes are busy
	overLimit          // a limit forbids these resources
	hindered           // only an advance reservation is in the way
	impossible         // never on these nodes, even if they were empty
)

// barred is why a partition does not take a job at all (job_limits_check), as far as
// the job itself goes.
func (c *Controller) barred(j *Job, part int) Reason {
	p := &c.Partitions[part]
	switch {
	case p.MaxTime > 0 && j.Limit > p.MaxTime:
		return ReasonPartitionTime
	case p.MaxNodes > 0 && c.fewest(j, part) > int(p.MaxNodes), c.fewest(j, part) > len(p.Nodes):
		return ReasonPartitionNodes
	}
	return NoReason
}

// start starts a job now on nodes of avail if it can (select_nodes in
// node_scheduler.c). Nodes on which a job is still completing are not taken.
func (c *Controller) start(j *Job, part int, avail set, backfill bool) outcome {
	s := &c.scratch
	if len(s.cand) == 0 {
		n := len(c.Cluster.Nodes)
		s.cand, s.ever, s.possible = newSet(n), newSet(n), newSet(n)
	}
	c.nodesOf(j, part, s.cand)
	unreserved := s.cand.count()
	c.reserved(j, part, c.now, s.cand)
	lost := s.cand.count() < unreserved
	copy(s.ever, s.cand)
	s.cand.and(avail)
	copy(s.possible, s.cand) // if they were empty
	s.cand.without(c.busy)
	got, ok := c.runNow(j, part, s.cand)
	if ok {
		if len(c.victims) > 0 {
			// Their cores are free at once, their nodes after the epilog.
			for _, v := range c.victims {
				c.End(v, Preempted, 1, c.now)
			}
			c.Preempted = append(c.Preempted, c.victims...)
			return noRoom
		}
		if !c.mayHave(j, part, got) {
			return overLimit
		}
		if c.Grant != nil && !c.Grant(j, part, got.nodes, got.cpus) {
			return hindered
		}
		c.begin(j, part, got.nodes, got.cpus, backfill)
		return started
	}
	if c.fitsEmpty(j, part, s.possible) || c.occupied(j, part, s.possible) && c.fitsEmpty(j, part, s.ever) {
		return noRoom
	}
	if lost {
		return hindered
	}
	return impossible
}

// occupied says whether one of the nodes is taken for a job as a whole: by a job that has
// it whole or is completing; and where the job itself wants whole nodes, by any
// (nodes_busy in _pick_best_nodes). Then a job waits for busy nodes, and blocks, even if
// it could not run on these nodes when they are empty.
func (c *Controller) occupied(j *Job, part int, nodes set) bool {
	whole := j.Whole || c.Partitions[part].Exclusive || c.Params.Select == Linear
	for i := range c.Cluster.Nodes {
		if nodes.has(i) && (c.busy.has(i) || c.free.jobs[i] > 0 && (whole || c.wholly[i] > 0)) {
			return true
		}
	}
	return false
}

// fitsEmpty says whether a job could run on nodes if nothing else did
// (SELECT_MODE_TEST_ONLY).
func (c *Controller) fitsEmpty(j *Job, part int, cand set) bool {
	if c.Partitions[part].Counted {
		return cand.count() >= int(j.minCPUs())
	}
	if c.empty.cpu == nil {
		c.empty.fill(c.Cluster.Nodes)
	}
	_, ok := c.choose(j, part, cand, &c.empty)
	return ok
}
