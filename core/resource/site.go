package resource

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"batchlab/core/model"
	"batchlab/core/order"
)

// Site is a platform made ready for a simulation on machines: its nodes, most
// powerful first, and where each licence may be activated. A cluster of
// interchangeable processors counts as one node. What is free stands in a Pool.
type Site struct {
	Platform *model.Platform
	Nodes    []SiteNode // by speed, descending, then in the platform's order

	rank     []int32 // position in Nodes, by the platform's index
	words    int     // of a set of nodes
	levels   int32   // most processors for which a Pool keeps a set of nodes
	scarce   bool    // memory, disk or GPUs are counted somewhere
	licences [][]uint64
	plain    bool       // neither licences nor limits are counted
	clusters [][]uint64 // the nodes of each cluster, made when first asked for
	spread   []int32    // clusters whose jobs may hold parts of several nodes, in order of their most powerful one
	parts    []model.Part
	whole    [][]model.Part  // by node and processors: the part of a claim of one node, made when first asked for
	users    map[int32]int32 // small numbers of users, where limits count them
	caps     []int32         // most processors of each class, by cluster × class
}

// SiteNode is a node in the order of power.
type SiteNode struct {
	model.Node
	Index int32 // of Platform.Nodes
}

// most processors of a node for which a Pool keeps sets; beyond, it scans.
const maxLevels = 64

// NewSite prepares a platform. It fails on a node without processors and on a
// calendar that names what is not there or takes away more than there is.
func NewSite(p *model.Platform) (*Site, error) {
	s := &Site{Platform: p}
	for i, n := range p.Nodes() {
		if n.Procs < 1 || n.Speed <= 0 {
			return nil, fmt.Errorf("sim: a machine of cluster %q has %d processors of speed %v", p.Clusters[n.Cluster].Name, n.Procs, n.Speed)
		}
		s.Nodes = append(s.Nodes, SiteNode{n, int32(i)})
		s.scarce = s.scarce || n.Mem > 0 || n.Disk > 0 || n.GPUs > 0
		if s.levels = max(s.levels, 1); p.Clusters[n.Cluster].Packing != model.PackProcessors { // else one node, looked at in any case
			s.levels = max(s.levels, min(n.Procs, maxLevels))
		}
	}
	if len(s.Nodes) == 0 {
		return nil, fmt.Errorf("sim: the platform has no machines")
	}
	order.Stable(s.Nodes, func(a, b SiteNode) int { return cmp.Compare(b.Speed, a.Speed) })
	s.words = (len(s.Nodes) + 63) / 64
	s.rank = make([]int32, len(s.Nodes))
	s.licences = make([][]uint64, len(p.Licences))
	for l := range p.Licences {
		s.licences[l] = make([]uint64, s.words)
	}
	for r := range s.Nodes {
		n := &s.Nodes[r]
		s.rank[n.Index] = int32(r)
		for l := range p.Licences {
			if p.Licences[l].Quotes() || slices.Contains(n.Licences, p.Licences[l].Name) {
				s.licences[l][r/64] |= 1 << (r % 64)
			}
		}
	}
	for r := range s.Nodes {
		if c := s.Nodes[r].Cluster; p.Clusters[c].Packing == model.PackNodes && !slices.Contains(s.spread, c) {
			s.spread = append(s.spread, c)
		}
	}
	for c := range p.Clusters {
		for k := range p.Limits.Classes {
			s.caps = append(s.caps, p.Limits.Classes[k].Procs(p.Clusters[c].Procs()))
		}
	}
	if p.Limits.UserProcs > 0 {
		s.users = map[int32]int32{}
	}
	s.plain, s.whole = len(p.Licences) == 0 && p.Limits.None(), make([][]model.Part, len(s.Nodes))
	return s, s.checkCalendar()
}

// user returns the small number of a user, by which limits count; 0 where no
// limit does.
func (s *Site) user(id int32) int32 {
	if s.users == nil {
		return 0
	}
	n, ok := s.users[id]
	if !ok {
		n = int32(len(s.users))
		s.users[id] = n
	}
	return n
}

