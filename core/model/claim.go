package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Part is the processors of one node that a job holds. Which of the node's
// processors they are is derived after the run: they are interchangeable, so
// whenever the counts fit, disjoint numbers exist.
type Part struct {
	Node  int32 // index into Platform.Nodes
	Procs int32
}

// Claim is where an execution runs: parts of different nodes of one cluster.
// The licences that it holds are those of the job's Demand.
type Claim struct {
	Cluster int32
	Parts   []Part
}

// Procs is how many processors a claim holds.
func (c Claim) Procs() (procs int32) {
	for i := range c.Parts {
		procs += c.Parts[i].Procs
	}
	return procs
}

// Node is one machine of a platform; a cluster of interchangeable processors
// counts as one machine.
type Node struct {
	Cluster  int32
	Group    int32 // of the cluster; 0 for interchangeable processors
	First    int32 // number of its first processor on the platform
	Procs    int32
	Mem      int64 // bytes; 0: not limited
	Disk     int64 // bytes; 0: not limited
	GPUs     int32
	Speed    float64
	Licences []string // that may be activated on it
}

// machines says whether a schedule on this platform needs claims.
func (p *Platform) machines() bool {
	return len(p.Clusters) != 1 || p.Clusters[0].Packing != PackProcessors || len(p.Licences) > 0 || p.PowerScales
}

// Nodes returns the machines in order of cluster, group and count. On a
// cluster of interchangeable processors a licence may be activated where every
// group names it, the speed is that of its slowest group, and memory, disk and
// GPUs are not counted.
func (p *Platform) Nodes() []Node {
	var nodes []Node
	first := int32(0)
	for c := range p.Clusters {
		cluster := &p.Clusters[c]
		if cluster.Packing == PackProcessors {
			n := Node{Cluster: int32(c), First: first, Procs: int32(cluster.Procs()), Speed: math.Inf(1)}
			for i, g := range cluster.Groups {
				n.Speed = min(n.Speed, g.speed())
				if i == 0 {
					n.Licences = slices.Clone(g.Licences)
				}
				n.Licences = slices.DeleteFunc(n.Licences, func(l string) bool { return !slices.Contains(g.Licences, l) })
			}
			nodes = append(nodes, n)
			first += n.Procs
			continue
		}
		for i := range cluster.Groups {
			g := &cluster.Groups[i]
			for range g.Count {
				nodes = append(nodes, Node{
					Cluster: int32(c), Group: int32(i), First: first, Procs: g.Procs,
					Mem: g.Mem, Disk: g.Disk, GPUs: g.GPUs, Speed: g.speed(), Licences: g.Licences,
				})
				first += g.Procs
			}
		}
	}
	return nodes
}

func (g *NodeGroup) speed() float64 {
	if g.Speed == 0 {
		return 1
	}
	return g.Speed
}

// Scaled returns how long something that takes t seconds at speed 1 takes at a
// speed: one division, rounded up, at least 1 s.
func Scaled(t Time, speed float64) Time {
	if speed == 1 {
		return t
	}
	return max(1, Time(math.Ceil(float64(t)/speed)))
}

// scaled returns a span of an execution's job as it takes where it runs.
func (s *Schedule) scaled(e *Execution, t Time) Time {
	if s.Platform == nil || !s.Platform.PowerScales || e.Claim == 0 || int(e.Claim) > len(s.Claims) {
		return t
	}
	nodes, slowest := s.Platform.Nodes(), math.Inf(1)
	for _, part := range s.Claims[e.Claim-1].Parts {
		if int(part.Node) < len(nodes) {
			slowest = min(slowest, nodes[part.Node].Speed)
		}
	}
	return Scaled(t, slowest)
}

