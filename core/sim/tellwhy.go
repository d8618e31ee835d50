package sim

import (
	"cmp"
	"fmt"
	"slices"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/core/resource"
	"batchlab/core/tell"
)

// Why a job cannot start on a platform of machines: what is missing, and where; who
// holds it, and until when.

// refused says why a job cannot start now, and writes it into its decision.
func (g *siteGround) refused(j model.JobID, d *tell.Decision) tell.Kind {
	v, need := g.v, &g.v.Needs[j]
	free := v.Free
	v.Free = g.left
	why := v.Cause(need)
	v.Free = free
	if i := g.left.Short(need); i >= 0 && why == report.WaitLicences {
		l := need.Licences[i]
		licence := &v.Site.Platform.Licences[l.Licence]
		d.Licence = &tell.Copies{Name: licence.Name, Needs: l.Copies, Free: g.left.Copies(l.Licence), Of: licence.Copies}
	}
	switch {
	case why == report.WaitLicences:
		return tell.Licence
	case why == report.WaitLimit:
		d.Bound = g.bounds(j)
		return tell.Limit
	case why == report.WaitReservation:
		d.Taken = g.taken(j, v.Now+1)
		return tell.Kept
	case why == report.WaitProcessors && d.Needs > g.left.Procs():
		return tell.TooWide
	case why == report.WaitProcessors:
		if d.Lack = g.lack(need); d.Lack != nil {
			if of := g.v.Demand(j); of != nil && len(of.Partitions) > 0 {
				if part := &g.v.Site.Platform.Partitions[of.Partitions[0]]; part.Nodes != nil {
					d.Lack.Part = part.Name
				}
			}
		}
		return tell.Apart
	case v.Space != nil:
		if end := v.Ends(j, model.Claim{}); end > v.Now {
			if _, ok := v.Space.Place(need, v.Now, end); !ok {
				d.Taken = g.taken(j, end)
				return tell.Kept
			}
		}
	}
	return ""
}

// bounds are the limits that a job would go beyond, one for each cluster on which it
// could run.
func (g *siteGround) bounds(j model.JobID) (list []tell.Bound) {
	p, need := g.v.Site.Platform, &g.v.Needs[j]
	if i := g.left.Short(need); i >= 0 {
		l := need.Licences[i].Licence
		quota, unit := &p.Licences[l], ""
		if quota.Quota.Unit > model.UnitJobs {
			unit = model.Units[quota.Quota.Unit]
		}
		return []tell.Bound{{Longer: -1, Whose: quota.Name, Jobs: quota.Quota.Unit == model.UnitJobs, Unit: unit, Held: quota.Copies - g.left.Copies(l), Most: quota.Copies}}
	}
	for c := range p.Clusters {
		if !g.v.Site.Serves(need, int32(c)) {
			continue
		}
		class, held, most, ok := g.left.Beyond(need, int32(c), need.Procs)
		if !ok {
			continue
		}
		b := tell.Bound{Longer: -1, User: g.v.Jobs[j].User, Held: held, Most: most}
		if class >= 0 {
			b.Longer = p.Limits.Classes[class].LongerThan
		}
		if len(p.Clusters) > 1 {
			b.Cluster = p.Clusters[c].Name
		}
		list = append(list, b)
	}
	return list
}

// bound says whether a limit counts a job that runs.
func (g *siteGround) bound(b *tell.Bound, j model.JobID, where *model.Claim) bool {
	job := &g.v.Jobs[j]
	if p := g.v.Site.Platform; b.Whose != "" {
		return slices.ContainsFunc(g.v.Needs[j].Licences, func(l model.LicenceNeed) bool {
			quota := &p.Licences[l.Licence]
			return quota.Name == b.Whose && quota.Quotes() && (quota.Quota.Unit == model.UnitJobs) == b.Jobs && (b.Unit == "" && quota.Quota.Unit <= model.UnitJobs || b.Unit == model.Units[quota.Quota.Unit])
		})
	}
	if b.Cluster != "" && g.v.Site.Platform.Clusters[where.Cluster].Name != b.Cluster {
		return false
	}
	return b.Longer < 0 && job.User == b.User || b.Longer >= 0 && job.Limit > b.Longer
}

// holds says whether a job that runs holds what keeps another from starting: copies
// of the licence, what a limit leaves, the GPUs, the memory.
func (g *siteGround) holds(j model.JobID, d *tell.Decision) bool {
	need, p := &g.v.Needs[j], g.v.Site.Platform
	switch {
	case d.Licence != nil:
		return slices.ContainsFunc(need.Licences, func(l model.LicenceNeed) bool { return p.Licences[l.Licence].Name == d.Licence.Name })
	case len(d.Bound) > 0:
		found := false
		g.running(func(k model.JobID, where *model.Claim, _ model.Time) {
			found = found || k == j && slices.ContainsFunc(d.Bound, func(b tell.Bound) bool { return g.bound(&b, j, where) })
		})
		return found
	case d.Lack == nil:
		return true
	}
	return each(need, d.Lack.What) > 0
}

