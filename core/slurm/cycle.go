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
	if p.Builtin {
		return nil
	}
	for _, j := range c.Waiting {
		j.Plan = 0
	}
	res := p.BFResolution
	m := space{{from: now / res * res, to: (now + p.BFWindow) / res * res, free: c.all.clone()}}
	tested, begun := 0, 0
	planned := map[*Job]bool{}
	var tally tally
	for _, r := range c.queue() {
		reserved := 0
		for r.job.State == Pending {
			if throttled(r.job) || r.job.Array != nil && reserved >= len(r.job.left) {
				break
			}
			if c.barred(r.job, r.part) != NoReason || c.allowed(r.job, r.part) != NoReason {
				break
			}
			if tally.full(p, r) {
				break
			}
			if tested++; tested > p.BFMaxTest {
				return c.started
			}
			before := len(c.started)
			full, held := c.place(r, &m, planned)
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

// place starts a job, plans it, or leaves it. It says whether the map is full, and
// whether the job holds a place in it.
func (c *Controller) place(r record, m *space, planned map[*Job]bool) (full, held bool) {
	j, p, res := r.job, &c.Params, c.Params.BFResolution
	length := c.limit(j, r.part)
	if j.MinLimit > 0 {
		length = min(length, j.MinLimit)
	}
	noPlan := c.spares(j, r) || p.BFOneResvPerJob && planned[j]
	if j.QOS >= 0 && c.QOS[j.QOS].NoReserve && (p.PreemptQOS || p.PreemptPartition) {
		noPlan, length = true, 60
	}
	cand := newSet(len(c.Cluster.Nodes))
	begin := c.now
	for {
		copy(cand, c.Partitions[r.part].set)
		cand.and(c.all)
		if j.On != nil {
			cand.and(j.On)
		}
		met := c.reserved(j, r.part, begin, cand)
		later := m.open(begin, max(begin, c.now)+length, cand)
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
		if at <= c.now {
			switch c.start(j, r.part, cand, true) {
			case started:
				if j.MinLimit > 0 {
					c.stretch(c.started[len(c.started)-1], *m)
				}
				return false, true
			case overLimit:
				j.Reason = ReasonLimit
				return false, false
			}
			later = 0
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
			return false, false
		}
		from, to := at/res*res, (at+length)/res*res
		if p.ceilPlans() {
			to = (at + length + res - 1) / res * res
		}
		if to <= from {
			to = from + res
		}
		if len(*m) >= c.spaceSize() {
			return true, false
		}
		if at > c.now && m.clashes(from, to, nodes) {
			if p.Version >= 2505 { // from 25.05: at least one resolution further
				at = max(at, begin+res)
			}
			begin = at
			continue
		}
		m.take(from, to, nodes)
		planned[j] = true
		if c.Tell != nil {
			c.Tell(j, at, nodes)
		}
		return false, true
	}
}

// spaceSize is how many slots the map may have.
func (c *Controller) spaceSize() int {
	if c.Params.BFNodeSpace > 0 {
		return c.Params.BFNodeSpace
	}
	return c.Params.BFMaxTest
}

// stretch raises the limit of a job that was started with --time-min as far as no plan
// is in the way (_reset_job_time_limit).
func (c *Controller) stretch(j *Job, m space) {
	most := c.limit(j, j.Part)
	j.Ends = c.now + most
	for i := range m {
		if m[i].to > c.now && m[i].from < j.Ends && !j.nodeSet.within(m[i].free) {
			j.Ends = max(m[i].from, c.now+j.MinLimit)
			break
		}
	}
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
