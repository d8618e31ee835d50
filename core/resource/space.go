package resource

import (
	"slices"

	"batchlab/core/model"
)

// Space is what a site has free over time: its clusters, the copies of its
// floating licences and what limits leave, each as a profile of its own. It is
// the Pool of every instant from now on, and answers the questions that lie
// ahead: whether a job can hold a claim for as long as it may run, and when it
// could start. Whoever plans keeps a Space of its own; the engine's holds facts.
//
// What is booked may exceed what there is, where a failure took it: then less
// than nothing is free. Bookings and what the calendar takes add up, so that
// each is given back by itself.
type Space struct {
	site     *Site
	now      model.Time
	named    bool // counted clusters bind bookings to named processors
	lanes    []Lane
	place    []int32  // by index in Platform.Nodes: position in its cluster's order of power
	licences []Counts // by licence; of floating ones only
	users    []Counts // what users may still hold: by small number and cluster, as far as there were any
	classes  []Counts // the same of classes, by cluster and class
	scratch  []model.Part
	total    Counts // scratch of Total
	rises    int    // of what belongs to no cluster
	trial    bool
	tried    []tried
}

// tried is what was booked (sign −1) or given back while a trial lasts.
type tried struct {
	need     *Need
	claim    model.Claim
	from, to model.Time
	which    []uint64
	sign     int32
}

// Lane is one cluster of a Space. Whoever asks it much reads its profile here, and books
// through the Space; where nothing but processors counts, in the profile.
type Lane struct {
	Cluster int32
	Counted bool     // its processors are interchangeable
	Size    int32    // processors
	Rank    []int32  // index in Platform.Nodes, in the order of power: a node's place
	Have    []Amount // by place
	Caps    []int32  // most processors of each class
	Speed   float64  // of the slowest node
	Counts  Long     // what is free over time where processors are counted
	Nodes   Nodes    // else, by place
	sets    Sets     // which processors are free, with Space.named
	rises   int
}

// NewSpace returns a Space in which everything is free from a time on, the
// calendar included. With named, bookings on clusters of interchangeable
// processors are bound to named ones (static binding).
func (s *Site) NewSpace(from model.Time, named bool) *Space {
	p := &Space{site: s, named: named, lanes: make([]Lane, len(s.Platform.Clusters)), place: make([]int32, len(s.Nodes))}
	for c := range p.lanes {
		l, cluster := &p.lanes[c], &s.Platform.Clusters[c]
		l.Cluster, l.Counted, l.Size, l.Speed = int32(c), cluster.Packing == model.PackProcessors, int32(cluster.Procs()), 1
		l.Caps = s.caps[c*len(s.Platform.Limits.Classes):][:len(s.Platform.Limits.Classes)]
	}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		l := &p.lanes[n.Cluster]
		p.place[n.Index] = int32(len(l.Rank))
		l.Rank, l.Have = append(l.Rank, n.Index), append(l.Have, AmountOf(&n.Node))
		if s.Platform.PowerScales {
			l.Speed = n.Speed // the slowest stands last
		}
	}
	p.licences = make([]Counts, len(s.Platform.Licences))
	p.classes = make([]Counts, len(s.caps))
	p.Reset(from)
	return p
}

// Reset makes everything free from a time on.
func (p *Space) Reset(from model.Time) {
	p.now = from
	for c := range p.lanes {
		p.Clear(int32(c))
	}
	for i := range p.licences {
		p.licences[i].Reset(from, p.site.Platform.Licences[i].Copies)
	}
}

// Clear makes a cluster free from now on, and what limits leave of it; licences belong
// to no cluster.
func (p *Space) Clear(cluster int32) {
	l := &p.lanes[cluster]
	switch {
	case !l.Counted:
		l.Nodes.Reset(p.now, l.Have)
	case p.named:
		l.sets.Reset(p.now, l.Size)
		fallthrough
	default:
		l.Counts.Reset(p.now, l.Size)
	}
	for i := int(cluster); i < len(p.users); i += len(p.lanes) {
		p.users[i].Reset(p.now, p.site.Platform.Limits.UserProcs)
	}
	for k := range p.ofCluster(cluster) {
		p.ofCluster(cluster)[k].Reset(p.now, l.Caps[k])
	}
}

// CopyFrom makes p equal to q, a Space of the same site.
func (p *Space) CopyFrom(q *Space) {
	p.now, p.named = q.now, q.named
	for c := range p.lanes {
		l, o := &p.lanes[c], &q.lanes[c]
		if !l.Counted {
			l.Nodes.CopyFrom(&o.Nodes)
			continue
		}
		if l.Counts.CopyFrom(&o.Counts); p.named {
			l.sets.CopyFrom(&o.sets)
		}
	}
	copyCounts(p.licences, q.licences)
	copyCounts(p.classes, q.classes)
	for len(p.users) < len(q.users) {
		p.users = append(p.users, Counts{})
	}
	copyCounts(p.users, q.users)
	for i := len(q.users); i < len(p.users); i++ {
		p.users[i].Reset(p.now, p.site.Platform.Limits.UserProcs)
	}
}