// checkClaims proves that every execution holds what its job asked for, on
// nodes of one cluster where its licences may be activated, and that at no
// instant a node, its memory, disk or GPUs, or the copies of a licence are
// over-allocated, or a node is used that the calendar takes away.
func (s *Schedule) checkClaims() error {
	nodes := s.Platform.Nodes()
	type use struct {
		procs, gpus int64
		mem, disk   int64
	}
	type event struct {
		at      Time
		take    bool // after what is given back at the same time
		node    int32
		licence int32 // −1: a node
		use     use
		away    int64 // processors that the calendar takes; on named nodes all
		job     JobID // −1: the calendar
	}
	var events []event
	both := func(from, to Time, e event) {
		e.at, e.take = from, true
		events = append(events, e)
		e.at, e.take = to, false
		e.away = -e.away
		e.use = use{-e.use.procs, -e.use.gpus, -e.use.mem, -e.use.disk}
		events = append(events, e)
	}
	for i := range s.Executions {
		e := &s.Executions[i]
		if e.Reason.Unserved() {
			continue
		}
		d := s.Workload.Demand(e.Job)
		if d == nil {
			d = &Demand{}
		}
		if err := s.checkClaim(e, d, nodes); err != nil {
			return err
		}
		for _, part := range s.Claims[e.Claim-1].Parts {
			both(e.Start, e.End, event{node: part.Node, licence: -1, job: e.Job,
				use: use{int64(part.Procs), int64(d.GPUsPerNode), d.MemPerNode, d.DiskPerNode}})
		}
		for _, l := range d.Licences {
			both(e.Start, e.End, event{licence: l.Licence, job: e.Job, use: use{procs: int64(l.Copies)}})
		}
	}
	for i := range s.Platform.Calendar {
		c := &s.Platform.Calendar[i]
		for _, n := range c.Nodes {
			both(c.From, c.To, event{node: n, licence: -1, job: -1, away: int64(nodes[n].Procs)})
		}
		if len(c.Nodes) == 0 {
			n := slices.IndexFunc(nodes, func(n Node) bool { return n.Cluster == c.Cluster })
			both(c.From, c.To, event{node: int32(n), licence: -1, job: -1, away: int64(c.Procs)})
		}
	}
	slices.SortStableFunc(events, func(a, b event) int {
		if c := cmp.Compare(a.at, b.at); c != 0 || a.take == b.take {
			return c
		}
		if a.take {
			return 1
		}
		return -1
	})
	used, away := make([]use, len(nodes)), make([]int64, len(nodes))
	copies := make([]int64, len(s.Platform.Licences))
	for _, e := range events {
		if e.licence >= 0 {
			l := &s.Platform.Licences[e.licence]
			copies[e.licence] += e.use.procs
			if l.Copies > 0 && copies[e.licence] > int64(l.Copies) {
				return fmt.Errorf("model: at %d, %d of %d copies of licence %q are in use (job index %d)", e.at, copies[e.licence], l.Copies, l.Name, e.job)
			}
			continue
		}
		n, u := &nodes[e.node], &used[e.node]
		u.procs, u.gpus, u.mem, u.disk = u.procs+e.use.procs, u.gpus+e.use.gpus, u.mem+e.use.mem, u.disk+e.use.disk
		away[e.node] += e.away
		switch {
		case u.procs > int64(n.Procs):
			return fmt.Errorf("model: at %d, %d of %d processors of machine %d are in use (job index %d)", e.at, u.procs, n.Procs, e.node, e.job)
		case u.gpus > int64(n.GPUs):
			return fmt.Errorf("model: at %d, %d of %d GPUs of machine %d are in use (job index %d)", e.at, u.gpus, n.GPUs, e.node, e.job)
		case n.Mem > 0 && u.mem > n.Mem, n.Disk > 0 && u.disk > n.Disk:
			return fmt.Errorf("model: at %d, more memory or disk of machine %d is in use than it has (job index %d)", e.at, e.node, e.job)
		case e.take && u.procs > 0 && u.procs+away[e.node] > int64(n.Procs):
			return fmt.Errorf("model: at %d, machine %d is in use although the calendar takes it away (job index %d)", e.at, e.node, e.job)
		}
	}
	return nil
}

// elsewhere says whether a claim lies within one of the further partitions that a job
// named, to which its On does not speak.
func (p *Platform) elsewhere(d *Demand, c *Claim) bool {
	for i := 1; i < len(d.Partitions); i++ {
		nodes := p.Partitions[d.Partitions[i]].Nodes
		if nodes == nil || !slices.ContainsFunc(c.Parts, func(part Part) bool { _, in := slices.BinarySearch(nodes, part.Node); return !in }) {
			return true
		}
	}
	return false
}

// checkClaim proves that a claim is what the job asked for.
func (s *Schedule) checkClaim(e *Execution, d *Demand, nodes []Node) error {
	j := &s.Workload.Jobs[e.Job]
	if e.Claim <= 0 || int(e.Claim) > len(s.Claims) {
		return fmt.Errorf("model: job %d runs nowhere", j.Number)
	}
	c := &s.Claims[e.Claim-1]
	if c.Cluster < 0 || int(c.Cluster) >= len(s.Platform.Clusters) || c.Cluster != e.Cluster {
		return fmt.Errorf("model: job %d: no cluster %d", j.Number, c.Cluster)
	}
	if len(d.Eligible) > 0 && !slices.Contains(d.Eligible, c.Cluster) {
		return fmt.Errorf("model: job %d may not run on cluster %q", j.Number, s.Platform.Clusters[c.Cluster].Name)
	}
	sum, seen := int32(0), int32(-1)
	for _, part := range c.Parts {
		if part.Node <= seen || int(part.Node) >= len(nodes) || nodes[part.Node].Cluster != c.Cluster || part.Procs < 1 {
			return fmt.Errorf("model: job %d: part of machine %d out of order, or of another cluster", j.Number, part.Node)
		}
		if d.On != nil && !slices.Contains(d.On, part.Node) && !s.Platform.elsewhere(d, c) {
			return fmt.Errorf("model: job %d may not run on machine %d", j.Number, part.Node)
		}
		seen = part.Node
		sum += part.Procs
		if d.Nodes > 0 && part.Procs != d.PerNode && s.Platform.Clusters[c.Cluster].Packing == PackNodes {
			return fmt.Errorf("model: job %d holds %d processors of machine %d instead of %d", j.Number, part.Procs, part.Node, d.PerNode)
		}
		for _, l := range d.Licences {
			if name := s.Platform.Licences[l.Licence].Name; !s.Platform.Licences[l.Licence].Quotes() && !slices.Contains(nodes[part.Node].Licences, name) {
				return fmt.Errorf("model: job %d runs on machine %d, where licence %q cannot be activated", j.Number, part.Node, name)
			}
		}
	}
	switch packing := s.Platform.Clusters[c.Cluster].Packing; {
	case sum != e.Procs:
		return fmt.Errorf("model: job %d holds %d processors of machines instead of %d", j.Number, sum, e.Procs)
	case packing == PackMachine && len(c.Parts) != 1, packing == PackNodes && d.Nodes > 0 && len(c.Parts) != int(d.Nodes):
		return fmt.Errorf("model: job %d runs on %d machines", j.Number, len(c.Parts))
	}
	return nil
}
