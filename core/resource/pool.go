package resource

import (
	"math/bits"

	"batchlab/core/model"
)

// Pool is an amount of free resources of a Site: now, or at some time to come.
// Schedulers keep pools of their own to think ahead; only the engine's says
// what is free.
type Pool struct {
	site      *Site
	procs     []int32 // free processors by node, in the order of power; negative where the calendar takes more
	licences  []int32 // free copies
	mem       []int64 // nil unless the site counts them
	disk      []int64
	gpus      []int32
	users     []int32  // processors that users hold, by small number and cluster; shorter where they hold none
	classes   []int32  // processors that classes may still hold, by cluster and class
	boundless bool     // limits do not count
	level     []uint64 // for k = 1 … site.levels: the nodes with at least k free processors
}

// NewPool returns a pool of everything that the site has.
func (s *Site) NewPool() *Pool {
	p := &Pool{site: s, procs: make([]int32, len(s.Nodes)), licences: make([]int32, len(s.Platform.Licences))}
	p.level = make([]uint64, int(s.levels)*s.words)
	if s.scarce {
		p.mem, p.disk, p.gpus = make([]int64, len(s.Nodes)), make([]int64, len(s.Nodes)), make([]int32, len(s.Nodes))
		for r := range s.Nodes {
			p.mem[r], p.disk[r], p.gpus[r] = s.Nodes[r].Mem, s.Nodes[r].Disk, s.Nodes[r].GPUs
		}
	}
	for r := range s.Nodes {
		p.add(int32(r), s.Nodes[r].Procs)
	}
	for l := range p.licences {
		p.licences[l] = s.Platform.Licences[l].Copies
	}
	p.classes = append(p.classes, s.caps...)
	return p
}

// Within says whether the platform's limits leave a job so many processors of a
// cluster.
func (p *Pool) Within(n *Need, cluster, procs int32) bool {
	if p.boundless {
		return true
	}
	if most := p.site.Platform.Limits.UserProcs; most > 0 {
		if p.held(n, cluster)+procs > most {
			return false
		}
	}
	if n.classes != 0 {
		classes := p.classes[int(cluster)*len(p.site.Platform.Limits.Classes):]
		for k, set := 0, n.classes; set != 0; k, set = k+1, set>>1 {
			if set&1 != 0 && classes[k] < procs {
				return false
			}
		}
	}
	return true
}

// Beyond says of a job that Within refuses which limit it would go beyond: a class's
// index, or −1 for that on its user; the processors that are held under it on the
// cluster, and those that may be. ok is false where Within allows it.
func (p *Pool) Beyond(n *Need, cluster, procs int32) (class int, held, most int32, ok bool) {
	if p.Within(n, cluster, procs) {
		return 0, 0, 0, false
	}
	if most = p.site.Platform.Limits.UserProcs; most > 0 {
		if held = p.held(n, cluster); held+procs > most {
			return -1, held, most, true
		}
	}
	classes, caps := p.classes[int(cluster)*len(p.site.Platform.Limits.Classes):], p.site.caps[int(cluster)*len(p.site.Platform.Limits.Classes):]
	for class = 0; n.classes>>class&1 == 0 || classes[class] >= procs; class++ {
	}
	return class, caps[class] - classes[class], caps[class], true
}

// held is how many processors of a cluster the job's user holds; only users that have held some are counted.
func (p *Pool) held(n *Need, cluster int32) int32 {
	if i := p.site.userAt(n, cluster); i < len(p.users) {
		return p.users[i]
	}
	return 0
}

// count changes what limits leave.
func (p *Pool) count(n *Need, cluster, delta int32) {
	if p.site.users != nil {
		i := p.site.userAt(n, cluster)
		for i >= len(p.users) {
			p.users = append(p.users, 0)
		}
		p.users[i] -= delta
	}
	if n.classes != 0 {
		classes := p.classes[int(cluster)*len(p.site.Platform.Limits.Classes):]
		for k, set := 0, n.classes; set != 0; k, set = k+1, set>>1 {
			if set&1 != 0 {
				classes[k] += delta
			}
		}
	}
}

// NewWhole returns a pool of everything that the site has in which limits do not
// count: it says what could never start.
func (s *Site) NewWhole() *Pool {
	p := s.NewPool()
	p.boundless = true
	return p
}

// CopyFrom makes p equal to q, a pool of the same site.
func (p *Pool) CopyFrom(q *Pool) {
	copy(p.procs, q.procs)
	copy(p.level, q.level)
	if p.mem != nil {
		copy(p.mem, q.mem)
		copy(p.disk, q.disk)
		copy(p.gpus, q.gpus)
	}
	if !p.site.plain {
		copy(p.licences, q.licences)
		p.users = append(p.users[:0], q.users...)
		copy(p.classes, q.classes)
	}
}

