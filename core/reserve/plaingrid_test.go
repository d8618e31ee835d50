package reserve_test

import (
	"cmp"
	"slices"

	"batchlab/core/grid"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/reserve"
	"batchlab/core/sim"
)

// horizon is behind everything that a small simulation does.
const horizon = 12000

// plainGrid is a grid of counted processors in the plain way, apart from the desk and
// the schedulers of the catalog: what is free stands in tables of seconds, and at each
// instant all that waits is looked at. It knows no random allocation, no names of
// processors and no failures.
type plainGrid struct {
	grid.Options
	desk  reserve.Options
	list  policy.List // its order and rules
	easy  bool        // the first that does not fit is promised a start
	v     *sim.View
	free  [][]int32 // by provider and second: beside all that is known
	apart [][]int32 // with Suspend: beside reservations alone
	jobs  []plainJob
	queue []model.JobID   // the grid's
	waits [][]model.JobID // by provider
	spent []spending
	base  model.Time
	out   []sim.Decision
}

type plainJob struct {
	at       int32 // provider
	reserved bool  // not begun
	begun    bool  // a reservation that runs
	runs     bool
	kept     model.Time // until when its reservation is, though it does not run
	batch    bool
	procs    int32
	left     model.Time
	began    model.Time // of the attempt
	from, to model.Time // booked
	start    model.Time // of the reservation
	kill     model.Time
}

// spending is what a user's attempt has held at a provider.
type spending struct {
	user, at, procs int32
	job             model.JobID
	from, to        model.Time
}

func (g *plainGrid) Reset(v *sim.View) {
	g.jobs, g.base = make([]plainJob, len(v.Jobs)), v.Jobs[0].Submit
	for _, c := range v.Site.Platform.Clusters {
		table := slices.Repeat([]int32{int32(c.Procs())}, horizon)
		g.free, g.apart = append(g.free, table), append(g.apart, slices.Clone(table))
	}
	g.waits = make([][]model.JobID, len(g.free))
	for i := range v.Site.Platform.Calendar {
		c := &v.Site.Platform.Calendar[i]
		add(g.free[c.Cluster], c.From, c.To, -c.Procs)
		add(g.apart[c.Cluster], c.From, c.To, -c.Procs)
	}
}

func add(table []int32, from, to model.Time, n int32) {
	for t := from; t < min(to, horizon); t++ {
		table[t] += n
	}
}

func room(table []int32, from, to model.Time, n int32) bool {
	for t := from; t < to; t++ {
		if t >= horizon || table[t] < n {
			return false
		}
	}
	return true
}

// Wake returns when a reservation begins or ends next, or a period is over.
func (g *plainGrid) Wake() model.Time {
	if g.v == nil {
		return model.Never
	}
	wake := model.Never
	next := func(at model.Time) {
		if at > g.v.Now {
			wake = min(wake, at)
		}
	}
	for j := range g.jobs {
		b := &g.jobs[j]
		if b.reserved {
			next(b.start)
		}
		if b.kill > 0 { // an instant even where its job has ended before
			next(b.kill)
		}
		next(b.kept)
	}
	if len(g.queue) > 0 && g.Delta > 0 {
		next(g.v.Now + g.Delta - (g.v.Now-g.base)%g.Delta)
	}
	if period := g.list.Period; period > 0 {
		next(g.v.Now + period - (g.v.Now-g.base)%period)
	}
	return wake
}

func (g *plainGrid) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	g.v, g.out = v, out
	for _, j := range v.Ended {
		g.over(j)
	}
	for j := range g.jobs {
		if b := &g.jobs[j]; b.begun && b.kill == v.Now {
			verb := sim.End
			if g.desk.AtEnd == reserve.EndSuspend {
				verb = sim.Suspend
			}
			g.stop(model.JobID(j), verb)
		}
	}
	for j := v.Arrived; j < v.Next; j++ {
		g.jobs[j] = plainJob{procs: v.Jobs[j].Procs, left: v.Jobs[j].Limit}
		g.queue = append(g.queue, j)
	}
	if g.Delta == 0 || (v.Now-g.base)%g.Delta == 0 {
		for turn := range 2 {
			for _, j := range g.queue {
				switch r := g.reservation(j) != nil; {
				case r && (g.First && turn == 0 || !g.First && turn == 1):
					g.request(j)
				case !r && turn == 1:
					g.jobs[j].at, g.jobs[j].batch = g.shortest(j, g.Reserve(len(g.free))), true
					g.waits[g.jobs[j].at] = append(g.waits[g.jobs[j].at], j)
				}
			}
		}
		g.queue = nil
	}
	for j := range g.jobs {
		if b := &g.jobs[j]; b.reserved && b.start == v.Now {
			g.begin(model.JobID(j))
		}
	}
	if g.list.Period == 0 || (v.Now-g.base)%g.list.Period == 0 {
		for c := range g.free {
			g.local(int32(c))
		}
	}
	return g.out
}

