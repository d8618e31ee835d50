package plan

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// hillSite places jobs one after the other on nodes: when each of a node's
// processors becomes free, and whose they were last. What is counted beside
// processors (memory, disk and GPUs of a node, licences, limits) is held by those
// placed before until they end; what the calendar and reservations take later on
// is kept clear of.
type hillSite struct {
	nodes  []hillNode  // in the order of power
	runs   int         // entries of all nodes
	last   model.Time  // when what runs now ends, by request
	away   []hillAway  // scratch
	choice []hillParty // scratch
	parts  []hillPart
	found  []hillPart
	times  []hillProc
	until  [][]hillHold // by node: who holds memory, disk or GPUs, with what runs now in front
	kept   []int        // how many of until run now

	gone   [][]hillGone // by node: what is taken of it later on
	ahead  bool         // anything is
	common []hillCommon // licences, then classes and users of each cluster
	users  map[int32]int
	named  []uint32    // by JobID: the turn in which it was written into a predecessor list last
	turn   uint32      // of write
	shares []hillShare // scratch: what a job takes of common

	foretold bool // schedules are made by what is predicted
}

// hillGone is what the calendar or a reservation takes of a node from a time to
// come on.
type hillGone struct {
	from, to model.Time
	resource.Amount
}

// hillAway is what the calendar takes of a node up to a time, from now on.
type hillAway struct {
	node  int
	procs int32
	to    model.Time
}

// hillCommon is something that jobs on several nodes share.
type hillCommon struct {
	cap   int32
	holds []hillTaken // by what was placed, with what runs now in front
	kept  int
	ahead []hillTaken // reservations
}

type hillTaken struct {
	from, to model.Time
	amount   int32
	job      model.JobID // −1: of a reservation
}

// hillShare is what a job takes of the common thing at an index.
type hillShare struct {
	at     int
	amount int32
}

type hillNode struct {
	index, cluster int32
	procs          []hillProc // ascending by free
	begin          []hillProc // the same with what runs now alone
	size           int32      // processors
	scarce         bool       // memory, disk or GPUs are counted
	speed          float64
}

// hillProc is so many processors of a node that become free together.
type hillProc struct {
	free model.Time
	job  model.JobID // that holds them until then; −1 none
	n    int32
}

type hillHold struct {
	end  model.Time
	job  model.JobID // −1: of a reservation
	need *resource.Need
}

// hillParty is a node that could serve a request, and from when on.
type hillParty struct {
	at   model.Time
	node int32
}

type hillPart struct{ node, procs int32 }

func (s *hillSite) reset(v *sim.View) {
	*s = hillSite{}
	for i := range v.Site.Nodes {
		n := &v.Site.Nodes[i]
		node := hillNode{index: n.Index, cluster: n.Cluster, size: n.Procs, speed: 1, scarce: n.Mem > 0 || n.Disk > 0 || n.GPUs > 0}
		if v.Site.Platform.PowerScales {
			node.speed = n.Speed
		}
		s.nodes = append(s.nodes, node)
	}
	s.until, s.kept, s.gone = make([][]hillHold, len(s.nodes)), make([]int, len(s.nodes)), make([][]hillGone, len(s.nodes))
	p := v.Site.Platform
	for i := range p.Licences {
		s.common = append(s.common, hillCommon{cap: p.Licences[i].Copies})
	}
	for c := range p.Clusters {
		for i := range p.Limits.Classes {
			s.common = append(s.common, hillCommon{cap: p.Limits.Classes[i].Procs(p.Clusters[c].Procs())})
		}
	}
	s.users = map[int32]int{}
}

// plain says that nothing but what runs now keeps jobs from processors.
func (s *hillSite) plain() bool { return !s.ahead && len(s.common) == 0 }