func copyCounts(to, from []Counts) {
	for i := range from {
		to[i].CopyFrom(&from[i])
	}
}

// Now returns the time before which all is forgotten.
func (p *Space) Now() model.Time { return p.now }

// Advance forgets what lies before now. Times never go back.
func (p *Space) Advance(now model.Time) {
	p.now = now
	rose := p.named // one processor may become free as another one is taken
	for c := range p.lanes {
		l := &p.lanes[c]
		if l.Counted && l.Counts.Advance(now) || !l.Counted && l.Nodes.Advance(now) {
			l.rises++
		}
		if l.Counted && p.named {
			l.sets.Advance(now)
		}
	}
	for _, list := range [...][]Counts{p.licences, p.users, p.classes} {
		for i := range list {
			rose = list[i].Advance(now) || rose
		}
	}
	if rose {
		p.rises++
	}
}

// Rises grows whenever anything may have become free on a cluster, now or later, on
// any with −1: while it is the same, what could not start there before cannot start now.
func (p *Space) Rises(cluster int32) int {
	if cluster >= 0 {
		return p.rises + p.lanes[cluster].rises
	}
	sum := p.rises
	for c := range p.lanes {
		sum += p.lanes[c].rises
	}
	return sum
}

// Until returns the first time before horizon at which fewer than procs
// processors of a counted cluster are free; horizon if there is none. r is the
// caller's, to be reset when anything was booked or given back.
func (p *Space) Until(r *Reach, cluster, procs int32, horizon model.Time) model.Time {
	return r.Within(&p.lanes[cluster].Counts, procs, horizon)
}

// Away takes what a calendar entry takes, from a time on. With named processors
// those with the highest numbers are taken that no other entry has.
func (p *Space) Away(c *model.CalendarEntry, from model.Time) { p.AwayOf(-1, c, from) }

// AwayOf is Away of one cluster, of all with −1.
func (p *Space) AwayOf(cluster int32, c *model.CalendarEntry, from model.Time) {
	if from = max(from, c.From, p.now); from >= c.To {
		return
	}
	if len(c.Nodes) == 0 && (cluster < 0 || c.Cluster == cluster) {
		p.lanes[c.Cluster].away(p.named, from, c.To, c.Procs)
	}
	for _, n := range c.Nodes {
		l := &p.lanes[p.site.NodeAt(n).Cluster]
		switch {
		case cluster >= 0 && l.Cluster != cluster:
		case l.Counted:
			l.away(p.named, from, c.To, l.Size)
		default:
			at := p.place[n]
			l.Nodes.Reserve(&Want{}, []model.Part{{Node: at, Procs: l.Have[at].Procs}}, from, c.To)
		}
	}
}

// away takes processors of a counted cluster.
func (l *Lane) away(named bool, from, to model.Time, procs int32) {
	if l.Counts.Add(from, to, -procs); named {
		l.sets.TakeHighest(from, to, procs)
	}
}

// Book takes what a job holds in a claim during [from, to). It returns the
// processors to which it is bound, by number; nil where it is not.
func (p *Space) Book(n *Need, c model.Claim, from, to model.Time) (which []uint64) {
	if from = max(from, p.now); from >= to {
		return nil
	}
	if l := &p.lanes[c.Cluster]; p.named && l.Counted {
		room, _ := l.sets.Room(from, to)
		which = Lowest(nil, room, c.Procs())
		l.sets.Take(from, to, which)
	}
	p.book(n, c, from, to, -1)
	p.note(n, c, from, to, which, -1)
	return which
}

// Unbook gives back what was booked until to, from a time on, with what Book has
// returned.
func (p *Space) Unbook(n *Need, c model.Claim, from, to model.Time, which []uint64) {
	if from = max(from, p.now); from >= to {
		return
	}
	if p.lanes[c.Cluster].rises++; len(n.Licences) > 0 {
		p.rises++
	}
	if which != nil {
		p.lanes[c.Cluster].sets.Give(from, to, which)
	}
	p.book(n, c, from, to, 1)
	p.note(n, c, from, to, which, 1)
}

// Try begins a trial: what is booked and given back from now on holds until End, and
// no longer. A scheduler's pass is one, so that it can book what it decides and what
// it promises, and leave it at that.
func (p *Space) Try() { p.trial = true }

// Mark returns how much was booked and given back in the trial, for Back.
func (p *Space) Mark() int { return len(p.tried) }

