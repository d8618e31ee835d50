package pool

import (
	"batchlab/ui/state"
	"batchlab/wasm/bridge"
)

// holdBlocks is how many bytes of the digest's blocks a batch holds: above it,
// those that stand first are hashed before all runs are done. Runs whose blocks
// are hashed cannot be run again one by one for the same digest.
var holdBlocks = 64 << 20

// hashing is how far the digest of a batch is.
type hashing struct {
	bytes int    // of the blocks that are held
	next  int    // the runs before it are hashed
	state []byte // of the digest so far
	busy  bool   // a worker hashes
	lost  bool   // blocks are missing, so that there will be no digest
	after func() // what waits for the worker
}

// hold keeps the block of a run, and has those that stand first hashed when they
// are too many.
func (p *Pool) hold(b *batch, i int, block Buffer) {
	d := &b.digest
	if d.lost {
		return
	}
	b.blocks[i] = block
	d.bytes += p.host.Size(block)
	p.hash(b)
}

// forget gives the block of a run up that is done again. What is hashed stays so.
func (b *batch) forget(p *Pool, i int) {
	if i < b.digest.next {
		b.digest.lost = true
	}
	if b.blocks[i] != nil {
		b.digest.bytes -= p.host.Size(b.blocks[i])
		b.blocks[i] = nil
	}
}

// hash has the blocks hashed that stand next, when more are held than may be.
// Where a run is missing among so many that it will hardly come, all are given up.
func (p *Pool) hash(b *batch) {
	d := &b.digest
	if d.busy || d.lost || d.bytes <= holdBlocks || len(b.copies) > 0 {
		return
	}
	bytes, at := 0, d.next
	t := &task{request: bridge.Request{Kind: bridge.Fold, State: d.state}}
	for at < len(b.of) && b.blocks[at] != nil && bytes < foldFrom*4 {
		bytes += p.host.Size(b.blocks[at])
		t.buffers = append(t.buffers, b.blocks[at])
		b.blocks[at] = nil
		at++
	}
	if at == d.next {
		if d.bytes > 4*holdBlocks {
			d.lost, d.bytes = true, 0
			clear(b.blocks)
		}
		return
	}
	d.busy, d.next = true, at
	t.end = func(reply bridge.Reply, _ []Buffer, err error) {
		d.busy = false
		d.bytes -= bytes
		if d.state = reply.State; err != nil || len(reply.State) == 0 {
			d.lost = true
		}
		if f := d.after; f != nil {
			d.after = nil
			f()
			return
		}
		p.hash(b)
	}
	p.submit(t, true)
}

// digestRest has the blocks hashed that are left and then sends the last news,
// without a digest where some are missing.
func (p *Pool) digestRest(b *batch, last state.Event, event func(state.Event)) {
	d := &b.digest
	if d.busy {
		d.after = func() { p.digestRest(b, last, event) }
		return
	}
	t := &task{request: bridge.Request{Kind: bridge.Fold, State: d.state}}
	for _, block := range b.blocks[d.next:] {
		if block == nil {
			d.lost = true
		}
		t.buffers = append(t.buffers, block)
	}
	if d.lost {
		event(last)
		return
	}
	clear(b.blocks)
	d.next, d.bytes = len(b.of), 0
	t.end = func(reply bridge.Reply, _ []Buffer, err error) { event(summed(last, reply, err)) }
	p.submit(t, true)
}
