package policy

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// plainBackfill is backfilling on any platform in the plain way: at each instant
// it looks at all waiting jobs, computes every order again, and thinks in pools at
// single times. FCFS, EASY in all orders, BF_UNMOD and BF_MOD must agree with it.
type plainBackfill struct {
	kind            string // fcfs, easy, bf-unmod, bf-mod
	order, backfill Order
	newest          bool
	threshold       model.Time // −1: none
	weights         PriorityWeights

	waiting []model.JobID // in order of submission
	running []plainRunning
	free    *resource.Pool
	kept    model.JobID // of BF_UNMOD
	value   map[model.JobID]float64
}

type plainRunning struct {
	end   model.Time // requested
	job   model.JobID
	claim model.Claim
}

func (b *plainBackfill) Reset(v *sim.View) {
	b.waiting, b.running, b.kept = nil, nil, -1
}

// begin takes over what has happened, and gives up jobs whose due time has come.
func (b *plainBackfill) begin(v *sim.View, out []sim.Decision) []sim.Decision {
	b.running = slices.DeleteFunc(b.running, func(r plainRunning) bool {
		return slices.Contains(v.Ended, r.job) || slices.Contains(v.Back, r.job)
	})
	b.waiting = append(append(b.waiting, v.Back...), v.New...)
	slices.Sort(b.waiting)
	b.free = v.Site.NewPool()
	b.free.CopyFrom(v.Free)
	for _, j := range slices.Clone(b.waiting) {
		if v.Kills(j) && v.Due[j] <= v.Now {
			b.leave(j)
			out = append(out, sim.Decision{Verb: sim.Reject, Job: j})
		}
	}
	return out
}

// starts takes what a job holds from now on.
func (b *plainBackfill) starts(v *sim.View, j model.JobID, claim model.Claim) sim.Decision {
	b.leave(j)
	b.free.Take(&v.Needs[j], claim)
	b.running = append(b.running, plainRunning{ends(v, j, claim), j, claim})
	return sim.Decision{Job: j, Claim: claim}
}

func (b *plainBackfill) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = b.begin(v, out)
	b.prioritize(v)
	start := func(j model.JobID, claim model.Claim) { out = append(out, b.starts(v, j, claim)) }
	head := model.JobID(-1)
	for len(b.waiting) > 0 && head < 0 {
		j := b.first(v)
		if claim, ok := b.room(v, j).Place(&v.Needs[j]); ok {
			start(j, claim)
		} else {
			head = j
		}
	}
	if head < 0 || b.kind == "fcfs" {
		return out
	}
	shadow, where := b.reserve(v, head)
	rest := slices.DeleteFunc(slices.Clone(b.waiting), func(j model.JobID) bool { return j == head })
	slices.SortFunc(rest, func(x, y model.JobID) int { return b.compare(v, x, y, b.backfill) })
	for _, j := range rest {
		room := b.room(v, j)
		claim, ok := room.Place(&v.Needs[j])
		if !ok {
			continue
		}
		if ends(v, j, claim) <= shadow {
			start(j, claim)
			continue
		}
		for _, t := range b.marks(v, shadow, min(shadow+v.Longest(head), v.Now+v.Longest(j))) {
			pool := b.at(v, t)
			pool.Take(&v.Needs[head], where)
			room.Min(pool)
		}
		if claim, ok = room.Place(&v.Needs[j]); ok {
			start(j, claim)
		}
	}
	return out
}

func (b *plainBackfill) leave(j model.JobID) {
	b.waiting = slices.DeleteFunc(b.waiting, func(k model.JobID) bool { return k == j })
	if j == b.kept {
		b.kept = -1
	}
}

// prioritize computes P(J) of all that wait.
func (b *plainBackfill) prioritize(v *sim.View) {
	b.value = map[model.JobID]float64{}
	p := priorities{w: b.weights, least: model.Never}
	p.load.reset(len(v.Site.Platform.Licences))
	for _, j := range b.waiting {
		p.load.add(&v.Needs[j], 1)
		p.least = min(p.least, v.Jobs[j].Limit)
	}
	p.load.measure(v.Site)
	for _, j := range b.waiting {
		b.value[j] = p.of(v, j).Total
	}
}