// Back undoes what was booked and given back in the trial since a mark, the last
// first. For Rises nothing becomes free by it: what was done is done again, or nobody
// has seen it.
func (p *Space) Back(mark int) {
	for len(p.tried) > mark {
		t := &p.tried[len(p.tried)-1]
		if t.which != nil {
			if sets := &p.lanes[t.claim.Cluster].sets; t.sign < 0 {
				sets.Give(t.from, t.to, t.which)
			} else {
				sets.Take(t.from, t.to, t.which)
			}
		}
		p.book(t.need, t.claim, t.from, t.to, -t.sign)
		p.tried = p.tried[:len(p.tried)-1]
	}
}

// End ends a trial.
func (p *Space) End() {
	p.Back(0)
	p.trial = false
}

func (p *Space) note(n *Need, c model.Claim, from, to model.Time, which []uint64, sign int32) {
	if p.trial {
		p.tried = append(p.tried, tried{n, c, from, to, which, sign})
	}
}

func (p *Space) book(n *Need, c model.Claim, from, to model.Time, sign int32) {
	var parts []model.Part
	if !p.lanes[c.Cluster].Counted {
		parts = p.Places(c)
	}
	p.Add(n, c.Cluster, c.Procs(), parts, from, to, sign)
}

// Add is Book (sign −1) and Unbook (1) during [from, to), not before now, for who has
// the nodes by their places in the cluster's order of power (none where processors are
// counted), binds nothing and tries nothing.
func (p *Space) Add(n *Need, cluster, procs int32, parts []model.Part, from, to model.Time, sign int32) {
	l := &p.lanes[cluster]
	if l.Counted {
		l.Counts.Add(from, to, sign*procs)
	} else if w := p.Want(n, cluster); sign < 0 {
		l.Nodes.Reserve(w, parts, from, to)
	} else {
		l.Nodes.Release(w, parts, from, to)
	}
	for i := range n.Licences {
		if need := &n.Licences[i]; p.site.Platform.Licences[need.Licence].Copies > 0 {
			p.licences[need.Licence].Add(from, to, sign*need.Copies)
		}
	}
	if u := p.user(n, cluster); u != nil {
		u.Add(from, to, sign*procs)
	}
	classes := p.ofCluster(cluster)
	for k, set := 0, n.classes; set != 0; k, set = k+1, set>>1 {
		if set&1 != 0 {
			classes[k].Add(from, to, sign*procs)
		}
	}
}

// Shorten gives back the end of what Add has booked, which may lie ahead.
func (p *Space) Shorten(n *Need, cluster, procs int32, parts []model.Part, from, to model.Time) {
	if p.Add(n, cluster, procs, parts, from, to, 1); !p.lanes[cluster].Counted {
		p.lanes[cluster].Nodes.Open(from)
	}
}

// Places turns the parts of a claim into places in the cluster's order of power. They
// are valid until the next call.
func (p *Space) Places(c model.Claim) []model.Part {
	p.scratch = p.scratch[:0]
	for _, part := range c.Parts {
		p.scratch = append(p.scratch, model.Part{Node: p.place[part.Node], Procs: part.Procs})
	}
	return p.scratch
}

// user returns what a job's user may still hold of a cluster; nil: all.
func (p *Space) user(n *Need, cluster int32) *Counts {
	if p.site.users == nil {
		return nil
	}
	at := p.site.userAt(n, cluster)
	for at >= len(p.users) {
		p.users = append(p.users, Counts{})
		p.users[len(p.users)-1].Reset(p.now, p.site.Platform.Limits.UserProcs)
	}
	return &p.users[at]
}

// ofCluster returns what classes may still hold of a cluster.
func (p *Space) ofCluster(cluster int32) []Counts {
	k := len(p.site.Platform.Limits.Classes)
	return p.classes[int(cluster)*k : int(cluster+1)*k]
}

// Want returns what a job asks of the nodes of a cluster. It is made once.
func (p *Space) Want(n *Need, cluster int32) *Want {
	if n.wants == nil {
		n.wants = make([]Want, len(p.lanes))
	}
	w, l := &n.wants[cluster], &p.lanes[cluster]
	if w.Each.Procs > 0 {
		return w
	}
	w.Procs = n.Procs
	w.Each = Amount{Procs: 1, GPUs: n.GPUs, Mem: n.Mem, Disk: n.Disk}
	switch {
	case p.site.Platform.Clusters[cluster].Packing == model.PackMachine || n.Nodes == 1:
		w.Parts, w.Each.Procs = 1, n.Procs
	case n.Nodes > 1:
		w.Parts, w.Each.Procs = n.Nodes, n.PerNode
	}
	suit := 0
	for _, index := range l.Rank {
		if p.site.Suits(n, index) {
			suit++
		}
	}
	w.never = !p.site.Serves(n, cluster)
	if suit < len(l.Rank) { // licences, memory, or nodes that the job names
		w.Mask = make([]uint64, (len(l.Rank)+63)/64)
		for at, index := range l.Rank {
			if p.site.Suits(n, index) {
				w.Mask[at/64] |= 1 << (at % 64)
			}
		}
	}
	return w
}

