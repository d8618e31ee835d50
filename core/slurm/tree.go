package slurm

import (
	"cmp"
	"slices"
)

// tree chooses nodes by the network (topology/tree; _eval_nodes_topo of
// cons_tres/job_test.c), by the rooms in scratch.avail. Light nodes are taken together
// until they are enough. The lowest switch that has enough below it is taken, of equal ones
// that with the fewest nodes that could serve; below it one leaf after another: one that
// suffices before one that does not, of those the one with the fewest, of these the one
// with the most nodes. On a leaf nodes come from the lowest up.
func (c *Controller) tree(j *Job, part int) (choice, bool) {
	s := &c.scratch
	need := c.want(j, part)
	open := c.lightest(need)
	room := func(w *Switch) (nodes, cpus int32) {
		for _, n := range w.Nodes {
			if open.has(n) {
				nodes, cpus = nodes+1, cpus+s.avail[n]
			}
		}
		return nodes, cpus
	}
	top, fewest := -1, int32(0)
	for i := range c.Switches {
		nodes, cpus := room(&c.Switches[i])
		if nodes < need.nodes || cpus < need.cpus {
			continue
		}
		if top < 0 || cmp.Or(cmp.Compare(c.Switches[i].Level, c.Switches[top].Level), cmp.Compare(nodes, fewest)) < 0 {
			top, fewest = i, nodes
		}
	}
	if top < 0 {
		return choice{}, false
	}
	var got choice
	for !need.met() && need.left > 0 {
		best, enough, most := -1, false, int32(0)
		for i := range c.Switches {
			w := &c.Switches[i]
			if w.Level > 0 || i != top && !within(w.Nodes, c.Switches[top].Nodes) {
				continue
			}
			nodes, cpus := room(w)
			suffices := nodes >= need.nodes && cpus >= need.cpus
			if nodes > 0 && (best < 0 || suffices && !enough || suffices && nodes < most || !suffices && !enough && nodes > most) {
				best, enough, most = i, suffices, nodes
			}
		}
		if best < 0 {
			break
		}
		for _, n := range c.Switches[best].Nodes {
			if need.met() || need.left == 0 {
				break
			}
			if open.has(n) && !(need.left == 1 && s.avail[n] < need.cpus) {
				got.nodes, got.cpus = append(got.nodes, int32(n)), append(got.cpus, need.take(s.avail[n]))
			}
			open.drop(n)
		}
	}
	if !need.met() || len(got.nodes) == 0 {
		return choice{}, false
	}
	return c.sorted(got, need.whole), true
}

// lightest are the nodes that could serve of the least weights that are enough together.
func (c *Controller) lightest(need want) set {
	s := &c.scratch
	var weights []int64
	for i, a := range s.avail {
		if a > 0 {
			weights = append(weights, c.Cluster.Nodes[i].Weight)
		}
	}
	slices.Sort(weights)
	open := newSet(len(s.avail))
	nodes, cpus := int32(0), int32(0)
	for _, w := range slices.Compact(weights) {
		for i, a := range s.avail {
			if a > 0 && c.Cluster.Nodes[i].Weight == w {
				open.add(i)
				nodes, cpus = nodes+1, cpus+a
			}
		}
		if nodes >= need.nodes && cpus >= need.cpus {
			break
		}
	}
	return open
}

// within says whether all of some nodes, in order, are among others.
func within(some, all []int) bool {
	return !slices.ContainsFunc(some, func(n int) bool { _, in := slices.BinarySearch(all, n); return !in })
}

// want is what a choice of nodes still needs.
type want struct {
	cpus, nodes, most, per int32 // most: CPUs that it may have
	left                   int32 // nodes that it may have
	whole                  bool
}

func (c *Controller) want(j *Job, part int) want {
	w := want{cpus: j.minCPUs(), nodes: int32(c.fewest(j, part)), most: max(j.minCPUs(), j.MinNodes), per: j.PerTask, left: j.MaxNodes,
		whole: j.Whole || c.Partitions[part].Exclusive || c.Params.Select == Linear}
	if w.left == 0 {
		w.left = int32(len(c.scratch.avail))
	}
	if m := c.Partitions[part].MaxNodes; m > 0 {
		w.left = min(w.left, m)
	}
	return w
}

func (w *want) met() bool { return w.cpus <= 0 && w.nodes <= 0 }

// take takes a node with so many CPUs and returns how many of them are had: each node that
// is still needed gets one at least (_cpus_to_use).
func (w *want) take(cpus int32) int32 {
	if most := w.most - max(w.nodes-1, 0)*w.per; !w.whole && cpus > most {
		cpus = max(most, w.per)
	}
	w.cpus, w.most, w.nodes, w.left = w.cpus-cpus, w.most-cpus, w.nodes-1, w.left-1
	return cpus
}

// sorted puts a choice into the order of nodes; of whole nodes all CPUs are had.
func (c *Controller) sorted(got choice, whole bool) choice {
	order := make([]int, len(got.nodes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(got.nodes[a], got.nodes[b]) })
	out := choice{}
	for _, i := range order {
		n, cpus := got.nodes[i], got.cpus[i]
		if whole {
			cpus = c.Cluster.Nodes[n].CPUs
		}
		out.nodes, out.cpus = append(out.nodes, n), append(out.cpus, cpus)
	}
	return out
}
