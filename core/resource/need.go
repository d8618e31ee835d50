package resource

import (
	"fmt"
	"math/bits"
	"slices"

	"batchlab/core/model"
)

// Need is what a job asks of a site, with the machines that can serve it: the
// heuristic "Minimal Requirements" of Techiouba et al. 2008, section 4, which
// "selects the set of machines that has the computational requirements suitable
// to perform a job": enough processors, every licence that it needs may be
// activated there, and here also memory, disk, GPUs and eligible clusters.
type Need struct {
	Procs          int32 // all of them
	Nodes, PerNode int32 // 0: not stated
	Mem, Disk      int64 // per node
	GPUs           int32 // per node
	Licences       []model.LicenceNeed
	Fewer          bool // a best-effort reservation, which takes fewer processors where there are no more

	user    int32  // small number, where a limit counts users
	classes uint64 // of the platform's limits that it belongs to, one bit each

	wants []Want // what it asks of the nodes of each cluster; see Space.want

	single []uint64 // nodes of which one can hold the whole job
	shared []uint64 // nodes of which several can hold it together; nil: none
}

// Needs returns what each job of a workload asks of the site. It fails on the
// first job that could not even start on the empty site, limits apart, and says
// why. Needs are written into memory of an earlier run where that suffices. Jobs
// that ask for nothing but the same number of processors share their sets of nodes.
func (s *Site) Needs(w *model.Workload, needs []Need) ([]Need, error) {
	if cap(needs) < len(w.Jobs) {
		needs = make([]Need, len(w.Jobs))
	}
	needs = needs[:len(w.Jobs)]
	var like []int32              // by processors: 1 + index of such a job
	alike := map[likeness]int32{} // by what jobs ask of nodes: index of the first such job
	var sets []uint64
	empty := s.NewWhole()
	for j := range needs {
		n, job := &needs[j], &w.Jobs[j]
		plain := job.Demand == 0 && s.Platform.Limits.None() && job.Procs >= 0 && job.Procs <= maxWhole
		if plain {
			for int(job.Procs) >= len(like) {
				like = append(like, 0)
			}
			if first := like[job.Procs]; first > 0 {
				*n = needs[first-1]
				continue
			}
			like[job.Procs] = int32(j) + 1
		}
		d := w.Demand(model.JobID(j))
		key, same := s.like(job, d)
		if same {
			if first, ok := alike[key]; ok {
				*n = needs[first]
				s.ask(n, job, d)
				continue
			}
			alike[key] = int32(j)
		}
		if len(sets) == 0 {
			sets = make([]uint64, 64*s.words)
		}
		*n = Need{single: sets[:s.words:s.words]}
		sets = sets[s.words:]
		s.need(n, job, d)
		if !empty.Fits(n) {
			return nil, fmt.Errorf("sim: job %d can never start: %s", job.Number, s.whyNever(n))
		}
	}
	return needs, nil
}

// Need returns what one job asks of the site.
func (s *Site) Need(job *model.Job, d *model.Demand) Need {
	n := Need{single: make([]uint64, s.words)}
	s.need(&n, job, d)
	return n
}

// likeness is what a job asks of nodes, by which Needs tells who can share sets of
// them: of machines that it names the list, which jobs of one partition or rule share.
type likeness struct {
	procs, nodes, perNode, gpus int32
	mem, disk                   int64
	on                          *int32
	machines                    int
	clusters                    uint64
	fewer                       bool
}

// like returns what a job asks of nodes; ok is false for one that asks in a way of its own.
func (s *Site) like(job *model.Job, d *model.Demand) (key likeness, ok bool) {
	if d == nil {
		return key, false
	}
	key = likeness{procs: job.Procs, nodes: d.Nodes, perNode: d.PerNode, gpus: d.GPUsPerNode, mem: d.MemPerNode, disk: d.DiskPerNode, machines: -1,
		fewer: d.Reservation != nil && d.Reservation.Effort == model.EffortProcs}
	if d.On != nil {
		key.machines = len(d.On)
	}
	if len(d.On) > 0 {
		key.on = &d.On[0]
	}
	for _, c := range d.Eligible {
		if c >= 64 {
			return key, false
		}
		key.clusters |= 1 << c
	}
	return key, !slices.ContainsFunc(d.Licences, func(l model.LicenceNeed) bool { return !s.Platform.Licences[l.Licence].Quotes() })
}