// Lane returns a cluster.
func (p *Space) Lane(cluster int32) *Lane { return &p.lanes[cluster] }

// OfClass returns what a class of limits may still hold of a cluster over time, to be
// read.
func (p *Space) OfClass(cluster int32, class int) *Counts { return &p.ofCluster(cluster)[class] }

// OfUser is OfClass of a user; nil where no limit counts users, or not yet this one.
func (p *Space) OfUser(cluster, user int32) *Counts {
	n, ok := p.site.users[user]
	if !ok {
		return nil
	}
	return p.user(&Need{user: n}, cluster)
}

// Total returns how many processors of a cluster are free over time. It is valid
// until the next call or change.
func (p *Space) Total(cluster int32) *Counts {
	if l := &p.lanes[cluster]; !l.Counted {
		return l.Nodes.Total()
	}
	return p.lanes[cluster].Counts.Flat(&p.total)
}

// FreeNow returns how many processors of a cluster are free now, 0 where outages that
// overlap take more than there is.
func (p *Space) FreeNow(cluster int32) (procs int32) {
	if l := &p.lanes[cluster]; !l.Counted {
		_, procs = l.Nodes.Total().Step(0)
	} else {
		_, procs = l.Counts.Now()
	}
	return max(0, procs)
}

// Longest returns how long a job may run at most on any of a cluster's nodes that
// asks for so many seconds at speed 1.
func (p *Space) Longest(cluster int32, limit model.Time) model.Time {
	return model.Scaled(limit, p.lanes[cluster].Speed)
}

// Users and classes of limits, and licences, are counted alike.
func (p *Space) counted(n *Need, cluster int32, visit func(c *Counts, procs int32) bool) bool {
	for i := range n.Licences {
		need := &n.Licences[i]
		if p.site.Platform.Licences[need.Licence].Copies > 0 && !visit(&p.licences[need.Licence], need.Copies) {
			return false
		}
	}
	if u := p.user(n, cluster); u != nil && !visit(u, n.Procs) {
		return false
	}
	classes := p.ofCluster(cluster)
	for k, set := 0, n.classes; set != 0; k, set = k+1, set>>1 {
		if set&1 != 0 && !visit(&classes[k], n.Procs) {
			return false
		}
	}
	return true
}

// allows says whether licences and limits let a job run on a cluster during
// [from, to).
func (p *Space) allows(n *Need, cluster int32, from, to model.Time) bool {
	if len(n.Licences) == 0 && n.classes == 0 && p.site.users == nil {
		return true
	}
	return p.counted(n, cluster, func(c *Counts, procs int32) bool { return c.Free(from, to, procs) })
}

// Holds says whether a job can hold a claim during all of [from, to).
func (p *Space) Holds(n *Need, c model.Claim, from, to model.Time) bool {
	if from < p.now || from >= to || !p.allows(n, c.Cluster, from, to) {
		return false
	}
	l := &p.lanes[c.Cluster]
	if l.Counted {
		return p.free(l, c.Procs(), from, to)
	}
	return l.Nodes.Held(p.Want(n, c.Cluster), p.Places(c), from, to)
}

// Lacks says whether of anything that a job holds in a claim more is taken at a time of
// [from, to) than there is.
func (p *Space) Lacks(n *Need, c model.Claim, from, to model.Time) bool {
	if from = max(from, p.now); from >= to {
		return false
	}
	l, none := &p.lanes[c.Cluster], Want{}
	if l.Counted && l.Counts.Least(from, to) < 0 {
		return true
	}
	if !l.Counted {
		for _, part := range p.Places(c) {
			if !l.Nodes.Held(&none, []model.Part{{Node: part.Node}}, from, to) {
				return true
			}
		}
	}
	return !p.counted(n, c.Cluster, func(c *Counts, _ int32) bool { return c.Free(from, to, 0) })
}

// free says whether a counted cluster has processors during [from, to).
func (p *Space) free(l *Lane, procs int32, from, to model.Time) bool {
	if !l.Counts.Free(from, to, procs) {
		return false
	}
	if !p.named {
		return true
	}
	_, room := l.sets.Room(from, to)
	return room >= procs
}

// Claim turns places of a cluster into a claim, whose parts are the caller's.
func (l *Lane) Claim(parts []model.Part) model.Claim {
	c := model.Claim{Cluster: l.Cluster, Parts: make([]model.Part, len(parts))}
	for i, part := range parts {
		c.Parts[i] = model.Part{Node: l.Rank[part.Node], Procs: part.Procs}
	}
	slices.SortFunc(c.Parts, func(a, b model.Part) int { return int(a.Node - b.Node) })
	return c
}
