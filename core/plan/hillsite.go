package plan

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// hillSite places jobs one after the other on nodes: when each of a node's
// processors becomes free, and whose they were last.
type hillSite struct {
	nodes  []hillNode  // in the order of power
	procs  []hillProc  // of all nodes
	begin  []hillProc  // the same with what runs now alone
	last   model.Time  // when what runs now ends, by request
	choice []hillParty // scratch
	parts  []hillPart
	found  []hillPart
	times  []model.Time
	until  [][]hillHold // by node: who holds memory, disk or GPUs, with what runs now in front
	kept   []int        // how many of until run now
}

type hillNode struct {
	index, cluster int32
	procs          []hillProc // ascending by free
	size, grain    int32      // processors, and how many of them one entry of procs stands for
	scarce         bool       // memory, disk or GPUs are counted
	speed          float64
}

type hillProc struct {
	free model.Time
	job  model.JobID // that holds it until then; −1 none
}

type hillHold struct {
	end model.Time
	job model.JobID
}

// hillParty is a node that could serve a request, and from when on.
type hillParty struct {
	at   model.Time
	node int32
}

type hillPart struct{ node, procs int32 }

func (s *hillSite) reset(v *sim.View) {
	all := 0
	for i := range v.Site.Nodes {
		all += int(v.Site.Nodes[i].Procs / hillGrain(v.Site.Nodes[i].Procs))
	}
	*s = hillSite{procs: make([]hillProc, all), begin: make([]hillProc, all)}
	at := 0
	for i := range v.Site.Nodes {
		n := &v.Site.Nodes[i]
		node := hillNode{index: n.Index, cluster: n.Cluster, size: n.Procs, grain: hillGrain(n.Procs), speed: 1, scarce: n.Mem > 0 || n.Disk > 0 || n.GPUs > 0}
		if v.Site.Platform.PowerScales {
			node.speed = n.Speed
		}
		entries := int(n.Procs / node.grain)
		node.procs = s.procs[at : at+entries]
		s.nodes = append(s.nodes, node)
		at += entries
	}
	s.until, s.kept = make([][]hillHold, len(s.nodes)), make([]int, len(s.nodes))
}

// hillGrain returns how many processors of a node of so many one entry stands
// for: 1, but more on counted machines of more than 65,536, where jobs are taken
// to need whole entries.
func hillGrain(procs int32) int32 { return (procs-1)>>16 + 1 }

// entries returns how many entries hold so many processors.
func (n *hillNode) entries(procs int32) int {
	return min(int((int64(procs)+int64(n.grain)-1)/int64(n.grain)), len(n.procs))
}

// present takes over what runs now and which nodes are away.
func (s *hillSite) present(v *sim.View, running []model.JobID) {
	for i := range s.procs {
		s.procs[i] = hillProc{v.Now, -1}
	}
	s.last = v.Now
	for i := range v.Site.Platform.Calendar {
		c := &v.Site.Platform.Calendar[i]
		if !v.Known(c) || c.From > v.Now || c.To <= v.Now {
			continue
		}
		for k := range s.nodes {
			n := &s.nodes[k]
			away := len(n.procs)
			if len(c.Nodes) == 0 {
				away = n.entries(c.Procs)
			}
			if len(c.Nodes) == 0 && n.cluster != c.Cluster || len(c.Nodes) > 0 && !slices.Contains(c.Nodes, n.index) {
				continue
			}
			for p := range n.procs[:min(away, len(n.procs))] {
				n.procs[p].free = max(n.procs[p].free, c.To)
			}
		}
	}
	for k := range s.nodes {
		slices.SortFunc(s.nodes[k].procs, byFree)
		s.until[k] = s.until[k][:0]
	}
	for _, j := range running {
		end := v.Start[j] + v.Limit(j, v.Held[j])
		if v.Kills(j) {
			end = min(end, v.Due[j])
		}
		end = max(end, v.Now)
		s.last = max(s.last, end)
		for _, part := range v.Held[j].Parts {
			k := s.find(part.Node)
			s.take(v, &s.nodes[k], k, part.Procs, j, end)
		}
	}
	for k := range s.until {
		s.kept[k] = len(s.until[k])
	}
	copy(s.begin, s.procs)
}