// each is how much a job asks of each machine.
func each(n *resource.Need, what string) int64 {
	switch what {
	case gpus:
		return int64(n.GPUs)
	case memory:
		return n.Mem
	case disk:
		return n.Disk
	}
	return int64(n.Procs)
}

// What there may be too little of.
const (
	gpus   = "GPUs"
	memory = "memory"
	disk   = "disk space"
)

// asks is what a job asks of each machine beside processors.
func (g *siteGround) asks(j model.JobID) *tell.Asks {
	if n := &g.v.Needs[j]; n.GPUs > 0 || n.Mem > 0 || n.Disk > 0 {
		return &tell.Asks{GPUs: n.GPUs, Mem: n.Mem, Disk: n.Disk}
	}
	return nil
}

// lack says what a job cannot have although enough processors are free: that without
// which it would fit, else processors.
func (g *siteGround) lack(need *resource.Need) *tell.Lack {
	l := &tell.Lack{What: "processors"}
	without := *need
	for _, one := range [...]struct {
		what string
		drop func()
	}{{gpus, func() { without.GPUs = 0 }}, {memory, func() { without.Mem = 0 }}, {disk, func() { without.Disk = 0 }}} {
		if each(need, one.what) == 0 {
			continue
		}
		one.drop() // and what was tried before it: where several are missing it is the last of them
		if g.left.Fits(&without) {
			l.What = one.what
			break
		}
	}
	least := need.Procs // of one machine at the least
	if need.Nodes > 0 {
		least = need.PerNode
	}
	for r := range g.v.Site.Nodes {
		node := &g.v.Site.Nodes[r]
		if !g.v.Site.Suits(need, node.Index) {
			continue
		}
		if g.v.Site.Platform.Clusters[node.Cluster].Packing == model.PackNodes && need.Nodes == 0 {
			least = 1
		}
		has := tell.Has{Name: g.v.Site.Platform.NodeName(node.Index)}
		if g.v.Site.Platform.Clusters[node.Cluster].Packing == model.PackProcessors {
			has.Name = g.v.Site.Platform.Clusters[node.Cluster].Name
		}
		has.Free, has.Of = g.left.Rest(r, l.What)
		if l.What != "processors" && (g.left.On(r) < least || has.Free >= each(need, l.What)) {
			continue // there processors are missing, or nothing is
		}
		l.On = append(l.On, has)
	}
	order.Stable(l.On, func(a, b tell.Has) int { return cmp.Compare(b.Free, a.Free) })
	if len(l.On) > 3 {
		l.More, l.On = len(l.On)-3, l.On[:3]
	}
	if len(l.On) == 0 {
		return nil
	}
	return l
}

// takers are the entries of the calendar that are known and not over, and what
// reservations have booked.
func (g *siteGround) takers() (calendar []*model.CalendarEntry, booked []Booking) {
	v := g.v
	for i := range v.Site.Platform.Calendar {
		if c := &v.Site.Platform.Calendar[i]; v.Known(c) && c.To > v.Now {
			calendar = append(calendar, c)
		}
	}
	return calendar, v.Bookings.All()
}

func (g *siteGround) entry(c *model.CalendarEntry) tell.Taken {
	t := tell.Taken{What: kindWords[c.Kind], Name: c.Name, From: c.From, To: c.To, Ahead: c.From > g.v.Now}
	procs, cluster := g.v.Site.Takes(c)
	t.Procs, t.On = procs, g.on(cluster, c.Nodes)
	return t
}

var kindWords = [...]string{model.KindReservation: "reservation", model.KindOutage: "outage", model.KindFailure: "failure"}

func (g *siteGround) booking(b *Booking) tell.Taken {
	var nodes []int32
	for _, p := range g.parts(&b.Claim) {
		nodes = append(nodes, p.Node)
	}
	return tell.Taken{What: "reservation", Name: g.title(b.Job), Number: g.v.Jobs[b.Job].Number, Procs: b.Claim.Procs(), On: g.on(b.Claim.Cluster, nodes), From: b.From, To: b.To, Ahead: b.From > g.v.Now}
}

// on names the machines that are taken, or their cluster where there are several.
func (g *siteGround) on(cluster int32, nodes []int32) (names []string) {
	p := g.v.Site.Platform
	switch {
	case len(nodes) == 0 && len(p.Clusters) == 1:
		return nil
	case len(nodes) == 0:
		return []string{p.Clusters[cluster].Name}
	case len(nodes) > 3:
		return []string{fmt.Sprintf("%d machines", len(nodes))}
	}
	for _, n := range nodes {
		names = append(names, p.NodeName(n))
	}
	return names
}

