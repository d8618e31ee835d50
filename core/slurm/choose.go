package slurm

import "slices"

// stretch is nodes that stand beside each other, of one weight.
type stretch struct {
	from, to    int
	cpus, nodes int32
	weight      int64
}

// choice is what choose found; its slices are overwritten by the next call.
type choice struct {
	nodes, cpus []int32
}

// choose picks nodes for a job out of candidates, beside what is booked in u. It is
// the default of select/cons_tres (_eval_nodes_consec in cons_tres/job_test.c) and of
// select/linear: the run of consecutive nodes that fits best, and in it one node that
// alone suffices, else nodes from the lowest up. Nodes are given up from the poorest
// on where a job may not have as many as that takes (_select_nodes).
func (c *Controller) choose(j *Job, part int, cand set, u *usage) (choice, bool) {
	if c.Partitions[part].Counted {
		return c.chooseCounted(j, cand, u)
	}
	s := &c.scratch
	n := len(c.Cluster.Nodes)
	if len(s.avail) != n {
		s.avail = make([]int32, n)
	}
	most, count, sum, fewest := int32(0), int32(0), int32(0), int32(c.fewest(j, part))
	for i := range n {
		if s.avail[i] = 0; !cand.has(i) {
			continue
		}
		if a := c.room(j, part, i, u); a > 0 {
			s.avail[i] = a
			count++
			sum += a
			most = max(most, a)
		}
	}
	if count < fewest || sum < j.minCPUs() {
		return choice{}, false
	}
	if got, ok := c.pick(j, part); ok {
		return got, true
	}
	for least := int32(1); least < most; least++ {
		dropped := false
		for i := range s.avail {
			if s.avail[i] == least {
				s.avail[i], dropped = 0, true
				count--
			}
		}
		if count < fewest {
			return choice{}, false
		}
		if !dropped {
			continue
		}
		if got, ok := c.pick(j, part); ok {
			return got, true
		}
	}
	return choice{}, false
}

// room is how many CPUs of a node a job could have (_can_job_run_on_node), 0 where
// the node cannot serve it.
func (c *Controller) room(j *Job, part, node int, u *usage) int32 {
	cpus := u.cpu[node]
	have := &c.Cluster.Nodes[node]
	if c.Params.Select == Linear {
		if u.jobs[node] > 0 {
			return 0
		}
		cpus = have.CPUs
	} else if (j.Whole || c.Partitions[part].Exclusive) && u.jobs[node] > 0 {
		return 0
	}
	if j.GPUs > 0 {
		if u.gpu[node] < j.GPUs {
			return 0
		}
		// Of a node that gives GPUs, only the cores that the tasks need count
		// (gres_select_filter).
		if !j.Whole {
			cpus = min(cpus, j.minCPUs())
		}
	}
	if c.Params.Memory {
		per := j.MemCPU
		if per == 0 && j.MemNode == 0 {
			per = c.Params.DefMemCPU
		}
		if per > 0 {
			cpus = int32(min(int64(cpus), u.mem[node]/per))
		} else if c.memory(j, int32(node), 0) > u.mem[node] {
			return 0
		}
	}
	cpus -= cpus % j.PerTask
	return max(cpus, 0)
}

// consecutive chooses by the rooms in scratch.avail.
func (c *Controller) consecutive(j *Job, part int) (choice, bool) {
	s := &c.scratch
	s.runs = s.runs[:0]
	open := false
	for i, a := range s.avail {
		if a == 0 {
			open = false
			continue
		}
		w := c.Cluster.Nodes[i].Weight
		if !open || s.runs[len(s.runs)-1].weight != w {
			s.runs = append(s.runs, stretch{from: i, weight: w})
			open = true
		}
		r := &s.runs[len(s.runs)-1]
		r.to, r.cpus, r.nodes = i, r.cpus+a, r.nodes+1
	}
	need := c.want(j, part)
	s.cpus = s.cpus[:0]
	nodes := s.nodes[:0]
	defer func() { s.nodes = nodes }()
	for need.left > 0 {
		best, enough := -1, false
		for i := range s.runs {
			r := &s.runs[i]
			if r.nodes == 0 {
				continue
			}
			suffices := r.cpus >= need.cpus && r.nodes >= need.nodes
			better := best < 0 || r.weight < s.runs[best].weight
			if !better && r.weight == s.runs[best].weight {
				better = suffices && (!enough || r.cpus < s.runs[best].cpus) || !suffices && !enough && r.cpus > s.runs[best].cpus
			}
			if better {
				best, enough = i, suffices
			}
		}
		if best < 0 {
			break
		}
		r := &s.runs[best]
		single := -1
		if need.nodes <= 1 && c.Params.Select == ConsTRES {
			for i := r.from; i <= r.to; i++ {
				if s.avail[i] >= need.cpus && s.avail[i] > 0 && (single < 0 || s.avail[i] < s.avail[single]) {
					single = i
				}
			}
		}
		for i := r.from; i <= r.to && need.left > 0 && !need.met(); i++ {
			a := s.avail[i]
			if a == 0 || single >= 0 && i != single || need.left == 1 && a < need.cpus {
				continue
			}
			nodes = append(nodes, int32(i))
			s.cpus = append(s.cpus, need.take(a))
		}
		r.nodes = 0
		if need.met() {
			break
		}
	}
	if !need.met() || len(nodes) == 0 {
		return choice{}, false
	}
	if !slices.IsSorted(nodes) {
		return c.sorted(choice{nodes, s.cpus}, need.whole), true
	}
	if need.whole {
		for k, n := range nodes {
			s.cpus[k] = c.Cluster.Nodes[n].CPUs
		}
	}
	return choice{nodes, s.cpus}, true
}
