package pool

import (
	"strings"
	"testing"

	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/wasm/bridge"

	"pgregory.net/rapid"
)

// Intent: blocks of very many runs are hashed as they come, in order of the
// digest, and no more of them are held than may be; the digest is the same.
func TestBlocksAreHashedAsTheyCome(t *testing.T) {
	defer func(n int) { holdBlocks = n }(holdBlocks)
	holdBlocks = 3 // each block has 2
	for _, size := range []int{1, 2, 8} {
		folds, most, mending := 0, 0, false
		var all *runs
		b := &browser{t: t}
		p := New(b, size)
		b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
			if q.Kind == bridge.Fold {
				folds++
			}
			if all != nil && !mending {
				most = max(most, all.digest.bytes)
			}
			simulate(w, q, buffers, file)
		}
		var y tally
		hear := y.event
		all = p.Run(three(), func(ev engine.Event) { hear(ev) }).(*runs)
		b.run(1e9)
		if y.count(engine.Done) != 6 || y.digest != "a0a1b0b1c0c1" || folds < 2 || size == 1 && most > 6 {
			t.Errorf("%d workers: %d done, digest %q, hashed in %d parts, %d bytes held", size, y.count(engine.Done), y.digest, folds, most)
		}
		for i := range all.digest.held {
			t.Errorf("%d workers: the block of run %d is still held", size, i)
		}
		// A run that is done again alone has a result at once; for the digest,
		// those behind it whose blocks are gone are done once more.
		for _, run := range []int{2, 0, 5} {
			mending, y, hear = true, tally{}, y.take
			all.Again([]int{run})
			b.run(2e9)
			if y.digest != "a0a1b0b1c0c1" || y.last[run].Status != engine.Done || y.last[run].Digest != "" && run < 5 || len(y.last) > 2 {
				t.Errorf("%d workers: digest %q after run %d was done again: %+v", size, y.digest, run, y.last)
			}
		}
	}
}

// Intent: in whatever order runs fail, are done again, stopped and done once more
// among very many, copies of others too, the digest is that of all of them in the end, or it is said why
// there is none.
func TestDigestAfterAnything(t *testing.T) {
	defer func(n int) { holdBlocks = n }(holdBlocks)
	rapid.Check(t, func(rt *rapid.T) {
		holdBlocks = rapid.IntRange(1, 9).Draw(rt, "bytes")
		bad := map[int]bool{}
		for _, run := range rapid.SliceOfN(rapid.IntRange(0, 5), 0, 3).Draw(rt, "failing") {
			bad[run] = true
		}
		b := &browser{t: t}
		b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
			if q.Kind == bridge.Run && bad[2*q.Scheduler+q.Repetition] {
				w.reply(bridge.Reply{Kind: bridge.Failure, ID: q.ID, Error: "too large"})
				return
			}
			simulate(w, q, buffers, file)
		}
		p := New(b, rapid.IntRange(1, 3).Draw(rt, "workers"))
		e := three()
		if rapid.Bool().Draw(rt, "copies") {
			e = copied(t)
		}
		var y tally
		all := p.Run(e, y.take).(*runs)
		until := 0.0
		play := func() {
			until = b.now + float64(rapid.IntRange(0, 60).Draw(rt, "ms"))
			b.run(until)
		}
		play()
		for range rapid.IntRange(0, 4).Draw(rt, "steps") {
			if rapid.IntRange(0, 4).Draw(rt, "act") == 0 {
				all.Stop()
			} else {
				s := rapid.IntRange(0, 2).Draw(rt, "scheduler")
				y.digest = ""
				all.Again([]int{2 * s, 2*s + 1})
			}
			play()
		}
		b.run(until + 1e9)
		clear(bad)
		y.digest = ""
		for s := range 3 { // each in turn, as the page has it: only when its runs have ended
			all.Again([]int{2 * s, 2*s + 1})
			b.run(b.now + 1e9)
		}
		if y.digest != "a0a1b0b1c0c1" || all.digest.bytes > 4*holdBlocks+12 || len(all.open) > 0 {
			rt.Errorf("digest %q, %d left, well %v, last %+v; %+v", y.digest, all.left, all.well, y.last, all.digest)
		}
	})
}

// Intent: where a schedule hangs on a clock nothing is computed once more, since it
// would be another schedule; the page says so.
func TestNoDigestOfWhatGoesByTheClock(t *testing.T) {
	defer func(n int) { holdBlocks = n }(holdBlocks)
	holdBlocks = 1
	b := &browser{t: t, work: simulate}
	p := New(b, 1)
	var y tally
	all := p.Run(three(), y.take).(*runs)
	b.run(1e9)
	all.clocked = true
	y.digest = ""
	all.Again([]int{0})
	b.run(2e9)
	if y.digest != "" || !strings.Contains(y.last[-1].NoDigest, "uses the clock") || y.last[0].Status != engine.Done {
		t.Errorf("digest %q, %+v", y.digest, y.last)
	}
}

// Intent: where a run fails among very many, blocks that no digest will be made of
// are not held.
func TestBlocksBehindAFailureAreGivenUp(t *testing.T) {
	defer func(n int) { holdBlocks = n }(holdBlocks)
	holdBlocks = 2
	b := &browser{t: t}
	b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
		if q.Kind == bridge.Run && q.Scheduler+q.Repetition == 0 {
			w.reply(bridge.Reply{Kind: bridge.Failure, ID: q.ID, Error: "too large"})
			return
		}
		simulate(w, q, buffers, file)
	}
	p := New(b, 2)
	var y tally
	all := p.Run(three(), y.event).(*runs)
	b.run(1e9)
	if y.digest != "" || y.count(engine.Done) != 5 || all.digest.bytes != 0 || !all.digest.waived {
		t.Errorf("digest %q of %d runs, %d bytes are held", y.digest, y.count(engine.Done), all.digest.bytes)
	}
}

// Intent: a finished run is computed once more for its columns, and brings the
// jobs of its repetition although they had come before.
func TestRecall(t *testing.T) {
	b := &browser{t: t, work: simulate}
	p := New(b, 2)
	var y tally
	p.Run(three(), y.event)
	b.run(1e9)
	told := 0
	p.Recall(three(), 3, func(r *report.Run, jobs *report.Jobs, _ *report.Site, err error) {
		if told++; err != nil || r.Scheduler != 1 || r.Repetition != 1 || r.Columns.End[0] != 1 || jobs.Number[0] != 1 {
			t.Errorf("%+v, %+v, %v", r, jobs, err)
		}
	})
	p.Recall(three(), 99, func(_ *report.Run, _ *report.Jobs, _ *report.Site, err error) {
		if told++; err == nil {
			t.Error("there is no such run")
		}
	})
	b.run(2e9)
	if told != 2 {
		t.Errorf("%d answers", told)
	}
}
