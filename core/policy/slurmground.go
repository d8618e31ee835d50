//go:build !small

package policy

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
	"batchlab/core/slurm"
)

// slurmGround is the platform as a controller sees it.
type slurmGround struct {
	site  *resource.Site
	only  int32 // 1 + the cluster of a provider of a grid, else 0
	still bool  // nothing but jobs changes what is free
	plain bool  // counts of processors say all that there is
	parts []slurmPart
	index []int32 // by node: index in Platform.Nodes
	at    [][]int // by 1 + partition of the platform: those of parts
	users map[[2]int32]int
	accts []int // by account: its association
	away  []slurmAway
	ahead []int32 // failures to come, by their begin
}

// slurmPart is one of the controller's partitions: a partition of the platform, or the
// rest, on a cluster.
type slurmPart struct {
	cluster int32
	counted bool
}

// slurmAway is what the calendar or an advance reservation takes.
type slurmAway struct {
	job      model.JobID // of the reservation, -1 of the calendar
	cluster  int32       // of the reservation
	from, to model.Time
	nodes    []int
}

// reset makes the controller's cluster of a platform.
func (g *slurmGround) reset(v *sim.View, to *slurm.Cluster) {
	p := v.Site.Platform
	*g = slurmGround{site: v.Site, only: v.Only, users: map[[2]int32]int{}}
	_, g.plain = v.Plain()
	g.plain = g.plain && v.Space == nil
	g.still = v.Space == nil && v.Only == 0 && len(p.Licences) == 0 && p.Limits.None() && v.Due == nil
	for i := range v.Site.Nodes {
		node := v.Site.NodeAt(int32(i))
		if v.Only > 0 && v.Only-1 != node.Cluster {
			continue
		}
		if p.Clusters[node.Cluster].Packing == model.PackProcessors {
			for range node.Procs {
				to.Nodes = append(to.Nodes, slurm.Node{CPUs: 1})
				g.index = append(g.index, int32(i))
			}
			continue
		}
		one := slurm.Node{CPUs: node.Procs, Memory: node.Mem, GPUs: node.GPUs}
		if one.Memory == 0 {
			one.Memory = slurm.Unlimited
		}
		to.Nodes = append(to.Nodes, one)
		g.index = append(g.index, int32(i))
	}
	to.Params.Memory = true
	g.at = make([][]int, len(p.Partitions)+1)
	for k := range g.at {
		for c := range p.Clusters {
			if v.Only > 0 && int(v.Only-1) != c {
				continue
			}
			part := slurm.Partition{Tier: 1, JobFactor: 1, QOS: -1, Counted: p.Clusters[c].Packing == model.PackProcessors}
			if p.Clusters[c].Packing == model.PackMachine {
				part.MaxNodes, part.One = 1, true
			}
			var nodes []int32
			if k > 0 {
				of := &p.Partitions[k-1]
				part.Name, part.Tier, part.JobFactor, nodes = of.Name, int64(of.Tier), int64(of.Priority), of.Nodes
				part.Preempt = slurm.Mode(of.Preempt)
			}
			for n, i := range g.index {
				if v.Site.NodeAt(i).Cluster == int32(c) && (nodes == nil || slices.Contains(nodes, i)) {
					part.Nodes = append(part.Nodes, n)
				}
			}
			if len(part.Nodes) > 0 {
				g.at[k] = append(g.at[k], len(to.Partitions))
				to.Partitions = append(to.Partitions, part)
				g.parts = append(g.parts, slurmPart{int32(c), part.Counted})
			}
		}
	}
	for i := range p.QOS {
		q := slurm.QOS{Name: p.QOS[i].Name, Priority: int64(p.QOS[i].Priority), Limits: slurm.NoLimits(), UsageFactor: 1, Mode: slurm.Mode(p.QOS[i].Preempt)}
		for _, k := range p.QOS[i].Preempts {
			q.Preempts = append(q.Preempts, int(k))
		}
		to.QOS = append(to.QOS, q)
	}
	to.Assocs = []slurm.Assoc{{Parent: -1, User: -1, Shares: 1, Limits: slurm.NoLimits()}}
	g.accts = make([]int, len(p.Accounts))
	for i := range p.Accounts {
		a := &p.Accounts[i]
		parent := 0
		if a.Parent > 0 {
			parent = g.accts[a.Parent-1]
		}
		g.accts[i] = len(to.Assocs)
		to.Assocs = append(to.Assocs, slurm.Assoc{Parent: parent, User: -1, Shares: int64(a.Shares), Limits: slurm.NoLimits()})
	}
	for i := range p.Calendar {
		e := &p.Calendar[i]
		if e.Kind == model.KindFailure {
			g.ahead = append(g.ahead, int32(i))
		} else {
			g.takes(to, nil, e)
		}
	}
	slices.SortStableFunc(g.ahead, func(a, b int32) int { return int(min(1, max(-1, p.Calendar[a].From-p.Calendar[b].From))) })
	to.Reserved = g.reserved()
}