func (g *plainGrid) reservation(j model.JobID) *model.Reservation {
	if d := g.v.Demand(j); d != nil {
		return d.Reservation
	}
	return nil
}

// over books that a job runs no longer.
func (g *plainGrid) over(j model.JobID) {
	b := &g.jobs[j]
	for i := range g.spent {
		if s := &g.spent[i]; s.job == j && s.to > horizon {
			s.to = g.v.Now
		}
	}
	if b.runs = false; !b.begun || !g.desk.Hold {
		add(g.free[b.at], max(b.from, g.v.Now), b.to, b.procs)
		if b.begun {
			add(g.apart[b.at], max(b.from, g.v.Now), b.to, b.procs)
		}
	}
	if b.begun && g.desk.Hold {
		b.kept = b.to
	}
	b.begun = false
}

// stop ends a running job; unless it is for good, it waits again.
func (g *plainGrid) stop(j model.JobID, verb sim.Verb) {
	b := &g.jobs[j]
	g.over(j)
	g.out = append(g.out, sim.Decision{Verb: verb, Job: j})
	if verb == sim.End {
		return
	}
	if b.left -= g.v.Now - b.began; verb == sim.Stop {
		b.left = g.v.Jobs[j].Limit
	}
	b.batch = true
	g.waits[b.at] = append(g.waits[b.at], j)
}

func (g *plainGrid) begins(j model.JobID, from, to model.Time) {
	b := &g.jobs[j]
	b.runs, b.began, b.from, b.to = true, g.v.Now, from, to
	g.spent = append(g.spent, spending{g.v.Jobs[j].User, b.at, b.procs, j, g.v.Now, horizon + 1})
	g.out = append(g.out, sim.Decision{Job: j, Claim: model.Claim{Cluster: b.at, Parts: []model.Part{{Node: g.v.Site.Nodes[g.v.Site.Counted(b.at)].Index, Procs: b.procs}}}})
}

// used is what a user has consumed at a provider.
func (g *plainGrid) used(user, at int32) (sum model.Time) {
	for _, s := range g.spent {
		if s.user == user && s.at == at {
			sum += model.Time(s.procs) * (min(s.to, g.v.Now) - s.from)
		}
	}
	return sum
}

// length is that of a provider's queue.
func (g *plainGrid) length(c int32) (n int) {
	n = len(g.waits[c])
	for j := range g.jobs {
		if b := &g.jobs[j]; b.at == c && (b.reserved && g.Load >= grid.CountReservations || b.runs && g.Load == grid.CountAll) {
			n++
		}
	}
	return n
}

func (g *plainGrid) shorter(a, b int32) int {
	return cmp.Or(cmp.Compare(g.length(a), g.length(b)), -cmp.Compare(g.free[a][g.v.Now], g.free[b][g.v.Now]))
}

// shortest returns the provider with the shortest queue that is large enough.
func (g *plainGrid) shortest(j model.JobID, from int) int32 {
	best := int32(-1)
	for c := from; c < len(g.free); c++ {
		if g.v.Site.Platform.Clusters[c].Procs() >= int(g.v.Jobs[j].Procs) && (best < 0 || g.shorter(int32(c), best) < 0) {
			best = int32(c)
		}
	}
	if best < 0 {
		return g.shortest(j, 0)
	}
	return best
}

// bid is what a provider offers.
type bid struct {
	at              int32
	start, from, to model.Time
	length          model.Time
	procs           int32
}

