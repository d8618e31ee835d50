package slurm

import "math"

// Backfill is a cycle of the backfill scheduler (_attempt_backfill in backfill.c): all
// plans are forgotten; then every job in its turn starts now where that delays no plan
// of this cycle, or gets a plan on whole nodes. The jobs that start are returned in
// order; Controller.Preempted holds those that had to make
// room, as after Main.
func (c *Controller) Backfill(now int64) []*Job {
	c.now = now
	c.started, c.Preempted = c.started[:0], c.Preempted[:0]
	c.Stopped, c.reached, c.Still = "", 0, c.Still[:0]
	p := &c.Params
	if p.Builtin || c.completing(now) {
		return nil
	}
	queue := c.queue()
	k := &c.kept
	roomy := len(queue) < p.BFMaxTest
	done := k.extends(c, queue, roomy)
	c.roomy = roomy
	if k.standing = true; done < 0 {
		done = 0
		c.open()
	}
	for i := done; i < len(queue) && !k.over; i++ {
		c.reached = i
		k.over = c.walk(queue[i])
		k.list = append(k.list, queue[i])
	}
	if !k.over {
		c.reached = len(queue)
	}
	return c.started
}

// open begins a cycle's map: all plans are forgotten.
func (c *Controller) open() {
	for _, j := range c.Waiting {
		j.Plan = 0
	}
	c.valid()
	k, p := &c.kept, &c.Params
	k.space.open(p.floor(c.now), p.Beyond(c.now), c.all)
	if len(k.held) != len(c.Partitions) {
		k.held = make([]int, len(c.Partitions))
	}
	clear(k.held)
	k.cycle = cycle{records: 1, held: k.held, round: k.round + 1}
	k.from, k.over, k.list = math.MaxInt64, false, k.list[:0]
	if c.Params.BFRunningReserve {
		for _, j := range c.Active {
			c.hold(j)
		}
	}
}

// walk goes on with a job of the queue, and says whether the cycle is over with it.
func (c *Controller) walk(r record) (over bool) {
	p, k := &c.Params, &c.kept
	if k.tested >= p.BFMaxTest {
		c.Stopped = "bf_max_job_test"
		return true
	}
	for reserved := 0; r.job.State == Pending; {
		if throttled(r.job) || r.job.Array != nil && reserved >= len(r.job.left) {
			break
		}
		if c.barred(r.job, r.part) != NoReason || c.allowed(r.job, r.part, !p.AssocLimitStop) != NoReason {
			break
		}
		if k.tally.full(p, r) || !c.licensed(r.job) {
			break
		}
		before := len(c.started)
		full, held := c.place(r)
		if full {
			c.Stopped = "bf_node_space_size"
			return true
		}
		if len(c.started) > before {
			if k.begun++; p.BFMaxStart > 0 && k.begun >= p.BFMaxStart {
				c.Stopped = "bf_max_job_start"
				return true
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
	return false
}

// cycle counts what a cycle's bounds are held against.
type cycle struct {
	round   int   // of the controller's cycles
	tested  int   // jobs that reached the selection plugin
	begun   int   // jobs that it has started
	records int   // of the map, those counted that later fell together (node_space_recs)
	held    []int // plans in each partition
	tally   tally
}

// place starts a job, plans it, or leaves it. It says whether the map is full, and
// whether the job holds a place in it.
func (c *Controller) place(r record) (full, held bool) {
	j, p, res := r.job, &c.Params, c.Params.BFResolution
	cy := &c.kept
	m := &cy.space
	length := c.limit(j, r.part)
	if j.MinLimit > 0 {
		length = min(length, j.MinLimit)
	}
	noPlan := c.spares(j, r) || p.BFOneResvPerJob && j.round == cy.round || p.BFPartCount > 0 && cy.held[r.part] >= p.BFPartCount
	noHold := j.QOS >= 0 && c.QOS[j.QOS].NoReserve
	if noHold && p.PreemptMode != ModeOff {
		length = 60
	}
	counted := false
	s := &c.scratch
	if len(s.open) != len(c.all) {
		s.open, s.asked = newSet(len(c.Cluster.Nodes)), newSet(len(c.Cluster.Nodes))
	}
	cand := s.open
	c.nodesOf(j, r.part, s.asked)
	begin := c.now
	if j.Het != 0 {
		begin = max(begin, c.together(j))
	}
	quick := c.Partitions[r.part].Counted && !c.preempts() && len(c.Reserved) == 0 && !noPlan
	for {
		copy(cand, s.asked)
		met := c.reserved(j, r.part, begin, cand)
		first, later := m.later(begin, begin+length, cand)
		if quick && later > 0 && (counted || c.roomy) {
			// Where too few are free before the next try would begin, a start lies behind that.
			a, need := c.ahead(), int(j.minCPUs())
			if k := a.by(later); a.free[k] < need || !m.enough(first, begin+length, cand, a.idle[k], need) {
				if begin == c.now && first < len(*m) {
					c.until((*m)[first].to)
				}
				begin = later
				continue
			}
		} else {
			m.keep(first, begin+length, cand)
		}
		if met > 0 {
			if end := c.reservedEnd(begin); end > 0 && end+1 < (*m)[len(*m)-1].to && (later == 0 || end+1 < later) {
				later = end + 1
			}
		}
		retry := later > 0 && !noPlan
		few := cand.count() < c.fewest(j, r.part)
		if begin == c.now {
			if first < len(*m) {
				c.until((*m)[first].to)
			}
			if !(few && retry && c.roomy) {
				c.edges(*m, c.now+length, cand, later)
			}
		}
		if few {
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
		if at <= c.now && j.Het == 0 {
			switch c.start(j, r.part, cand, true) {
			case started:
				run := c.started[len(c.started)-1]
				if j.MinLimit > 0 {
					// Slurm means to raise it as far as no plan is in the way
					// (_reset_job_time_limit), but only up to the same least limit.
					run.Ends = c.now + length
				}
				c.hold(run)
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
		from, to := p.Slots(at, length)
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
		cy.from = min(cy.from, from)
		j.round = cy.round
		if c.Tell != nil {
			c.Tell(j, at, nodes)
		}
		if j.Het != 0 {
			c.component(j, r.part, at, nodes)
		}
		return false, true
	}
}

// hold keeps the nodes of a running job that has them whole out of the map until its
// limit, unless it may be preempted (_bf_reserve_running): of a job that this cycle has
// started, and with bf_running_job_reserve of all.
func (c *Controller) hold(j *Job) {
	k := &c.kept
	if !j.Whole && !c.Partitions[j.Part].Exclusive || c.Mode(j) != ModeOff || k.records >= c.spaceSize() {
		return
	}
	from, to := c.Params.floor(c.now), c.Params.floor(j.Ends)
	to = max(to, from+c.Params.BFResolution)
	k.records += k.space.records(from, to)
	k.space.take(from, to, j.nodeSet)
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
