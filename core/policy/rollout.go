package policy

import (
	"math"
	"slices"

	"batchlab/core/model"
	"batchlab/core/predict"
	"batchlab/core/sim"
)

// RolloutOptions are the constants by which foresight chooses its queue order.
type RolloutOptions struct {
	Interval  model.Time // seconds between two choices, at least
	Better    float64    // by what share another order than the first must cost less
	Depth     int        // jobs of the queue that are tried, the first by the first order
	Scenarios int
	Spread    float64 // of a job's run times: σ² = Spread · ln(E ÷ G)
	Stretch   float64 // a job that outlives its draw goes on for Stretch · |z| of its age
	Salt      int64   // of the hash from which the scenarios' numbers come
}

// RolloutDefaults returns the constants as the study froze them.
func RolloutDefaults() RolloutOptions {
	return RolloutOptions{Interval: 600, Better: 0.01, Depth: 100, Scenarios: 8, Spread: 2, Stretch: 0.7, Salt: 62}
}

// foresightOrder is a queue order that rollouts may choose: ascending by the score.
type foresightOrder struct {
	name  string
	power float64 // of q beside p̂
	heavy bool    // E · H in the place of p̂
}

// foresightOrders in the sequence in which they are tried; the first is foresight's own.
var foresightOrders = [...]foresightOrder{{"p̂ q", 1, false}, {"p̂ √q", 0.5, false}, {"p̂ q^1.5", 1.5, false}, {"p̂", 0, false}, {"E·H·q", 1, true}}

// Candidates name the orders among which rollouts choose.
func Candidates() (names []string) {
	for _, c := range foresightOrders {
		names = append(names, c.name)
	}
	return names
}

// score returns the logarithm of what a candidate sorts by.
func (c *foresightOrder) score(e *predict.Estimate, lnProcs float64) float64 {
	if c.heavy {
		return e.LnMean - e.LnSlow + lnProcs
	}
	return e.Ln + float64(c.power*lnProcs)
}

// Choice is what rollouts chose at an instant.
type Choice struct {
	At     model.Time
	Order  int                           // index of Candidates
	Costs  [len(foresightOrders)]float64 // of each: predicted slowdown still to come, in total
	Queue  int                           // jobs that waited
	Before int                           // the order until then
}

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
	lines   [len(foresightOrders)][]int32 // tries in the order of each candidate
	behind  []int32                       // in backfill order
	present []holder                      // running jobs by requested end
	lasting []model.Time
	ends    []model.Time // of running jobs by scenario
	roll    rollout
}

// tried is a waiting job in rollouts.
type tried struct {
	job      model.JobID
	number   int64
	submit   model.Time
	limit    model.Time
	procs    int32
	slow     float64
	geo, sig float64
	keys     [len(foresightOrders) + 1]int32 // the last of backfilling
}

// holder is a running job in rollouts.
type holder struct {
	job   model.JobID
	procs int32
	until model.Time // requested end
}

func (c *chooser) reset(o *ForesightOptions, n int) {
	c.o, c.r = o, o.Rollout
	c.chosen, c.order, c.Choices = false, 0, nil
	c.geo, c.sigma = resize(c.geo, n), resize(c.sigma, n)
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
	c.tries, c.present, c.ends = c.tries[:0], c.present[:0], c.ends[:0]
}

// wait adds a waiting job.
func (c *chooser) wait(j model.JobID, job *model.Job, e *predict.Estimate, lnProcs float64) {
	t := tried{job: j, number: job.Number, submit: job.Submit, limit: job.Limit, procs: job.Procs, slow: e.Slow, geo: e.LnGeo, sig: c.spread(e)}
	for i := range foresightOrders {
		t.keys[i] = c.o.key(foresightOrders[i].score(e, lnProcs))
	}
	t.keys[len(foresightOrders)] = c.o.key(e.Ln)
	c.tries = append(c.tries, t)
}