func (s *hillSite) find(index int32) int {
	return slices.IndexFunc(s.nodes, func(n hillNode) bool { return n.index == index })
}

// clear forgets what was placed.
func (s *hillSite) clear() {
	copy(s.procs, s.begin)
	for k := range s.until {
		s.until[k] = s.until[k][:s.kept[k]]
	}
}

// take lets a job hold the processors of a node that are free first.
func (s *hillSite) take(v *sim.View, n *hillNode, k int, procs int32, j model.JobID, end model.Time) {
	taken := n.entries(procs)
	to := taken // what becomes free before end moves to the front
	for to < len(n.procs) && n.procs[to].free < end {
		to++
	}
	copy(n.procs, n.procs[taken:to])
	for p := to - taken; p < to; p++ {
		n.procs[p] = hillProc{end, j}
	}
	if need := &v.Needs[j]; n.scarce && (need.Mem > 0 || need.Disk > 0 || need.GPUs > 0) {
		s.until[k] = append(s.until[k], hillHold{end, j})
	}
}

// opens returns from when on a node could serve a request for processors.
func (s *hillSite) opens(v *sim.View, k int, need *resource.Need, procs int32) (model.Time, bool) {
	n := &s.nodes[k]
	if !v.Site.Suits(need, n.index) || procs > n.size {
		return 0, false
	}
	at := n.procs[n.entries(procs)-1].free
	if n.scarce {
		at = s.suffices(v, k, need, at)
	}
	return at, true
}

// suffices returns from when on, not before a time, a node has memory, disk and
// GPUs for a request beside those placed before it.
func (s *hillSite) suffices(v *sim.View, k int, need *resource.Need, at model.Time) model.Time {
	node := v.Site.NodeAt(s.nodes[k].index)
	for {
		mem, disk, gpus, next := need.Mem, need.Disk, need.GPUs, model.Never
		for _, h := range s.until[k] {
			if h.end > at {
				held := &v.Needs[h.job]
				mem, disk, gpus = mem+held.Mem, disk+held.Disk, gpus+held.GPUs
				next = min(next, h.end)
			}
		}
		if next == model.Never || (node.Mem == 0 || mem <= node.Mem) && (node.Disk == 0 || disk <= node.Disk) && gpus <= node.GPUs {
			return at
		}
		at = next
	}
}

// place assigns the node requests of a job to nodes and returns its estimated
// end. With to, the claim, the start and the predecessors are written there.
func (s *hillSite) place(v *sim.View, j model.JobID, to *hillJob) model.Time {
	need := &v.Needs[j]
	best, found := model.Never, false
	s.parts = s.parts[:0]
	for c := range v.Site.Platform.Clusters {
		at, parts, ok := s.on(v, int32(c), need, best)
		if ok && (!found || at < best) {
			best, found = at, true
			s.parts = append(s.parts[:0], parts...)
		}
	}
	slowest := 1.0
	for i, p := range s.parts {
		if i == 0 || s.nodes[p.node].speed < slowest {
			slowest = s.nodes[p.node].speed
		}
	}
	end := best + model.Scaled(v.Jobs[j].Limit-v.Done[j], slowest)
	if v.Kills(j) {
		end = max(best, min(end, v.Due[j]))
	}
	if to != nil {
		s.write(v, j, best, to)
	}
	for _, p := range s.parts {
		s.take(v, &s.nodes[p.node], int(p.node), p.procs, j, end)
	}
	return end
}

