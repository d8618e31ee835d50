package pool

import (
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

// Intent: the runs of one scheduler can be run again while the others stay, and
// the digest is of all runs then, whether they had ended well before or not.
func TestAgain(t *testing.T) {
	broken := true
	b := &browser{t: t}
	b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
		if q.Kind == bridge.Run && q.Scheduler == 1 && q.Repetition == 1 && broken {
			w.reply(bridge.Reply{Kind: bridge.Failure, ID: q.ID, Error: "too large"})
			return
		}
		simulate(w, q, buffers, file)
	}
	p := New(b, 2)
	var y tally
	hear := y.event
	runs := p.Run(three(), func(ev engine.Event) { hear(ev) })
	b.run(1e9)
	if y.digest != "" || y.count(engine.Failed) != 1 {
		t.Fatalf("digest %q", y.digest)
	}
	broken, y, hear = false, tally{}, y.take
	runs.Again([]int{2, 3})
	b.run(2e9)
	if y.digest != "a0a1b0b1c0c1" || len(y.last) != 2 || y.count(engine.Done) != 2 {
		t.Errorf("after a failure: digest %q of %d runs", y.digest, len(y.last))
	}
	// Once more: the blocks of the others came back from the worker that hashed.
	y = tally{}
	runs.Again([]int{0, 1})
	b.run(3e9)
	if y.digest != "a0a1b0b1c0c1" || len(y.last) != 2 || y.count(engine.Done) != 2 {
		t.Errorf("once more: digest %q of %d runs", y.digest, len(y.last))
	}
}

// take is event for runs whose jobs came before.
func (y *tally) take(ev engine.Event) {
	if y.last == nil {
		y.last = map[int]engine.Event{}
	}
	y.last[ev.Run] = ev
	if ev.Digest != "" {
		y.digest = ev.Digest
	}
}

// Intent: lines of a log are asked of a worker with its file; a log that is not
// here is an error.
func TestLines(t *testing.T) {
	b := &browser{t: t}
	b.work = func(w *fakeWorker, q bridge.Request, _ []Buffer, file any) {
		if q.Kind != bridge.Lines || q.Line != 7 || file != "file" {
			t.Errorf("asked %+v with %v", q, file)
		}
		w.reply(bridge.Reply{Kind: bridge.Result, ID: q.ID, Lines: []report.Line{{Number: 7, Text: "x"}}})
	}
	p := New(b, 1)
	e := three()
	e.Workload.Source = experiment.Source{Log: &experiment.Log{Name: "a.swf", SHA256: hash, Size: 3}}
	var got []report.Line
	p.Lines(e, "file", 7, func(lines []report.Line, err error) { got = lines })
	b.run(1e9)
	if len(got) != 1 || got[0].Number != 7 {
		t.Errorf("%v", got)
	}
	p.Lines(e, nil, 7, func(_ []report.Line, err error) {
		if err != ErrLogWanted {
			t.Errorf("without the file: %v", err)
		}
	})
	b.run(2e9)
}

// Intent: files of what was drawn come from a worker under their names, in order.
func TestDrawn(t *testing.T) {
	b := &browser{t: t}
	b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
		switch {
		case q.Kind == bridge.Drawn && q.Repetition == 1:
			w.reply(bridge.Reply{Kind: bridge.Result, ID: q.ID, Files: []string{"platform-1.json", "needs-1.csv"}}, []byte("p"), []byte("n"))
		case q.Kind == bridge.Drawn:
			w.reply(bridge.Reply{Kind: bridge.Failure, ID: q.ID, Error: "too many"})
		default:
			simulate(w, q, buffers, file)
		}
	}
	p := New(b, 2)
	var got []engine.File
	p.Drawn(three(), 1, func(files []engine.File, err error) {
		if got = files; err != nil {
			t.Error(err)
		}
	})
	failed := false
	p.Drawn(three(), 0, func(_ []engine.File, err error) { failed = err != nil })
	b.run(1e9)
	if len(got) != 2 || got[0].Name != "platform-1.json" || string(got[0].Data) != "p" || got[1].Name != "needs-1.csv" || string(got[1].Data) != "n" || !failed {
		t.Errorf("%+v, %v", got, failed)
	}
}
