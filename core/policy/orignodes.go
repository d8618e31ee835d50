package policy

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// origNodes is the shelf of machines, several clusters and licences. Each
// cluster has its own profiles; what running jobs leave free is kept from pass
// to pass, reservations go into copies. Where run times depend on the machine a
// job is taken to run as long as on the slowest of its cluster.
type origNodes struct {
	clusters []origCluster
	licences []origLimit // copies, by licence; of a node-locked one unused
	calendar knownCalendar
	free     *resource.Pool                  // now, after what this pass has started
	running  map[model.JobID]origHeld        // looked up, never walked
	wants    map[model.JobID][]resource.Want // by cluster
	parts    []model.Part                    // scratch
	pass     int64
	can      []model.JobID // that could start now and were not gone through
	left     map[model.JobID]bool
	foretold bool
}

type origCluster struct {
	index      int32
	counted    bool
	machine    bool    // each job within one node
	rank       []int32 // index into Platform.Nodes, in the order of power
	have       []resource.Amount
	speed      float64 // of its slowest node
	base, plan resource.Nodes
	counts     origLimit // where processors are only counted
	limits     origLimits
}

type origHeld struct {
	end   model.Time
	claim model.Claim
	user  int32
}

func newOrigNodes(v *sim.View) *origNodes {
	p := v.Site.Platform
	s := &origNodes{calendar: newKnownCalendar(v), free: v.Site.NewPool(), running: map[model.JobID]origHeld{}, left: map[model.JobID]bool{}, wants: map[model.JobID][]resource.Want{}}
	s.clusters = make([]origCluster, len(p.Clusters))
	for c := range s.clusters {
		l := &s.clusters[c]
		packing, procs := p.Clusters[c].Packing, int32(p.Clusters[c].Procs())
		l.index, l.counted, l.machine, l.speed = int32(c), packing == model.PackProcessors, packing == model.PackMachine, 1
		l.counts = newOrigLimit(procs)
		l.limits.reset(&p.Limits, procs)
	}
	for i := range v.Site.Nodes {
		n := &v.Site.Nodes[i]
		l := &s.clusters[n.Cluster]
		l.rank, l.have = append(l.rank, n.Index), append(l.have, resource.AmountOf(&n.Node))
		if p.PowerScales {
			l.speed = n.Speed // the slowest stands last
		}
	}
	for c := range s.clusters {
		s.clusters[c].base.Reset(-model.Never, s.clusters[c].have)
	}
	for i := range p.Licences {
		s.licences = append(s.licences, newOrigLimit(p.Licences[i].Copies))
	}
	return s
}

func (s *origNodes) open(v *sim.View, waiting []model.JobID) bool {
	s.free.CopyFrom(v.Free)
	clear(s.left)
	s.can = s.can[:0]
	for _, j := range waiting {
		if !v.Pulse.Beat(1) {
			break
		}
		if s.free.Fits(&v.Needs[j]) {
			s.can, s.left[j] = append(s.can, j), true
		}
	}
	return s.more()
}

func (s *origNodes) joins(*sim.View, model.JobID)  {}
func (s *origNodes) leaves(*sim.View, model.JobID) {}

func (s *origNodes) more() bool { return len(s.left) > 0 }

func (s *origNodes) visit(_ *sim.View, j model.JobID) bool {
	could := s.left[j]
	delete(s.left, j)
	return could
}

// of returns what a job asks of each cluster.
func (s *origNodes) of(v *sim.View, j model.JobID) []resource.Want {
	if w, ok := s.wants[j]; ok {
		return w
	}
	n := &v.Needs[j]
	wants := make([]resource.Want, len(s.clusters))
	for c := range wants {
		l, w := &s.clusters[c], &wants[c]
		w.Procs = n.Procs
		w.Each = resource.Amount{Procs: 1, GPUs: n.GPUs, Mem: n.Mem, Disk: n.Disk}
		switch {
		case l.machine || n.Nodes == 1:
			w.Parts, w.Each.Procs = 1, n.Procs
		case n.Nodes > 1:
			w.Parts, w.Each.Procs = n.Nodes, n.PerNode
		}
		suit := 0
		mask := make([]uint64, (len(l.rank)+63)/64)
		for r, index := range l.rank {
			if v.Site.Suits(n, index) {
				mask[r/64] |= 1 << (r % 64)
				suit++
			}
		}
		switch {
		case suit == 0:
			w.Procs = 0 // not here
		case suit < len(l.rank):
			w.Mask = mask
		}
	}
	s.wants[j] = wants
	return wants
}

// local turns the parts of a claim into places in the cluster's order of power.
func (s *origNodes) local(l *origCluster, claim model.Claim) []model.Part {
	s.parts = s.parts[:0]
	for _, part := range claim.Parts {
		s.parts = append(s.parts, model.Part{Node: int32(slices.Index(l.rank, part.Node)), Procs: part.Procs})
	}
	return s.parts
}

// hold reserves (sign 1) or releases (−1) what a job holds in the profiles of
// running jobs.
func (s *origNodes) hold(v *sim.View, j model.JobID, user int32, claim model.Claim, to model.Time, sign int32) {
	l, want := &s.clusters[claim.Cluster], &s.of(v, j)[claim.Cluster]
	switch {
	case l.counted:
		l.counts.base.Add(v.Now, to, -sign*v.Needs[j].Procs)
	case sign > 0:
		l.base.Reserve(want, s.local(l, claim), v.Now, to)
	default:
		l.base.Release(want, s.local(l, claim), v.Now, to)
	}
	l.limits.hold(v, j, user, v.Now, to, sign)
	for _, need := range v.Needs[j].Licences {
		s.licences[need.Licence].base.Add(v.Now, to, -sign*need.Copies)
	}
}

