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
	gap   []model.Time // by batch: think time or break
	base  model.Time
	shift int

	heap  sim.Heap // batches under way: time of the next job, batch
	state []course // by batch
}

// course is how far a batch has come.
type course struct {
	ready   model.Time // latest end of a parent so far
	release model.Time // when it is submitted, or was
	waits   int32      // parents that have not ended, and one for the batch before it
	cursor  int32      // next job, of order
}

var _ sim.Source = (*Agents)(nil)

// fewest is how many think times of its own a user needs to draw from them;
// with fewer, they are drawn from those of all users.
const fewest = 5

// NewAgents returns the users of a repetition. Only drawn think times depend
// on seed and repetition: each user has a stream of random numbers of its own.
func (b *Behaviour) NewAgents(seed uint64, repetition int) *Agents {
	n := len(b.batches)
	a := &Agents{b: b, shift: bits.Len(uint(n)), gap: make([]model.Time, n), state: make([]course, n)}
	a.base, _ = b.pool.Span()
	for k := range b.batches {
		a.gap[k] = b.batches[k].gap
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
			a.gap[k] = from[random.IntN(len(from))]
		}
	}
}

// Reset prepares for a new simulation and returns the first submission.
func (a *Agents) Reset() model.Time {
	b := a.b
	a.heap = a.heap[:0]
	for k := range b.batches {
		a.state[k] = course{ready: -model.Never, waits: b.batches[k].parents + 1, cursor: b.batches[k].from}
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
	b := a.b
	for {
		c := &a.state[k]
		if c.waits--; c.waits > 0 {
			return
		}
		batch := &b.batches[k]
		t := batch.start
		if batch.parents > 0 {
			t = a.when(k)
		}
		u := &b.users[batch.user]
		if k > u.from {
			t = max(t, a.state[k-1].release+b.offset[b.batches[k-1].to-1]+batch.after)
		}
		c.release = t
		a.heap.Push(uint64(t-a.base)<<a.shift | uint64(k))
		if k++; k == u.to {
			return
		}
	}
}

// when returns when a user comes with a batch whose parents have all ended.
func (a *Agents) when(k int32) model.Time {
	b := a.b
	batch, u := &b.batches[k], &b.users[b.batches[k].user]
	ready := a.state[k].ready
	t := ready + a.gap[k]
	if b.params.Rhythm == NoRhythm {
		return t
	}
	if batch.session {
		return b.params.Rhythm.nearest(t, batch.start, ready)
	}
	return b.params.Rhythm.awake(t, u)
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
	b := a.b
	for _, job := range ended {
		for _, k := range b.edges[b.child[job]:b.child[job+1]] {
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
		at, to := c.cursor, b.batches[k].to
		next := model.Never
		for ; at < to; at++ {
			if t := c.release + b.offset[at]; t > now {
				next = t
				break
			}
			out = append(out, b.order[at])
		}
		c.cursor = at
		a.heap.Pop()
		if next < model.Never {
			a.heap.Push(uint64(next-a.base)<<a.shift | uint64(k))
		}
	}
	return out, model.Never
}
