package slurm

import "slices"

// pick chooses by the rooms in scratch.avail.
func (c *Controller) pick(j *Job, part int) (choice, bool) {
	if c.busyFirst {
		return c.busyNodes(j, part)
	}
	if c.Params.Tree && len(c.Switches) > 0 {
		return c.tree(j, part)
	}
	return c.consecutive(j, part)
}

// busyNodes chooses nodes that run something now before idle ones, the lightest weight
// first and the lowest in the table (_eval_nodes_busy of cons_tres/job_test.c). A job
// that has enough by the busy nodes of a weight gets an idle one of it on top: the loop
// over busy and idle does not stop between them.
func (c *Controller) busyNodes(j *Job, part int) (choice, bool) {
	s := &c.scratch
	need := c.want(j, part)
	need.left = min(need.left, j.Tasks)
	var weights []int64
	for i, a := range s.avail {
		if a > 0 {
			weights = append(weights, c.Cluster.Nodes[i].Weight)
		}
	}
	slices.Sort(weights)
	var got choice
	done := false
	for _, w := range slices.Compact(weights) {
		for _, idle := range []bool{false, true} {
			for i, a := range s.avail {
				if a == 0 || c.Cluster.Nodes[i].Weight != w || (c.free.jobs[i] == 0 && !c.busy.has(i)) != idle {
					continue
				}
				got.nodes, got.cpus = append(got.nodes, int32(i)), append(got.cpus, need.take(a))
				if done = need.met() || need.left == 0; done {
					break
				}
			}
		}
		if done {
			break
		}
	}
	return got, need.met() && len(got.nodes) > 0
}
