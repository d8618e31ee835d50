package react

import (
	"math/bits"
	"strconv"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// Agents are the users of a Behaviour while it is simulated, one for each. An
// agent submits its batches one after the other. The first one comes when the
// log says; each other one when all jobs that it depends on have ended and the
// user has thought, as long as in the log or as long as drawn, and not before
// the last submission of the batch before it. Within a batch, jobs follow each
// other as in the log.
//
// It is a sim.Source: a simulation costs a heap operation for each group of
// jobs that are submitted together.
type Agents struct {
	b     *Behaviour
	base  model.Time
	shift int

	heap  sim.Heap // batches under way: time of the next job, batch
	state []course // by batch
	turns []turn   // jobs, batch by batch
	next  []int32  // by job: the batch that depends on it, none, or several: those of Behaviour.edges
}

// Of Agents.next, beside batches.
const (
	none    = -1
	several = -2
)

// turn is a job of a batch, and how long after the batch's first it comes.
type turn struct {
	offset model.Time
	job    int32
}

// course is how far a batch has come, with all that is asked of it on the way in
// one place.
type course struct {
	ready   model.Time // latest end of a parent so far
	release model.Time // when it is submitted, or was; before that is known, not before this
	gap     model.Time // think time or break, or, without parents, the submission in the log
	span    model.Time // from its submission to the earliest of the batch behind it
	waits   int32      // parents that have not ended, and one for the batch before it
	cursor  int32      // next job, of Agents.turns
	to      int32      // the end of its jobs there
	depends bool       // on the end of a job
	last    bool       // of its user
}

var _ sim.Source = (*Agents)(nil)

// fewest is how many think times of its own a user needs to draw from them;
// with fewer, they are drawn from those of all users.
const fewest = 5

// NewAgents returns the users of a repetition. Only drawn think times depend
// on seed and repetition: each user has a stream of random numbers of its own.
func (b *Behaviour) NewAgents(seed uint64, repetition int) *Agents {
	n := len(b.batches)
	a := &Agents{b: b, shift: bits.Len(uint(n)), state: make([]course, n)}
	a.base, _ = b.pool.Span()
	for k := range b.batches {
		batch, c := &b.batches[k], &a.state[k]
		c.gap, c.to, c.depends = batch.start, batch.to, batch.parents > 0
		if c.depends {
			c.gap = batch.gap
		}
		if c.last = int32(k) == b.users[batch.user].to-1; !c.last {
			c.span = b.offset[batch.to-1] + b.batches[k+1].after
		}
	}
	a.turns = make([]turn, len(b.order))
	for i := range a.turns {
		a.turns[i] = turn{b.offset[i], b.order[i]}
	}
	a.next = make([]int32, len(b.order))
	for j := range a.next {
		switch edges := b.edges[b.child[j]:b.child[j+1]]; len(edges) {
		case 0:
			a.next[j] = none
		case 1:
			a.next[j] = edges[0]
		default:
			a.next[j] = several
		}
	}
	if b.params.Drawn {
		a.draw(seed, repetition)
	}
	return a
}

// draw draws the time that passes before each batch from the times of its kind,
// think times or breaks between sessions: the user's own, or those of all users.
func (a *Agents) draw(seed uint64, repetition int) {
	b := a.b
	var all, own [2][]model.Time
	kind := func(k int32) int {
		if b.batches[k].session {
			return 1
		}
		return 0
	}
	collect := func(to *[2][]model.Time, from, until int32) {
		for k := from; k < until; k++ {
			if b.batches[k].parents > 0 {
				i := kind(k)
				to[i] = append(to[i], b.batches[k].gap)
			}
		}
	}
	collect(&all, 0, int32(len(b.batches)))
	for i := range b.users {
		u := &b.users[i]
		own[0], own[1] = own[0][:0], own[1][:0]
		collect(&own, u.from, u.to)
		random := model.Stream(seed, "react/user/"+strconv.Itoa(int(u.id)), repetition)
		for k := u.from; k < u.to; k++ {
			if b.batches[k].parents == 0 {
				continue
			}
			from := own[kind(k)]
			if len(from) < fewest {
				from = all[kind(k)]
			}
			a.state[k].gap = from[random.IntN(len(from))]
		}
	}
}

// Reset prepares for a new simulation and returns the first submission.
func (a *Agents) Reset() model.Time {
	b := a.b
	a.heap = a.heap[:0]
	from := int32(0)
	for k := range a.state {
		c := &a.state[k]
		c.ready, c.release, c.waits, c.cursor = -model.Never, -model.Never, b.batches[k].parents+1, from
		from = c.to
	}
	for i := range b.users {
		a.arm(b.users[i].from)
	}
	if len(a.heap) == 0 {
		return model.Never
	}
	return a.base + model.Time(a.heap[0]>>a.shift)
}

// arm counts down what a batch waits for. When nothing is left its release is
// known, and with it that of the batch behind it, if that waits for nothing else.
func (a *Agents) arm(k int32) {
	for {
		c := &a.state[k]
		if c.waits--; c.waits > 0 {
			return
		}
		t := c.gap
		if c.depends {
			if t += c.ready; a.b.params.Rhythm != NoRhythm {
				t = a.hour(k, t)
			}
		}
		c.release = max(t, c.release)
		a.heap.Push(uint64(c.release-a.base)<<a.shift | uint64(k))
		if c.last {
			return
		}
		k++
		a.state[k].release = c.release + c.span
	}
}

// hour returns when a user who keeps hours comes with a batch that would be due
// at a time.
func (a *Agents) hour(k int32, t model.Time) model.Time {
	b := a.b
	batch := &b.batches[k]
	if batch.session {
		return b.params.Rhythm.nearest(t, batch.start, a.state[k].ready)
	}
	return b.params.Rhythm.awake(t, &b.users[batch.user])
}

// nearest returns the time nearest to t at the time of day, or of the week, of
// a time of the log, but none before earliest.
func (r Rhythm) nearest(t, like, earliest model.Time) model.Time {
	period := model.Time(day)
	if r == Weekly {
		period = week
	}
	ahead := modulo(like-t, period)
	if ahead > period/2 && t+ahead-period >= earliest {
		return t + ahead - period
	}
	return t + ahead
}

// awake returns t, or the beginning of the next hour in which the user submits.
func (r Rhythm) awake(t model.Time, u *user) model.Time {
	for u.hours>>hourOf(t)&1 == 0 || r == Weekly && u.days>>dayOf(t)&1 == 0 {
		t += hour - modulo(t, hour)
	}
	return t
}

// React counts down what batches wait for and appends the jobs that users
// submit up to now.
func (a *Agents) React(now model.Time, ended, out []int32) ([]int32, model.Time) {
	for _, job := range ended {
		switch k := a.next[job]; k {
		case none:
		case several:
			b := a.b
			for _, k := range b.edges[b.child[job]:b.child[job+1]] {
				a.state[k].ready = now
				a.arm(k)
			}
		default:
			a.state[k].ready = now
			a.arm(k)
		}
	}
	for len(a.heap) > 0 {
		if due := a.base + model.Time(a.heap[0]>>a.shift); due > now {
			return out, due
		}
		k := int32(a.heap[0] & (1<<a.shift - 1))
		c := &a.state[k]
		at, to := c.cursor, c.to
		next := model.Never
		for ; at < to; at++ {
			turn := &a.turns[at]
			if t := c.release + turn.offset; t > now {
				next = t
				break
			}
			out = append(out, turn.job)
		}
		c.cursor = at
		if next < model.Never {
			a.heap.Replace(uint64(next-a.base)<<a.shift | uint64(k))
		} else {
			a.heap.Pop()
		}
	}
	return out, model.Never
}
