package pool

import (
	"strings"
	"testing"

	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

// A worker that ends without a word is noticed: its run is done by another, and
// the result is whole. One that takes long and is heard of is left alone.
func TestSilentWorkerIsReplaced(t *testing.T) {
	b := &browser{t: t, patient: true}
	silent := 1
	b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
		if q.Kind == bridge.Run && silent > 0 {
			silent--
			return // and nothing is heard of it any more
		}
		if q.Kind == bridge.Run && q.Scheduler == 1 { // an hour, with news each minute
			for i := 1; i < 60; i++ {
				b.After(60_000*i, func() { w.reply(bridge.Reply{Kind: bridge.Progress, ID: q.ID, Done: i, Total: 60}) })
			}
			b.After(3_600_000, func() { simulate(w, q, buffers, file) })
			return
		}
		simulate(w, q, buffers, file)
	}
	p := New(b, 2)
	var digest string
	failed := 0
	p.Run(three(), func(ev engine.Event) {
		if ev.Status == engine.Failed {
			failed++
		}
		if ev.Digest != "" {
			digest = ev.Digest
		}
	})
	b.run(1e9)
	if failed != 0 || digest == "" || len(b.workers) != 3 {
		t.Errorf("%d failed, digest %q, %d workers", failed, digest, len(b.workers))
	}

	silent = 1 << 30
	said := ""
	p.Run(three(), func(ev engine.Event) {
		if ev.Err != nil {
			said = ev.Err.Error()
		}
	})
	b.run(2e9)
	if !strings.Contains(said, "so did a second one (it fell silent)") {
		t.Errorf("%q", said)
	}
	if len(b.later) > 0 {
		t.Errorf("%d things are to come of an idle pool", len(b.later))
	}
}
