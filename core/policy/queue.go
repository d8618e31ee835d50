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
	blocks   []*block              // by position
	last     []int32               // greatest rank of the block, by position
	minProcs []int32               // by position
	minLimit [classes][]model.Time // [c] by position: least limit of the jobs of classes 0 … c
	unused   []*block
	count    int
}

// block is up to blockSize jobs at jobs[lo:hi], ascending by rank.
type block struct {
	lo, hi int
	loose  bool // jobs were removed since the bounds were computed

	// Bounds for the expansion factor, which few orders need.
	oldest, newest, longest model.Time // submissions, requested time

	jobs [blockSize]queued
}

type queued struct {
	limit, submit model.Time
	rank, procs   int32
	job           model.JobID
}

// class returns the class of a job that asks for procs processors.
func class(procs int32) int { return min(bits.Len32(uint32(procs))-1, classes-1) }

func (q *queue) reset() {
	q.unused = append(q.unused, q.blocks...)
	q.blocks, q.last, q.minProcs = q.blocks[:0], q.last[:0], q.minProcs[:0]
	for c := range q.minLimit {
		q.minLimit[c] = q.minLimit[c][:0]
	}
	q.count = 0
}

// open inserts an empty block at a position.
func (q *queue) open(pos int) *block {
	var b *block
	if n := len(q.unused); n > 0 {
		b, q.unused = q.unused[n-1], q.unused[:n-1]
	} else {
		b = new(block)
	}
	b.lo, b.hi, b.loose = 0, 0, false
	b.oldest, b.newest, b.longest = model.Never, -model.Never, 0
	q.blocks = slices.Insert(q.blocks, pos, b)
	q.last = slices.Insert(q.last, pos, 0)
	q.minProcs = slices.Insert(q.minProcs, pos, int32(1<<31-1))
	for c := range q.minLimit {
		q.minLimit[c] = slices.Insert(q.minLimit[c], pos, model.Never)
	}
	return b
}

// drop removes the empty block at a position.
func (q *queue) drop(pos int) {
	q.unused = append(q.unused, q.blocks[pos])
	q.blocks = slices.Delete(q.blocks, pos, pos+1)
	q.last = slices.Delete(q.last, pos, pos+1)
	q.minProcs = slices.Delete(q.minProcs, pos, pos+1)
	for c := range q.minLimit {
		q.minLimit[c] = slices.Delete(q.minLimit[c], pos, pos+1)
	}
}

// find returns the position of the block where a rank belongs.
func (q *queue) find(rank int32) int {
	lo, hi := 0, len(q.last)-1
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if q.last[mid] < rank {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// add inserts a job.
func (q *queue) add(e queued) {
	q.count++
	if len(q.blocks) == 0 {
		q.open(0)
	}
	pos := q.find(e.rank)
	b := q.blocks[pos]
	if b.hi-b.lo == blockSize || b.hi == blockSize && pos == len(q.blocks)-1 && e.rank > q.last[pos] {
		pos = q.split(pos, e.rank)
		b = q.blocks[pos]
	}
	if b.hi == blockSize {
		copy(b.jobs[:], b.jobs[b.lo:])
		b.lo, b.hi = 0, b.hi-b.lo
	}
	at := b.hi
	for at > b.lo && b.jobs[at-1].rank > e.rank {
		at--
	}
	copy(b.jobs[at+1:b.hi+1], b.jobs[at:b.hi])
	b.jobs[at] = e
	b.hi++
	q.last[pos] = b.jobs[b.hi-1].rank
	q.bound(pos, &e)
}

// bound lowers the bounds of a block for one more job.
func (q *queue) bound(pos int, e *queued) {
	b := q.blocks[pos]
	b.oldest, b.newest, b.longest = min(b.oldest, e.submit), max(b.newest, e.submit), max(b.longest, e.limit)
	q.minProcs[pos] = min(q.minProcs[pos], e.procs)
	for c := class(e.procs); c < classes && q.minLimit[c][pos] > e.limit; c++ {
		q.minLimit[c][pos] = e.limit
	}
}

// tighten computes the bounds of a block anew.
func (q *queue) tighten(pos int) {
	b := q.blocks[pos]
	b.loose = false
	b.oldest, b.newest, b.longest = model.Never, -model.Never, 0
	q.minProcs[pos] = 1<<31 - 1
	for c := range q.minLimit {
		q.minLimit[c][pos] = model.Never
	}
	for i := b.lo; i < b.hi; i++ {
		q.bound(pos, &b.jobs[i])
	}
}

// split makes room for a rank at a full block and returns the position where
// it goes now. At the queue's end it opens a new block, so that a queue in
// order of arrival keeps its blocks full.
func (q *queue) split(pos int, rank int32) int {
	b := q.blocks[pos]
	if pos == len(q.blocks)-1 && rank > q.last[pos] {
		q.open(pos + 1)
		return pos + 1
	}
	next := q.open(pos + 1)
	mid := (b.lo + b.hi) / 2
	next.hi = copy(next.jobs[:], b.jobs[mid:b.hi])
	b.hi = mid
	q.last[pos], q.last[pos+1] = b.jobs[mid-1].rank, next.jobs[next.hi-1].rank
	q.tighten(pos)
	q.tighten(pos + 1)
	if rank > q.last[pos] {
		return pos + 1
	}
	return pos
}

// remove takes out the job with a rank.
func (q *queue) remove(rank int32) {
	pos := q.find(rank)
	b := q.blocks[pos]
	at := b.lo
	for b.jobs[at].rank != rank {
		at++
	}
	q.removeAt(pos, at)
}

// removeAt takes out jobs[at] of the block at a position.
func (q *queue) removeAt(pos, at int) {
	q.count--
	b := q.blocks[pos]
	if at == b.lo {
		b.lo++
	} else {
		copy(b.jobs[at:b.hi-1], b.jobs[at+1:b.hi])
		b.hi--
	}
	if b.lo == b.hi {
		q.drop(pos)
		return
	}
	q.last[pos] = b.jobs[b.hi-1].rank
	b.loose = true
}

// first returns the job that stands first; the queue must not be empty.
func (q *queue) first() *queued { return &q.blocks[0].jobs[q.blocks[0].lo] }

// fits says whether a job may fit in free processors; false is certain.
func (q *queue) fits(free int32) bool {
	for _, p := range q.minProcs {
		if p <= free {
			return true
		}
	}
	return false
}

// all calls visit for every job in order.
func (q *queue) all(visit func(*queued)) {
	for _, b := range q.blocks {
		for i := b.lo; i < b.hi; i++ {
			visit(&b.jobs[i])
		}
	}
}
