package recorded

// clock lets the controller's loops run by their own clock, from a phase on, which is
// what no accounting says and a real controller leaves to when it was started.
type clock struct {
	full, pass, limits int64 // seconds at which each was done last
	asked              bool  // since the last pass
	ended              int64 // jobs whose nodes are free
}

// step is how long the background loop takes from one look at the time to the next, in
// milliseconds: it sleeps a second and works a little, and so drifts.
const step = 1010

// Free plays the run by the controller's own clock. The phase, in milliseconds, says
// how long before t0 the loops ran last.
func (r *Run) Free(phase int64) []Start {
	p := r.open()
	par := &r.cluster.Params
	p.free = &clock{ended: phase % 10}
	first, last := int64(0), int64(0)
	for _, e := range r.instants {
		last = max(last, e.at)
		if e.what != "submit" {
			continue
		}
		for i := range r.jobs {
			if r.jobs[i].ID == number(e.which) {
				p.push(e.at, evSubmit, nil, i)
			}
		}
	}
	first = -phase % max(par.SchedInterval*1000, 1)
	second := r.t0 + floorSecond(first)
	p.free.full, p.free.pass = second, second
	p.free.limits = r.t0 + floorSecond(-phase%30_000)
	p.push(first+step*((-first+step-1)/step)-step, evTick, nil, 0)
	if !par.Builtin && par.BFInterval > 0 {
		// The two loops have nothing to do with each other: their phases are kept apart
		// by the golden section.
		p.push(par.BFInterval*1000-phase*618/1000%(par.BFInterval*1000), evCycle, nil, 0)
	}
	for t := -phase % max(par.CalcPeriod*1000, 1); t <= 2*last; t += max(par.CalcPeriod*1000, 1) {
		p.push(t, evRecalculate, nil, 0)
	}
	p.last = 3*last + 3_600_000
	p.loop(p.last)
	return p.result()
}

// ask asks for a pass: something was submitted or has ended.
func (c *clock) ask(*play, int64) { c.asked = true }

// epilog asks for a pass since a job's nodes are free. Of about ten such answers one
// comes as a message of its own, which runs the main loop at once
// (_slurm_rpc_epilog_complete).
func (c *clock) epilog(p *play, at int64) {
	if c.ended++; c.ended%10 == 0 {
		c.pass, c.asked = p.t0+floorSecond(at), false
		p.pass(at, false)
		return
	}
	c.asked = true
}

// tick is a look at the time (_slurmctld_background).
func (c *clock) tick(p *play, at int64) {
	par := &p.run.cluster.Params
	now := p.t0 + floorSecond(at)
	if now-c.limits >= 30 {
		c.limits = now
		p.limits(at)
	}
	switch {
	case par.SchedInterval >= 0 && now-c.full >= par.SchedInterval:
		c.full, c.pass, c.asked = now, now, false
		p.pass(at, true)
	case c.asked && now-c.pass >= par.BatchSchedDelay:
		c.pass, c.asked = now, false
		p.pass(at, false)
	}
	if !p.idle() {
		p.push(at+step, evTick, nil, 0)
	}
}

// cycle begins a cycle (backfill_agent). It always does while jobs wait, since plans
// and passes alone count as a change of jobs.
func (c *clock) cycle(p *play, at int64) {
	p.began(at, p.c.Backfill(p.t0+floorSecond(at)))
	if !p.idle() {
		p.push(at+p.run.cluster.Params.BFInterval*1000+2, evCycle, nil, 0)
	}
}

// idle says that nothing is left to do.
func (p *play) idle() bool {
	for i := range p.jobs {
		if p.jobs[i] == nil {
			return false
		}
	}
	if len(p.c.Active) > 0 {
		return false
	}
	for _, j := range p.c.Waiting {
		if t := p.tasks[name(j)]; t == nil || t.attempts[len(t.attempts)-1].start > 0 {
			return false
		}
	}
	return true
}
