package pool

import "batchlab/wasm/bridge"

// A digest goes through all runs in the order of the experiment, while runs finish in
// any order. So each worker makes the bytes of its own runs, a block; the page hands the
// blocks, unread and in order, to a worker that hashes them behind those before.

// foldFrom is how many bytes are hashed together.
const foldFrom = 4 << 20

// holdBlocks is how many bytes of blocks are held. Up to it those that are hashed are
// kept, so that a run can be done again alone; above it they are given up as they are
// hashed, and no run begins but the one that the others wait for.
var holdBlocks = 64 << 20

// hashing is how far a digest is. Where a run is done again the hash goes back to the
// last mark before it; blocks that are not held any more are then computed once more.
type hashing struct {
	pool   *Pool
	runs   int           // all of them
	reps   []int         // by run: its repetition; nil: no run is the copy of another
	of     []int         // by run: the run that it is a copy of, itself where it is none
	last   map[int]int   // by run: its last copy, where it has one
	held   map[int]block // by the run that they begin with
	away   map[int]block // at the worker
	bytes  int           // of both
	next   int           // the runs before it are hashed
	marks  []hashed      // where parts begin, behind run 0
	keep   bool          // blocks that are hashed are kept
	busy   bool          // a worker hashes
	back   int           // while it does: a run before next is done again, −1 none
	waived bool          // a run is missing among so many that no blocks are held
	fault  error         // hashing failed
	digest string        // "": it is not done
}

// block is the part of a run, or of several that follow each other.
type block struct {
	buffer Buffer
	bytes  int
	runs   int
}

// hashed is the state of the hash over the blocks before a run.
type hashed struct {
	run   int
	state []byte
}

// first is the run whose block stands for a run's.
func (d *hashing) first(run int) int {
	if d.of == nil {
		return run
	}
	return d.of[run]
}

// hold keeps the block of so many runs, the first of which is given.
func (d *hashing) hold(run, runs int, buffer Buffer) {
	if d.waived || d.fault != nil {
		return
	}
	d.drop(run)
	b := block{buffer, d.pool.host.Size(buffer), runs}
	d.held[run] = b
	if d.bytes += b.bytes; d.bytes > holdBlocks {
		d.keep = false
		d.sweep()
	}
}

// drop gives the block of a run up.
func (d *hashing) drop(run int) {
	d.bytes -= d.held[run].bytes + d.away[run].bytes
	delete(d.held, run)
	delete(d.away, run)
}

// sweep gives up the blocks that are hashed, unless a copy is to come.
func (d *hashing) sweep() {
	for run := range d.held {
		if run < d.next && d.last[run] < d.next {
			d.drop(run)
		}
	}
}

// waive gives up all blocks.
func (d *hashing) waive() {
	d.waived, d.bytes = true, 0
	clear(d.held)
	clear(d.away)
}

// forget gives up the block of a run that is done again, and what is hashed from there on.
func (d *hashing) forget(run int) {
	d.waived, d.fault, d.digest = false, nil, ""
	d.drop(run)
	switch {
	case !d.busy:
		d.rewind(run)
	case d.back < 0 || run < d.back:
		d.back = run
	}
}

// rewind goes back to the part in which a run is.
func (d *hashing) rewind(run int) {
	if run >= d.next {
		return
	}
	d.next = 0
	for i := len(d.marks) - 1; i >= 0 && d.next == 0; i-- {
		if d.marks[i].run <= run {
			d.next = d.marks[i].run
		} else {
			d.marks = d.marks[:i]
		}
	}
}

// fold has the blocks hashed that stand next, when they are many or the last, and calls
// then when that is done.
func (d *hashing) fold(then func()) {
	if d.busy || d.waived || d.fault != nil || d.digest != "" {
		return
	}
	t := &task{request: bridge.Request{Kind: bridge.Fold}}
	if n := len(d.marks); n > 0 {
		t.request.State = d.marks[n-1].state
	}
	var from []int // runs that the buffers begin with
	place := map[int]int{}
	bytes, at := 0, d.next
	for at < d.runs && bytes < 4*foldFrom {
		first := d.first(at)
		b, there := d.held[first]
		if !there {
			break
		}
		if _, known := place[first]; !known {
			place[first] = len(from)
			from, t.buffers = append(from, first), append(t.buffers, b.buffer)
		}
		if d.of != nil {
			t.request.Blocks = append(t.request.Blocks, bridge.Block{Buffer: place[first], Repetition: d.reps[at]})
		}
		bytes += b.bytes
		at += b.runs
	}
	if at == d.next || at < d.runs && bytes < foldFrom && d.bytes <= holdBlocks {
		return
	}
	d.busy, d.back, d.next = true, -1, at
	for _, run := range from { // the memory is the worker's, until it comes back
		d.away[run] = d.held[run]
		delete(d.held, run)
	}
	t.end = func(reply bridge.Reply, blocks []Buffer, err error) {
		d.busy = false
		for i, run := range from {
			if b, there := d.away[run]; there && i < len(blocks) {
				b.buffer = blocks[i]
				d.held[run] = b
				delete(d.away, run)
			} else {
				d.drop(run)
			}
		}
		if err == nil && len(reply.State) == 0 {
			err = errShort
		}
		if d.fault = err; err != nil {
			d.rewind(at - 1)
			d.waive()
		} else if d.marks = append(d.marks, hashed{at, reply.State}); d.back >= 0 {
			d.rewind(d.back)
		} else if at == d.runs {
			d.digest = reply.Digest
		}
		if !d.keep {
			d.sweep()
		}
		then()
	}
	d.pool.submit(t, true)
}

// missing lists the runs whose blocks are neither hashed nor held, in order.
func (d *hashing) missing(visit func(run int)) {
	for i := d.next; i < d.runs; {
		first := d.first(i)
		b, there := d.held[first]
		if !there {
			visit(first)
		}
		i += max(1, b.runs)
	}
}
