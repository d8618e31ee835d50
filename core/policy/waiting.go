package policy

import (
	"cmp"
	"math/bits"
	"slices"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// ordering is an order of waiting jobs on any platform. In one that never changes
// a job has a rank, the smaller first. In any other it has a score, the greater
// first, that holds for one instant; what is known of how scores change spares
// looking at all jobs at each instant (see peak).
type ordering interface {
	// Reset prepares for a new simulation, before any job has come.
	Reset(v *sim.View)
	// Admit is called once at each instant, before anything is asked of the jobs
	// that have been submitted then.
	Admit(v *sim.View)
	// Rank returns a job's place; ok is false in an order that changes.
	Rank(j model.JobID) (rank int32, ok bool)
	// weigh returns the score of a job now. With a peak it notes there how fast
	// the score may rise.
	weigh(v *sim.View, j model.JobID, p *peak) float64
	// bound returns a number that no score now exceeds that a peak stands for.
	bound(v *sim.View, p *peak) float64
	// before says whether job a with score x stands before job b with score y.
	before(x float64, a model.JobID, y float64, b model.JobID) bool
}

// peak is what an order that changes knows of some jobs: the greatest of their
// scores at a time, and how much greater it may be later.
type peak struct {
	known bool
	jobs  int        // how many
	most  float64    // greatest score
	at    model.Time // when it was
	rise  float64    // by which any of the scores may grow a second, at most
	size  float64    // of the numbers that were added up

	// Of priorities: how much each licence may have risen up to then, the most
	// licences of a job, the least and the shortest request.
	risen           float64
	licences        int32
	least, shortest model.Time
}

// line holds the jobs that wait for a scheduler on any platform, in blocks whose
// bounds spare looking at each of them. They stand there in the backfill order
// where it never changes; else like beside like, so that bounds say most.
type line struct {
	first, behind ordering // the primary order and that of backfilling; the same, or each for itself

	queue  queue
	here   []bool   // by job: it waits
	ranks  []int32  // by job, where backfilling has no ranks: its place by processors and licences
	places []int32  // the same by index in View.Pool, where users react
	heap   sim.Heap // primary rank << 32 | job, where there are such ranks; holds jobs that are gone
	dues   sim.Heap // due time << shift | job, of jobs that are stopped then; holds jobs that are gone
	shift  int
	late   []model.JobID
	oldest model.JobID // no job before it waits
	last   model.JobID // that had the greatest score; −1: none
	odd    int         // jobs whose request alone does not say when they end

	ranked, settled bool // the primary order, that of backfilling never changes
	same            bool // they are one
	shape           ranker
	tops            bounded // scratch
}

// reached is a block and a bound for the scores of its jobs.
type reached struct {
	bound float64
	block int32
	procs int32  // least processors of a job
	jobs  uint64 // of those that wait for what has changed
}

// bounded is a heap of blocks, the one with the greatest bound on top.
type bounded []reached

// build makes a heap of what stands in the slice.
func (h bounded) build() {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
}

func (h bounded) down(i int) {
	one := h[i]
	for child := 2*i + 1; child < len(h); child = 2*i + 1 {
		if child+1 < len(h) && h[child+1].bound > h[child].bound {
			child++
		}
		if h[child].bound <= one.bound {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = one
}

// keep drops all others.
func (h *bounded) keep(which func(*reached) bool) {
	n := 0
	for i := range *h {
		if one := &(*h)[i]; which(one) {
			(*h)[n] = *one
			n++
		}
	}
	*h = (*h)[:n]
	h.build()
}

// pop takes out the block with the greatest bound.
func (h *bounded) pop() reached {
	s := *h
	first, n := s[0], len(s)-1
	s[0] = s[n]
	if *h = s[:n]; n > 0 {
		h.down(0)
	}
	return first
}

// candidate is a job that fits, and its score.
type candidate struct {
	score float64
	job   model.JobID
	block int32
}

// candidates is a heap of jobs that fit, the first of them in an order on top.
type candidates struct {
	order ordering
	list  []candidate
}

func (c *candidates) before(a, b candidate) bool {
	return c.order.before(a.score, a.job, b.score, b.job)
}

func (c *candidates) push(one candidate) {
	c.list = append(c.list, one)
	c.up(len(c.list)-1, one)
}

func (c *candidates) up(i int, one candidate) {
	for i > 0 && c.before(one, c.list[(i-1)/2]) {
		c.list[i] = c.list[(i-1)/2]
		i = (i - 1) / 2
	}
	c.list[i] = one
}

// keep drops all others.
func (c *candidates) keep(which func(candidate) bool) {
	n := 0
	for _, one := range c.list {
		if which(one) {
			c.list[n] = one
			c.up(n, one)
			n++
		}
	}
	c.list = c.list[:n]
}

func (c *candidates) pop() candidate {
	first, n := c.list[0], len(c.list)-1
	one := c.list[n]
	c.list = c.list[:n]
	i := 0
	for child := 1; child < n; child = 2*i + 1 {
		if child+1 < n && c.before(c.list[child+1], c.list[child]) {
			child++
		}
		if !c.before(c.list[child], one) {
			break
		}
		c.list[i] = c.list[child]
		i = child
	}
	if n > 0 {
		c.list[i] = one
	}
	return first
}

func (l *line) reset(v *sim.View) {
	l.first.Reset(v)
	if l.same = l.behind == l.first; !l.same {
		l.behind.Reset(v)
	}
	if len(v.Jobs) > 0 {
		_, l.ranked = l.first.Rank(0)
		_, l.settled = l.behind.Rank(0)
	}
	l.queue.reset(v.Jobs)
	l.here = resize(l.here, len(v.Jobs))
	clear(l.here)
	l.heap, l.dues, l.oldest, l.last, l.odd = l.heap[:0], l.dues[:0], 0, -1, 0
	l.shift = bits.Len(uint(len(v.Jobs)))
	if l.settled {
		return
	}
	l.ranks = resize(l.ranks, len(v.Jobs))
	jobs, ranks := v.Jobs, l.ranks
	if v.Pool != nil {
		l.places = resize(l.places, len(v.Pool))
		jobs, ranks = v.Pool, l.places
	}
	l.shape.rankBy(ranks, jobs, func(j *model.Job) uint64 {
		k := uint64(j.Procs) << 16
		if j.Demand > 0 {
			k |= uint64(len(v.Demands[j.Demand-1].Licences))
		}
		return k
	})
}

// rank returns a job's place in the queue.
func (l *line) rank(j model.JobID) int32 {
	if l.settled {
		rank, _ := l.behind.Rank(j)
		return rank
	}
	return l.ranks[j]
}

// admit takes note of the jobs that have been submitted now.
func (l *line) admit(v *sim.View) {
	if v.Arrived == v.Next {
		return
	}
	l.first.Admit(v)
	if !l.same {
		l.behind.Admit(v)
	}
	if !l.settled && v.Pool != nil {
		for j := v.Arrived; j < v.Next; j++ {
			l.ranks[j] = l.places[v.Origin[j]]
		}
	}
}

// add puts a job into the line and returns its block.
func (l *line) add(v *sim.View, j model.JobID) int32 {
	l.here[j] = true
	l.oldest = min(l.oldest, j)
	at := l.queue.add(enqueue(l.rank(j), j))
	if l.ranked && !l.same {
		rank, _ := l.first.Rank(j)
		l.heap.Push(uint64(rank)<<32 | uint64(j))
	}
	if v.Done[j] > 0 || v.Kills(j) {
		l.odd++
		if v.Kills(j) {
			l.dues.Push(uint64(min(v.Due[j], 1<<(63-l.shift)-1))<<l.shift | uint64(j))
		}
	}
	return at
}

// gone notes that a job was taken out of the queue.
func (l *line) gone(v *sim.View, j model.JobID) {
	l.here[j] = false
	if v.Done[j] > 0 || v.Kills(j) {
		l.odd--
	}
}

// short bounds how long a job requests that may end within a time:
// model.Never where requests say nothing of it.
func (l *line) short(v *sim.View, within model.Time) model.Time {
	if l.odd > 0 || within > 1<<40 {
		return model.Never
	}
	if v.Site.Platform.PowerScales {
		return model.Time(float64(within+1)*max(1, v.Site.Nodes[0].Speed)) + 1
	}
	return within
}

// expired returns the jobs that would be stopped at their due time, which has
// come, in order of submission. They stay in the line.
func (l *line) expired(v *sim.View) []model.JobID {
	l.late = l.late[:0]
	for _, j := range v.Gone {
		if l.here[j] {
			l.late = append(l.late, j)
			if d := v.Demand(j); v.Done[j] == 0 && (d == nil || d.Due == 0 || d.OnDue != model.DueKill) {
				l.odd++ // it did not count when it was added, and will when it is gone
			}
		}
	}
	for len(l.dues) > 0 && model.Time(l.dues[0]>>l.shift) <= v.Now {
		if j := model.JobID(l.dues[0] & (1<<l.shift - 1)); l.here[j] && !slices.Contains(v.Gone, j) {
			l.late = append(l.late, j)
		}
		l.dues.Pop()
	}
	slices.Sort(l.late)
	l.late = slices.Compact(l.late) // who has waited twice stands there twice
	return l.late
}

// eldest returns the job that was submitted first, of several by ties.
func (l *line) eldest(v *sim.View, newest bool) model.JobID {
	for !l.here[l.oldest] {
		l.oldest++
	}
	j := l.oldest
	if newest {
		for k := j + 1; k < v.Next && v.Jobs[k].Submit == v.Jobs[j].Submit; k++ {
			if l.here[k] {
				j = k
			}
		}
	}
	return j
}

// top returns the job that stands first in the primary order; one waits.
func (l *line) top(v *sim.View) model.JobID {
	switch {
	case !l.ranked:
		return l.greatest(v)
	case l.same:
		return l.queue.first().job()
	}
	for !l.here[uint32(l.heap[0])] {
		l.heap.Pop()
	}
	return model.JobID(uint32(l.heap[0]))
}

// greatest returns the job with the greatest score. It looks into the block that had
// it last first, then into those that may exceed what was found.
func (l *line) greatest(v *sim.View) model.JobID {
	q := &l.queue
	at := q.bounds[0].block
	if j := l.last; j >= 0 && l.here[j] {
		if i := q.bounds[q.find(l.rank(j))].block; l.bound(v, &q.blocks[i]) < infinite {
			at = i
		}
	}
	best, most := l.look(v, &q.blocks[at])
	l.tops = l.tops[:0]
	for pos := range q.bounds {
		if i := q.bounds[pos].block; i != at {
			if x := l.bound(v, &q.blocks[i]); x >= most {
				l.tops = append(l.tops, reached{bound: x, block: i})
			}
		}
	}
	for l.tops.build(); len(l.tops) > 0 && l.tops[0].bound >= most; { // the greatest first spares most of the others
		if j, x := l.look(v, &q.blocks[l.tops.pop().block]); l.first.before(x, j, most, best) {
			best, most = j, x
		}
	}
	l.last = best
	return best
}

// bound returns what no score in a block exceeds.
func (l *line) bound(v *sim.View, b *block) float64 {
	if !b.peak.known {
		return infinite
	}
	return l.first.bound(v, &b.peak)
}

// look returns the job of a block with the greatest score, and makes its bound
// tight.
func (l *line) look(v *sim.View, b *block) (best model.JobID, most float64) {
	best = -1
	b.peak = peak{known: true, at: v.Now, shortest: model.Never}
	for _, w := range b.jobs[b.lo:b.hi] {
		j := w.job()
		x := l.first.weigh(v, j, &b.peak)
		b.peak.jobs++
		if best < 0 || l.first.before(x, j, most, best) {
			best, most = j, x
		}
	}
	b.peak.most = most
	return best, most
}

// inOrder puts a few jobs into the order of backfilling.
func (l *line) inOrder(v *sim.View, jobs []model.JobID) []model.JobID {
	if l.settled {
		slices.SortFunc(jobs, func(a, b model.JobID) int { return cmp.Compare(l.rank(a), l.rank(b)) })
		return jobs
	}
	slices.SortFunc(jobs, func(a, b model.JobID) int {
		if l.behind.before(l.behind.weigh(v, a, nil), a, l.behind.weigh(v, b, nil), b) {
			return -1
		}
		return 1
	})
	return jobs
}
