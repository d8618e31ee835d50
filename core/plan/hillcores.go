package plan

import (
	"math"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// hillCores is the placer of one cluster of nodes on which nothing but processors
// counts. It knows of all of its processors in one list when they become free, and
// where: a job's nodes are those that the list names first.
type hillCores struct {
	hill  *Hill
	v     *sim.View
	needs []coresNeed // by JobID, of those in the order
	suits [][]bool    // by node: what jobs ask for that not every node has
	begin []hillCore
	free  []hillCore // ascending by time, then node
	head  int        // of free: what is before has been taken
	mark  []hillCore
	count []int32    // scratch, by node: processors that are free for a job, or that it takes; else 0
	parts []hillPart // scratch: nodes of a job
	kept  []hillCore // scratch
}

// hillCore is so many processors of a node that become free at a time, in seconds from
// now.
type hillCore struct {
	at      model.Time
	node, n int32
}

// coresNeed is what a job asks of the nodes.
type coresNeed struct {
	length         model.Time // on a machine of speed 1
	due            model.Time // at which it is stopped, from now on; a very late one: not at all
	procs          int32
	each, requests int32 // so many requests for so many processors on a node; 0 requests: any processors
	suits          int32 // of hillCores.suits; 0: all nodes
}

// present takes over what a hillSite says of now, and reports whether this placer can
// serve the jobs.
func (s *hillCores) present(h *Hill, v *sim.View, jobs []model.JobID) bool {
	site := &h.site
	if !site.plain() || len(v.Site.Platform.Clusters) != 1 {
		return false
	}
	scarce := false
	for k := range site.nodes {
		scarce = scarce || site.nodes[k].scarce
	}
	for len(s.needs) < int(v.Next) {
		s.needs = append(s.needs, coresNeed{})
	}
	s.suits = append(s.suits[:0], nil)
	for _, j := range jobs {
		if need := &v.Needs[j]; scarce && (need.Mem > 0 || need.Disk > 0 || need.GPUs > 0) || !s.asks(h, v, j) {
			return false
		}
	}
	s.hill, s.v, s.begin = h, v, s.begin[:0]
	for len(s.count) < len(site.nodes) {
		s.count = append(s.count, 0)
	}
	for k := range site.nodes {
		for _, p := range site.nodes[k].procs {
			if p.n > 0 {
				s.begin = append(s.begin, hillCore{p.free - v.Now, int32(k), p.n})
			}
		}
	}
	sortBy(s.begin, func(a, b hillCore) bool { return a.before(b) })
	return true
}

// asks writes what a job asks for, and says whether the nodes could serve it at all.
func (s *hillCores) asks(h *Hill, v *sim.View, j model.JobID) bool {
	site, need := &h.site, &v.Needs[j]
	x := coresNeed{length: site.lasts(v, j), due: math.MaxInt64, procs: need.Procs, each: need.Procs, requests: 1}
	if v.Site.Platform.Clusters[0].Packing == model.PackNodes && need.Nodes != 1 {
		if x.each, x.requests = 1, 0; need.Nodes > 0 {
			x.each, x.requests = need.PerNode, need.Nodes
		}
	}
	if v.Kills(j) {
		x.due = v.Due[j] - v.Now
	}
	suits, all, room := make([]bool, len(site.nodes)), true, int32(0)
	for k := range site.nodes {
		n := &site.nodes[k]
		if suits[k] = v.Site.Suits(need, n.index) && n.size >= x.each; !suits[k] {
			all = false
		} else if x.requests > 0 {
			room++
		} else {
			room += n.size
		}
	}
	if !all {
		x.suits = int32(len(s.suits))
		s.suits = append(s.suits, suits)
	}
	s.needs[j] = x
	return room >= x.requests && (x.requests > 0 || room >= x.procs)
}

func (c hillCore) before(d hillCore) bool { return c.at < d.at || c.at == d.at && c.node < d.node }

func (s *hillCores) clear() { s.free, s.head = append(s.free[:0], s.begin...), 0 }

func (s *hillCores) save() { s.mark = append(s.mark[:0], s.free[s.head:]...) }

func (s *hillCores) load() { s.free, s.head = append(s.free[:0], s.mark...), 0 }

// alike compares what decides: with deadlines, nothing is alike.
func (s *hillCores) alike(j, k model.JobID) bool {
	return s.needs[j] == s.needs[k] && !s.hill.o.Tardiness
}

func (s *hillCores) note(int) {}

// noBetter would have to compare the processors of each node; it never tells.
func (s *hillCores) noBetter(int) bool { return false }

func (s *hillCores) look(j model.JobID) outcome {
	x := &s.needs[j]
	_, at := s.find(x)
	return s.choose(x, j, at)
}

// place lets a job take, of each of its nodes, the processors that are free first.
func (s *hillCores) place(j model.JobID) outcome {
	x := &s.needs[j]
	end, at := s.find(x)
	o := s.choose(x, j, at)
	for _, p := range s.parts {
		s.count[p.node] = p.procs
	}
	kept := s.kept[:0]
	for _, c := range s.free[s.head:end] {
		if left := s.count[c.node]; left >= c.n {
			s.count[c.node] -= c.n
			continue
		} else if left > 0 {
			c.n, s.count[c.node] = c.n-left, 0
		}
		kept = append(kept, c)
	}
	s.kept, s.head = kept, end-len(kept)
	copy(s.free[s.head:end], kept)
	for _, p := range s.parts {
		c := hillCore{o.last, p.node, p.procs}
		s.free = append(s.free, c)
		m := len(s.free) - 1
		for ; m > s.head && c.before(s.free[m-1]); m-- {
			s.free[m] = s.free[m-1]
		}
		s.free[m] = c
	}
	return o
}

// find returns when a job starts, and up to where the list names what is free then. It
// leaves in s.parts the nodes that open for the job until then, in that order, with what
// is free of each.
func (s *hillCores) find(x *coresNeed) (end int, at model.Time) {
	var suits []bool
	if x.suits > 0 {
		suits = s.suits[x.suits]
	}
	s.parts = s.parts[:0]
	few, enough := int32(0), x.requests
	if enough == 0 {
		enough = x.procs
	}
	for end = s.head; end < len(s.free); end++ {
		c := &s.free[end]
		if few >= enough && c.at > at {
			break
		}
		if at = c.at; suits != nil && !suits[c.node] {
			continue
		}
		had := s.count[c.node]
		if s.count[c.node] += c.n; had < x.each && had+c.n >= x.each {
			s.parts = append(s.parts, hillPart{c.node, 0})
			few += min(x.requests, 1)
		}
		if x.requests == 0 {
			few += c.n
		}
	}
	for k := range s.parts {
		s.parts[k].procs = s.count[s.parts[k].node]
	}
	for k := s.head; k < end; k++ {
		s.count[s.free[k].node] = 0
	}
	return end, at
}

// choose leaves of s.parts what a job takes that starts at a time, and returns its
// outcome.
func (s *hillCores) choose(x *coresNeed, j model.JobID, at model.Time) outcome {
	n, left, slowest := 0, x.procs, 1.0
	for ; x.requests > 0 && n < int(x.requests) || x.requests == 0 && left > 0; n++ {
		p := &s.parts[n]
		if p.procs = min(p.procs, left); x.requests > 0 {
			p.procs = x.each
		}
		left -= p.procs
		if speed := s.hill.site.nodes[p.node].speed; n == 0 || speed < slowest {
			slowest = speed
		}
	}
	s.parts = s.parts[:n]
	o := outcome{last: at + model.Scaled(x.length, slowest)}
	if x.due < math.MaxInt64 {
		o.last = max(at, min(o.last, x.due))
	}
	if s.hill.o.Tardiness {
		o.late = s.hill.late(s.v, j, o.last+s.v.Now)
	}
	return o
}