// takes notes what an entry of the calendar takes.
func (g *slurmGround) takes(cluster *slurm.Cluster, c *slurm.Controller, e *model.CalendarEntry) {
	a := slurmAway{job: -1, from: e.From, to: e.To}
	if len(e.Nodes) == 0 {
		a.nodes = g.pick(c, e.Cluster, e.Procs, e.From, e.To)
	}
	for n, i := range g.index {
		if slices.Contains(e.Nodes, i) {
			a.nodes = append(a.nodes, n)
		}
	}
	if len(a.nodes) > 0 {
		g.away = append(g.away, a)
	}
}

// pick chooses which processors of a counted cluster are taken: those with the highest
// numbers that nothing else takes and no job that runs may still hold then; of a
// controller that has begun, nil before.
func (g *slurmGround) pick(c *slurm.Controller, cluster, procs int32, from, to model.Time) (nodes []int) {
	if g.only > 0 && g.only-1 != cluster {
		return nil
	}
	used := make([]uint8, len(g.index)) // 1: by a job, 2: by something else that is taken
	if c != nil {
		for _, j := range c.Active {
			for _, n := range j.Nodes {
				if j.Ends > int64(from) {
					used[n] = 1
				}
			}
		}
	}
	for i := range g.away {
		if a := &g.away[i]; a.from < to && a.to > from {
			for _, n := range a.nodes {
				used[n] = 2
			}
		}
	}
	for most := uint8(0); most < 3; most++ {
		for n := len(g.index) - 1; n >= 0 && len(nodes) < int(procs); n-- {
			if used[n] == most && g.site.NodeAt(g.index[n]).Cluster == cluster {
				nodes = append(nodes, n)
			}
		}
	}
	return nodes
}

// calendar takes over what the calendar and advance reservations take from now on, and
// says whether anything may have become free.
func (g *slurmGround) calendar(v *sim.View, c *slurm.Controller) (freed bool) {
	changed := false
	for len(g.ahead) > 0 {
		e := &v.Site.Platform.Calendar[g.ahead[0]]
		if e.From > v.Now {
			break
		}
		g.ahead = g.ahead[1:]
		if e.To > v.Now {
			g.takes(nil, c, e)
			changed = true
		}
	}
	over := func(a slurmAway) bool { return a.to <= v.Now }
	if slices.ContainsFunc(g.away, over) {
		g.away = slices.DeleteFunc(g.away, over)
		changed, freed = true, true
	}
	if len(v.Booked) > 0 || len(v.Freed) > 0 {
		changed = true
		freed = freed || slices.ContainsFunc(v.Freed, func(b sim.Booking) bool {
			return g.only == 0 || g.only-1 == b.Claim.Cluster
		})
		g.booked(v, c)
	}
	if changed {
		c.SetReserved(g.reserved())
	}
	return freed || len(v.Over) > 0
}

// booked takes over the bookings of advance reservations.
func (g *slurmGround) booked(v *sim.View, c *slurm.Controller) {
	var before []slurmAway
	g.away = slices.DeleteFunc(g.away, func(a slurmAway) bool {
		if a.job >= 0 {
			before = append(before, a)
		}
		return a.job >= 0
	})
	for _, b := range v.Bookings.All() {
		if b.To <= v.Now || g.only > 0 && g.only-1 != b.Claim.Cluster {
			continue
		}
		a := slurmAway{job: b.Job, cluster: b.Claim.Cluster, from: b.From, to: b.To}
		if counted := v.Site.Platform.Clusters[b.Claim.Cluster].Packing == model.PackProcessors; !counted {
			for n, i := range g.index {
				if slices.ContainsFunc(b.Claim.Parts, func(p model.Part) bool { return p.Node == i }) {
					a.nodes = append(a.nodes, n)
				}
			}
		} else if i := slices.IndexFunc(before, func(x slurmAway) bool { return x.job == b.Job && x.cluster == b.Claim.Cluster }); i >= 0 && len(before[i].nodes) == int(b.Claim.Procs()) {
			a.nodes = before[i].nodes
		} else {
			a.nodes = g.pick(c, b.Claim.Cluster, b.Claim.Procs(), b.From, b.To)
		}
		g.away = append(g.away, a)
	}
}