// Min lowers p to what both p and q have.
func (p *Pool) Min(q *Pool) {
	for r := range p.procs {
		if d := q.procs[r] - p.procs[r]; d < 0 {
			p.add(int32(r), d)
		}
	}
	for l := range p.licences {
		p.licences[l] = min(p.licences[l], q.licences[l])
	}
	for r := range p.mem {
		p.mem[r], p.disk[r], p.gpus[r] = min(p.mem[r], q.mem[r]), min(p.disk[r], q.disk[r]), min(p.gpus[r], q.gpus[r])
	}
	for i, held := range q.users {
		if i == len(p.users) {
			p.users = append(p.users, held)
		}
		p.users[i] = max(p.users[i], held)
	}
	for i := range p.classes {
		p.classes[i] = min(p.classes[i], q.classes[i])
	}
}

// Procs returns the free processors of all nodes.
func (p *Pool) Procs() int32 {
	n := int32(0)
	for _, v := range p.procs {
		n += max(0, v)
	}
	return n
}

// On returns the free processors of a node, by its rank in the order of power;
// negative where the calendar takes more than is free.
func (p *Pool) On(rank int) int32 { return p.procs[rank] }

// Rest returns how much is free of what a node has, by its rank in the order of power:
// "GPUs", "memory" or "disk space" in bytes, else processors. What is not limited there
// is 0 of 0.
func (p *Pool) Rest(rank int, what string) (free, of int64) {
	node := &p.site.Nodes[rank]
	switch {
	case p.mem == nil || what == "processors":
	case what == "GPUs":
		return int64(p.gpus[rank]), int64(node.GPUs)
	case what == "memory":
		return p.mem[rank], node.Mem
	case what == "disk space":
		return p.disk[rank], node.Disk
	}
	return int64(max(0, p.procs[rank])), int64(node.Procs)
}

// Grow frees so many processors of a node, by its rank in the order of power.
func (p *Pool) Grow(rank int, procs int32) { p.add(int32(rank), procs) }

// Copies returns the free copies of a licence.
func (p *Pool) Copies(licence int32) int32 { return p.licences[licence] }

// add changes the free processors of a node and keeps the sets.
func (p *Pool) add(rank, delta int32) {
	from := p.procs[rank]
	p.procs[rank] = from + delta
	if levels := p.site.levels; from < levels || from+delta < levels {
		p.flip(rank, from, from+delta)
	}
}

// flip moves a node from one number of free processors to another in the sets.
func (p *Pool) flip(rank, from, to int32) {
	lo, hi := max(min(from, to), 0), min(max(from, to), p.site.levels)
	for k := lo; k < hi; k++ { // level k holds the nodes with more than k free
		p.level[int(k)*p.site.words+int(rank)/64] ^= 1 << (rank % 64)
	}
}

// Take removes what a job holds in a claim.
func (p *Pool) Take(n *Need, c model.Claim) { p.move(n, c, -1) }

// Give returns what a job held in a claim.
func (p *Pool) Give(n *Need, c model.Claim) { p.move(n, c, 1) }

func (p *Pool) move(n *Need, c model.Claim, sign int32) {
	sum := int32(0)
	for _, part := range c.Parts {
		r := p.site.rank[part.Node]
		p.add(r, sign*part.Procs)
		sum += part.Procs
		if p.mem != nil {
			p.mem[r] += int64(sign) * n.Mem
			p.disk[r] += int64(sign) * n.Disk
			p.gpus[r] += sign * n.GPUs
		}
	}
	if p.site.plain {
		return // what the job asks for need not even be read
	}
	for _, l := range n.Licences {
		p.licences[l.Licence] += sign * l.Copies
	}
	p.count(n, c.Cluster, sign*sum)
}

// Away takes what a calendar entry takes (sign −1), or gives it back (1).
func (p *Pool) Away(c *model.CalendarEntry, sign int32) {
	for _, n := range c.Nodes {
		r := p.site.rank[n]
		p.add(r, sign*p.site.Nodes[r].Procs)
	}
	if len(c.Nodes) == 0 {
		p.add(int32(p.site.Counted(c.Cluster)), sign*c.Procs)
	}
}

// Unbooked gives back what the calendar takes at a time, as if it took nothing
// then: what is free is more than there is.
func (p *Pool) Unbooked(at model.Time) {
	for i := range p.site.Platform.Calendar {
		if c := &p.site.Platform.Calendar[i]; c.From <= at && at < c.To {
			p.Away(c, 1)
		}
	}
}

// Licensed says whether enough copies of every licence are free, and what quotas let
// be held. Node-locked licences are not counted.
func (p *Pool) Licensed(n *Need) bool { return p.Short(n) < 0 }

// Short returns which of a job's licences has too few free copies, licences before
// quotas; −1 none.
func (p *Pool) Short(n *Need) int {
	for i, l := range n.Licences { // quotas were appended
		if p.licences[l.Licence] < l.Copies && p.site.Platform.Licences[l.Licence].Copies > 0 {
			return i
		}
	}
	return -1
}

