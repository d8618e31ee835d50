package grid

import (
	"math/bits"
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
)

const (
	blockSize = 64
	classes   = 16 // of processors, by powers of two; the last holds all beyond
)

// queue holds a provider's waiting jobs in the local order, in blocks of at most
// 64. Of each block it knows the least limit of the jobs up to each class of
// processors, so that a pass steps over blocks in which nothing can start:
// reservations leave processors free for so short that thousands of jobs may
// wait. These bounds are lower bounds: removals leave them standing, and a pass
// that finds nothing in a block tightens them. compare has to be set.
type queue struct {
	compare func(a, b model.JobID) int
	bounds  []bound // in order
	blocks  []block // in no order
	unused  []int32 // of blocks
	count   int
	longest model.Time // no job waits that has a longer limit
}

// bound is what a pass needs to know of a block to step over it.
type bound struct {
	block int32
	loose bool                // jobs were removed since it was computed
	limit [classes]model.Time // [c]: least limit of the jobs of classes 0 … c
}

type block struct {
	n    int
	jobs [blockSize]waiting
}

// class returns the class of a job that asks for procs processors.
func class(procs int32) int { return min(bits.Len32(uint32(procs))-1, classes-1) }

func (q *queue) reset() {
	q.bounds, q.blocks, q.unused, q.count, q.longest = q.bounds[:0], q.blocks[:0], q.unused[:0], 0, 0
}

// at returns the block at a position.
func (q *queue) at(pos int) *block { return &q.blocks[q.bounds[pos].block] }

// open inserts an empty block at a position. Other blocks may move in memory.
func (q *queue) open(pos int) *block {
	v := bound{block: int32(len(q.blocks))}
	if n := len(q.unused); n > 0 {
		v.block = q.unused[n-1]
		q.unused = q.unused[:n-1]
	} else {
		q.blocks = append(q.blocks, block{})
	}
	for c := range v.limit {
		v.limit[c] = model.Never
	}
	q.bounds = slices.Insert(q.bounds, pos, v)
	b := q.at(pos)
	b.n = 0
	return b
}

// find returns the position of the block where a job stands or would, and its
// place there. The queue must not be empty.
func (q *queue) find(j model.JobID) (pos, place int) {
	lo, hi := 0, len(q.bounds)-1
	for lo < hi { // the first block whose last job does not stand before j
		mid := int(uint(lo+hi) >> 1)
		if b := q.at(mid); q.compare(b.jobs[b.n-1].job, j) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	b := q.at(lo)
	from, to := 0, b.n
	for from < to {
		mid := int(uint(from+to) >> 1)
		if q.compare(b.jobs[mid].job, j) < 0 {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return lo, from
}

// add inserts a job.
func (q *queue) add(w waiting) {
	if q.count++; q.count == 1 {
		q.open(0)
		q.longest = 0
	}
	q.longest = max(q.longest, w.limit)
	pos, place := 0, 0
	if q.count > 1 {
		pos, place = q.find(w.job)
	}
	b := q.at(pos)
	if b.n == blockSize {
		if place == blockSize && pos == len(q.bounds)-1 { // the queue's end: keep blocks full
			b = q.open(pos + 1)
			pos, place = pos+1, 0
		} else {
			q.split(pos)
			pos, place = q.find(w.job)
			b = q.at(pos)
		}
	}
	copy(b.jobs[place+1:b.n+1], b.jobs[place:b.n])
	b.jobs[place] = w
	b.n++
	v := &q.bounds[pos]
	for c := class(w.procs); c < classes && v.limit[c] > w.limit; c++ {
		v.limit[c] = w.limit
	}
}

// split moves the second half of a full block into a new one behind it.
func (q *queue) split(pos int) {
	next := q.open(pos + 1)
	b := q.at(pos)
	next.n = copy(next.jobs[:], b.jobs[blockSize/2:])
	b.n = blockSize / 2
	q.tighten(pos)
	q.tighten(pos + 1)
}

// tighten computes the bounds of a block anew.
func (q *queue) tighten(pos int) {
	v := &q.bounds[pos]
	v.loose = false
	for c := range v.limit {
		v.limit[c] = model.Never
	}
	b := q.at(pos)
	for i := range b.jobs[:b.n] { // least limit of each class by itself
		w := &b.jobs[i]
		c := class(w.procs)
		v.limit[c] = min(v.limit[c], w.limit)
	}
	for c := 1; c < classes; c++ {
		v.limit[c] = min(v.limit[c], v.limit[c-1])
	}
}

// remove takes out a job, which waits.
func (q *queue) remove(j model.JobID) {
	pos, place := q.find(j)
	q.removeAt(pos, place)
}

// removeAt takes out the job at a place of a block; false when the block has
// gone with it.
func (q *queue) removeAt(pos, place int) bool {
	q.count--
	b := q.at(pos)
	copy(b.jobs[place:], b.jobs[place+1:b.n])
	if b.n--; b.n == 0 {
		q.unused = append(q.unused, q.bounds[pos].block)
		q.bounds = slices.Delete(q.bounds, pos, pos+1)
		return false
	}
	q.bounds[pos].loose = true
	return true
}

// first returns the job that stands first; the queue must not be empty.
func (q *queue) first() waiting { return q.at(0).jobs[0] }

// each calls visit for every job in order.
func (q *queue) each(visit func(w *waiting)) {
	for pos := range q.bounds {
		b := q.at(pos)
		for i := range b.jobs[:b.n] {
			visit(&b.jobs[i])
		}
	}
}

// room says for how long processors are free from now on: those of a class, its
// least number, for so many seconds. Of classes that have equally long the last
// stands for all, since jobs of the others are counted in its bounds.
type room struct {
	class int
	last  model.Time
}

// measure computes a provider's rooms; none when nothing is free.
func (p *provider) measure(now model.Time) {
	p.rooms = p.queue.measure(p.rooms, &p.reach, &p.free.counts, now)
}

func (q *queue) measure(rooms []room, reach *resource.Reach, free *resource.Counts, now model.Time) []room {
	rooms = rooms[:0]
	_, procs := free.Step(0)
	if procs <= 0 {
		return rooms
	}
	for c := 0; c <= class(procs); c++ {
		last := reach.Until(free, 1<<c, now+q.longest) - now
		if n := len(rooms); n > 0 && rooms[n-1].last == last {
			rooms[n-1].class = c
		} else {
			rooms = append(rooms, room{c, last})
		}
	}
	return rooms
}

// may says whether a job of a block may fit; false is certain.
func (p *provider) may(pos int) bool {
	v := &p.queue.bounds[pos]
	for _, r := range p.rooms {
		if v.limit[r.class] <= r.last {
			return true
		}
	}
	return false
}
