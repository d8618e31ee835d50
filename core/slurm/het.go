package slurm

import "slices"

// Heterogeneous jobs: components that start together, of which each is planned by itself.
// The main loop starts none, and stops there; the backfill loop plans each component not
// before the others' last known starts, and starts all of them when each could start now
// (het_job_* of backfill.c).

// component is what the last cycle has planned for one.
type component struct {
	at    int64
	round int // the cycle
	part  int
	nodes set
}

// together is the latest start that is known of the other components of a job's.
func (c *Controller) together(j *Job) (at int64) {
	for _, o := range c.Waiting {
		if o != j && o.Het == j.Het {
			at = max(at, o.planned.at)
		}
	}
	return at
}

// component notes the start of a component, and starts all of them where each of them can
// start now.
func (c *Controller) component(j *Job, part int, at int64, nodes set) {
	j.planned = component{at: at, round: c.kept.round, part: part, nodes: nodes.clone()}
	var all []*Job
	for _, o := range c.Waiting {
		if o.Het != j.Het {
			continue
		}
		if all = append(all, o); o.planned.at > c.now || o.planned.round != c.kept.round {
			return
		}
	}
	before := len(c.started)
	for _, o := range all {
		if c.start(o, o.planned.part, o.planned.nodes, true) != started {
			// The others are put back (_het_job_kill_now).
			for _, run := range slices.Clone(c.started[before:]) {
				c.End(run, Preempted, 1, c.now)
				c.Preempted = append(c.Preempted, run)
			}
			c.started = c.started[:before]
			return
		}
	}
}