func (s *origNodes) starts(v *sim.View, j model.JobID, user int32, claim model.Claim) {
	end := v.Now + v.Site.Scaled(asks(v, j, s.foretold), claim)
	s.hold(v, j, user, claim, end, 1)
	s.running[j] = origHeld{end, claim, user}
	s.free.Take(&v.Needs[j], claim)
	s.can = slices.DeleteFunc(s.can, func(j model.JobID) bool {
		if s.left[j] && s.free.Fits(&v.Needs[j]) {
			return false
		}
		delete(s.left, j)
		return true
	})
}

func (s *origNodes) ends(v *sim.View, j model.JobID, user int32) {
	held := s.running[j]
	delete(s.running, j)
	if held.end > v.Now {
		s.advance(v)
		s.hold(v, j, user, held.claim, held.end, -1)
	}
	delete(s.wants, j)
}

func (s *origNodes) advance(v *sim.View) {
	for c := range s.clusters {
		l := &s.clusters[c]
		l.base.Advance(v.Now)
		l.counts.base.Advance(v.Now)
	}
}

func (s *origNodes) begin(v *sim.View) {
	s.advance(v)
	s.calendar.learn(v, func(e *model.CalendarEntry) {
		from := max(e.From, v.Now)
		if len(e.Nodes) == 0 {
			s.clusters[e.Cluster].counts.base.Add(from, e.To, -e.Procs)
			return
		}
		for _, n := range e.Nodes {
			for c := range s.clusters {
				l := &s.clusters[c]
				if r := slices.Index(l.rank, n); r >= 0 && l.counted {
					l.counts.base.Add(from, e.To, -l.have[r].Procs)
				} else if r >= 0 {
					l.base.Block(r, l.have[r], from, e.To)
				}
			}
		}
	})
	s.pass++
	for c := range s.clusters {
		l := &s.clusters[c]
		if l.limits.begin(); !l.counted {
			l.plan.CopyFrom(&l.base)
		}
	}
}

// fit looks for the earliest start over all clusters, the first of equals.
func (s *origNodes) fit(v *sim.View, j model.JobID, user int32, from model.Time, once bool) (model.Time, model.Claim, bool) {
	best, before, found := model.Claim{}, model.Never, false
	if once {
		before = v.Now + 1
	}
	wants := s.of(v, j)
	for c := range s.clusters {
		l, want := &s.clusters[c], &wants[c]
		if want.Procs == 0 || v.Site.Platform.Limits.Most(v.Site.Platform.Clusters[c].Procs(), v.Jobs[j].Limit) < want.Procs {
			continue
		}
		at, parts, ok := s.fitOn(v, l, want, j, user, from, before)
		if !ok {
			continue
		}
		before, found = at, true
		best = model.Claim{Cluster: l.index, Parts: slices.Clone(parts)}
		for i := range best.Parts {
			best.Parts[i].Node = l.rank[best.Parts[i].Node]
		}
		slices.SortFunc(best.Parts, func(a, b model.Part) int { return int(a.Node - b.Node) })
	}
	return before, best, found
}

// fitOn looks on one cluster for a start in [from, before); parts are valid until
// the next call.
func (s *origNodes) fitOn(v *sim.View, l *origCluster, want *resource.Want, j model.JobID, user int32, from, before model.Time) (model.Time, []model.Part, bool) {
	length := model.Scaled(asks(v, j, s.foretold), l.speed)
	for at := from; ; {
		t, ok := at, true
		if l.counted {
			s.parts = append(s.parts[:0], model.Part{Procs: want.Procs})
			t = l.counts.planned(v.Now, s.pass).FitFrom(want.Procs, length, at)
		} else {
			t, s.parts, ok = l.plan.Fit(want, length, at, before, s.parts[:0])
		}
		if !ok || t >= before {
			return 0, nil, false
		}
		next := l.limits.fit(v, j, user, t, length)
		for _, need := range v.Needs[j].Licences {
			if v.Site.Platform.Licences[need.Licence].Copies > 0 && next < before {
				next = s.licences[need.Licence].planned(v.Now, s.pass).FitFrom(need.Copies, length, next)
			}
		}
		if next >= before {
			return 0, nil, false
		}
		if next == t {
			return t, s.parts, true
		}
		at = next
	}
}

// take reserves for as long as fit has looked: on the slowest of the cluster,
// whichever machine it is.
func (s *origNodes) take(v *sim.View, j model.JobID, user int32, at model.Time, claim model.Claim) {
	l := &s.clusters[claim.Cluster]
	end := at + model.Scaled(asks(v, j, s.foretold), l.speed)
	if l.counted {
		l.counts.planned(v.Now, s.pass).Add(at, end, -v.Needs[j].Procs)
	} else {
		l.plan.Reserve(&s.of(v, j)[claim.Cluster], s.local(l, claim), at, end)
	}
	l.limits.take(v, j, user, at, end)
	for _, need := range v.Needs[j].Licences {
		s.licences[need.Licence].planned(v.Now, s.pass).Add(at, end, -need.Copies)
	}
}
