package plan

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// hillSite places jobs one after the other. What is free from now on says a Space, where
// whoever is placed holds what he has from now until his end: gaps are not filled. Beside
// it stands whose each processor of a node was last, and who else held what runs short: who
// comes next has them for predecessors.
type hillSite struct {
	begun, space *resource.Space // beside what runs and is reserved; and beside who was placed
	nodes        []hillNode      // in the order of power
	runs         int             // entries of all nodes
	placed       int             // jobs since clear
	last         model.Time      // when what runs now ends, by request
	ahead        bool            // something is taken later on
	shared       bool            // licences or limits are counted,
	scarce       bool            // or memory, disk or GPUs of a node
	held         []hillHeld      // what runs now, then who was scheduled
	kept         int             // how many of them run now
	choice       []hillParty     // scratch
	parts        []hillPart
	found        []hillPart
	places       []model.Part
	named        []uint32 // by JobID: the turn in which it was written into a predecessor list last
	turn         uint32   // of write
	foretold     bool     // schedules are made by what is predicted
}

type hillNode struct {
	index, cluster, place int32      // the last in its cluster's order of power
	procs                 []hillProc // ascending by free
	begin                 []hillProc // the same with what runs now alone
	later                 []hillLater
	size                  int32 // processors
	scarce                bool  // memory, disk or GPUs are counted
	speed                 float64
}

// hillProc is so many processors of a node that become free together.
type hillProc struct {
	free model.Time
	job  model.JobID // that holds them until then; −1 none
	n    int32
}

// hillLater is when something that is known takes processors of a node, from a time to
// come on.
type hillLater struct{ from, to model.Time }

type hillHeld struct {
	job   model.JobID
	end   model.Time
	claim model.Claim
}

// hillParty is a node that could serve a request, and from when on.
type hillParty struct {
	at   model.Time
	node int32
}

type hillPart struct{ node, procs int32 }

func (s *hillSite) reset(v *sim.View) {
	p := v.Site.Platform
	*s = hillSite{begun: v.Site.NewSpace(v.Now, false), space: v.Site.NewSpace(v.Now, false), shared: len(p.Licences) > 0 || !p.Limits.None()}
	places := make([]int32, len(p.Clusters))
	for i := range v.Site.Nodes {
		n := &v.Site.Nodes[i]
		node := hillNode{index: n.Index, cluster: n.Cluster, place: places[n.Cluster], size: n.Procs, speed: 1, scarce: p.Clusters[n.Cluster].Packing != model.PackProcessors && (n.Mem > 0 || n.Disk > 0 || n.GPUs > 0)}
		if places[n.Cluster]++; p.PowerScales {
			node.speed = n.Speed
		}
		s.nodes, s.scarce = append(s.nodes, node), s.scarce || node.scarce
	}
}

// plain says that nothing but what runs now keeps jobs from processors.
func (s *hillSite) plain() bool { return !s.ahead && !s.shared }

// present takes over what runs now, what is reserved, and which nodes are away.
func (s *hillSite) present(v *sim.View, running []model.JobID) {
	s.last, s.ahead, s.held = v.Now, false, s.held[:0]
	s.begun.Reset(v.Now)
	s.away(v, false)
	for k := range s.nodes { // before what runs
		n, had := &s.nodes[k], int32(0)
		n.procs, n.later = n.procs[:0], n.later[:0]
		s.begun.Steps(n.index, func(at model.Time, procs int32) {
			if procs > had {
				n.procs = append(n.procs, hillProc{at, -1, procs - had})
				had = procs
			}
		})
	}
	s.away(v, true)
	for _, j := range running {
		end := v.Until(j)
		if s.foretold {
			if end = v.Lasts(j); v.Kills(j) {
				end = min(end, v.Due[j])
			}
		}
		end = max(end, v.Now)
		s.last = max(s.last, end)
		s.begun.Book(&v.Needs[j], v.Held[j], v.Now, end)
		s.held = append(s.held, hillHeld{j, end, v.Held[j]})
		s.hold(v, v.Held[j], j, end)
	}
	for _, b := range v.Bookings.All() {
		if b.To <= v.Now {
			continue
		}
		s.begun.Book(b.Need, b.Claim, b.From, b.To)
		if b.From <= v.Now {
			s.hold(v, b.Claim, -1, b.To)
			continue
		}
		for _, part := range b.Claim.Parts {
			s.later(v.Site.Rank(part.Node), b.From, b.To)
		}
	}
	s.kept = len(s.held)
	for k := range s.nodes {
		s.nodes[k].begin = append(s.nodes[k].begin[:0], s.nodes[k].procs...)
	}
}

// away takes what is known to be away now, or later.
func (s *hillSite) away(v *sim.View, later bool) {
	for i := range v.Site.Platform.Calendar {
		c := &v.Site.Platform.Calendar[i]
		if !v.Known(c) || c.To <= v.Now || c.From > v.Now != later {
			continue
		}
		s.begun.Away(c, v.Now)
		for k := range s.nodes {
			if n := &s.nodes[k]; later && (slices.Contains(c.Nodes, n.index) || len(c.Nodes) == 0 && n.cluster == c.Cluster) {
				s.later(int32(k), c.From, c.To)
			}
		}
	}
}

func (s *hillSite) later(k int32, from, to model.Time) {
	n := &s.nodes[k]
	n.later, s.ahead = append(n.later, hillLater{from, to}), true
}

// clear forgets who was placed.
func (s *hillSite) clear() {
	s.runs, s.placed, s.held = 0, 0, s.held[:s.kept]
	for k := range s.nodes {
		n := &s.nodes[k]
		n.procs = append(n.procs[:0], n.begin...)
		s.runs += len(n.procs)
	}
	s.space.CopyFrom(s.begun)
}

// hold lets a job, or a reservation, have the processors of nodes that are free first.
func (s *hillSite) hold(v *sim.View, c model.Claim, j model.JobID, end model.Time) {
	for _, part := range c.Parts {
		s.take(&s.nodes[v.Site.Rank(part.Node)], part.Procs, j, end)
	}
}

// take lets a job have the processors of a node that are free first.
func (s *hillSite) take(n *hillNode, procs int32, j model.JobID, end model.Time) {
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
}