func (s *Site) checkCalendar() error {
	for i := range s.Platform.Calendar {
		c := &s.Platform.Calendar[i]
		where := fmt.Sprintf("sim: calendar entry %d (%s)", i, c.Name)
		switch {
		case c.From >= c.To:
			return fmt.Errorf("%s ends at %d, not after its start at %d", where, c.To, c.From)
		case len(c.Nodes) == 0 && (c.Cluster < 0 || int(c.Cluster) >= len(s.Platform.Clusters)):
			return fmt.Errorf("%s: there is no cluster %d", where, c.Cluster)
		case len(c.Nodes) == 0 && s.Platform.Clusters[c.Cluster].Packing != model.PackProcessors:
			return fmt.Errorf("%s must name machines of cluster %q", where, s.Platform.Clusters[c.Cluster].Name)
		case len(c.Nodes) == 0 && (c.Procs < 1 || int(c.Procs) > s.Platform.Clusters[c.Cluster].Procs()):
			return fmt.Errorf("%s takes %d of %d processors", where, c.Procs, s.Platform.Clusters[c.Cluster].Procs())
		}
		for _, n := range c.Nodes {
			if n < 0 || int(n) >= len(s.Nodes) {
				return fmt.Errorf("%s: there is no machine %d", where, n)
			}
		}
	}
	return nil
}

// Takes returns how many processors a calendar entry takes, and of which cluster.
func (s *Site) Takes(c *model.CalendarEntry) (procs, cluster int32) {
	if len(c.Nodes) == 0 {
		return c.Procs, c.Cluster
	}
	for _, n := range c.Nodes {
		procs += s.NodeAt(n).Procs
	}
	return procs, s.NodeAt(c.Nodes[0]).Cluster
}

// Returns says how many of the processors that a calendar entry takes nothing else of
// the calendar takes at a time.
func (s *Site) Returns(entry *model.CalendarEntry, at model.Time) (procs int32) {
	procs, cluster := s.Takes(entry)
	left := int32(s.Platform.Clusters[cluster].Procs())
	away := make(map[int32]bool, len(entry.Nodes))
	for i := range s.Platform.Calendar {
		c := &s.Platform.Calendar[i]
		if c == entry || at < c.From || c.To <= at {
			continue
		}
		if len(c.Nodes) == 0 && c.Cluster == cluster {
			left -= c.Procs
		}
		for _, n := range c.Nodes {
			away[n] = true
		}
	}
	if len(entry.Nodes) == 0 {
		return max(0, min(procs, left))
	}
	for _, n := range entry.Nodes {
		if away[n] {
			procs -= s.NodeAt(n).Procs
		}
	}
	return procs
}

// userAt returns where a Pool counts what a job's user holds of a cluster.
func (s *Site) userAt(n *Need, cluster int32) int {
	return int(n.user)*len(s.Platform.Clusters) + int(cluster)
}

// Plain says whether a cluster is one of interchangeable processors and nothing else
// is counted there, so that a number says what is free.
func (s *Site) Plain(cluster int32) bool {
	return s.plain && !s.scarce && s.Platform.Clusters[cluster].Packing == model.PackProcessors
}

// Procs returns the processors of the whole site.
func (s *Site) Procs() int32 { return int32(s.Platform.Procs()) }

// Suitable counts the nodes on which a licence may be activated.
func (s *Site) Suitable(licence int32) int {
	n := 0
	for _, w := range s.licences[licence] {
		n += bits.OnesCount64(w)
	}
	return n
}

// Rank returns the position in Nodes of a node, by its index in Platform.Nodes.
func (s *Site) Rank(node int32) int32 { return s.rank[node] }

// Counted returns the position of a cluster of interchangeable processors.
func (s *Site) Counted(cluster int32) int {
	return slices.IndexFunc(s.Nodes, func(n SiteNode) bool { return n.Cluster == cluster })
}

// Scaled returns how long t seconds at speed 1 take in a claim.
func (s *Site) Scaled(t model.Time, c model.Claim) model.Time {
	if !s.Platform.PowerScales {
		return t
	}
	last := int32(0) // the slowest part decides; the least powerful stands last
	for _, part := range c.Parts {
		last = max(last, s.rank[part.Node])
	}
	return model.Scaled(t, s.Nodes[last].Speed)
}

// most processors of a node for which claims share their parts.
const maxWhole = 1 << 14

// claim makes a claim of one node. Equal ones share their part, which nobody
// changes: a job started or promised then costs no memory.
func (s *Site) claim(rank int, procs int32) model.Claim {
	node := &s.Nodes[rank]
	list, at := s.whole[rank], int(procs)
	if at >= len(list) {
		if procs > node.Procs || procs > maxWhole {
			list, at = []model.Part{{}}, 0
		} else {
			list = make([]model.Part, min(node.Procs, maxWhole)+1)
			s.whole[rank] = list
		}
	}
	list[at] = model.Part{Node: node.Index, Procs: procs}
	return model.Claim{Cluster: node.Cluster, Parts: list[at : at+1 : at+1]}
}
