//go:build !small

package policy

import (
	"cmp"
	"math"
	"slices"

	"batchlab/core/model"
	"batchlab/core/predict"
	"batchlab/core/sim"
)

// chooser tries the candidates on the present queue and the running jobs.
type chooser struct {
	o       *ForesightOptions
	r       *RolloutOptions
	last    model.Time
	chosen  bool
	order   int
	Trace   bool // keep Choices, with the full cost of each candidate
	Choices []Choice

	geo, sigma []float64 // by job that runs: as it started

	now     model.Time
	free    int32
	tries   []tried
	spare   []tried
	at      []int32                       // by job: its place in tries
	lines   [len(foresightOrders)][]int32 // tries in the order of each candidate
	same    [len(foresightOrders)]int     // the first candidate with the same line
	still   []float64                     // by scenario: what those behind it cost at least
	packed  []uint64
	present []holder   // running jobs by requested end; a place is that in this list
	ends    [][]uint64 // of them by scenario: (end − now) << placeBits | place, ascending
	drawn   draws
	roll    rollout
}

// tried is a waiting job in rollouts.
type tried struct {
	predict.Estimate
	job     model.JobID
	number  int64
	submit  model.Time
	limit   model.Time
	procs   int32
	lnProcs float64
	keys    [len(foresightOrders) + 1]int32 // the last of backfilling
}

// holder is a running job in rollouts.
type holder struct {
	until model.Time // requested end
	procs int32
}

func (c *chooser) reset(o *ForesightOptions, n int) {
	c.o, c.r = o, o.Rollout
	c.chosen, c.order, c.Choices = false, 0, nil
	c.geo, c.sigma, c.at = resize(c.geo, n), resize(c.sigma, n), resize(c.at, n)
	c.drawn.reset(n)
	for len(c.ends) < c.r.Scenarios {
		c.ends = append(c.ends, nil)
	}
	c.ends = c.ends[:c.r.Scenarios]
}

// start keeps what is thought of a job that starts.
func (c *chooser) start(j model.JobID, e *predict.Estimate) {
	c.geo[j], c.sigma[j] = e.LnGeo, c.spread(e)
}

// spread returns σ.
func (c *chooser) spread(e *predict.Estimate) float64 {
	return math.Sqrt(float64(c.r.Spread * max(0, e.LnMean-e.LnGeo)))
}

// due says whether it is time for a choice.
func (c *chooser) due(now model.Time) bool { return !c.chosen || now-c.last >= c.r.Interval }

// begin starts a choice; wait and run say what there is, then choose chooses.
func (c *chooser) begin(now model.Time, free int32) {
	c.now, c.free, c.last, c.chosen = now, free, now, true
	c.tries, c.present = c.tries[:0], c.present[:0]
	for s := range c.ends {
		c.ends[s] = c.ends[s][:0]
	}
}

// wait adds a waiting job.
func (c *chooser) wait(j model.JobID, job *model.Job, e *predict.Estimate, lnProcs float64) {
	t := tried{Estimate: *e, job: j, number: job.Number, submit: job.Submit, limit: job.Limit, procs: job.Procs, lnProcs: lnProcs}
	t.keys[0] = c.o.key(foresightOrders[0].score(e, lnProcs))
	c.at[j] = int32(len(c.tries))
	c.tries = append(c.tries, t)
}

// run adds a running job; they come in order of their requested ends.
func (c *chooser) run(j model.JobID, number int64, start, until model.Time, procs int32) {
	place := int32(len(c.present))
	c.present = append(c.present, holder{until, procs})
	age, limit := float64(c.now-start), float64(until-start)
	at := c.draw(j, number, c.geo[j], c.sigma[j], limit)
	for s := range c.r.Scenarios {
		d := c.drawn.lasts[at+s]
		if age >= d {
			z := &c.drawn.again[at+s]
			if *z != *z {
				*z = c.normal(number, s+c.r.Scenarios)
			}
			d = min(float64(age*(1+float64(c.r.Stretch*math.Abs(*z)))), limit)
		}
		end := max(start+model.Time(math.Floor(d+0.5))-c.now, 1)
		c.ends[s] = append(c.ends[s], uint64(end)<<placeBits|uint64(place))
	}
}

