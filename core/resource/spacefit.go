package resource

import (
	"math"
	"math/bits"

	"batchlab/core/model"
)

// Place returns where a job can start that runs during [from, to), by the rule of
// Pool.Place: on the most powerful machine that is free throughout, else on the
// most powerful nodes of a cluster that are. Nothing is booked.
func (p *Space) Place(n *Need, from, to model.Time) (model.Claim, bool) {
	if from < p.now || from >= to {
		return model.Claim{}, false
	}
	for i, set := range n.single {
		for ; set != 0; set &= set - 1 {
			node := &p.site.Nodes[i*64+bits.TrailingZeros64(set)]
			l, at := &p.lanes[node.Cluster], p.place[node.Index]
			if l.Counted {
				if !p.free(l, n.Procs, from, to) {
					continue
				}
			} else if a := (Amount{Procs: n.Procs, GPUs: n.GPUs, Mem: n.Mem, Disk: n.Disk}); !l.Nodes.nodes[at].holds(from, to, &a) {
				continue
			}
			if p.allows(n, node.Cluster, from, to) {
				return l.Claim([]model.Part{{Node: at, Procs: n.Procs}}), true
			}
		}
	}
	if n.shared == nil {
		return model.Claim{}, false
	}
	for _, c := range p.site.spread {
		l, w := &p.lanes[c], p.Want(n, c)
		if w.never || !p.allows(n, c, from, to) {
			continue
		}
		var ok bool
		if p.scratch, ok = l.Nodes.place(w, from, to, p.scratch[:0]); ok {
			return l.Claim(p.scratch), true
		}
	}
	return model.Claim{}, false
}

// Earliest returns the first time from one on at which a job can start that runs
// for length seconds wherever it runs, and where, by the rule of Place.
func (p *Space) Earliest(n *Need, length, from model.Time) (model.Time, model.Claim, bool) {
	best := model.Never
	for c := range p.lanes {
		if at, ok := p.fit(n, int32(c), length, from, best); ok {
			best = at
		}
	}
	if best == model.Never {
		return best, model.Claim{}, false
	}
	claim, ok := p.Place(n, best, best+length)
	return best, claim, ok
}

// FitOn returns the first time in [from, before) at which a job can start on a
// cluster that runs there for length seconds, and where: on the first nodes in the
// order of power that are free throughout.
func (p *Space) FitOn(cluster int32, n *Need, length, from, before model.Time) (model.Time, model.Claim, bool) {
	at, places, ok := p.FitAt(cluster, n, length, from, before)
	if !ok {
		return 0, model.Claim{}, false
	}
	return at, p.lanes[cluster].Claim(places), true
}

// FitAt is FitOn with the nodes by their places, which are valid until the next call.
func (p *Space) FitAt(cluster int32, n *Need, length, from, before model.Time) (model.Time, []model.Part, bool) {
	at, ok := p.fit(n, cluster, length, from, before)
	if p.lanes[cluster].Counted {
		p.scratch = append(p.scratch[:0], model.Part{Procs: n.Procs})
	}
	return at, p.scratch, ok
}

// Fit is FitOn over all clusters, the first of those with the earliest start, for
// a job that asks for so many seconds at speed 1: where run times depend on the
// machine it is taken to run as long as on the slowest of the cluster.
func (p *Space) Fit(n *Need, limit, from, before model.Time) (at model.Time, claim model.Claim, ok bool) {
	for c := range p.lanes {
		if t, where, fits := p.FitOn(int32(c), n, p.Longest(int32(c), limit), from, before); fits {
			at, before, claim, ok = t, t, where, true
		}
	}
	return at, claim, ok
}

// Opens returns the first time from one on at which a node, of a cluster of nodes, has
// memory, disk and GPUs for a job for length seconds.
func (p *Space) Opens(node int32, n *Need, length, from model.Time) model.Time {
	return p.timeline(node).first(n.beside(), length, from)
}

// Spare returns how many processors of a node a job could hold during [from, to), as far
// as processors, memory, disk and GPUs go.
func (p *Space) Spare(node int32, n *Need, from, to model.Time) int32 {
	if l := &p.lanes[p.site.NodeAt(node).Cluster]; l.Counted {
		return l.Counts.Least(from, to)
	}
	var a Amount
	if p.timeline(node).least(from, to, &a); !a.Holds(n.beside()) {
		return 0
	}
	return a.Procs
}

// beside is what a job asks for of a node beside processors: who asks for nothing finds it
// also where more is booked than there is.
func (n *Need) beside() *Amount {
	a := Amount{Procs: math.MinInt32, GPUs: n.GPUs, Mem: n.Mem, Disk: n.Disk}
	if a.GPUs == 0 {
		a.GPUs = math.MinInt32
	}
	if a.Mem == 0 {
		a.Mem = math.MinInt64
	}
	if a.Disk == 0 {
		a.Disk = math.MinInt64
	}
	return &a
}

// timeline returns a node of a cluster of nodes.
func (p *Space) timeline(node int32) *timeline {
	return &p.lanes[p.site.NodeAt(node).Cluster].Nodes.nodes[p.place[node]]
}

// Steps calls visit with how many processors of a node are free from when on, from now on.
func (p *Space) Steps(node int32, visit func(at model.Time, procs int32)) {
	l := &p.lanes[p.site.NodeAt(node).Cluster]
	if l.Counted {
		l.Counts.Each(func(at model.Time, procs int32) bool { visit(at, procs); return true })
		return
	}
	t := p.timeline(node)
	for _, s := range t.steps[t.lo:] {
		visit(s.at, s.free.Procs)
	}
}

