package slurm

// Backfill is a cycle of the backfill scheduler (_attempt_backfill in backfill.c): all
// plans are forgotten; then every job in its turn starts now where that delays no plan
// of this cycle, or gets a plan on whole nodes. The jobs that start are returned in
// order; Controller.Preempted holds those that had to make
// room, as after Main.
func (c *Controller) Backfill(now int64) []*Job {
	c.now = now
	c.started, c.Preempted = c.started[:0], c.Preempted[:0]
	p := &c.Params
	if p.Builtin || c.completing(now) {
		return nil
	}
	for _, j := range c.Waiting {
		j.Plan = 0
	}
	c.valid()
	res := p.BFResolution
	m := space{{from: now / res * res, to: (now + p.BFWindow) / res * res, free: c.all.clone()}}
	cy := cycle{planned: map[*Job]bool{}, records: len(m), held: make([]int, len(c.Partitions))}
	if p.BFRunningReserve {
		for _, j := range c.Active {
			c.hold(j, &m, &cy)
		}
	}
	begun := 0
	var tally tally
	for _, r := range c.queue() {
		if cy.tested >= p.BFMaxTest {
			return c.started
		}
		reserved := 0
		for r.job.State == Pending {
			if throttled(r.job) || r.job.Array != nil && reserved >= len(r.job.left) {
				break
			}
			if c.barred(r.job, r.part) != NoReason || c.allowed(r.job, r.part, !p.AssocLimitStop) != NoReason {
				break
			}
			if tally.full(p, r) || !c.licensed(r.job) {
				break
			}
			before := len(c.started)
			full, held := c.place(r, &m, &cy)
			if full {
				return c.started
			}
			if len(c.started) > before {
				if begun++; p.BFMaxStart > 0 && begun >= p.BFMaxStart {
					return c.started
				}
			} else if !held {
				break
			} else if reserved++; reserved >= p.BFArrayReserve {
				break
			}
			if r.job.Array == nil {
				break
			}
		}
	}
	return c.started
}

// cycle counts what a cycle's bounds are held against.
type cycle struct {
	planned map[*Job]bool
	tested  int   // jobs that reached the selection plugin
	records int   // of the map, those counted that later fell together (node_space_recs)
	held    []int // plans in each partition
}