// draws keeps what jobs draw in each scenario, since a job's numbers stay the same all
// its life: for those that the last choice saw.
type draws struct {
	slot   []int32 // by job: 1 + its slot, 0 none
	slots  []drawing
	unused []int32

	z, again, lasts []float64 // by slot × scenarios: normal numbers; those of a job that has outlived its draw, NaN before; seconds
}

type drawing struct {
	job               model.JobID
	geo, sigma, limit float64 // lasts uses them; geo NaN: nothing is drawn
	seen              bool    // in this choice
}

func (d *draws) reset(n int) {
	d.slot = resize(d.slot, n)
	clear(d.slot)
	d.slots, d.unused, d.z, d.again, d.lasts = d.slots[:0], d.unused[:0], d.z[:0], d.again[:0], d.lasts[:0]
}

// draw returns where in drawn.lasts it stands how long a job lasts.
func (c *chooser) draw(j model.JobID, number int64, geo, sigma, limit float64) int {
	d, n := &c.drawn, c.r.Scenarios
	if d.slot[j] == 0 {
		if k := len(d.unused); k > 0 {
			d.slot[j], d.unused = d.unused[k-1], d.unused[:k-1]
		} else {
			d.slots = append(d.slots, drawing{})
			d.slot[j] = int32(len(d.slots))
			for range n {
				d.z, d.again, d.lasts = append(d.z, 0), append(d.again, 0), append(d.lasts, 0)
			}
		}
		d.slots[d.slot[j]-1] = drawing{job: j, geo: math.NaN()}
		at := int(d.slot[j]-1) * n
		for s := range n {
			d.z[at+s], d.again[at+s] = c.normal(number, s), math.NaN()
		}
	}
	one, at := &d.slots[d.slot[j]-1], int(d.slot[j]-1)*n
	one.seen = true
	if one.geo != geo || one.sigma != sigma || one.limit != limit {
		one.geo, one.sigma, one.limit = geo, sigma, limit
		for s, z := range d.z[at : at+n] {
			d.lasts[at+s] = min(max(predict.Exp(geo+float64(sigma*z)), 1), limit)
		}
	}
	return at
}

// forget gives up the slots of jobs that this choice has not seen.
func (d *draws) forget() {
	for i := range d.slots {
		switch one := &d.slots[i]; {
		case one.seen:
			one.seen = false
		case one.job >= 0:
			d.slot[one.job], one.job = 0, -1
			d.unused = append(d.unused, int32(i+1))
		}
	}
}

// normal returns a standard normal number that belongs to a job and a scenario,
// by the polar method.
func (c *chooser) normal(number int64, s int) float64 {
	h := scramble(scramble(uint64(number)+uint64(c.r.Salt)<<40) + uint64(s))
	for {
		u := float64(float64(h>>11)/(1<<52)) - 1
		h = scramble(h)
		v := float64(float64(h>>11)/(1<<52)) - 1
		h = scramble(h)
		if r := float64(u*u) + float64(v*v); r > 0 && r < 1 {
			return float64(u * math.Sqrt(float64(-2*predict.Log(r))/r))
		}
	}
}