// compare says whether one job stands before another.
func (b *plainBackfill) compare(v *sim.View, x, y model.JobID, by Order) int {
	tie := cmp.Compare(x, y)
	if b.newest {
		tie = -tie
	}
	p, q := &v.Jobs[x], &v.Jobs[y]
	switch {
	case b.kind == "bf-unmod" || b.kind == "bf-mod":
		return cmp.Or(cmp.Compare(b.value[y], b.value[x]), tie)
	case by == LEXP:
		return cmp.Or(cmp.Compare(expansion(v.Now, q.Submit, q.Limit), expansion(v.Now, p.Submit, p.Limit)), tie)
	case by == SEXP:
		return cmp.Or(cmp.Compare(expansion(v.Now, p.Submit, p.Limit), expansion(v.Now, q.Submit, q.Limit)), tie)
	}
	return cmp.Or(cmp.Compare(by.key(p, 0), by.key(q, 0)), tie)
}

// first returns the job that stands first.
func (b *plainBackfill) first(v *sim.View) model.JobID {
	if b.kept >= 0 {
		return b.kept
	}
	j := slices.MinFunc(b.waiting, func(x, y model.JobID) int { return b.compare(v, x, y, b.order) })
	eldest := slices.MinFunc(b.waiting, func(x, y model.JobID) int { return b.compare(v, x, y, FCFSOrder) })
	if b.threshold >= 0 && v.Now-v.Jobs[eldest].Submit > b.threshold {
		j = eldest
	}
	if b.kind == "bf-unmod" {
		b.kept = j
	}
	return j
}

// room returns what a job finds that starts now and runs as long as it may.
func (b *plainBackfill) room(v *sim.View, j model.JobID) *resource.Pool {
	pool := v.Site.NewPool()
	pool.CopyFrom(b.free)
	b.clear(v, pool, v.Now, v.Now+v.Longest(j))
	return pool
}

// clear lowers a pool to what is free at each start of a calendar entry in
// (from, to).
func (b *plainBackfill) clear(v *sim.View, pool *resource.Pool, from, to model.Time) {
	for _, t := range b.marks(v, from, to)[1:] {
		pool.Min(b.at(v, t))
	}
}

// at returns what is free at a time to come if no further job starts.
func (b *plainBackfill) at(v *sim.View, t model.Time) *resource.Pool {
	pool := v.Site.NewPool()
	pool.CopyFrom(b.free)
	for _, r := range b.running {
		if r.end <= t {
			pool.Give(&v.Needs[r.job], r.claim)
		}
	}
	for i := range v.Site.Platform.Calendar {
		c := &v.Site.Platform.Calendar[i]
		if was, is := c.From <= v.Now && v.Now < c.To, c.From <= t && t < c.To; v.Known(c) && was != is {
			pool.Away(c, map[bool]int32{true: -1, false: 1}[is])
		}
	}
	return pool
}

// marks are the times from one on and before another at which less may be free than
// before: the first, and the starts of calendar entries.
func (b *plainBackfill) marks(v *sim.View, from, to model.Time) []model.Time {
	times := []model.Time{from}
	for i := range v.Site.Platform.Calendar {
		if c := &v.Site.Platform.Calendar[i]; c.From > from && c.From < to && v.Known(c) {
			times = append(times, c.From)
		}
	}
	return times
}

// reserve returns when the head can start, and where.
func (b *plainBackfill) reserve(v *sim.View, head model.JobID) (model.Time, model.Claim) {
	var times []model.Time
	for _, r := range b.running {
		times = append(times, r.end)
	}
	for i := range v.Site.Platform.Calendar {
		if c := &v.Site.Platform.Calendar[i]; c.To > v.Now && v.Known(c) {
			times = append(times, c.To)
		}
	}
	slices.Sort(times)
	for _, t := range slices.Compact(times) {
		pool := b.at(v, t)
		b.clear(v, pool, t, t+v.Longest(head))
		if claim, ok := pool.Place(&v.Needs[head]); ok {
			return t, claim
		}
	}
	return model.Never, model.Claim{}
}
