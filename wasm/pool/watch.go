package pool

import (
	"errors"
	"slices"

	"batchlab/wasm/bridge"
)

// A worker that the browser ends for want of memory may say nothing. While it
// has something to do it is heard of many times a second, but for the reading of
// a log; so one that is not heard of for long is taken for lost. Looks are
// counted, not milliseconds: a computer that slept does not make its workers
// silent.
const (
	watchEvery = 10_000 // ms between two looks
	watchLooks = 18     // looks without a word after which a worker is lost
)

var errSilent = errors.New("the simulation worker fell silent, twice; other runs go on")

// listen looks after the workers as long as one has something to do.
func (p *Pool) listen() {
	if p.watching {
		return
	}
	p.watching = true
	p.host.After(watchEvery, func() {
		p.watching = false
		busy := false
		for _, w := range slices.Clone(p.workers) {
			if w.task == nil || w.task.on != nil { // parts of a study wait for each other, and say nothing meanwhile
				continue
			}
			if w.quiet++; w.quiet > watchLooks {
				p.silent(w)
			}
			busy = true
		}
		if busy {
			p.listen()
		}
	})
}

// silent replaces a worker that is not heard of. What it had is tried once more,
// unless it is a digest, whose blocks have gone with the worker.
func (p *Pool) silent(w *worker) {
	p.remove(w)
	if t := w.task; t != nil && !t.over {
		if t.lost || t.request.Kind == bridge.Digest {
			t.finish(bridge.Reply{}, nil, errSilent)
		} else {
			t.lost = true
			p.queue = slices.Insert(p.queue, 0, t)
		}
	}
	p.dispatch()
}