// on finds nodes of one cluster; parts are valid until the next call.
func (s *hillSite) on(v *sim.View, cluster int32, need *resource.Need, before model.Time) (model.Time, []hillPart, bool) {
	spread := v.Site.Platform.Clusters[cluster].Packing == model.PackNodes && need.Nodes != 1
	each, requests := need.Procs, int32(1)
	if spread && need.Nodes > 0 {
		each, requests = need.PerNode, need.Nodes
	} else if spread {
		each = 1
	}
	s.choice = s.choice[:0]
	for k := range s.nodes {
		if s.nodes[k].cluster != cluster {
			continue
		}
		if at, ok := s.opens(v, k, need, each); ok {
			s.choice = append(s.choice, hillParty{at, int32(k)})
		}
	}
	slices.SortFunc(s.choice, func(a, b hillParty) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.node, b.node)) })
	out := s.found[:0]
	if !spread || need.Nodes > 0 {
		if len(s.choice) < int(requests) {
			return 0, nil, false
		}
		at := s.choice[requests-1].at
		for _, c := range s.choice[:requests] {
			out = append(out, hillPart{c.node, each})
		}
		s.found = out
		return at, out, true
	}
	at, out, ok := s.gather(v, need, out)
	s.found = out
	return at, out, ok
}

// gather serves a request for processors on any nodes: those that are free
// first. It looks at the times at which processors become free.
func (s *hillSite) gather(v *sim.View, need *resource.Need, out []hillPart) (model.Time, []hillPart, bool) {
	times := s.times[:0]
	for _, c := range s.choice {
		for _, p := range s.nodes[c.node].procs {
			times = append(times, max(p.free, c.at))
		}
	}
	s.times = times
	slices.Sort(times)
	for _, at := range slices.Compact(times) {
		left := need.Procs
		out = out[:0]
		for _, c := range s.choice {
			if c.at > at || s.nodes[c.node].scarce && s.suffices(v, int(c.node), need, at) > at {
				continue
			}
			free := int32(0)
			for _, p := range s.nodes[c.node].procs {
				if p.free <= at {
					free += s.nodes[c.node].grain
				}
			}
			if free = min(free, left); free > 0 {
				out = append(out, hillPart{c.node, free})
				left -= free
			}
		}
		if left == 0 {
			return at, out, true
		}
	}
	return 0, out, false
}

// write notes where a job goes and after whom.
func (s *hillSite) write(v *sim.View, j model.JobID, start model.Time, to *hillJob) {
	*to = hillJob{job: j, start: start}
	for _, p := range s.parts {
		n := &s.nodes[p.node]
		to.claim.Cluster = n.cluster
		to.claim.Parts = append(to.claim.Parts, model.Part{Node: n.index, Procs: p.procs})
		for _, held := range n.procs[:n.entries(p.procs)] {
			if held.job >= 0 && !slices.Contains(to.before, held.job) {
				to.before = append(to.before, held.job)
			}
		}
		if need := &v.Needs[j]; n.scarce && (need.Mem > 0 || need.Disk > 0 || need.GPUs > 0) {
			for _, h := range s.until[p.node] {
				if h.end <= start && !slices.Contains(to.before, h.job) {
					to.before = append(to.before, h.job)
				}
			}
		}
	}
	slices.SortFunc(to.claim.Parts, func(a, b model.Part) int { return int(a.Node - b.Node) })
}

// schedule writes the schedule of an order.
func (s *hillSite) schedule(v *sim.View, order []model.JobID, out []hillJob) []hillJob {
	s.clear()
	for _, j := range order {
		var one hillJob
		s.place(v, j, &one)
		out = append(out, one)
	}
	return out
}

// room says whether a job can start now where it is planned, beside what has
// been decided in this pass, and no known outage would stop it.
func (s *hillSite) room(v *sim.View, j model.JobID, claim model.Claim, decided []sim.Decision) bool {
	free := v.Free
	if len(decided) > 0 {
		free = v.Site.NewPool()
		free.CopyFrom(v.Free)
		for i := range decided {
			if d := &decided[i]; d.Verb == sim.Start {
				free.Take(&v.Needs[d.Job], d.Claim)
			}
		}
	}
	if !free.Holds(&v.Needs[j], claim) {
		return false
	}
	end := v.Now + v.Limit(j, claim)
	for i := range v.Site.Platform.Calendar {
		c := &v.Site.Platform.Calendar[i]
		if !v.Known(c) || c.From <= v.Now || c.From >= end {
			continue
		}
		if len(c.Nodes) == 0 && c.Cluster == claim.Cluster || slices.ContainsFunc(claim.Parts, func(p model.Part) bool { return slices.Contains(c.Nodes, p.Node) }) {
			return false
		}
	}
	return true
}