// scramble spreads the bits of a number (splitmix64; Steele, Lea and Flood 2014).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// choose returns the order to go by from now on.
func (c *chooser) choose(pulse *sim.Pulse) int {
	all := len(c.tries)
	c.cut()
	c.roll.prepare(c)
	for i := range c.lines {
		c.lines[i] = c.line(c.lines[i][:0], i, true)
		c.same[i] = i
		for k := i - 1; k >= 0; k-- {
			if slices.Equal(c.lines[k], c.lines[i]) {
				c.same[i] = k
			}
		}
	}
	for _, ends := range c.ends {
		slices.Sort(ends)
	}
	var costs [len(foresightOrders)]float64
	best, before := 0, c.order
	for i := range foresightOrders {
		most := math.Inf(1)
		if i > 0 && !c.Trace {
			most = min(costs[best], float64(costs[0]*(1-c.r.Better))) * (1 + 1e-9)
		}
		if k := c.same[i]; k < i {
			costs[i] = costs[k]
		} else {
			costs[i] = c.cost(i, most, pulse)
		}
		if i > 0 && costs[i] < costs[best] && costs[i] < float64(costs[0]*(1-c.r.Better)) {
			best = i
		}
	}
	c.roll.forget()
	c.order = best
	if c.Trace {
		c.Choices = append(c.Choices, Choice{At: c.now, Order: best, Costs: costs, Queue: all, Before: before})
	}
	return best
}

// cut leaves the first jobs of the queue by the first order, in backfill order.
func (c *chooser) cut() {
	if len(c.tries) > c.r.Depth {
		c.lines[0] = c.line(c.lines[0][:0], 0, true)
		c.take(c.lines[0][:c.r.Depth])
	}
	const last = len(foresightOrders)
	for i := range c.tries {
		t := &c.tries[i]
		for k := 1; k < last; k++ {
			t.keys[k] = c.o.key(foresightOrders[k].score(&t.Estimate, t.lnProcs))
		}
		t.keys[last] = c.o.key(t.Ln)
	}
	c.lines[0] = c.line(c.lines[0][:0], last, false)
	c.take(c.lines[0])
}

// take leaves the tries of a list, in its order.
func (c *chooser) take(list []int32) {
	c.spare = c.spare[:0]
	for k, i := range list {
		c.spare = append(c.spare, c.tries[i])
		c.at[c.tries[i].job] = int32(k)
	}
	c.tries, c.spare = c.spare, c.tries
}

// line sorts the tries by one of their keys; those that have waited for too long
// stand first, where that is asked for.
func (c *chooser) line(out []int32, key int, late bool) []int32 {
	flip := uint32(0) // ties go by job
	if c.o.Newest {
		flip = ^flip
	}
	c.packed = c.packed[:0]
	for i := range c.tries {
		t := &c.tries[i]
		if late && c.now-t.submit > c.o.Threshold {
			out = append(out, int32(i))
			continue
		}
		c.packed = append(c.packed, uint64(uint32(t.keys[key])^1<<31)<<32|uint64(uint32(t.job)^flip))
	}
	slices.SortFunc(out, func(x, y int32) int {
		a, b := &c.tries[x], &c.tries[y]
		return cmp.Or(cmp.Compare(a.submit, b.submit), cmp.Compare(uint32(a.job)^flip, uint32(b.job)^flip))
	})
	slices.Sort(c.packed)
	for _, p := range c.packed {
		out = append(out, c.at[uint32(p)^flip])
	}
	return out
}

// cost returns the mean cost of a candidate over the scenarios, or more than most
// where it is more than that. What is known of scenarios that have not been played is
// what the candidate had cost where it parted from the first, and that who waited then
// waits at least until then.
func (c *chooser) cost(i int, most float64, pulse *sim.Pulse) float64 {
	n := c.r.Scenarios
	c.still = resize(c.still, n)
	for s, still := n-1, 0.0; s >= 0; s-- {
		c.still[s] = still
		if i > 0 {
			still += c.roll.marks[s*len(foresightOrders)+i].least()
		}
	}
	total := 0.0
	for s := range n {
		if pulse != nil && !pulse.Beat(8*len(c.tries)) {
			return total
		}
		if i == 0 {
			total += c.roll.first(c, s)
		} else {
			total += c.roll.again(c, s, i, float64(most*float64(n))-total-c.still[s])
		}
		if total+c.still[s] > float64(most*float64(n)) {
			return (total + c.still[s]) / float64(n)
		}
	}
	return total / float64(n)
}
