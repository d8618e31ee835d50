package plan

import (
	"batchlab/core/model"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// climb is the order of a schedule, for search.Climb. What comes before the first
// of two jobs that change places is placed once for all of its swaps; where that
// alone makes the others end too late, no swap is looked at; a candidate is dropped
// as soon as a job ends too late, or as the rest can no longer end earlier than in
// the order as it is. The climb takes the same way as one that computes every
// value (TestClimbAgreesWithPlain).
type climb struct {
	hill   *Hill
	v      *sim.View
	jobs   []model.JobID
	placer placer
	mark   int       // jobs in front that the placer's mark holds; −1: there is none
	marked outcome   // of them
	tail   []outcome // by place in the order as it is, of the jobs from there on; empty: not known
	later  bool      // who is placed later ends no earlier: not so where nodes differ in speed, or something is taken later on, which may put off who is placed first
	own    bool      // the placer tells the pulse itself, since it is slow
	placed int       // jobs, since the pulse was told
	told   []swap    // exchanges that were kept
	notes  bool      // they are told
}

// swap is an exchange of two jobs, and the value of the order that it makes.
type swap struct {
	a, b  model.JobID
	value int64
}

// placer places jobs one after the other.
type placer interface {
	clear()                      // nothing but what runs
	place(j model.JobID) outcome // the next one: when it ends, and how late
	look(j model.JobID) outcome  // the same without placing it; only behind save
	alike(j, k model.JobID) bool // placing one is placing the other
	save()                       // remembers the state
	load()                       // goes back to it
	note(n int)                  // remembers the state by a number; numbers count up from 0
	noBetter(n int) bool         // nothing placed now could end earlier than in the state of a number
}

// outcome is the end of jobs, in seconds from now, and their weighted tardiness.
type outcome struct {
	last model.Time
	late int64
}

func (o *outcome) add(x outcome) {
	o.last = max(o.last, x.last)
	o.late += x.late
}

// newClimb prepares to improve an order of jobs beside those that run.
func newClimb(h *Hill, v *sim.View, running, jobs []model.JobID) *climb {
	c := &climb{hill: h, v: v, jobs: jobs, mark: -1}
	h.site.present(v, running)
	c.later = !v.Site.Platform.PowerScales && !h.site.ahead
	switch {
	case h.counts.present(h, v, jobs):
		c.placer = &h.counts
	case h.cores.present(h, v, jobs):
		c.placer = &h.cores
	default:
		h.nodes.present(h, v, jobs)
		c.placer, c.own = &h.nodes, true
	}
	return c
}

// begin is the outcome of what runs.
func (c *climb) begin() outcome { return outcome{last: c.hill.site.last - c.v.Now} }

// value is the makespan, of the jobs that run, too, from now on: their starts
// differ by now's distance from the beginning alone. With the tardiness as
// objective it is the second criterion.
func (c *climb) value(o outcome) int64 {
	if c.hill.o.Tardiness {
		return o.late<<20 + min(int64(o.last)>>4, 1<<20-1)
	}
	return int64(o.last)
}

func (c *climb) Len() int { return len(c.jobs) }

func (c *climb) Swap(i, k int) {
	c.jobs[i], c.jobs[k] = c.jobs[k], c.jobs[i]
	c.mark, c.tail = -1, c.tail[:0]
	if c.notes && len(c.told) < mostMoves {
		c.told = append(c.told, swap{c.jobs[k], c.jobs[i], c.Value()})
	}
}

// Value is that of the order as it is.
func (c *climb) Value() int64 {
	c.mark, c.tail = -1, c.tail[:0]
	c.placer.clear()
	o := c.begin()
	for _, j := range c.jobs {
		if c.stopped() {
			break
		}
		o.add(c.placer.place(j))
	}
	c.placed += len(c.jobs)
	return c.value(o)
}

// stopped says whether the run is to end, while a slow placer is at work.
func (c *climb) stopped() bool { return c.own && !c.v.Pulse.Beat(0) }

// follow places the order as it is and notes on the way what becomes of it.
func (c *climb) follow() {
	c.placer.clear()
	c.placed += len(c.jobs)
	for n, j := range c.jobs {
		if c.stopped() {
			return
		}
		c.placer.note(n)
		c.tail = append(c.tail, c.placer.place(j))
	}
	c.tail = append(c.tail, outcome{})
	for n := len(c.jobs) - 1; n >= 0; n-- {
		c.tail[n].add(c.tail[n+1])
	}
}

var _ search.Bounded = (*climb)(nil)

// Open says whether the jobs before i leave a chance: each job behind them ends
// no earlier than if it came next.
func (c *climb) Open(i int, limit int64) bool {
	c.goTo(i)
	if c.over(len(c.jobs)) {
		return false
	}
	least := c.marked
	for _, j := range c.jobs[i:] {
		if c.value(least) >= limit {
			return false
		}
		if c.later {
			least.add(c.placer.look(j))
		}
	}
	return c.value(least) < limit
}

// over says whether the run is to end, after so many more jobs were looked at.
func (c *climb) over(jobs int) bool {
	steps := c.placed + jobs
	c.placed = 0
	return !c.v.Pulse.Beat(steps)
}

// goTo places what comes before i.
func (c *climb) goTo(i int) {
	if len(c.tail) == 0 {
		c.follow()
	}
	switch {
	case c.mark < 0 || c.mark > i:
		c.placer.clear()
		c.mark, c.marked = 0, c.begin()
	case c.mark == i:
		return
	default:
		c.placer.load()
	}
	c.placed += i - c.mark
	for ; c.mark < i && !c.stopped(); c.mark++ {
		c.marked.add(c.placer.place(c.jobs[c.mark]))
	}
	c.placer.save()
}

// Swapped places the jobs from i on with i and k exchanged.
func (c *climb) Swapped(i, k int, limit int64) int64 {
	if c.over(1) || c.placer.alike(c.jobs[i], c.jobs[k]) {
		return limit
	}
	c.goTo(i)
	c.placer.load()
	o := c.marked
	next := k // where to look whether the rest could become better
	for at := i; at < len(c.jobs); at++ {
		j := c.jobs[at]
		switch at {
		case i:
			j = c.jobs[k]
		case k:
			j = c.jobs[i]
		}
		o.add(c.placer.place(j))
		c.placed++
		if c.value(o) >= limit {
			return limit
		}
		if at == next && at+1 < len(c.jobs) {
			least := o
			least.add(c.tail[at+1])
			if c.value(least) >= limit && c.placer.noBetter(at+1) {
				return limit
			}
			next += 1 + (at - k)
		}
	}
	return c.value(o)
}

// late returns the weighted tardiness of a job that ends at a time.
func (h *Hill) late(v *sim.View, j model.JobID, end model.Time) int64 {
	if !h.o.Tardiness || v.Due == nil || v.Due[j] <= 0 || end <= v.Due[j] {
		return 0
	}
	d := v.Demand(j)
	if d == nil || d.Due == 0 { // withdrawn: it is given up, and had no deadline
		return 0
	}
	weight := 1.0
	if d.Weight > 0 {
		weight = d.Weight
	}
	return int64(float64(weight * float64(end-v.Due[j])))
}