// run adds a running job; they come in order of their requested ends.
func (c *chooser) run(j model.JobID, number int64, start, until model.Time, procs int32) {
	c.present = append(c.present, holder{j, procs, until})
	age := float64(c.now - start)
	limit := float64(until - start)
	for s := range c.r.Scenarios {
		d := min(max(predict.Exp(c.geo[j]+float64(c.sigma[j]*c.normal(number, s))), 1), limit)
		if age >= d {
			d = min(float64(age*(1+float64(c.r.Stretch*math.Abs(c.normal(number, s+c.r.Scenarios))))), limit)
		}
		c.ends = append(c.ends, max(start+model.Time(math.Floor(d+0.5)), c.now+1))
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
	for i := range c.lines {
		c.lines[i] = c.line(c.lines[i][:0], i, true)
	}
	c.behind = c.line(c.behind[:0], len(foresightOrders), false)
	c.lasting = c.lasting[:0]
	for i := range c.tries {
		t := &c.tries[i]
		limit := float64(t.limit)
		for s := range c.r.Scenarios {
			d := min(max(predict.Exp(t.geo+float64(t.sig*c.normal(t.number, s))), 1), limit)
			c.lasting = append(c.lasting, max(1, model.Time(math.Floor(d+0.5))))
		}
	}
	var costs [len(foresightOrders)]float64
	best, before := 0, c.order
	for i := range foresightOrders {
		most := math.Inf(1)
		if i > 0 && !c.Trace {
			most = min(costs[best], float64(costs[0]*(1-c.r.Better))) * (1 + 1e-9)
		}
		costs[i] = c.cost(i, costs[:i], most, pulse)
		if i > 0 && costs[i] < costs[best] && costs[i] < float64(costs[0]*(1-c.r.Better)) {
			best = i
		}
	}
	c.order = best
	if c.Trace {
		c.Choices = append(c.Choices, Choice{At: c.now, Order: best, Costs: costs, Queue: all, Before: before})
	}
	return best
}

// cut leaves the first jobs of the queue by the first order.
func (c *chooser) cut() {
	if len(c.tries) <= c.r.Depth {
		return
	}
	line := c.line(nil, 0, true)[:c.r.Depth]
	kept := make([]tried, 0, c.r.Depth)
	for _, i := range line {
		kept = append(kept, c.tries[i])
	}
	c.tries = append(c.tries[:0], kept...)
}

// line sorts the tries by one of their keys; those that have waited for too long
// stand first, where that is asked for.
func (c *chooser) line(out []int32, key int, late bool) []int32 {
	for i := range c.tries {
		out = append(out, int32(i))
	}
	old := func(t *tried) bool { return late && c.now-t.submit > c.o.Threshold }
	slices.SortFunc(out, func(x, y int32) int {
		a, b := &c.tries[x], &c.tries[y]
		if p, q := old(a), old(b); p || q {
			switch {
			case p != q:
				if p {
					return -1
				}
				return 1
			case a.submit != b.submit:
				if a.submit < b.submit {
					return -1
				}
				return 1
			}
		} else if a.keys[key] != b.keys[key] {
			if a.keys[key] < b.keys[key] {
				return -1
			}
			return 1
		}
		if (a.job < b.job) != c.o.Newest {
			return -1
		}
		return 1
	})
	return out
}

// cost returns the mean cost of a candidate over the scenarios, or more than most
// where it is more than that. A candidate with the order of one before it costs
// the same.
func (c *chooser) cost(i int, known []float64, most float64, pulse *sim.Pulse) float64 {
	for k := range known {
		if slices.Equal(c.lines[k], c.lines[i]) {
			return known[k]
		}
	}
	total := 0.0
	n := float64(c.r.Scenarios)
	for s := range c.r.Scenarios {
		if pulse != nil && !pulse.Beat(8*len(c.tries)) {
			return total
		}
		total += c.roll.run(c, s, c.lines[i], float64(most*n)-total)
		if total > float64(most*n) {
			break
		}
	}
	return total / n
}

// placeBits are those of a place in rollout.runs.
const placeBits = 24

// asking is what a try asks for, as the walk over those that may backfill reads it:
// one stretch of memory from end to end.
type asking struct {
	limit     model.Time
	procs, at int32 // at: its place in tries
}

// rollout plays EASY backfilling until all jobs have started.
type rollout struct {
	ends  sim.Heap // actual ends: (end − now) << placeBits | place in runs
	runs  []holder // all that run or ran; job is not used
	until []int32  // those that run, by requested end: places in runs
	side  []asking // those that may wait, in backfill order
	gone  []bool
}

// run returns the cost of a scenario, or more than most where it is more.
func (r *rollout) run(c *chooser, s int, order []int32, most float64) float64 {
	n := c.r.Scenarios
	r.runs = append(r.runs[:0], c.present...)
	r.until, r.ends = r.until[:0], r.ends[:0]
	for i := range r.runs {
		r.until = append(r.until, int32(i))
		r.ends.Push(uint64(c.ends[i*n+s]-c.now)<<placeBits | uint64(i))
	}
	r.side = r.side[:0]
	for _, i := range c.behind {
		r.side = append(r.side, asking{c.tries[i].limit, c.tries[i].procs, i})
	}
	r.gone = resize(r.gone, len(c.tries))
	clear(r.gone)
	cost, weight := 0.0, 0.0 // of those that have started; weight of those that wait
	least := int32(math.MaxInt32)
	for i := range c.tries {
		weight += c.tries[i].slow
		least = min(least, c.tries[i].procs)
	}
	left, free, at, head := len(c.tries), c.free, model.Time(0), 0
	begin := func(i int32) {
		t := &c.tries[i]
		cost += float64(t.slow * float64(at))
		weight -= t.slow
		free -= t.procs
		left--
		r.gone[i] = true
		place := int32(len(r.runs))
		until := at + c.now + t.limit
		r.runs = append(r.runs, holder{t.job, t.procs, until})
		lo, hi := 0, len(r.until)
		for lo < hi {
			if mid := int(uint(lo+hi) >> 1); r.runs[r.until[mid]].until <= until {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		r.until = append(r.until, 0)
		copy(r.until[lo+1:], r.until[lo:])
		r.until[lo] = place
		r.ends.Push(uint64(at+c.lasting[int(i)*n+s])<<placeBits | uint64(place))
	}
	for {
		if least <= free {
			for head < len(order) && (r.gone[order[head]] || c.tries[order[head]].procs <= free) {
				if i := order[head]; !r.gone[i] {
					begin(i)
				}
				head++
			}
			if left == 0 {
				return cost
			}
			shadow, extra := r.shadow(free, c.tries[order[head]].procs)
			slack := shadow - c.now - at
			least = math.MaxInt32
			n, side := 0, r.side
			for k := range side {
				t := side[k]
				if t.procs <= free && !r.gone[t.at] {
					if t.limit <= slack {
						begin(t.at)
					} else if t.procs <= extra {
						extra -= t.procs
						begin(t.at)
					}
				}
				if r.gone[t.at] {
					continue
				}
				least = min(least, t.procs)
				side[n] = t
				n++
			}
			r.side = side[:n]
		}
		next := r.ends[0] >> placeBits
		if at = model.Time(next); cost+float64(weight*float64(at)) > most {
			return cost + float64(weight*float64(at))
		}
		for len(r.ends) > 0 && r.ends[0]>>placeBits == next {
			place := int32(r.ends[0] & (1<<placeBits - 1))
			r.ends.Pop()
			free += r.runs[place].procs
			k := slices.Index(r.until, place)
			r.until = append(r.until[:k], r.until[k+1:]...)
		}
	}
}

// shadow is running.shadow.
func (r *rollout) shadow(free, procs int32) (at model.Time, extra int32) {
	for _, place := range r.until {
		one := &r.runs[place]
		if free >= procs && one.until > at {
			break
		}
		at = one.until
		free += one.procs
	}
	return at, free - procs
}
