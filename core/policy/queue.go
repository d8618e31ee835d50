package policy

import (
	"math/bits"
	"slices"

	"batchlab/core/model"
)

const (
	blockSize = 64
	classes   = 16 // of processors, by powers of two; the last holds all beyond
)

// queue holds waiting jobs in rank order as blocks of at most 64, with bounds
// of each block that let a backfill pass step over it: the least processors,
// and for each processor class the least request of all jobs up to it. One
// minimum of each alone would prune badly, as one job of a block is narrow and
// another short.
//
// Bounds are lower bounds: removals leave them standing, and a scan that finds
// nothing in a block tightens them.
type queue struct {
	all    []model.Job // of the workload
	bounds []bounds    // by position
	blocks []block     // in no order: bounds say which stands where
	unused []int32     // indices of blocks
	count  int
	whole  bounds // of all blocks together
}

// bounds are what a pass needs to know of a block to step over it.
type bounds struct {
	block    int32               // index into queue.blocks
	last     int32               // greatest rank
	minProcs int32               // least processors
	minLimit [classes]model.Time // [c]: least limit of the jobs of classes 0 … c
}

// unbounded are the bounds of a block without jobs.
var unbounded = bounds{minProcs: 1<<31 - 1, minLimit: [classes]model.Time{
	model.Never, model.Never, model.Never, model.Never, model.Never, model.Never, model.Never, model.Never,
	model.Never, model.Never, model.Never, model.Never, model.Never, model.Never, model.Never, model.Never}}

// block is up to blockSize jobs at jobs[lo:hi], ascending by rank.
type block struct {
	lo, hi int
	loose  bool // jobs were removed since the bounds were computed

	// Bounds for the expansion factor, which few orders need.
	oldest, newest, longest model.Time // submissions, requested time

	// Of general schedulers.
	peak peak // a bound for scores that change with time; see ordering
	torn bool // jobs have come from other blocks: see refusals

	jobs [blockSize]queued
	asks [blockSize]ask // of the same jobs
}

// ask is what a job asks for as processors << 32 | request, at most longest.
type ask uint64

// longest stands for this request and all longer ones.
const longest = 1<<32 - 1

func askOf(j *model.Job) ask { return ask(j.Procs)<<32 | ask(min(j.Limit, longest)) }

func (a ask) procs() int32 { return int32(a >> 32) }

// queued is a waiting job as rank << 32 | job: one word, since wider elements
// are copied slowly in WebAssembly. What it asks for stands in queue.all.
type queued uint64

func enqueue(rank int32, j model.JobID) queued { return queued(rank)<<32 | queued(j) }

func (e queued) rank() int32      { return int32(e >> 32) }
func (e queued) job() model.JobID { return model.JobID(uint32(e)) }

// class returns the class of a job that asks for procs processors.
func class(procs int32) int { return min(bits.Len32(uint32(procs))-1, classes-1) }

func (q *queue) reset(jobs []model.Job) {
	q.all = jobs
	q.blocks, q.bounds, q.unused = q.blocks[:0], q.bounds[:0], q.unused[:0]
	q.count, q.whole = 0, unbounded
}

// block returns the block at a position.
func (q *queue) block(pos int) *block { return &q.blocks[q.bounds[pos].block] }

// open inserts an empty block at a position. Other blocks may move in memory.
func (q *queue) open(pos int) *block {
	v := unbounded
	if n := len(q.unused); n > 0 {
		v.block = q.unused[n-1]
		q.unused = q.unused[:n-1]
	} else {
		v.block = int32(len(q.blocks))
		q.blocks = append(q.blocks, block{})
	}
	q.bounds = slices.Insert(q.bounds, pos, v)
	b := q.block(pos)
	b.lo, b.hi, b.loose = 0, 0, false
	b.oldest, b.newest, b.longest = model.Never, -model.Never, 0
	b.peak.known, b.torn = false, true
	return b
}

// drop removes the empty block at a position.
func (q *queue) drop(pos int) {
	q.unused = append(q.unused, q.bounds[pos].block)
	q.bounds = slices.Delete(q.bounds, pos, pos+1)
}