// ask returns a provider's offer up to a deadline.
func (g *plainGrid) ask(c int32, j model.JobID, deadline model.Time) (bid, bool) {
	r, size := g.reservation(j), int32(g.v.Site.Platform.Clusters[c].Procs())
	table := g.free[c]
	if g.desk.Suspend {
		table = g.apart[c]
	}
	b := bid{at: c, length: cmp.Or(r.Length, g.v.Jobs[j].Limit), procs: g.v.Jobs[j].Procs}
	ready, most := max(r.Ready, g.v.Now), b.procs
	due := g.due(j)
	place := func(procs int32, length model.Time) bool {
		for t := ready; t < due && min(t+length, due) <= min(deadline, horizon-100); t++ {
			from, to, slot := t, min(t+length, due), max(1, g.desk.Slot)
			if r.Effort != model.EffortTime {
				from, to = max(t/slot*slot, g.v.Now), (to+slot-1)/slot*slot
			} else if to < t+length {
				return false // so much is not available
			}
			if room(table, from, to, procs) {
				b.start, b.from, b.to, b.procs, b.length = t, from, to, procs, length
				return true
			}
		}
		return false
	}
	switch r.Effort {
	case model.EffortProcs:
		for procs := min(most, size); procs > 0; procs-- {
			if place(procs, b.length) {
				return b, true
			}
		}
	case model.EffortTime:
		for length := b.length; length > 0; length-- {
			if place(most, length) {
				return b, true
			}
		}
	default:
		return b, place(most, b.length)
	}
	return b, false
}

// due is when a job is stopped, done or not.
func (g *plainGrid) due(j model.JobID) model.Time {
	if d := g.v.Demand(j); d != nil && d.OnDue == model.DueKill {
		return d.Due
	}
	return model.Never
}

// better compares offers: more, then earlier.
func better(e model.Effort, a, b bid) int {
	if e == model.EffortTime && a.length != b.length {
		return cmp.Compare(b.length, a.length)
	}
	return cmp.Or(cmp.Compare(b.procs, a.procs), cmp.Compare(a.start+a.length, b.start+b.length))
}

// request accepts a reservation, late if need be, or rejects it.
func (g *plainGrid) request(j model.JobID) {
	r := g.reservation(j)
	from, to := 0, len(g.free)
	switch n := g.Reserve(to); {
	case g.Reservations == grid.Partition:
		for c := range n {
			if g.v.Site.Platform.Clusters[c].Procs() >= int(g.v.Jobs[j].Procs) || r.Effort == model.EffortProcs {
				to = n
			}
		}
	case g.Reservations == grid.LoadBalance:
		from = int(g.shortestOf(j, r))
		to = from + 1
	}
	for _, late := range []bool{false, true} {
		deadline := r.Deadline
		if late {
			deadline = horizon
		}
		var best *bid
		for c := from; c < to && !(late && g.desk.Reject); c++ {
			b, ok := g.ask(int32(c), j, deadline)
			if !ok || best != nil && g.Reservations == grid.Priority && !late {
				continue
			}
			if best == nil {
				best = &b
			} else if k := better(r.Effort, b, *best); k < 0 || k == 0 && g.Reservations != grid.Priority && g.shorter(b.at, best.at) < 0 {
				best = &b
			}
		}
		if best == nil {
			continue
		}
		one := &g.jobs[j]
		one.at, one.reserved, one.procs, one.start, one.from, one.to, one.kill = best.at, true, best.procs, best.start, best.from, best.to, model.Never
		end := best.start + best.length
		if g.desk.AtEnd == reserve.EndEarly && best.length > 60 {
			end -= 60
		}
		if end < best.start+g.v.Jobs[j].Limit {
			one.kill = end
		}
		add(g.apart[one.at], one.from, one.to, -one.procs)
		if !g.desk.Suspend {
			add(g.free[one.at], one.from, one.to, -one.procs)
		}
		return
	}
	g.out = append(g.out, sim.Decision{Verb: sim.Reject, Job: j})
}

// shortestOf is shortest of all providers for a reservation, which may take fewer.
func (g *plainGrid) shortestOf(j model.JobID, r *model.Reservation) int32 {
	if r.Effort != model.EffortProcs {
		return g.shortest(j, 0)
	}
	best := int32(0)
	for c := range g.free {
		if g.shorter(int32(c), best) < 0 {
			best = int32(c)
		}
	}
	return best
}

