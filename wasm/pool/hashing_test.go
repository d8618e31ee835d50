package pool

import (
	"testing"

	"batchlab/core/report"
	"batchlab/ui/state"
	"batchlab/wasm/bridge"
)

// Intent: blocks of very many runs are hashed as they come, in order of the
// digest, and no more of them are held than may be; the digest is the same.
func TestBlocksAreHashedAsTheyCome(t *testing.T) {
	defer func(n int) { holdBlocks = n }(holdBlocks)
	holdBlocks = 3 // each block has 2
	for _, size := range []int{1, 2, 8} {
		folds, most := 0, 0
		b := &browser{t: t}
		p := New(b, size)
		b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
			if q.Kind == bridge.Fold {
				folds++
			}
			most = max(most, p.current.digest.bytes)
			simulate(w, q, buffers, file)
		}
		var y, again tally
		p.Run(three(), y.event)
		b.run(1e9)
		if y.count(state.Done) != 6 || y.digest != "a0a1b0b1c0c1" || folds < 2 || size == 1 && most > 6 {
			t.Errorf("%d workers: %d done, digest %q, hashed in %d parts, %d bytes held", size, y.count(state.Done), y.digest, folds, most)
		}
		for i, block := range p.current.blocks {
			if block != nil {
				t.Errorf("%d workers: the block of run %d is still held", size, i)
			}
		}
		// A run that is done again alone has a result; the digest would take all.
		p.Again(three(), []int{2}, again.take)
		b.run(2e9)
		if again.digest != "" || again.count(state.Done) != 1 {
			t.Errorf("%d workers: digest %q of a part", size, again.digest)
		}
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
	p.Run(three(), y.event)
	b.run(1e9)
	if y.digest != "" || y.count(state.Done) != 5 || p.current.digest.bytes != 0 || !p.current.digest.lost {
		t.Errorf("digest %q of %d runs, %d bytes are held", y.digest, y.count(state.Done), p.current.digest.bytes)
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
