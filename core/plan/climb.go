package plan

import (
	"math"

	"batchlab/core/model"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// climb is the order of a schedule, for search.Climb. What comes before the first
// of two jobs that change places is placed once for all of its swaps, a candidate
// is dropped as soon as a job ends too late, and where the makespan is one that no
// order can do without, no swap is looked at. The climb takes the same way as one
// that works out every value (TestClimbAgreesWithPlain).
type climb struct {
	hill   *Hill
	v      *sim.SiteView
	jobs   []model.JobID
	placer placer
	mark   int     // jobs in front that the placer's mark holds; −1: there is none
	marked outcome // of them
	floor  int64
}

// placer places jobs one after the other.
type placer interface {
	clear()                      // nothing but what runs
	place(j model.JobID) outcome // the next one: when it ends, and how late
	save()                       // remembers the state
	load()                       // goes back to it
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
func newClimb(h *Hill, v *sim.SiteView, running, jobs []model.JobID) *climb {
	c := &climb{hill: h, v: v, jobs: jobs, mark: -1, floor: math.MinInt64}
	h.site.present(v, running)
	if h.counts.present(h, v, jobs) {
		c.placer = &h.counts
	} else {
		h.nodes.hill, h.nodes.v = h, v
		c.placer = &h.nodes
	}
	if v.Site.Platform.PowerScales {
		return c // a later start may mean an earlier end
	}
	least := c.begin()
	for _, j := range jobs { // each as if it came first
		c.placer.clear()
		least.add(c.placer.place(j))
	}
	c.floor = c.value(least)
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
	c.mark = -1
}

// Value is that of the order as it is.
func (c *climb) Value() int64 {
	c.mark = -1
	c.placer.clear()
	o := c.begin()
	for _, j := range c.jobs {
		o.add(c.placer.place(j))
	}
	return c.value(o)
}

var _ search.Bounded = (*climb)(nil)

// Floor returns what no order goes below: each job ends no earlier behind others
// than as the first, except where nodes differ in speed.
func (c *climb) Floor() int64 { return c.floor }

// Open says whether the jobs before i leave a chance.
func (c *climb) Open(i int, limit int64) bool {
	if c.mark < 0 || c.mark > i {
		c.placer.clear()
		c.mark, c.marked = 0, c.begin()
	} else {
		c.placer.load()
	}
	for ; c.mark < i; c.mark++ {
		c.marked.add(c.placer.place(c.jobs[c.mark]))
	}
	c.placer.save()
	return c.value(c.marked) < limit
}

// Swapped places the jobs from i on with i and k exchanged.
func (c *climb) Swapped(i, k int, limit int64) int64 {
	if c.mark != i {
		c.Open(i, limit)
	}
	c.placer.load()
	o := c.marked
	for at := i; at < len(c.jobs); at++ {
		j := c.jobs[at]
		switch at {
		case i:
			j = c.jobs[k]
		case k:
			j = c.jobs[i]
		}
		o.add(c.placer.place(j))
		if c.value(o) >= limit {
			return limit
		}
	}
	return c.value(o)
}

// late returns the weighted tardiness of a job that ends at a time.
func (h *Hill) late(v *sim.SiteView, j model.JobID, end model.Time) int64 {
	if !h.o.Tardiness || v.Due == nil || v.Due[j] <= 0 || end <= v.Due[j] {
		return 0
	}
	weight := 1.0
	if d := v.Demand(j); d.Weight > 0 {
		weight = d.Weight
	}
	return int64(float64(weight * float64(end-v.Due[j])))
}