// taken names what takes away what a job needs until end, by beginning: without all of
// it the job could start now, and beside any one of it, it could not. Where that may be
// one or the other, it is what ends first.
func (g *siteGround) taken(j model.JobID, end model.Time) (names []tell.Taken) {
	v := g.v
	calendar, booked := g.takers()
	type one struct {
		tell.Taken
		put func(*resource.Space)
	}
	var list []one
	space, trial := v.Site.NewSpace(v.Now, false), v.Site.NewSpace(v.Now, false)
	space.CopyFrom(g.beside(booked))
	for _, c := range calendar {
		put := func(s *resource.Space) { s.Away(c, v.Now) }
		if _, cluster := v.Site.Takes(c); c.From < end && (v.Site.Serves(&v.Needs[j], cluster) || len(c.Nodes) > 0) {
			list = append(list, one{g.entry(c), put})
		} else {
			put(space)
		}
	}
	for i := range booked {
		b := &booked[i]
		put := func(s *resource.Space) { s.Book(b.Need, b.Claim, b.From, b.To) }
		if b.From < end && b.To > v.Now && v.Site.Serves(&v.Needs[j], b.Claim.Cluster) {
			list = append(list, one{g.booking(b), put})
		} else {
			put(space)
		}
	}
	order.Stable(list, func(a, b one) int { return cmp.Or(-cmp.Compare(a.To, b.To), cmp.Compare(a.From, b.From)) })
	trial.CopyFrom(space)
	for i := range list {
		list[i].put(trial)
		if _, fits := trial.Place(&v.Needs[j], v.Now, end); fits {
			list[i].put(space)
			continue
		}
		trial.CopyFrom(space)
		names = append(names, list[i].Taken)
	}
	order.Stable(names, func(a, b tell.Taken) int { return cmp.Compare(a.From, b.From) })
	return names
}

// beside is what is free from now on beside the jobs that run, but for those whose
// reservations hold what they have, at this point of the pass.
func (g *siteGround) beside(booked []Booking) *resource.Space {
	if g.bare == nil {
		g.bare = g.v.Site.NewSpace(g.v.Now, false)
		g.running(func(k model.JobID, where *model.Claim, until model.Time) {
			if !slices.ContainsFunc(booked, func(b Booking) bool { return b.Job == k }) {
				g.bare.Book(&g.v.Needs[k], *where, g.v.Now, until)
			}
		})
	}
	return g.bare
}

// over names what is over at the planned start of a job: outages and reservations of
// where it is to run. Where something else ends then, it need not be what was waited for.
func (g *siteGround) over(at model.Time, where *model.Claim, otherwise bool) (list []tell.Taken) {
	if otherwise || at == model.Never {
		return nil
	}
	calendar, booked := g.takers()
	for _, c := range calendar {
		_, cluster := g.v.Site.Takes(c)
		mine := where == nil || cluster == where.Cluster
		if len(c.Nodes) > 0 && where != nil {
			mine = slices.ContainsFunc(where.Parts, func(p model.Part) bool { return slices.Contains(c.Nodes, p.Node) })
		}
		if c.To == at && mine {
			list = append(list, g.entry(c))
		}
	}
	for i := range booked {
		if b := &booked[i]; b.To == at && meets(&b.Claim, where) {
			list = append(list, g.booking(b))
		}
	}
	return list
}

// mostParts bounds on how many machines a job is drawn by name.
const mostParts = 64

// parts are those of a claim where machines are named, if they are few.
func (g *siteGround) parts(where *model.Claim) []model.Part {
	if len(where.Parts) > mostParts || g.v.Site.Platform.Clusters[where.Cluster].Packing == model.PackProcessors {
		return nil
	}
	return where.Parts
}

// meets says whether a claim holds something of where another job is to start: of its
// machines, or of its cluster where processors are only counted.
func meets(held, where *model.Claim) bool {
	if where == nil || held == nil {
		return true
	}
	return held.Cluster == where.Cluster && (len(where.Parts) == 0 || slices.ContainsFunc(held.Parts, func(a model.Part) bool {
		return slices.ContainsFunc(where.Parts, func(b model.Part) bool { return a.Node == b.Node })
	}))
}

// stands notes that a job stands first since it has waited for too long.
func (t *Telling) stands(g ground, now model.Time, d *tell.Decision) {
	if over := t.facts.Threshold; over >= 0 && now-g.job(d.Job).Submit > over {
		d.Waited, d.Over = now-g.job(d.Job).Submit, over
	}
}

// holders names the jobs that hold what a limit leaves others of a user or a class.
func (t *Telling) holders(g ground, d *tell.Decision) {
	for i := range d.Bound {
		b := &d.Bound[i]
		b.By, b.More = nil, 0
		g.running(func(j model.JobID, where *model.Claim, _ model.Time) {
			switch {
			case !g.bound(b, j, where):
			case len(b.By) == 4:
				b.More++
			default:
				b.By = append(b.By, g.job(j).Number)
			}
		})
	}
}
