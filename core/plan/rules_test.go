package plan

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
)

// plainBook knows who holds what and adds up again, from the list of all of them, what is
// free, for each question.
type plainBook struct {
	waits []promise
	runs  []promise
}

// promise is who is to hold, or holds, what from start on.
type promise struct {
	job   model.JobID
	start model.Time
	takes model.Time // seconds
	claim model.Claim
}

// over takes away what runs no longer, and says whether any of it was to run longer.
func (p *plainBook) over(v *sim.View) bool {
	early := false
	for _, j := range slices.Concat(v.Ended, v.Back) {
		if at := slices.IndexFunc(p.runs, func(r promise) bool { return r.job == j }); at >= 0 {
			early = early || p.runs[at].start+p.runs[at].takes > v.Now
			p.runs = slices.Delete(p.runs, at, at+1)
		}
	}
	return early
}

// begin lets a job run for so long, and says whether that is less than was thought.
func (p *plainBook) begin(w promise, takes model.Time) (sim.Decision, bool) {
	less := takes < w.takes // on other than the slowest nodes, or until its due time
	w.takes = takes
	p.runs = append(p.runs, w)
	return sim.Decision{Job: w.job, Claim: w.claim}, less
}

// held visits who holds anything at any time from now on.
func (p *plainBook) held(v *sim.View, visit func(j model.JobID, from, to model.Time, claim model.Claim)) {
	for _, list := range [][]promise{p.runs, p.waits} {
		for _, h := range list {
			visit(h.job, h.start, h.start+h.takes, h.claim)
		}
	}
	for _, b := range v.Bookings.All() {
		visit(b.Job, b.From, b.To, b.Claim)
	}
}

// earliest is the earliest promise from a time on that can be made to a job beside all
// others, on the first cluster of equals or on a certain one: at that time, or when
// something becomes free.
func (p *plainBook) earliest(v *sim.View, j model.JobID, from model.Time, cluster int32) promise {
	times := []model.Time{from}
	p.held(v, func(_ model.JobID, _, to model.Time, _ model.Claim) { times = append(times, to) })
	for i := range v.Site.Platform.Calendar {
		times = append(times, v.Site.Platform.Calendar[i].To)
	}
	slices.Sort(times)
	for _, at := range slices.Compact(times) {
		for c := range int32(len(v.Site.Platform.Clusters)) {
			if at < from || cluster >= 0 && c != cluster || !v.Site.Serves(&v.Needs[j], c) {
				continue
			}
			slowest := 1.0
			for n := range v.Site.Nodes {
				if v.Site.Platform.PowerScales && v.Site.Nodes[n].Cluster == c {
					slowest = v.Site.Nodes[n].Speed
				}
			}
			w := promise{job: j, start: at, takes: model.Scaled(v.Jobs[j].Limit-v.Done[j], slowest), claim: model.Claim{Cluster: c}}
			if p.room(v, &w) {
				return w
			}
		}
	}
	panic("there is no room for a job at any time")
}

// amounts are what a job may have, or holds: by node procs, GPUs, memory and disk, by
// licence copies, by cluster those of its user and of its classes.
type amounts struct {
	node    [][4]int64
	copies  []int64
	user    int64
	classes []int64
}