// ask fills in what a need asks for, and which limits count it.
func (s *Site) ask(n *Need, job *model.Job, d *model.Demand) {
	n.Procs = job.Procs
	n.user, n.classes = s.user(job.User), 0
	for k := range s.Platform.Limits.Classes {
		if job.Limit > s.Platform.Limits.Classes[k].LongerThan {
			n.classes |= 1 << k
		}
	}
	if d == nil {
		d = &model.Demand{}
	}
	n.Nodes, n.PerNode = d.Nodes, d.PerNode
	n.Fewer = d.Reservation != nil && d.Reservation.Effort == model.EffortProcs
	n.Mem, n.Disk, n.GPUs, n.Licences = d.MemPerNode, d.DiskPerNode, d.GPUsPerNode, d.Licences
}

func (s *Site) need(n *Need, job *model.Job, d *model.Demand) {
	s.ask(n, job, d)
	if d == nil {
		d = &model.Demand{}
	}
	for r := range s.Nodes {
		node := &s.Nodes[r]
		if len(d.Eligible) > 0 && !slices.Contains(d.Eligible, node.Cluster) {
			continue
		}
		if d.On != nil && !slices.Contains(d.On, node.Index) {
			continue
		}
		if node.Mem > 0 && n.Mem > node.Mem || node.Disk > 0 && n.Disk > node.Disk || n.GPUs > node.GPUs || !s.hosts(r, n.Licences) {
			continue
		}
		if s.Platform.Clusters[node.Cluster].Packing == model.PackNodes && n.Nodes != 1 {
			if n.shared == nil {
				n.shared = make([]uint64, s.words)
			}
			n.shared[r/64] |= 1 << (r % 64)
		} else if n.Procs <= node.Procs || n.Fewer {
			n.single[r/64] |= 1 << (r % 64)
		}
	}
}

// hosts says whether every licence may be activated on a node.
func (s *Site) hosts(rank int, licences []model.LicenceNeed) bool {
	for _, l := range licences {
		if s.licences[l.Licence][rank/64]>>(rank%64)&1 == 0 {
			return false
		}
	}
	return true
}

// Never says why a job could not even start on the empty site, limits apart; empty is
// its NewWhole; "" if it could.
func (s *Site) Never(n *Need, empty *Pool) string {
	if empty.Fits(n) {
		return ""
	}
	return s.whyNever(n)
}

// whyNever words why a job does not fit on the empty site.
func (s *Site) whyNever(n *Need) string {
	for _, l := range n.Licences {
		licence := &s.Platform.Licences[l.Licence]
		if suitable := s.Suitable(l.Licence); suitable == 0 {
			return fmt.Sprintf("licence %q can be activated on no machine", licence.Name)
		}
		if licence.Copies > 0 && l.Copies > licence.Copies {
			return fmt.Sprintf("it needs %d copies of licence %q, of which there are %d", l.Copies, licence.Name, licence.Copies)
		}
	}
	text := fmt.Sprintf("no machine can hold its %d processors", n.Procs)
	if n.Nodes > 0 {
		text = fmt.Sprintf("there are not enough machines for its %d × %d processors", n.Nodes, n.PerNode)
	}
	for _, part := range []struct {
		asks int64
		word string
	}{{n.Mem, "%d bytes of memory each"}, {n.Disk, "%d bytes of disk each"}, {int64(n.GPUs), "%d GPUs each"}} {
		if part.asks > 0 {
			text += ", " + fmt.Sprintf(part.word, part.asks)
		}
	}
	if licences := s.Platform.Activates(n.Licences); len(licences) > 0 {
		text += " and activate its licences"
		for i, l := range licences {
			text += map[bool]string{true: " ", false: ", "}[i == 0] + s.Platform.Licences[l.Licence].Name
		}
	}
	return text
}

// Machines counts the nodes that can serve a need alone, or with others.
func (n *Need) Machines() int {
	count := 0
	for _, w := range n.single {
		count += bits.OnesCount64(w)
	}
	for _, w := range n.shared {
		count += bits.OnesCount64(w)
	}
	return count
}