// Fits says whether a job can start in the pool.
func (p *Pool) Fits(n *Need) bool {
	Visit(len(n.single))
	if !p.Licensed(n) {
		return false
	}
	if p.first(n) >= 0 {
		return true
	}
	_, ok := p.gather(n, false)
	return ok
}

// Place returns where a job starts in the pool: on the most powerful machine
// that can hold it (section 4: "a job is scheduled on the first available most
// powerful machine"), else on the most powerful nodes of a cluster that can hold it
// together, the cluster with the most powerful node first. The claim is not taken.
func (p *Pool) Place(n *Need) (model.Claim, bool) {
	Visit(len(n.single))
	if !p.Licensed(n) {
		return model.Claim{}, false
	}
	if r := p.first(n); r >= 0 {
		return p.site.claim(r, n.Procs), true
	}
	return p.gather(n, true)
}

// Holds says whether a job can start in the pool with exactly this claim.
func (p *Pool) Holds(n *Need, c model.Claim) bool {
	if !p.Licensed(n) || !p.Within(n, c.Cluster, c.Procs()) {
		return false
	}
	for _, part := range c.Parts {
		if int(part.Node) >= len(p.site.rank) || part.Node < 0 {
			return false
		}
		if r := p.site.rank[part.Node]; p.procs[r] < part.Procs || !p.rest(int(r), n) {
			return false
		}
	}
	return true
}

// rest says whether a node has memory, disk and GPUs for a part of a job.
func (p *Pool) rest(r int, n *Need) bool {
	if p.mem == nil {
		return true
	}
	node := &p.site.Nodes[r]
	return p.gpus[r] >= n.GPUs && (node.Mem == 0 || p.mem[r] >= n.Mem) && (node.Disk == 0 || p.disk[r] >= n.Disk)
}

// first returns the most powerful node that can hold the whole job, or −1.
func (p *Pool) first(n *Need) int {
	if len(p.procs) == 1 && p.procs[0] < n.Procs {
		return -1
	}
	words := p.site.words
	k := min(n.Procs, p.site.levels)
	level := p.level[int(k-1)*words : int(k)*words]
	for i, set := range n.single {
		for set &= level[i]; set != 0; set &= set - 1 {
			r := i*64 + bits.TrailingZeros64(set)
			if p.procs[r] >= n.Procs && (p.mem == nil || p.rest(r, n)) && (p.site.plain || p.Within(n, p.site.Nodes[r].Cluster, n.Procs)) {
				return r
			}
		}
	}
	return -1
}

// chunk is how many parts of claims are made at once: they are not copied when there
// are more, and are forgotten when the claims in them are.
const chunk = 1024

// gather finds nodes of one cluster that hold a job together. A job that asks
// for nodes × processors per node gets as many whole parts; any other takes
// what is free from the most powerful node on.
func (p *Pool) gather(n *Need, claim bool) (model.Claim, bool) {
	s := p.site
	if len(s.spread) == 0 || n.shared == nil {
		return model.Claim{}, false
	}
	for _, c := range s.spread {
		if !p.Within(n, c, n.Procs) {
			continue
		}
		if most := min(int(n.Procs), len(s.Nodes)); cap(s.parts)-len(s.parts) < most { // claims keep the old ones
			s.parts = make([]model.Part, 0, max(chunk, most))
		}
		at := len(s.parts)
		left, nodes := n.Procs, n.Nodes
		for i, set := range n.shared {
			for ; set != 0 && left > 0; set &= set - 1 {
				r := i*64 + bits.TrailingZeros64(set)
				if s.Nodes[r].Cluster != c || p.procs[r] < max(n.PerNode, 1) || !p.rest(r, n) {
					continue
				}
				procs := min(left, p.procs[r])
				if n.Nodes > 0 {
					procs = n.PerNode
					nodes--
				}
				left -= procs
				s.parts = append(s.parts, model.Part{Node: s.Nodes[r].Index, Procs: procs})
			}
		}
		if left > 0 || n.Nodes > 0 && nodes != 0 {
			s.parts = s.parts[:at]
			continue
		}
		if !claim {
			s.parts = s.parts[:at]
			return model.Claim{}, true
		}
		parts := s.parts[at:len(s.parts):len(s.parts)]
		sortParts(parts)
		return model.Claim{Cluster: c, Parts: parts}, true
	}
	return model.Claim{}, false
}

// sortParts orders a few parts by node.
func sortParts(parts []model.Part) {
	for i := 1; i < len(parts); i++ {
		for k := i; k > 0 && parts[k].Node < parts[k-1].Node; k-- {
			parts[k], parts[k-1] = parts[k-1], parts[k]
		}
	}
}