// room says whether there is room for a promise, in its nodes, or, if it names none, in
// the first that are free for all of it in the order of power, which it writes there.
func (p *plainBook) room(v *sim.View, w *promise) bool {
	platform, c, need := v.Site.Platform, w.claim.Cluster, &v.Needs[w.job]
	from, to := w.start, w.start+w.takes
	// What is free is least where something begins, or at the beginning.
	times := []model.Time{from}
	p.held(v, func(_ model.JobID, at, _ model.Time, _ model.Claim) { times = append(times, at) })
	for i := range platform.Calendar {
		times = append(times, platform.Calendar[i].From)
	}
	var least amounts
	for _, t := range times {
		if t < from || t >= to {
			continue
		}
		now := p.left(v, t, c, v.Jobs[w.job].User)
		if least.node == nil {
			least = now
			continue
		}
		for n := range now.node {
			for k := range now.node[n] {
				least.node[n][k] = min(least.node[n][k], now.node[n][k])
			}
		}
		for k := range now.copies {
			least.copies[k] = min(least.copies[k], now.copies[k])
		}
		for k := range now.classes {
			least.classes[k] = min(least.classes[k], now.classes[k])
		}
		least.user = min(least.user, now.user)
	}
	if limits := &platform.Limits; limits.UserProcs > 0 && least.user < int64(need.Procs) {
		return false
	}
	for k := range least.classes {
		if v.Jobs[w.job].Limit > platform.Limits.Classes[k].LongerThan && least.classes[k] < int64(need.Procs) {
			return false
		}
	}
	for _, l := range need.Licences {
		if platform.Licences[l.Licence].Copies > 0 && least.copies[l.Licence] < int64(l.Copies) {
			return false
		}
	}
	holds := func(rank int, procs int32) bool {
		n := least.node[rank]
		return n[0] >= int64(procs) && n[1] >= int64(need.GPUs) && n[2] >= need.Mem && n[3] >= need.Disk
	}
	if len(w.claim.Parts) > 0 {
		for _, part := range w.claim.Parts {
			if !holds(int(v.Site.Rank(part.Node)), part.Procs) {
				return false
			}
		}
		return true
	}
	left, nodes := need.Procs, need.Nodes
	whole := platform.Clusters[c].Packing != model.PackNodes || need.Nodes == 1
	for rank := range v.Site.Nodes {
		node := &v.Site.Nodes[rank]
		if node.Cluster != c || !v.Site.Suits(need, node.Index) {
			continue
		}
		each := min(left, max(1, int32(least.node[rank][0])))
		switch {
		case whole:
			each = need.Procs
		case need.Nodes > 1:
			each = need.PerNode
		}
		if !holds(rank, each) {
			continue
		}
		w.claim.Parts = append(w.claim.Parts, model.Part{Node: node.Index, Procs: each})
		left -= each
		if nodes--; left == 0 && (whole || nodes <= 0) {
			slices.SortFunc(w.claim.Parts, func(a, b model.Part) int { return int(a.Node - b.Node) })
			return true
		}
	}
	w.claim.Parts = nil
	return false
}

// left is what all who hold something leave free at a time.
func (p *plainBook) left(v *sim.View, t model.Time, cluster, user int32) amounts {
	platform := v.Site.Platform
	a := amounts{user: int64(platform.Limits.UserProcs)}
	for i := range v.Site.Nodes {
		n := &v.Site.Nodes[i]
		has := [4]int64{int64(n.Procs), int64(n.GPUs), n.Mem, n.Disk}
		for k := 2; k < 4; k++ {
			if has[k] == 0 { // not counted
				has[k] = 1 << 60
			}
		}
		a.node = append(a.node, has)
	}
	for i := range platform.Licences {
		a.copies = append(a.copies, int64(platform.Licences[i].Copies))
	}
	for i := range platform.Limits.Classes {
		a.classes = append(a.classes, int64(platform.Limits.Classes[i].Procs(platform.Clusters[cluster].Procs())))
	}
	p.held(v, func(j model.JobID, from, to model.Time, claim model.Claim) {
		if t < from || t >= to {
			return
		}
		need := &v.Needs[j]
		for _, part := range claim.Parts {
			n := &a.node[v.Site.Rank(part.Node)]
			n[0], n[1], n[2], n[3] = n[0]-int64(part.Procs), n[1]-int64(need.GPUs), n[2]-need.Mem, n[3]-need.Disk
			if claim.Cluster == cluster && v.Jobs[j].User == user {
				a.user -= int64(part.Procs)
			}
			for k := range a.classes {
				if claim.Cluster == cluster && v.Jobs[j].Limit > platform.Limits.Classes[k].LongerThan {
					a.classes[k] -= int64(part.Procs)
				}
			}
		}
		for _, l := range need.Licences {
			a.copies[l.Licence] -= int64(l.Copies)
		}
	})
	for i := range platform.Calendar {
		e := &platform.Calendar[i]
		if !v.Known(e) || t < e.From || t >= e.To {
			continue
		}
		for rank := range v.Site.Nodes {
			n := &v.Site.Nodes[rank]
			if len(e.Nodes) == 0 && n.Cluster == e.Cluster {
				a.node[rank][0] -= int64(e.Procs)
			} else if slices.Contains(e.Nodes, n.Index) {
				a.node[rank] = [4]int64{}
			}
		}
	}
	return a
}

// plainPlanner is conservative backfilling (rule 9) on any platform, or the plan of
// Plan-RS without an optimiser (rule 10), as a beginner would write it down.
type plainPlanner struct {
	plainBook
	ordered bool // lists are compressed in their order: rule 10
	early   bool // something was given back after the last pass had been made
}

func (p *plainPlanner) Reset(*sim.View) { *p = plainPlanner{ordered: p.ordered} }

func (p *plainPlanner) Wake() model.Time {
	wake := model.Never
	for _, w := range p.waits {
		wake = min(wake, w.start)
	}
	return wake
}