// Serves says whether a cluster could hold a need if nothing else ran on it.
func (s *Site) Serves(n *Need, cluster int32) bool {
	left, nodes := n.Procs, n.Nodes
	for r := range s.Nodes {
		if s.Nodes[r].Cluster != cluster {
			continue
		}
		if n.single[r/64]>>(r%64)&1 != 0 && s.Nodes[r].Procs >= n.PerNode { // best effort takes no less than a whole one
			return true
		}
		if n.shared != nil && n.shared[r/64]>>(r%64)&1 != 0 && s.Nodes[r].Procs >= n.PerNode {
			left -= s.Nodes[r].Procs
			nodes--
		}
	}
	if n.shared == nil {
		return false
	}
	if n.Nodes > 0 {
		return nodes <= 0
	}
	return left <= 0
}

// Hosts says whether every licence may be activated on a node, by its index in
// Platform.Nodes.
func (s *Site) Hosts(node int32, licences []model.LicenceNeed) bool {
	return s.hosts(int(s.rank[node]), licences)
}

// Suits says whether a job may hold processors of a node, by its index in
// Platform.Nodes: alone or with others, free or not.
func (s *Site) Suits(n *Need, node int32) bool {
	r := s.rank[node]
	return n.single[r/64]>>(r%64)&1 != 0 || n.shared != nil && n.shared[r/64]>>(r%64)&1 != 0
}

// NodeAt returns a node by its index in Platform.Nodes.
func (s *Site) NodeAt(index int32) *SiteNode { return &s.Nodes[s.rank[index]] }

// Fewest returns what a job asks for that takes fewer processors than it wants.
func (n *Need) Fewest(procs int32) *Need {
	fewer := *n
	fewer.Procs, fewer.wants = procs, nil
	if n.Nodes > 0 {
		fewer.Nodes = procs / n.PerNode
	}
	return &fewer
}

// On returns a need that only the nodes of one cluster can serve: that of a job
// which was sent there.
func (s *Site) On(n *Need, cluster int32) Need {
	only := *n
	only.wants = nil
	only.single, only.shared = s.within(n.single, cluster), s.within(n.shared, cluster)
	return only
}

// within returns those of a set of nodes that are of a cluster. It is not to be changed.
func (s *Site) within(set []uint64, cluster int32) []uint64 {
	if set == nil {
		return nil
	}
	if s.clusters == nil {
		s.clusters = make([][]uint64, len(s.Platform.Clusters))
		for c := range s.clusters {
			s.clusters[c] = make([]uint64, s.words)
		}
		for r := range s.Nodes {
			s.clusters[s.Nodes[r].Cluster][r/64] |= 1 << (r % 64)
		}
	}
	all := s.clusters[cluster]
	for i := range all {
		if all[i]&^set[i] != 0 {
			some := slices.Clone(set)
			for k := range some {
				some[k] &= all[k]
			}
			return some
		}
	}
	return all
}

// Contend says whether two jobs hold, in their claims, something of one licence or limit,
// or memory, disk or GPUs of one node.
func (s *Site) Contend(a *Need, at model.Claim, b *Need, in model.Claim) bool {
	if at.Cluster == in.Cluster && (a.classes&b.classes != 0 || s.users != nil && a.user == b.user) {
		return true
	}
	for i := range a.Licences {
		l := a.Licences[i].Licence
		if s.Platform.Licences[l].Copies > 0 && slices.ContainsFunc(b.Licences, func(n model.LicenceNeed) bool { return n.Licence == l }) {
			return true
		}
	}
	return s.Platform.Clusters[at.Cluster].Packing != model.PackProcessors && a.scarce() && b.scarce() && slices.ContainsFunc(at.Parts, func(p model.Part) bool {
		n := s.NodeAt(p.Node)
		return (n.Mem > 0 || n.Disk > 0 || n.GPUs > 0) && slices.ContainsFunc(in.Parts, func(q model.Part) bool { return q.Node == p.Node })
	})
}

// scarce says whether a job holds more of a node than processors.
func (n *Need) scarce() bool { return n.Mem > 0 || n.Disk > 0 || n.GPUs > 0 }