// Serves says whether a cluster could hold a job if nothing else ran on it, as
// far as limits let it.
func (p *Space) Serves(n *Need, cluster int32) bool {
	limits := &p.site.Platform.Limits
	if limits.UserProcs > 0 && n.Procs > limits.UserProcs {
		return false
	}
	for k, set := 0, n.classes; set != 0; k, set = k+1, set>>1 {
		if set&1 != 0 && p.lanes[cluster].Caps[k] < n.Procs {
			return false
		}
	}
	if l := &p.lanes[cluster]; l.Counted {
		return n.Procs <= l.Size && p.site.Suits(n, l.Rank[0])
	}
	return !p.Want(n, cluster).never
}

// fit finds the first start on a cluster; the nodes are left in p.scratch.
func (p *Space) fit(n *Need, cluster int32, length, from, before model.Time) (model.Time, bool) {
	l := &p.lanes[cluster]
	if !p.Serves(n, cluster) {
		return 0, false
	}
	plain := len(n.Licences) == 0 && n.classes == 0 && p.site.users == nil
	for at := max(from, p.now); ; {
		t, ok := at, true
		switch {
		case !l.Counted:
			t, p.scratch, ok = l.Nodes.Fit(p.Want(n, cluster), length, at, before, p.scratch[:0])
		case p.named:
			t, ok = l.sets.Search(at, model.Never, n.Procs, length)
		default:
			t = l.Counts.FitFrom(n.Procs, length, at)
		}
		if !ok || t >= before {
			return 0, false
		}
		if plain {
			return t, true
		}
		if at = p.Allowed(n, cluster, length, t); at == t {
			return t, true
		}
		if at >= before {
			return 0, false
		}
	}
}

// Allowed returns the first time from one on at which licences and limits let a
// job run on a cluster for length seconds; model.Never if there is none. It goes through
// what counted does, in line: plans ask it so often that a function for each was felt.
func (p *Space) Allowed(n *Need, cluster int32, length, from model.Time) model.Time {
	for at := from; ; {
		t := at
		if u := p.user(n, cluster); u != nil {
			t = u.FitFrom(n.Procs, length, t)
		}
		for k, set := 0, n.classes; set != 0 && t < model.Never; k, set = k+1, set>>1 {
			if set&1 != 0 {
				t = p.ofCluster(cluster)[k].FitFrom(n.Procs, length, t)
			}
		}
		for i := range n.Licences {
			need := &n.Licences[i]
			if t < model.Never && p.site.Platform.Licences[need.Licence].Copies > 0 {
				t = p.licences[need.Licence].FitFrom(need.Copies, length, t)
			}
		}
		if t == at || t == model.Never {
			return t
		}
		at = t
	}
}

// Feasible calls visit with all starts within ⟨ready, deadline⟩ of a booking of a
// cluster for length ≥ 1 seconds, in ascending windows that do not touch, until it
// returns false. Whether one can start changes only where something begins or
// ends, and length before that.
func (p *Space) Feasible(cluster int32, n *Need, length, ready, deadline model.Time, visit func(Starts) bool) {
	for from := max(ready, p.now); from+length <= deadline; {
		at, ok := p.fit(n, cluster, length, from, deadline-length+1)
		if !ok {
			return
		}
		last := at
		for { // up to the next start at which it does not fit
			next := min(p.turn(cluster, n, last, length), deadline-length+1)
			last = next - 1
			if next > deadline-length {
				break
			}
			if t, ok := p.fit(n, cluster, length, next, next+1); !ok || t != next {
				break
			}
			last = next
		}
		if !visit(Starts{at, last}) {
			return
		}
		from = last + 1
	}
}

// turn returns the first time after one at which whether a job of a length can
// start may change.
func (p *Space) turn(cluster int32, n *Need, after, length model.Time) model.Time {
	next := model.Never
	look := func(at model.Time) {
		if at > after {
			next = min(next, at)
		}
		if at-length > after {
			next = min(next, at-length)
		}
		if at-length+1 > after { // the first start that runs into it
			next = min(next, at-length+1)
		}
	}
	l := &p.lanes[cluster]
	if l.Counted {
		l.Counts.Each(func(at model.Time, _ int32) bool { look(at); return true })
		if p.named {
			for _, at := range l.sets.at {
				look(at)
			}
		}
	}
	for i := range l.Nodes.nodes {
		t := &l.Nodes.nodes[i]
		for _, s := range t.steps[t.lo:] {
			look(s.at)
		}
	}
	p.counted(n, cluster, func(c *Counts, _ int32) bool { c.each(look); return true })
	return next
}

// each calls visit with the starts of all steps.
func (c *Counts) each(visit func(model.Time)) {
	for _, s := range c.steps[c.lo:] {
		visit(s.at)
	}
}

// LongestOn returns the longest time up to most for which a job can run on a
// cluster within ⟨ready, deadline⟩, with its earliest start: found by halving,
// since what runs for a time also runs for a shorter one. 0: not at all.
func (p *Space) LongestOn(cluster int32, n *Need, ready, deadline, most model.Time) (start, length model.Time) {
	for lo, hi := model.Time(0), min(most, deadline-max(ready, p.now)); lo < hi; {
		mid := lo + (hi-lo+1)/2
		if at, ok := p.fit(n, cluster, mid, ready, deadline-mid+1); ok {
			lo, start, length = mid, at, mid
		} else {
			hi = mid - 1
		}
	}
	return start, length
}
