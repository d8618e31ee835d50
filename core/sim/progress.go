package sim

import "batchlab/core/model"

// course estimates what share of its time a run is through. Jobs are no measure of
// that: one that ends while ten thousand wait may cost as much as all the jobs of a
// quiet month. So it learns within the run what a start has cost so far, alone and for
// each job that waited then, and assumes whatever promises least: the mean so
// far, the costs of late, the queue that stands there now, and the queues that are
// still to come. It looks at run times, which schedulers may not: nothing it says
// reaches them.
type course struct {
	began   float64 // on the clock
	w       *model.Workload
	procs   int // 0: users react, or the run goes on from its middle
	next    int // jobs submitted
	waiting int // of them

	looked  bool
	started int       // jobs that have started, at most so far
	queued  float64   // sum over them of the jobs that waited
	since   [2]window // over which starts are costed: of late, and just now
	ahead   []float64 // what the first i·stride starts weigh, each by the queue that stands behind it; empty: unknown
	stride  int
}

// window is what starts are costed over: from a mark on, and from another one on soon.
type window struct{ from, to mark }

// mark is a time on the clock and the jobs that had started then.
type mark struct {
	at      float64
	started int
}

const (
	courseTotal = 1 << 20 // what Options.Progress is told as the whole
	courseGrid  = 512     // points at which the queues to come are kept
	courseDoubt = .75     // what is added at the beginning, since queues may cost more than those so far, and where starts of late cost twice the mean
)

// courseSince is how long windows are at least, as a part of the time so far: a rush
// makes starts dear within moments, and what is dear for moments may be so again.
var courseSince = [...]float64{1. / 8, 1. / 32}

// foresee computes which queues are to come if the jobs ran one after the other, each
// on the whole machine. Each start weighs the jobs that wait then and a quarter of their
// mean, so that no part of the run weighs nothing.
func (c *course) foresee() {
	w, n := c.w, len(c.w.Jobs)
	c.stride = n/courseGrid + 1
	c.ahead = append(c.ahead[:0], 0)
	at, sum, k := 0.0, 0.0, 0
	for i := range w.Jobs {
		j := &w.Jobs[i]
		at = max(at, float64(j.Submit))
		for k = max(k, i+1); k < n && float64(w.Jobs[k].Submit) <= at; k++ {
		}
		if sum += float64(k - i); (i+1)%c.stride == 0 {
			c.ahead = append(c.ahead, sum)
		}
		at += float64(min(w.Truth[i].Run, j.Limit)) * float64(j.Procs) / float64(c.procs)
	}
	if n%c.stride > 0 {
		c.ahead = append(c.ahead, sum)
	}
	for i := range c.ahead {
		c.ahead[i] += sum / 4 * float64(min(i*c.stride, n)) / float64(max(1, n))
	}
}

// left estimates how long the run will still take in terms of how long it took so far,
// both on the clock; ok is false while nothing is known.
func (c *course) left(now float64) (spent, left float64, ok bool) {
	if !c.looked {
		c.looked = true
		for i := range c.since {
			c.since[i] = window{mark{at: c.began}, mark{at: c.began}}
		}
		if c.procs > 0 {
			c.foresee()
		}
	}
	if d := c.next - c.waiting - c.started; d > 0 {
		c.started += d
		c.queued += float64(d) * float64(max(1, c.waiting))
	}
	spent = now - c.began
	if c.started == 0 || spent <= 0 {
		return spent, 0, false
	}
	waiting, mean := float64(c.waiting), spent/float64(c.started)
	late := 0.0 // what a start has cost lately
	for i := range c.since {
		w := &c.since[i]
		if now-w.to.at > spent*courseSince[i] && c.started > w.to.started {
			w.from, w.to = w.to, mark{now, c.started}
		}
		late = max(late, (now-w.from.at)/float64(max(1, c.started-w.from.started)))
	}
	drain := waiting * max(mean, late, spent*waiting/2/c.queued)
	left = mean*float64(len(c.w.Jobs)-c.next) + drain
	if len(c.ahead) > 0 {
		i, end := c.started/c.stride, len(c.ahead)-1
		done := c.ahead[i]
		if i < end {
			done += (c.ahead[i+1] - done) * float64(c.started%c.stride) / float64(c.stride)
		}
		left = max(left, spent*(c.ahead[end]-done)/done)
	}
	return spent, left * (1 + courseDoubt*(1-float64(c.started)/float64(len(c.w.Jobs))+min(1, max(0, late/mean-1)))), true
}

// known is the size of the machine, 0 where it is not known which jobs will come.
func known(o *Options, p *model.Platform) int {
	if o.Source != nil {
		return 0
	}
	return p.Procs()
}

// share is how far the run is, as a share of its time: of courseTotal.
func (c *course) share(now float64) int {
	spent, left, ok := c.left(now)
	if !ok {
		return 0
	}
	return min(courseTotal, int(courseTotal*spent/(spent+left)))
}
