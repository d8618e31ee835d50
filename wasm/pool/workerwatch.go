package pool

import (
	"fmt"
	"slices"

	"batchlab/wasm/bridge"
)

// A worker that the browser ends may say nothing. The browser tells of its end by a
// lock (Host.Spawn), except on pages that came from elsewhere without TLS, which have
// no locks. There it is told by silence: a worker that has something to do is heard of
// many times a second, but for the reading of a log, so one that is not heard of for
// long is taken for lost. Looks are counted, not milliseconds: a computer that slept
// does not make its workers silent.
const (
	watchEvery = 10_000 // ms between two looks
	watchLooks = 18     // looks without a word after which a worker is lost
)

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
				p.crashed(w, "it fell silent")
			}
			busy = true
		}
		if busy {
			p.listen()
		}
	})
}

// OnLost sets who is told why a worker ended whose work is done again.
func (p *Pool) OnLost(told func(reason string)) { p.toldLost = told }

// crashed replaces a worker that ended by itself. What it had is done once more by
// another, unless that ended one already, or its memory has gone with the worker, as
// that of digests has, or it is a part of a study, whose others wait for what it found.
func (p *Pool) crashed(w *worker, reason string) {
	if !slices.Contains(p.workers, w) {
		return
	}
	p.remove(w)
	switch t := w.task; {
	case t == nil || t.over:
	case t.dropped:
		t.finish(bridge.Reply{}, nil, errCancelled)
	case t.lost:
		t.finish(bridge.Reply{}, nil, fmt.Errorf("the simulation worker stopped, and so did a second one (%s); other runs go on", reason))
	case t.on != nil || t.whole || t.request.Kind == bridge.Fold:
		t.finish(bridge.Reply{}, nil, fmt.Errorf("the simulation worker stopped (%s); other runs go on", reason))
	default:
		t.lost = true
		p.queue = slices.Insert(p.queue, 0, t)
		if p.toldLost != nil {
			p.toldLost(reason)
		}
	}
	p.dispatch()
}