// sort puts those that wait into the order of their promises.
func (p *plainPlanner) sort() {
	slices.SortFunc(p.waits, func(a, b promise) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.job, b.job)) })
}

// insert puts a promise behind those of its cluster that start no later.
func (p *plainPlanner) insert(w promise) {
	at := 0
	for k, o := range p.waits {
		if o.claim.Cluster == w.claim.Cluster && o.start <= w.start {
			at = k + 1
		}
	}
	p.waits = slices.Insert(p.waits, at, w)
}

// displace gives those that have no room beside reservations, failures and those who
// were promised before another promise, and says whether there are any.
func (p *plainPlanner) displace(v *sim.View) bool {
	old, lost := slices.Clone(p.waits), []promise(nil)
	slices.SortFunc(old, func(a, b promise) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.job, b.job)) })
	all := p.waits
	p.waits = nil
	for _, w := range old {
		if p.room(v, &w) {
			p.waits = append(p.waits, w)
		} else {
			lost = append(lost, w)
		}
	}
	p.waits = slices.DeleteFunc(all, func(w promise) bool {
		return slices.ContainsFunc(lost, func(l promise) bool { return l.job == w.job })
	})
	for _, w := range lost {
		p.insert(p.earliest(v, w.job, v.Now, -1))
	}
	return len(lost) > 0
}

// again places all that wait again, each at its earliest fit beside all others.
func (p *plainPlanner) again(v *sim.View) {
	if p.ordered { // list by list
		slices.SortStableFunc(p.waits, func(a, b promise) int { return cmp.Compare(a.claim.Cluster, b.claim.Cluster) })
	} else {
		p.sort()
	}
	last := map[int32]model.Time{} // by cluster, where the order is kept
	for _, w := range slices.Clone(p.waits) {
		at := slices.IndexFunc(p.waits, func(o promise) bool { return o.job == w.job })
		p.waits = slices.Delete(p.waits, at, at+1)
		from, cluster := v.Now, int32(-1)
		if p.ordered {
			from, cluster = max(from, last[w.claim.Cluster]), w.claim.Cluster
		}
		if w.start > from {
			better := p.earliest(v, w.job, from, cluster)
			if here := p.earliest(v, w.job, from, w.claim.Cluster); here.start <= better.start {
				better = here // of equals its own cluster
			}
			if better.start < w.start {
				w = better
			}
		}
		last[w.claim.Cluster] = w.start
		p.waits = slices.Insert(p.waits, at, w)
	}
	if !p.ordered {
		p.sort()
	}
}

func (p *plainPlanner) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	again := p.over(v) || p.early || len(v.Freed) > 0
	p.waits = slices.DeleteFunc(p.waits, func(w promise) bool {
		late := v.Kills(w.job) && v.Due[w.job] <= v.Now
		if late {
			out, again = append(out, sim.Decision{Verb: sim.Reject, Job: w.job}), true
		}
		return late
	})
	if p.early = false; len(v.Booked) > 0 || failing(v) {
		again = p.displace(v) || again
	}
	if again {
		p.again(v)
	}
	for _, j := range slices.Concat(v.Back, v.New) {
		p.insert(p.earliest(v, j, v.Now, -1))
	}
	for _, w := range slices.Clone(p.waits) {
		if w.start > v.Now {
			continue
		}
		p.waits = slices.DeleteFunc(p.waits, func(o promise) bool { return o.job == w.job })
		d, less := p.begin(w, v.Ends(w.job, w.claim)-v.Now)
		out, p.early = append(out, d), p.early || less
	}
	return out
}

// plainOrig is Orig-BF on any platform as a beginner would write it down.
type plainOrig struct {
	plainBook
	threshold model.Time
	used      map[int32]int64 // by user, processor-seconds
	last      model.Time
	queue     []model.JobID
}

func (p *plainOrig) Reset(*sim.View) { *p = plainOrig{threshold: p.threshold, used: map[int32]int64{}} }

func (p *plainOrig) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, r := range p.runs {
		p.used[v.Jobs[r.job].User] += int64(v.Needs[r.job].Procs) * int64(v.Now-p.last)
	}
	p.last = v.Now
	p.over(v)
	p.queue = append(append(p.queue, v.Back...), v.New...)
	slices.SortFunc(p.queue, func(a, b model.JobID) int {
		return cmp.Or(cmp.Compare(p.used[v.Jobs[a].User], p.used[v.Jobs[b].User]), cmp.Compare(a, b))
	})
	// What began at an earlier instant is held as long as it takes where it runs; what
	// is placed at this one, as long as on the slowest of its cluster.
	for i := range p.runs {
		p.runs[i].takes = v.Limit(p.runs[i].job, p.runs[i].claim)
	}
	p.waits = nil
	for _, j := range slices.Clone(p.queue) {
		w := p.earliest(v, j, v.Now, -1)
		gone := v.Kills(j) && v.Due[j] <= v.Now
		if gone {
			out = append(out, sim.Decision{Verb: sim.Reject, Job: j})
		} else if w.start == v.Now {
			d, _ := p.begin(w, w.takes)
			out = append(out, d)
		} else if v.Now-v.Jobs[j].Submit >= p.threshold {
			p.waits = append(p.waits, w)
		}
		if gone || w.start == v.Now {
			p.queue = slices.DeleteFunc(p.queue, func(k model.JobID) bool { return k == j })
		}
	}
	return out
}