// begin starts a reservation, for which others may have to make room.
func (g *plainGrid) begin(j model.JobID) {
	b := &g.jobs[j]
	if g.desk.Suspend {
		var running []model.JobID
		for k := range g.jobs {
			if o := &g.jobs[k]; o.runs && o.batch && o.at == b.at && o.began < g.v.Now {
				running = append(running, model.JobID(k))
			}
		}
		slices.SortFunc(running, func(x, y model.JobID) int {
			return cmp.Or(cmp.Compare(g.jobs[y].began, g.jobs[x].began), cmp.Compare(y, x))
		})
		for _, k := range running {
			if room(g.free[b.at], g.v.Now, b.to, b.procs) {
				break
			}
			g.stop(k, sim.Suspend)
		}
		b.from = g.v.Now
		add(g.free[b.at], b.from, b.to, -b.procs)
	}
	b.reserved, b.begun = false, true
	g.begins(j, b.from, b.to)
}

// local starts batch jobs of a provider.
func (g *plainGrid) local(c int32) {
	v, list := g.v, slices.Clone(g.waits[c])
	slices.SortFunc(list, func(a, b model.JobID) int {
		x, y := &v.Jobs[a], &v.Jobs[b]
		k := 0
		switch g.list.Order {
		case policy.BySize:
			k = cmp.Compare(g.jobs[b].procs, g.jobs[a].procs)
		case policy.ByRequest:
			k = cmp.Compare(x.Limit, y.Limit)
		case policy.ByPriority:
			k = g.priority(a, b)
		case policy.ByUse:
			k = cmp.Compare(g.used(x.User, c), g.used(y.User, c))
		}
		return cmp.Or(k, cmp.Compare(a, b))
	})
	var promise func()
	for _, j := range list {
		b := &g.jobs[j]
		if g.due(j) <= v.Now {
			g.out = append(g.out, sim.Decision{Verb: sim.Reject, Job: j})
			g.waits[c] = slices.DeleteFunc(g.waits[c], func(k model.JobID) bool { return k == j })
			continue
		}
		left := min(b.left, g.due(j)-v.Now)
		end := v.Now + left
		fits := func() bool { return room(g.free[c], v.Now, end, b.procs) }
		if fits() || g.list.Dispose && g.dispose(j, fits) {
			add(g.free[c], v.Now, end, -b.procs)
			g.begins(j, v.Now, end)
			g.waits[c] = slices.DeleteFunc(g.waits[c], func(k model.JobID) bool { return k == j })
			continue
		}
		if g.easy && promise == nil {
			at := v.Now
			for !room(g.free[c], at, at+left, b.procs) {
				at++
			}
			add(g.free[c], at, at+left, -b.procs)
			promise = func() { add(g.free[c], at, at+left, b.procs) }
			continue
		}
		if g.list.Stop {
			break
		}
	}
	if promise != nil {
		promise()
	}
}

// priority compares queue numbers, negative when that of a is higher.
func (g *plainGrid) priority(a, b model.JobID) int {
	x, y := g.v.Jobs[a].Queue, g.v.Jobs[b].Queue
	if x < 0 || y < 0 || g.list.Large {
		return cmp.Compare(y, x)
	}
	return cmp.Compare(x, y)
}

// dispose stops running jobs of lower priority if that makes room.
func (g *plainGrid) dispose(j model.JobID, fits func() bool) bool {
	var victims []model.JobID
	for k := range g.jobs {
		if o := &g.jobs[k]; o.runs && o.batch && o.at == g.jobs[j].at && o.began < g.v.Now && g.priority(j, model.JobID(k)) < 0 {
			victims = append(victims, model.JobID(k))
		}
	}
	slices.SortFunc(victims, func(a, b model.JobID) int {
		return cmp.Or(-g.priority(a, b), -cmp.Compare(g.jobs[a].began, g.jobs[b].began), -cmp.Compare(a, b))
	})
	table, n := g.free[g.jobs[j].at], 0
	for ; n < len(victims) && !fits(); n++ {
		add(table, g.v.Now, g.jobs[victims[n]].to, g.jobs[victims[n]].procs)
	}
	enough := fits()
	for _, k := range victims[:n] {
		add(table, g.v.Now, g.jobs[k].to, -g.jobs[k].procs)
	}
	if !enough {
		return false
	}
	verb := sim.Suspend
	if g.list.Requeue {
		verb = sim.Stop
	}
	for _, k := range victims[:n] {
		g.stop(k, verb)
	}
	return true
}
