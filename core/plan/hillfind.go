package plan

import (
	"cmp"
	"math"
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// opens returns from when on, not before a time, a node could serve a request for
// processors for so long.
func (s *hillSite) opens(v *sim.View, k int, need *resource.Need, procs int32, from, length model.Time) (model.Time, bool) {
	n := &s.nodes[k]
	if !v.Site.Suits(need, n.index) || procs > n.size {
		return 0, false
	}
	at := max(from, n.freeAt(procs))
	for {
		if n.scarce {
			at = s.suffices(v, k, need, at, length)
		}
		if len(s.gone[k]) == 0 || s.spare(k, at, length) >= procs {
			return at, true
		}
		at = s.after(k, at, length)
	}
}

// spare returns how many more processors of a node could be held from a time on
// for so long, as far as those placed before and what is taken later on go.
func (s *hillSite) spare(k int, at, length model.Time) int32 {
	n, room := &s.nodes[k], int32(math.MaxInt32)
	for i := range s.gone[k] {
		g := &s.gone[k][i]
		if g.to <= at || g.from >= at+length {
			continue
		}
		when := max(g.from, at) // what was placed before only ever ends
		left := n.size
		for o := range s.gone[k] {
			if h := &s.gone[k][o]; h.from <= when && when < h.to {
				left -= h.Procs
			}
		}
		for p := len(n.procs) - 1; p >= 0 && n.procs[p].free > when; p-- {
			left -= n.procs[p].n
		}
		room = min(room, left)
	}
	return room
}

// after returns when the first of what stands in the way of a start ends.
func (s *hillSite) after(k int, at, length model.Time) model.Time {
	next := model.Never
	for i := range s.gone[k] {
		if g := &s.gone[k][i]; g.to > at && g.from < at+length {
			next = min(next, g.to)
		}
	}
	return next
}

// suffices returns from when on, not before a time, a node has memory, disk and
// GPUs for a request beside those placed before it.
func (s *hillSite) suffices(v *sim.View, k int, need *resource.Need, at, length model.Time) model.Time {
	node := v.Site.NodeAt(s.nodes[k].index)
	for {
		mem, disk, gpus, next := need.Mem, need.Disk, need.GPUs, model.Never
		for _, h := range s.until[k] {
			if h.end > at {
				mem, disk, gpus = mem+h.need.Mem, disk+h.need.Disk, gpus+h.need.GPUs
				next = min(next, h.end)
			}
		}
		for i := range s.gone[k] {
			if g := &s.gone[k][i]; g.to > at && g.from < at+length {
				mem, disk, gpus = mem+g.Mem, disk+g.Disk, gpus+g.GPUs
				next = min(next, g.to)
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
	v.Pulse.Beat(2*len(s.nodes) + s.runs/4)
	best, found := model.Never, false
	s.parts = s.parts[:0]
	limit, lasts := v.Jobs[j].Limit-v.Done[j], s.lasts(v, j)
	for c := range v.Site.Platform.Clusters {
		length := s.longest(int32(c), limit)
		at, parts, ok := s.on(v, int32(c), need, v.Now, length)
		for ok && len(s.common) > 0 {
			allowed := s.allows(v, j, int32(c), at, length)
			if allowed == at {
				break
			}
			at, parts, ok = s.on(v, int32(c), need, allowed, length)
		}
		if ok && len(s.common) > 0 && v.Site.Platform.Limits.Most(v.Site.Platform.Clusters[c].Procs(), v.Jobs[j].Limit) < need.Procs {
			ok = false
		}
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
	end := best + model.Scaled(lasts, slowest)
	if v.Kills(j) {
		end = max(best, min(end, v.Due[j]))
	}
	if to != nil {
		s.write(v, j, best, to)
	}
	for _, p := range s.parts {
		s.take(v, &s.nodes[p.node], int(p.node), p.procs, j, end)
	}
	if len(s.common) > 0 {
		for _, x := range s.sharesOf(v, j, &v.Needs[j], s.nodes[s.parts[0].node].cluster) {
			s.common[x.at].holds = append(s.common[x.at].holds, hillTaken{best, end, x.amount, j})
		}
	}
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

// longest returns how long a job may run on a cluster at most.
func (s *hillSite) longest(cluster int32, limit model.Time) model.Time {
	slowest := math.Inf(1)
	for k := range s.nodes {
		if s.nodes[k].cluster == cluster {
			slowest = min(slowest, s.nodes[k].speed)
		}
	}
	return model.Scaled(limit, slowest)
}

// on finds nodes of one cluster that are free at the same time, not before from;
// parts are valid until the next call.
func (s *hillSite) on(v *sim.View, cluster int32, need *resource.Need, from, length model.Time) (model.Time, []hillPart, bool) {
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
		if at, ok := s.opens(v, k, need, each, from, length); ok {
			s.choice = append(s.choice, hillParty{at, int32(k)})
		}
	}
	slices.SortFunc(s.choice, func(a, b hillParty) int {
		if a.at != b.at {
			return cmp.Compare(a.at, b.at)
		}
		return int(a.node - b.node)
	})
	out := s.found[:0]
	if spread && need.Nodes == 0 {
		at, out, ok := s.gather(v, need, from, length, out)
		s.found = out
		return at, out, ok
	}
	if len(s.choice) < int(requests) {
		return 0, nil, false
	}
	at := s.choice[requests-1].at
	for { // those that are still open then, or open first after that
		next, out := model.Never, out[:0]
		for _, c := range s.choice {
			opens := c.at
			if s.ahead && opens < at {
				opens, _ = s.opens(v, int(c.node), need, each, at, length)
			}
			if opens > at {
				next = min(next, opens)
			} else if out = append(out, hillPart{c.node, each}); len(out) == int(requests) {
				s.found = out
				return at, out, true
			}
		}
		at = next
	}
}

// gather serves a request for processors on any nodes: those that are free
// first. It looks at the times at which processors become free.
func (s *hillSite) gather(v *sim.View, need *resource.Need, from, length model.Time, out []hillPart) (model.Time, []hillPart, bool) {
	times, alone := s.times[:0], !s.ahead // nothing but processors decides
	for _, c := range s.choice {
		alone = alone && !s.nodes[c.node].scarce
		for _, p := range s.nodes[c.node].procs {
			times = append(times, hillProc{max(p.free, c.at), -1, p.n})
		}
		for i := range s.gone[c.node] {
			times = append(times, hillProc{free: max(s.gone[c.node][i].to, c.at)})
		}
		if s.nodes[c.node].scarce && s.ahead {
			for _, h := range s.until[c.node] {
				times = append(times, hillProc{free: max(h.end, c.at)})
			}
		}
	}
	s.times = times
	slices.SortFunc(times, byFree)
	few := int32(0) // processors that are free
	for k := range times {
		at := times[k].free
		if few += times[k].n; alone && few < need.Procs || k+1 < len(times) && times[k+1].free == at {
			continue
		}
		left := need.Procs
		out = out[:0]
		for _, c := range s.choice {
			if c.at > at || s.nodes[c.node].scarce && s.suffices(v, int(c.node), need, at, length) > at {
				continue
			}
			free := int32(0)
			for _, p := range s.nodes[c.node].procs {
				if p.free <= at {
					free += p.n
				}
			}
			if len(s.gone[c.node]) > 0 {
				free = min(free, s.spare(int(c.node), at, length))
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
		if need := &v.Needs[j]; n.scarce && (need.Mem > 0 || need.Disk > 0 || need.GPUs > 0) {
			for _, h := range s.until[p.node] {
				if h.end <= start && h.job >= 0 {
					s.precedes(h.job, to)
				}
			}
		}
	}
	for _, x := range s.sharesOf(v, j, &v.Needs[j], to.claim.Cluster) {
		v.Pulse.Beat(len(s.common[x.at].holds) / 4)
		for _, h := range s.common[x.at].holds {
			if h.to <= start {
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
