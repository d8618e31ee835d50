package plan

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// place assigns the node requests of a job to nodes and returns its estimated
// end. With to, the claim, the start and the predecessors are written there.
func (s *hillSite) place(v *sim.View, j model.JobID, to *hillJob) model.Time {
	need, limit, best := &v.Needs[j], v.Jobs[j].Limit-v.Done[j], model.Never
	s.placed++
	v.Pulse.Beat(2*len(s.nodes) + s.runs/4 + s.kept + s.placed)
	s.parts = s.parts[:0]
	for c := range int32(len(v.Site.Platform.Clusters)) {
		if !s.space.Serves(need, c) {
			continue
		}
		length := s.space.Longest(c, limit)
		at, ok := s.on(v, c, need, v.Now, length)
		for ok && s.shared {
			allowed := s.space.Allowed(need, c, length, at)
			if allowed == at {
				break
			}
			at, ok = s.on(v, c, need, allowed, length)
		}
		if ok && at < best {
			best = at
			s.parts = append(s.parts[:0], s.found...)
		}
	}
	slowest, procs := 1.0, int32(0)
	s.places = s.places[:0]
	for i, p := range s.parts {
		n := &s.nodes[p.node]
		if i == 0 || n.speed < slowest {
			slowest = n.speed
		}
		procs, s.places = procs+p.procs, append(s.places, model.Part{Node: n.place, Procs: p.procs})
	}
	end := best + model.Scaled(s.lasts(v, j), slowest)
	if v.Kills(j) {
		end = max(best, min(end, v.Due[j]))
	}
	if to != nil {
		s.write(v, j, best, to)
		s.held = append(s.held, hillHeld{j, end, to.claim})
	}
	for _, p := range s.parts {
		s.take(&s.nodes[p.node], p.procs, j, end)
	}
	s.space.Add(need, s.nodes[s.parts[0].node].cluster, procs, s.places, v.Now, end, -1)
	return end
}

// lasts returns how long a job that waits is planned to run, on a machine of speed
// 1. What lies ahead it keeps clear of by its request.
func (s *hillSite) lasts(v *sim.View, j model.JobID) model.Time {
	if s.foretold {
		return v.Foretold(j)
	}
	return v.Jobs[j].Limit - v.Done[j]
}

// on finds nodes of one cluster that are free at the same time, not before from, and
// leaves them in s.found.
func (s *hillSite) on(v *sim.View, cluster int32, need *resource.Need, from, length model.Time) (model.Time, bool) {
	spread := v.Site.Platform.Clusters[cluster].Packing == model.PackNodes && need.Nodes != 1
	each, requests := need.Procs, 1
	if spread && need.Nodes > 0 {
		each, requests = need.PerNode, int(need.Nodes)
	} else if spread {
		each = 1
	}
	s.choice = s.choice[:0]
	for k := range s.nodes {
		n := &s.nodes[k]
		if n.cluster == cluster && n.size >= each && v.Site.Suits(need, n.index) {
			s.choice = append(s.choice, hillParty{s.opens(n, need, each, from, length), int32(k)})
		}
	}
	if len(s.choice) < requests {
		return 0, false
	}
	slices.SortFunc(s.choice, func(a, b hillParty) int { return cmp.Or(cmp.Compare(a.at, b.at), int(a.node-b.node)) })
	if spread && need.Nodes == 0 {
		return s.gather(cluster, need, length)
	}
	for at := s.choice[requests-1].at; at < model.Never; { // those that are still open then, or open first after that
		next := model.Never
		s.found = s.found[:0]
		for _, c := range s.choice {
			opens := c.at
			if s.ahead && opens < at {
				opens = s.opens(&s.nodes[c.node], need, each, at, length)
			}
			if opens > at {
				next = min(next, opens)
			} else if s.found = append(s.found, hillPart{c.node, each}); len(s.found) == requests {
				return at, true
			}
		}
		at = next
	}
	return 0, false
}

// opens returns from when on, not before a time, a node could serve a request for
// processors for so long: when they are free; where that runs into something known, when
// the next such thing has ended.
func (s *hillSite) opens(n *hillNode, need *resource.Need, procs int32, from, length model.Time) model.Time {
	at := max(from, n.freeAt(procs))
	for {
		if n.scarce {
			at = s.space.Opens(n.index, need, length, at)
		}
		next := model.Never
		for _, l := range n.later {
			if l.to > at && l.from < at+length {
				next = min(next, l.to)
			}
		}
		if next == model.Never || s.space.Spare(n.index, need, at, at+length) >= procs {
			return at
		}
		at = next
	}
}

// freeAt returns when so many processors are free, those that are free first.
func (n *hillNode) freeAt(procs int32) model.Time {
	k := 0
	for procs -= n.procs[0].n; procs > 0; procs -= n.procs[k].n {
		k++
	}
	return n.procs[k].free
}

// gather serves a request for processors on any nodes: those that are free first.
func (s *hillSite) gather(cluster int32, need *resource.Need, length model.Time) (model.Time, bool) {
	nodes := &s.space.Lane(cluster).Nodes
	for at := s.choice[0].at; at < model.Never; at = nodes.Next(at) {
		if !nodes.Total().Free(at, at+length, need.Procs) {
			continue
		}
		left := need.Procs
		s.found = s.found[:0]
		for _, c := range s.choice {
			if c.at > at {
				break
			}
			if procs := min(left, s.space.Spare(s.nodes[c.node].index, need, at, at+length)); procs > 0 {
				s.found = append(s.found, hillPart{c.node, procs})
				left -= procs
			}
		}
		if left == 0 {
			return at, true
		}
	}
	return 0, false
}

// write notes where a job goes and after whom.
func (s *hillSite) write(v *sim.View, j model.JobID, start model.Time, to *hillJob) {
	*to = hillJob{job: j, start: start}
	for len(s.named) < int(v.Next) {
		s.named = append(s.named, 0)
	}
	if s.turn++; s.turn == 0 { // all numbers have been used
		clear(s.named)
		s.turn = 1
	}
	for _, p := range s.parts {
		n := &s.nodes[p.node]
		to.claim.Cluster = n.cluster
		to.claim.Parts = append(to.claim.Parts, model.Part{Node: n.index, Procs: p.procs})
		for k, left := 0, p.procs; left > 0; k++ {
			if left -= n.procs[k].n; n.procs[k].job >= 0 {
				s.precedes(n.procs[k].job, to)
			}
		}
	}
	if s.shared || s.scarce {
		v.Pulse.Beat(len(s.held) / 4)
		for i := range s.held {
			if h := &s.held[i]; h.end <= start && v.Site.Contend(&v.Needs[j], to.claim, &v.Needs[h.job], h.claim) {
				s.precedes(h.job, to)
			}
		}
	}
	slices.SortFunc(to.claim.Parts, func(a, b model.Part) int { return int(a.Node - b.Node) })
}

// precedes adds a job to a predecessor list, once.
func (s *hillSite) precedes(j model.JobID, to *hillJob) {
	if s.named[j] != s.turn {
		s.named[j] = s.turn
		to.before = append(to.before, j)
	}
}

// schedule writes the schedule of an order.
func (s *hillSite) schedule(v *sim.View, order []model.JobID, out []hillJob) []hillJob {
	s.clear()
	for _, j := range order {
		if !v.Pulse.Beat(0) {
			break
		}
		var one hillJob
		s.place(v, j, &one)
		out = append(out, one)
	}
	return out
}
