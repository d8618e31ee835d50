package pool

import (
	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

// A digest goes through all runs in the order of the experiment, while runs finish in
// any order. So each worker makes the bytes of its own run, a block; the page hands the
// blocks, unread and in order, to a worker that hashes them.

// holdBlocks is how many bytes of the digest's blocks a batch holds: above it,
// those that stand first are hashed before all runs are done. Where such a run is
// done again alone, the hash goes back to where its part begins, and blocks that
// are not held any more are computed once more (mend).
var holdBlocks = 64 << 20

// hashing is how far the digest of a batch is.
type hashing struct {
	bytes   int      // of the blocks that are held
	next    int      // the runs before it are hashed
	marks   []hashed // where parts begin, the first at run 0: hashing can go on from there
	busy    bool     // a worker hashes
	back    int      // while it does: a run before next is done again, −1 none
	waived  bool     // a run is missing among so many that no more blocks are held
	after   func()   // what waits for the worker
	fault   error    // hashing failed: there will be no digest
	clocked bool     // a schedule hangs on a wall clock: it cannot be computed once more

	mending int // how often mending began or was given up, so that each knows whether it is the last
	open    []*task
}

// hashed is the state of the hash over the blocks before a run.
type hashed struct {
	run   int
	state []byte
}

// hold keeps the block of a run, and has those that stand first hashed when they
// are too many.
func (p *Pool) hold(b *batch, i int, block Buffer) {
	d := &b.digest
	if d.waived || d.fault != nil {
		return
	}
	b.blocks[i] = block
	d.bytes += p.host.Size(block)
	p.hash(b)
}

// forget gives the block of a run up that is done again, and what is hashed from
// its part on.
func (b *batch) forget(p *Pool, i int) {
	d := &b.digest
	d.waived = false
	switch {
	case i >= d.next:
	case d.busy:
		if d.back < 0 || i < d.back {
			d.back = i
		}
	default:
		d.rewind(i)
	}
	if b.blocks[i] != nil {
		d.bytes -= p.host.Size(b.blocks[i])
		b.blocks[i] = nil
	}
}

// rewind goes back to the part in which a run is.
func (d *hashing) rewind(run int) {
	for len(d.marks) > 1 && d.marks[len(d.marks)-1].run > run {
		d.marks = d.marks[:len(d.marks)-1]
	}
	d.next = d.marks[len(d.marks)-1].run
}

// hash has the blocks hashed that stand next, when more are held than may be.
// Where a run is missing among so many that it will hardly come, all are given up.
func (p *Pool) hash(b *batch) {
	d := &b.digest
	if d.busy || d.bytes <= holdBlocks || len(b.copies) > 0 {
		return
	}
	if d.next < len(b.of) && b.blocks[d.next] != nil {
		p.fold(b, foldFrom*4, func(string) { p.hash(b) })
	} else if d.bytes > 4*holdBlocks && len(d.open) == 0 {
		d.waived, d.bytes = true, 0
		clear(b.blocks)
	}
}

// fold has a worker hash the blocks that stand next, about so many bytes of them,
// and tells the digest so far.
func (p *Pool) fold(b *batch, most int, then func(digest string)) {
	d := &b.digest
	if len(d.marks) == 0 {
		d.marks = []hashed{{}}
	}
	bytes, at := 0, d.next
	t := &task{request: bridge.Request{Kind: bridge.Fold, State: d.marks[len(d.marks)-1].state}}
	for at < len(b.of) && b.blocks[at] != nil && bytes < most {
		bytes += p.host.Size(b.blocks[at])
		t.buffers = append(t.buffers, b.blocks[at])
		b.blocks[at] = nil
		at++
	}
	d.busy, d.next, d.back = true, at, -1
	t.end = func(reply bridge.Reply, _ []Buffer, err error) {
		d.busy = false
		d.bytes -= bytes
		if err == nil && len(reply.State) == 0 {
			err = errShort
		}
		if d.fault = err; err != nil {
			clear(b.blocks)
		} else if d.marks = append(d.marks, hashed{at, reply.State}); d.back >= 0 {
			d.rewind(d.back)
		}
		if f := d.after; f != nil {
			d.after = nil
			f()
			return
		}
		then(reply.Digest)
	}
	p.submit(t, true)
}

// missing is the first run whose block is neither hashed nor held, −1 none.
func (b *batch) missing() int {
	for i := b.digest.next; i < len(b.of); i++ {
		if b.of[i] == i && b.blocks[i] == nil {
			return i
		}
	}
	return -1
}

// sum makes the digest of a batch of which parts are hashed, or are missing, and
// tells it with the last news; what takes runs once more follows later.
func (p *Pool) sum(b *batch, last engine.Event, event func(engine.Event)) {
	d := &b.digest
	if d.busy {
		d.after = func() { p.sum(b, last, event) }
		return
	}
	none := func(why string) { event(engine.Event{Run: -1, NoDigest: why}) }
	switch {
	case d.fault == nil && b.missing() < 0:
		if len(b.copies) > 0 {
			p.digest(b, last, event)
			return
		}
		p.fold(b, 1<<62, func(digest string) {
			if d.fault == nil && d.next == len(b.of) {
				last.Digest = digest
				event(last)
				return
			}
			p.sum(b, last, event) // a run is done again meanwhile, or it failed
		})
		return
	case last.Run >= 0:
		event(last)
	}
	switch {
	case b.left > 0: // there is more to come
	case d.fault != nil:
		none("could not be made: " + d.fault.Error())
	case d.clocked:
		none("cannot be made: a scheduler uses the clock, so its schedules cannot be computed again")
	default:
		none(engine.DigestComes)
		p.mend(b, none, func() { p.sum(b, engine.Event{Run: -1}, event) })
	}
}

// mend computes blocks that are missing once more, in order and a few at a time.
func (p *Pool) mend(b *batch, none func(why string), then func()) {
	d := &b.digest
	p.stopMending(b)
	turn, at := d.mending, d.next
	d.waived = false
	var feed func()
	feed = func() {
		to := len(b.of)
		if first := b.missing(); first >= 0 { // so many blocks may wait for it
			to = min(to, first+2*p.size)
		}
		for ; at < to && len(d.open) < p.size; at++ {
			i := at
			if b.of[i] != i || b.blocks[i] != nil {
				continue
			}
			t := p.runTask(b, i)
			d.open = append(d.open, t)
			t.end = func(_ bridge.Reply, buffers []Buffer, err error) {
				if d.mending != turn {
					return // another one goes on, or it was stopped
				}
				for k := range d.open {
					if d.open[k] == t {
						d.open = append(d.open[:k:k], d.open[k+1:]...)
						break
					}
				}
				if err == nil && len(buffers) < 2 {
					err = errShort
				}
				if err != nil {
					p.stopMending(b)
					none("could not be made: " + err.Error())
					return
				}
				p.hold(b, i, buffers[1])
				feed()
			}
			if err := p.attach(t, &b.e); err != nil {
				p.host.After(0, func() { t.finish(bridge.Reply{}, nil, err) })
				continue
			}
			p.submit(t, false)
		}
		if at == len(b.of) && len(d.open) == 0 {
			then()
		}
	}
	feed()
}

// stopMending gives up what is computed once more for the digest.
func (p *Pool) stopMending(b *batch) {
	d := &b.digest
	d.mending++
	list := d.open
	d.open = nil
	for _, t := range list {
		p.cancel(t)
	}
}