func (g *slurmGround) reserved() (list []slurm.Reservation) {
	for i := range g.away {
		list = append(list, slurm.Reservation{Start: int64(g.away[i].from), End: int64(g.away[i].to), Nodes: g.away[i].nodes})
	}
	return list
}

// job makes what the controller is asked for.
func (g *slurmGround) job(v *sim.View, c *slurm.Controller, j model.JobID) *slurm.Job {
	need, asked := &v.Needs[j], &v.Jobs[j]
	limit := v.Left(j)
	if v.Site.Platform.PowerScales {
		limit = max(limit, model.Scaled(limit, v.Site.Nodes[len(v.Site.Nodes)-1].Speed))
	}
	job := &slurm.Job{ID: int64(j), Task: -1, User: int(asked.User), QOS: -1, MinNodes: 1, Tasks: need.Procs, PerTask: 1, MemNode: -1, GPUs: need.GPUs,
		Limit: int64(limit), Reserved: -1, Submit: int64(v.Now), Tag: int(j)}
	if need.Nodes > 0 {
		job.MinNodes, job.MaxNodes, job.Tasks, job.PerTask = need.Nodes, need.Nodes, need.Nodes, need.PerNode
	}
	if need.Mem > 0 {
		job.MemNode = need.Mem
	}
	in, account := []int{0}, int32(0)
	if d := v.Demand(j); d != nil {
		if len(d.Partitions) > 0 {
			in = in[:0]
		}
		for _, k := range d.Partitions {
			if g.alike(d.Partitions[0], k) {
				in = append(in, 1+int(k))
			}
		}
		job.QOS, account = int(d.QOS)-1, d.Account
	}
	for _, i := range in {
		for _, k := range g.at[i] {
			if v.Site.Serves(need, g.parts[k].cluster) {
				job.Parts = append(job.Parts, k)
			}
		}
	}
	for n, i := range g.index {
		if g.plain {
			break
		}
		if v.Site.Suits(need, i) {
			continue
		}
		if job.On == nil {
			job.On = make([]uint64, (len(g.index)+63)/64)
			for m := range g.index {
				job.On[m>>6] |= 1 << (m & 63)
			}
		}
		job.On[n>>6] &^= 1 << (n & 63)
	}
	job.Assoc = g.assoc(v, c, account, asked.User)
	return job
}

// alike says whether a job of one partition may wait in another one that it names, too:
// the same limits count its jobs there (workload.AskShares has left it their machines).
func (g *slurmGround) alike(own, other int32) bool {
	a, b := &g.site.Platform.Partitions[own], &g.site.Platform.Partitions[other]
	return own == other || a.QOS == b.QOS && !a.Counts && !b.Counts
}

// assoc returns a user's association with an account.
func (g *slurmGround) assoc(v *sim.View, c *slurm.Controller, account, user int32) int {
	key := [2]int32{account, user}
	a, ok := g.users[key]
	if !ok {
		one := slurm.Assoc{User: max(int(user), 0), Shares: 1, Limits: slurm.NoLimits()}
		if account > 0 {
			one.Parent = g.accts[account-1]
			for _, u := range v.Site.Platform.Accounts[account-1].Users {
				if u.User == user {
					one.Shares = int64(u.Shares)
				}
			}
		}
		a = c.AddAssoc(one)
		g.users[key] = a
	}
	return a
}

// claim is what a job holds of the nodes that were chosen for it. Of whole nodes it holds
// as much as it asked for.
func (g *slurmGround) claim(need *resource.Need, part int, nodes, cpus []int32) (model.Claim, bool) {
	p := &g.parts[part]
	claim := model.Claim{Cluster: p.cluster}
	if p.counted {
		claim.Parts = []model.Part{{Node: g.index[nodes[0]], Procs: need.Procs}}
		return claim, true
	}
	left := need.Procs
	claim.Parts = make([]model.Part, 0, len(nodes))
	for k, n := range nodes {
		most := cpus[k]
		if need.Nodes > 0 && len(nodes) > 1 {
			most = need.PerNode
		}
		if take := min(most, left-int32(len(nodes)-1-k)); take > 0 {
			claim.Parts = append(claim.Parts, model.Part{Node: g.index[n], Procs: take})
			left -= take
		}
	}
	return claim, left == 0
}