// place starts a job, plans it, or leaves it. It says whether the map is full, and
// whether the job holds a place in it.
func (c *Controller) place(r record, m *space, cy *cycle) (full, held bool) {
	j, p, res := r.job, &c.Params, c.Params.BFResolution
	length := c.limit(j, r.part)
	if j.MinLimit > 0 {
		length = min(length, j.MinLimit)
	}
	noPlan := c.spares(j, r) || p.BFOneResvPerJob && cy.planned[j] || p.BFPartCount > 0 && cy.held[r.part] >= p.BFPartCount
	noHold := j.QOS >= 0 && c.QOS[j.QOS].NoReserve
	if noHold && p.PreemptMode != ModeOff {
		length = 60
	}
	counted := false
	cand := newSet(len(c.Cluster.Nodes))
	begin := c.now
	for {
		c.nodesOf(j, r.part, cand)
		met := c.reserved(j, r.part, begin, cand)
		later := m.open(begin, max(begin, c.now)+length, cand)
		if begin == c.now {
			c.edges(*m, c.now+length)
		}
		if met > 0 {
			if end := c.reservedEnd(begin); end > 0 && end+1 < (*m)[len(*m)-1].to && (later == 0 || end+1 < later) {
				later = end + 1
			}
		}
		retry := later > 0 && !noPlan
		if cand.count() < int(j.MinNodes) {
			if !retry {
				return false, false
			}
			begin = later
			continue
		}
		if !counted {
			cy.tested++
			counted = true
		}
		at, nodes, ok := c.willRun(j, r.part, cand, c.now)
		if !ok {
			if !retry {
				return false, false
			}
			begin = later
			continue
		}
		at = max(at, begin)
		if at <= c.now && nodes.meets(c.busy) {
			at, later = c.now+1, 0
		}
		if at <= c.now+1 {
			c.until(c.now)
		}
		if at <= c.now {
			switch c.start(j, r.part, cand, true) {
			case started:
				run := c.started[len(c.started)-1]
				if j.MinLimit > 0 {
					// Slurm means to raise it as far as no plan is in the way
					// (_reset_job_time_limit), but only up to the same least limit.
					run.Ends = c.now + length
				}
				c.hold(run, m, cy)
				return false, true
			case overLimit:
				if j.Reason = ReasonLimit; !p.AssocLimitStop {
					return false, false
				}
				// When it can start nobody knows: when a plan ends, or in a while.
				if at = later; at == 0 {
					at = c.now + 500
				}
			default:
				later = 0
			}
		}
		if at > c.now && noPlan {
			return false, false
		}
		if later > 0 && at > later {
			begin = later
			continue
		}
		if j.Plan == 0 || j.Array == nil {
			j.Plan = at
		}
		if at > c.now+p.BFWindow {
			c.until(at - p.BFWindow)
			return false, false
		}
		from, to := at/res*res, (at+length)/res*res
		if p.ceilPlans() {
			to = (at + length + res - 1) / res * res
		}
		if to <= from {
			to = from + res
		}
		c.beyond(*m, from, to)
		if at > c.now && m.clashes(from, to, nodes) {
			if p.Version >= 2505 { // from 25.05: at least one resolution further
				at = max(at, begin+res)
			}
			begin = at
			continue
		}
		if noHold || !p.AssocLimitStop && !c.mayPlan(j, r.part, nodes) {
			return false, false
		}
		if p.BFPartCount > 0 {
			if cy.held[r.part] >= p.BFPartCount {
				return false, false
			}
			cy.held[r.part]++
		}
		if cy.records >= c.spaceSize() {
			return true, false
		}
		cy.records += m.records(from, to)
		m.take(from, to, nodes)
		cy.planned[j] = true
		if c.Tell != nil {
			c.Tell(j, at, nodes)
		}
		return false, true
	}
}

// hold keeps the nodes of a running job that has them whole out of the map until its
// limit, unless it may be preempted (_bf_reserve_running): of a job that this cycle has
// started, and with bf_running_job_reserve of all.
func (c *Controller) hold(j *Job, m *space, cy *cycle) {
	if !j.Whole && !c.Partitions[j.Part].Exclusive || c.mode(j) != ModeOff || cy.records >= c.spaceSize() {
		return
	}
	res := c.Params.BFResolution
	from, to := c.now/res*res, j.Ends/res*res
	to = max(to, from+res)
	cy.records += m.records(from, to)
	m.take(from, to, j.nodeSet)
}

// spaceSize is how many slots the map may have.
func (c *Controller) spaceSize() int {
	if c.Params.BFNodeSpace > 0 {
		return c.Params.BFNodeSpace
	}
	return c.Params.BFMaxTest
}

// tally counts the jobs that a cycle has tested of partitions, users and associations
// (bf_max_job_part, _user, _user_part, _assoc).
type tally struct{ seen map[[3]int]int }

// full says whether one of them has had its share, and counts the job if not.
func (t *tally) full(p *Params, r record) bool {
	keys := [4][3]int{{0, r.part, 0}, {1, r.job.User, 0}, {2, r.job.User, r.part}, {3, r.job.Assoc, 0}}
	most := [4]int{p.BFMaxPart, p.BFMaxUser, p.BFMaxUserPart, p.BFMaxAssoc}
	for i, m := range most {
		if m > 0 && t.seen[keys[i]] >= m {
			return true
		}
	}
	for i, m := range most {
		if m > 0 {
			if t.seen == nil {
				t.seen = map[[3]int]int{}
			}
			t.seen[keys[i]]++
		}
	}
	return false
}