// sharesOf lists what a job takes of what is common, on a cluster, with what it needs there:
// a reservation may have got less than it asked for.
func (s *hillSite) sharesOf(v *sim.View, j model.JobID, need *resource.Need, cluster int32) []hillShare {
	s.shares = s.shares[:0]
	p, job := v.Site.Platform, &v.Jobs[j]
	for _, l := range need.Licences {
		if p.Licences[l.Licence].Copies > 0 {
			s.shares = append(s.shares, hillShare{int(l.Licence), l.Copies})
		}
	}
	for i := range p.Limits.Classes {
		if job.Limit > p.Limits.Classes[i].LongerThan {
			s.shares = append(s.shares, hillShare{len(p.Licences) + int(cluster)*len(p.Limits.Classes) + i, need.Procs})
		}
	}
	if p.Limits.UserProcs > 0 {
		at, ok := s.users[job.User]
		if !ok {
			at = len(s.common)
			s.users[job.User] = at
			for range p.Clusters {
				s.common = append(s.common, hillCommon{cap: p.Limits.UserProcs})
			}
		}
		s.shares = append(s.shares, hillShare{at + int(cluster), need.Procs})
	}
	return s.shares
}

// allows returns from when on, not before a time, everything common suffices for a
// job that takes so long.
func (s *hillSite) allows(v *sim.View, j model.JobID, cluster int32, at, length model.Time) model.Time {
	shares := s.sharesOf(v, j, &v.Needs[j], cluster)
	for k := 0; k < len(shares); {
		c := &s.common[shares[k].at]
		resource.Visit(len(c.holds))
		if !v.Pulse.Beat(1 + len(c.holds)/4) {
			return at
		}
		left, next := c.cap-shares[k].amount, model.Never
		for i := range c.holds {
			if h := &c.holds[i]; h.to > at {
				left, next = left-h.amount, min(next, h.to)
			}
		}
		for i := range c.ahead {
			if h := &c.ahead[i]; h.to > at && h.from < at+length {
				left, next = left-h.amount, min(next, h.to)
			}
		}
		if left >= 0 || next == model.Never {
			k++
		} else {
			at, k = next, 0
		}
	}
	return at
}

// freeAt returns when so many processors are free, those that are free first.
func (n *hillNode) freeAt(procs int32) model.Time {
	k := 0
	for procs -= n.procs[0].n; procs > 0; procs -= n.procs[k].n {
		k++
	}
	return n.procs[k].free
}

// present takes over what runs now and which nodes are away.
func (s *hillSite) present(v *sim.View, running []model.JobID) {
	s.last, s.ahead = v.Now, false
	s.away = s.away[:0]
	for k := range s.gone {
		s.gone[k] = s.gone[k][:0]
	}
	for i := range s.common {
		s.common[i].holds, s.common[i].ahead = s.common[i].holds[:0], s.common[i].ahead[:0]
	}
	for i := range v.Site.Platform.Calendar {
		c := &v.Site.Platform.Calendar[i]
		if !v.Known(c) || c.To <= v.Now {
			continue
		}
		for k := range s.nodes {
			n := &s.nodes[k]
			procs := n.size
			if len(c.Nodes) == 0 {
				procs = c.Procs
			}
			if len(c.Nodes) == 0 && n.cluster != c.Cluster || len(c.Nodes) > 0 && !slices.Contains(c.Nodes, n.index) {
				continue
			}
			if c.From > v.Now {
				s.gone[k], s.ahead = append(s.gone[k], hillGone{c.From, c.To, resource.Amount{Procs: procs}}), true
				continue
			}
			s.away = append(s.away, hillAway{k, procs, c.To})
		}
	}
	slices.SortFunc(s.away, func(a, b hillAway) int { return cmp.Or(a.node-b.node, cmp.Compare(a.to, b.to)) })
	for k, left := 0, s.away; k < len(s.nodes); k++ {
		n := 0
		for n < len(left) && left[n].node == k {
			n++
		}
		s.nodes[k].begins(v.Now, left[:n])
		s.until[k], left = s.until[k][:0], left[n:]
	}
	for _, j := range running {
		end := v.Start[j] + v.Limit(j, v.Held[j])
		if s.foretold {
			end = v.Lasts(j)
		}
		if v.Kills(j) {
			end = min(end, v.Due[j])
		}
		end = max(end, v.Now)
		s.last = max(s.last, end)
		for _, part := range v.Held[j].Parts {
			k := s.find(part.Node)
			s.take(v, &s.nodes[k], k, part.Procs, j, end)
		}
		for _, x := range s.sharesOf(v, j, &v.Needs[j], v.Held[j].Cluster) {
			s.common[x.at].holds = append(s.common[x.at].holds, hillTaken{v.Now, end, x.amount, j})
		}
	}
	bookings := v.Bookings.All()
	for i := range bookings {
		if b := &bookings[i]; b.To > v.Now {
			s.reserve(v, b)
		}
	}
	for k := range s.until {
		s.kept[k] = len(s.until[k])
	}
	for i := range s.common {
		s.common[i].kept = len(s.common[i].holds)
	}
	for k := range s.nodes {
		s.nodes[k].begin = append(s.nodes[k].begin[:0], s.nodes[k].procs...)
	}
}