// find returns the position of the block where a rank belongs.
func (q *queue) find(rank int32) int {
	lo, hi := 0, len(q.bounds)-1
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if q.bounds[mid].last < rank {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// add inserts a job and returns its block.
func (q *queue) add(e queued) int32 {
	q.count++
	if len(q.bounds) == 0 {
		q.open(0)
	}
	pos := q.find(e.rank())
	b := q.block(pos)
	if b.hi-b.lo == blockSize || b.hi == blockSize && pos == len(q.bounds)-1 && e.rank() > q.bounds[pos].last {
		pos = q.split(pos, e.rank())
		b = q.block(pos)
	}
	if b.hi == blockSize {
		copy(b.jobs[:], b.jobs[b.lo:])
		copy(b.asks[:], b.asks[b.lo:])
		b.lo, b.hi = 0, b.hi-b.lo
	}
	at := b.hi
	for ; at > b.lo && b.jobs[at-1] > e; at-- {
		b.jobs[at], b.asks[at] = b.jobs[at-1], b.asks[at-1]
	}
	b.jobs[at], b.asks[at] = e, askOf(&q.all[e.job()])
	b.hi++
	b.peak.known = false
	q.bounds[pos].last = b.jobs[b.hi-1].rank()
	q.bound(pos, &q.all[e.job()])
	return q.bounds[pos].block
}

// bound lowers the bounds of a block for one more job.
func (q *queue) bound(pos int, e *model.Job) {
	b := q.block(pos)
	b.oldest, b.newest, b.longest = min(b.oldest, e.Submit), max(b.newest, e.Submit), max(b.longest, e.Limit)
	q.bounds[pos].lower(e)
	q.whole.lower(e)
}

// lower takes one more job into bounds.
func (v *bounds) lower(e *model.Job) {
	v.minProcs = min(v.minProcs, e.Procs)
	for c := class(e.Procs); c < classes && v.minLimit[c] > e.Limit; c++ {
		v.minLimit[c] = e.Limit
	}
}

// join computes the bounds of all blocks together anew, where no block holds what they say.
func (q *queue) join() {
	q.whole = unbounded
	for i := range q.bounds {
		v := &q.bounds[i]
		q.whole.minProcs = min(q.whole.minProcs, v.minProcs)
		for c, limit := range v.minLimit {
			q.whole.minLimit[c] = min(q.whole.minLimit[c], limit)
		}
	}
}

// tighten computes the bounds of a block anew.
func (q *queue) tighten(pos int) {
	b := q.block(pos)
	b.loose = false
	b.oldest, b.newest, b.longest = model.Never, -model.Never, 0
	v := &q.bounds[pos]
	v.minProcs, v.minLimit = unbounded.minProcs, unbounded.minLimit
	for i := b.lo; i < b.hi; i++ { // least limit of each class by itself
		e := &q.all[b.jobs[i].job()]
		b.oldest, b.newest, b.longest = min(b.oldest, e.Submit), max(b.newest, e.Submit), max(b.longest, e.Limit)
		v.minProcs = min(v.minProcs, e.Procs)
		c := class(e.Procs)
		v.minLimit[c] = min(v.minLimit[c], e.Limit)
	}
	for c := 1; c < classes; c++ {
		v.minLimit[c] = min(v.minLimit[c], v.minLimit[c-1])
	}
}

// split makes room for a rank at a full block and returns the position where
// it goes now. At the queue's end it opens a new block, so that a queue in
// order of arrival keeps its blocks full.
func (q *queue) split(pos int, rank int32) int {
	if pos == len(q.bounds)-1 && rank > q.bounds[pos].last {
		q.open(pos + 1)
		return pos + 1
	}
	next := q.open(pos + 1)
	b := q.block(pos)
	mid := (b.lo + b.hi) / 2
	next.hi = copy(next.jobs[:], b.jobs[mid:b.hi])
	copy(next.asks[:], b.asks[mid:b.hi])
	b.hi = mid
	q.bounds[pos].last, q.bounds[pos+1].last = b.jobs[mid-1].rank(), next.jobs[next.hi-1].rank()
	q.tighten(pos)
	q.tighten(pos + 1)
	b.torn, next.torn = true, true
	if rank > q.bounds[pos].last {
		return pos + 1
	}
	return pos
}

// remove takes out the job with a rank and returns the block where it was.
func (q *queue) remove(rank int32) int32 {
	pos := q.find(rank)
	index := q.bounds[pos].block
	b := q.block(pos)
	at := b.lo
	for b.jobs[at].rank() != rank {
		at++
	}
	q.removeAt(pos, at)
	return index
}

// removeAt takes out jobs[at] of the block at a position.
func (q *queue) removeAt(pos, at int) {
	q.count--
	b := q.block(pos)
	if at == b.lo {
		b.lo++
	} else {
		for b.hi--; at < b.hi; at++ {
			b.jobs[at], b.asks[at] = b.jobs[at+1], b.asks[at+1]
		}
	}
	if b.lo == b.hi {
		q.drop(pos)
		return
	}
	q.bounds[pos].last = b.jobs[b.hi-1].rank()
	b.loose = true
}

// first returns the job that stands first; the queue must not be empty.
func (q *queue) first() queued {
	b := q.block(0)
	return b.jobs[b.lo]
}

// fits says whether a job may fit in free processors; false is certain.
func (q *queue) fits(free int32) bool {
	for i := range q.bounds {
		if q.bounds[i].minProcs <= free {
			return true
		}
	}
	return false
}

// each calls visit for every job in order.
func (q *queue) each(visit func(model.JobID)) {
	for pos := range q.bounds {
		b := q.block(pos)
		for _, e := range b.jobs[b.lo:b.hi] {
			visit(e.job())
		}
	}
}