// Intent: conservative backfilling starts every job, in the nodes and at the time, when
// rule 9 does as it is written, on platforms of every kind, around outages, failures and
// reservations; so do the plan of Plan-RS that is not optimised, and Orig-BF. With
// BATCHLAB_RULES=3000 in the environment on so many platforms.
func TestSchedulersAreTheirRules(t *testing.T) {
	seeds := uint64(160)
	if testing.Short() {
		seeds = 32
	}
	if n, err := strconv.Atoi(os.Getenv("BATCHLAB_RULES")); err == nil {
		seeds = uint64(n)
	}
	accepted, stopped := 0, 0
	for seed := range seeds {
		o, w, p, reserved := ruled(seed)
		for name, pair := range map[string][2]sim.Scheduler{
			"conservative": {NewConservative(), &plainPlanner{}},
			"plan":         {New(Options{}), &plainPlanner{ordered: true}},
			"orig-bf":      {&policy.OrigBF{Threshold: model.Time(seed % 2 * 30)}, &plainOrig{threshold: model.Time(seed % 2 * 30)}},
		} {
			title := fmt.Sprintf("%s, seed %d, %+v", name, seed, o)
			var found [2][]placed
			for k, s := range pair {
				d := &desk{inner: s, rng: rand.New(rand.NewPCG(seed, 38)), reserved: reserved}
				found[k] = placements(run(t, title, w, p, d))
				accepted += d.accepted
			}
			stopped += len(found[0]) - len(w.Jobs)
			for i := range found[1] {
				if a, b := found[0][i], found[1][i]; !a.equal(&b) {
					t.Fatalf("%s: job index %d runs from %d to %d in %v, by the rule from %d to %d in %v", title, b.Job, a.Start, a.End, a.claim, b.Start, b.End, b.claim)
				}
			}
		}
	}
	if accepted < 4*int(seeds) || stopped < int(seeds)/2 {
		t.Errorf("%d reservations were accepted and %d jobs stopped: that proves little", accepted, stopped)
	}
}

// ruled returns a random workload and platform, and which jobs are reservations.
func ruled(seed uint64) (o terms, w *model.Workload, p *model.Platform, reserved func(model.JobID) bool) {
	rng := rand.New(rand.NewPCG(seed, 37))
	bit := func() bool { return rng.IntN(2) == 0 }
	nodes := bit()
	if !nodes {
		nodes = bit() // three quarters
	}
	o = terms{clusters: 1 + rng.IntN(3), jobs: 40, nodes: nodes, limits: bit(), outages: bit(), failures: rng.IntN(3) == 0, licences: rng.IntN(3) == 0, speeds: rng.IntN(3) == 0, eligible: bit(), crowded: bit()}
	w, p = generated(rng, o)
	if rng.IntN(4) == 0 {
		for i := range w.Jobs {
			if d := &w.Demands[w.Jobs[i].Demand-1]; rng.IntN(3) == 0 {
				d.Due, d.OnDue = w.Jobs[i].Submit+100+model.Time(rng.IntN(200)), model.DueKill
			}
		}
	}
	return o, w, p, reserving(rng, w, []float64{0, 0, 0.3}[rng.IntN(3)])
}

// placed is an execution with the nodes that it had.
type placed struct {
	model.Execution
	claim model.Claim
}

func (a *placed) equal(b *placed) bool {
	return a.Execution == b.Execution && a.claim.Cluster == b.claim.Cluster && slices.Equal(a.claim.Parts, b.claim.Parts)
}

// placements copies what ran where.
func placements(s *model.Schedule) []placed {
	var list []placed
	for _, e := range s.Executions {
		one := placed{Execution: e, claim: model.Claim{Cluster: -1}}
		if e.Claim > 0 {
			one.claim = s.Claims[e.Claim-1]
			one.claim.Parts = slices.Clone(one.claim.Parts)
		}
		one.Execution.Claim = 0
		list = append(list, one)
	}
	return list
}