// begins writes when the processors of a node are free on which nothing runs yet: what
// lasts now, in order of the ends, takes away its sum.
func (n *hillNode) begins(now model.Time, away []hillAway) {
	sum := int32(0)
	for i := range away {
		sum += min(away[i].procs, n.size)
	}
	gone := min(n.size, sum)
	n.procs = append(n.procs[:0], hillProc{now, -1, n.size - gone})
	for i := range away {
		sum -= min(away[i].procs, n.size)
		if back := gone - min(n.size, sum); back > 0 {
			n.procs = append(n.procs, hillProc{away[i].to, -1, back})
			gone -= back
		}
	}
	if n.procs[0].n == 0 {
		n.procs = slices.Delete(n.procs, 0, 1)
	}
}

// reserve takes what an advance reservation holds.
func (s *hillSite) reserve(v *sim.View, b *sim.Booking) {
	for _, part := range b.Claim.Parts {
		k := s.find(part.Node)
		if n := &s.nodes[k]; b.From > v.Now {
			s.gone[k], s.ahead = append(s.gone[k], hillGone{b.From, b.To, resource.Amount{Procs: part.Procs, Mem: b.Need.Mem, Disk: b.Need.Disk, GPUs: b.Need.GPUs}}), true
		} else {
			s.hold(n, k, part.Procs, -1, b.Need, b.To)
		}
	}
	for _, x := range s.sharesOf(v, b.Job, b.Need, b.Claim.Cluster) {
		c := &s.common[x.at]
		c.ahead = append(c.ahead, hillTaken{b.From, b.To, x.amount, -1})
	}
}

func (s *hillSite) find(index int32) int {
	return slices.IndexFunc(s.nodes, func(n hillNode) bool { return n.index == index })
}

// clear forgets what was placed.
func (s *hillSite) clear() {
	s.runs = 0
	for k := range s.nodes {
		n := &s.nodes[k]
		n.procs = append(n.procs[:0], n.begin...)
		s.runs += len(n.procs)
	}
	for k := range s.until {
		s.until[k] = s.until[k][:s.kept[k]]
	}
	for i := range s.common {
		s.common[i].holds = s.common[i].holds[:s.common[i].kept]
	}
}

// take lets a job hold the processors of a node that are free first.
func (s *hillSite) take(v *sim.View, n *hillNode, k int, procs int32, j model.JobID, end model.Time) {
	s.hold(n, k, procs, j, &v.Needs[j], end)
}

func (s *hillSite) hold(n *hillNode, k int, procs int32, j model.JobID, need *resource.Need, end model.Time) {
	from, left := 0, procs
	for from < len(n.procs) && n.procs[from].n <= left {
		left -= n.procs[from].n
		from++
	}
	if from < len(n.procs) {
		n.procs[from].n -= left
		left = 0
	}
	to := from // what becomes free before end moves to the front
	for to < len(n.procs) && n.procs[to].free < end {
		to++
	}
	s.runs -= len(n.procs)
	n.procs = slices.Insert(n.procs, to, hillProc{end, j, procs - left})
	n.procs = slices.Delete(n.procs, 0, from)
	s.runs += len(n.procs)
	if n.scarce && (need.Mem > 0 || need.Disk > 0 || need.GPUs > 0) {
		s.until[k] = append(s.until[k], hillHold{end, j, need})
	}
}
