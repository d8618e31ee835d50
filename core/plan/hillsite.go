package plan

import (
	"cmp"
	"math"
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
	procs  []hillProc  // of all nodes
	begin  []hillProc  // the same with what runs now alone
	last   model.Time  // when what runs now ends, by request
	choice []hillParty // scratch
	parts  []hillPart
	found  []hillPart
	times  []model.Time
	until  [][]hillHold // by node: who holds memory, disk or GPUs, with what runs now in front
	kept   []int        // how many of until run now

	gone   [][]hillGone // by node: what is taken of it later on
	ahead  bool         // anything is
	common []hillCommon // licences, then classes and users of each cluster
	users  map[int32]int
	shares []hillShare // scratch: what a job takes of common

	foretold bool // schedules are made by what is foretold
}

// hillGone is what the calendar or a reservation takes of a node from a time to
// come on.
type hillGone struct {
	from, to model.Time
	resource.Amount
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
	size, grain    int32      // processors, and how many of them one entry of procs stands for
	scarce         bool       // memory, disk or GPUs are counted
	speed          float64
}

type hillProc struct {
	free model.Time
	job  model.JobID // that holds it until then; −1 none
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

// sharesOf lists what a job takes of what is common, on a cluster.
func (s *hillSite) sharesOf(v *sim.View, j model.JobID, cluster int32) []hillShare {
	s.shares = s.shares[:0]
	p, job := v.Site.Platform, &v.Jobs[j]
	for _, l := range v.Needs[j].Licences {
		if p.Licences[l.Licence].Copies > 0 {
			s.shares = append(s.shares, hillShare{int(l.Licence), l.Copies})
		}
	}
	for i := range p.Limits.Classes {
		if job.Limit > p.Limits.Classes[i].LongerThan {
			s.shares = append(s.shares, hillShare{len(p.Licences) + int(cluster)*len(p.Limits.Classes) + i, v.Needs[j].Procs})
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
		s.shares = append(s.shares, hillShare{at + int(cluster), v.Needs[j].Procs})
	}
	return s.shares
}

// allows returns from when on, not before a time, everything common suffices for a
// job that takes so long.
func (s *hillSite) allows(v *sim.View, j model.JobID, cluster int32, at, length model.Time) model.Time {
	shares := s.sharesOf(v, j, cluster)
	for k := 0; k < len(shares); {
		c := &s.common[shares[k].at]
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
	s.last, s.ahead = v.Now, false
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
			away, procs := len(n.procs), n.size
			if len(c.Nodes) == 0 {
				away, procs = n.entries(c.Procs), c.Procs
			}
			if len(c.Nodes) == 0 && n.cluster != c.Cluster || len(c.Nodes) > 0 && !slices.Contains(c.Nodes, n.index) {
				continue
			}
			if c.From > v.Now {
				s.gone[k], s.ahead = append(s.gone[k], hillGone{c.From, c.To, resource.Amount{Procs: procs}}), true
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
		for _, x := range s.sharesOf(v, j, v.Held[j].Cluster) {
			s.common[x.at].holds = append(s.common[x.at].holds, hillTaken{v.Now, end, x.amount, j})
		}
	}
	for i := range v.Bookings {
		if b := &v.Bookings[i]; b.To > v.Now {
			s.reserve(v, b)
		}
	}
	for k := range s.until {
		s.kept[k] = len(s.until[k])
	}
	for i := range s.common {
		s.common[i].kept = len(s.common[i].holds)
	}
	copy(s.begin, s.procs)
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
	for _, x := range s.sharesOf(v, b.Job, b.Claim.Cluster) {
		c := &s.common[x.at]
		c.ahead = append(c.ahead, hillTaken{b.From, b.To, x.amount, -1})
	}
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
	for i := range s.common {
		s.common[i].holds = s.common[i].holds[:s.common[i].kept]
	}
}

// take lets a job hold the processors of a node that are free first.
func (s *hillSite) take(v *sim.View, n *hillNode, k int, procs int32, j model.JobID, end model.Time) {
	s.hold(n, k, procs, j, &v.Needs[j], end)
}

func (s *hillSite) hold(n *hillNode, k int, procs int32, j model.JobID, need *resource.Need, end model.Time) {
	taken := n.entries(procs)
	to := taken // what becomes free before end moves to the front
	for to < len(n.procs) && n.procs[to].free < end {
		to++
	}
	copy(n.procs, n.procs[taken:to])
	for p := to - taken; p < to; p++ {
		n.procs[p] = hillProc{end, j}
	}
	if n.scarce && (need.Mem > 0 || need.Disk > 0 || need.GPUs > 0) {
		s.until[k] = append(s.until[k], hillHold{end, j, need})
	}
}

// opens returns from when on, not before a time, a node could serve a request for
// processors for so long.
func (s *hillSite) opens(v *sim.View, k int, need *resource.Need, procs int32, from, length model.Time) (model.Time, bool) {
	n := &s.nodes[k]
	if !v.Site.Suits(need, n.index) || procs > n.size {
		return 0, false
	}
	at := max(from, n.procs[n.entries(procs)-1].free)
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
			left -= n.grain
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
		for _, x := range s.sharesOf(v, j, s.nodes[s.parts[0].node].cluster) {
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
		alone = alone && s.nodes[c.node].grain == 1 && !s.nodes[c.node].scarce
		for _, p := range s.nodes[c.node].procs {
			times = append(times, max(p.free, c.at))
		}
		for i := range s.gone[c.node] {
			times = append(times, max(s.gone[c.node][i].to, c.at))
		}
		if s.nodes[c.node].scarce && s.ahead {
			for _, h := range s.until[c.node] {
				times = append(times, max(h.end, c.at))
			}
		}
	}
	s.times = times
	slices.Sort(times)
	if alone { // before, fewer processors are free than are asked for
		times = times[min(int(need.Procs)-1, len(times)):]
	}
	for _, at := range slices.Compact(times) {
		left := need.Procs
		out = out[:0]
		for _, c := range s.choice {
			if c.at > at || s.nodes[c.node].scarce && s.suffices(v, int(c.node), need, at, length) > at {
				continue
			}
			free := int32(0)
			for _, p := range s.nodes[c.node].procs {
				if p.free <= at {
					free += s.nodes[c.node].grain
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
				if h.end <= start && h.job >= 0 && !slices.Contains(to.before, h.job) {
					to.before = append(to.before, h.job)
				}
			}
		}
	}
	for _, x := range s.sharesOf(v, j, to.claim.Cluster) {
		for _, h := range s.common[x.at].holds {
			if h.to <= start && !slices.Contains(to.before, h.job) {
				to.before = append(to.before, h.job)
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
