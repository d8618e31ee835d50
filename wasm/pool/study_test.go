package pool

import (
	"encoding/json"
	"slices"
	"testing"

	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

// student plays a worker that takes part in a study of one phase of ten pieces.
type student struct {
	w     *fakeWorker
	q     bridge.Request
	items []int
}

// play answers as workers do: one piece after the other, then what came of them
// to all others, then the answer.
func play(b *browser, seen map[int]int, slow func(item int) bool) func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
	students := map[*fakeWorker]*student{}
	return func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
		s := students[w]
		take := func() {
			w.reply(bridge.Reply{Kind: bridge.Take, ID: s.q.ID, Phase: 1, Done: len(s.items), Total: 10})
		}
		share := func() {
			copies := make([]Buffer, s.q.Study.Parts-1)
			for i := range copies {
				copies[i] = slices.Clone(s.items)
			}
			w.reply(bridge.Reply{Kind: bridge.Share, ID: s.q.ID, Phase: 1, Done: len(s.items), Total: 10}, copies...)
		}
		switch q.Kind {
		case bridge.Study:
			s = &student{w: w, q: q}
			students[w] = s
			take()
		case bridge.Stop:
			share()
		case bridge.Give:
			if q.Study.Shared {
				for _, theirs := range buffers {
					s.items = append(s.items, theirs.([]int)...)
				}
				text, _ := json.Marshal(engine.StudyResult{Key: q.Study.Key, Partial: len(s.items) < 10, Rows: make([]engine.StudyRow, len(s.items))})
				w.reply(bridge.Reply{Kind: bridge.Result, ID: s.q.ID, Papers: text})
				return
			}
			switch {
			case q.Study.Item < 0:
				share()
			case slow(q.Study.Item): // it is stopped before it is done
			default:
				seen[q.Study.Item]++
				s.items = append(s.items, q.Study.Item)
				take()
			}
		}
	}
}

// Intent: every piece of a study is done once, by some worker; what came of the
// pieces reaches all others, and the first answer counts.
func TestStudy(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		b := &browser{t: t}
		seen := map[int]int{}
		b.work = play(b, seen, func(int) bool { return false })
		p := New(b, workers)
		var last engine.StudyNews
		overs := 0
		p.Study("a-table1", true, nil, nil, func(n engine.StudyNews) {
			last = n
			if n.Over {
				overs++
			}
		})
		b.run(1e9)
		if overs != 1 || last.Err != nil || last.Result == nil || len(last.Result.Rows) != 10 || last.Result.Partial {
			t.Errorf("%d workers: over %d times, %+v", workers, overs, last)
		}
		for i := range 10 {
			if seen[i] != 1 {
				t.Errorf("%d workers: piece %d was done %d times", workers, i, seen[i])
			}
		}
	}
}

// Intent: a study that is stopped gives what its workers have, and one whose
// worker crashes fails as a whole; other work goes on after both.
func TestStudyStopped(t *testing.T) {
	b := &browser{t: t}
	b.work = play(b, map[int]int{}, func(item int) bool { return item >= 6 })
	p := New(b, 2)
	var last engine.StudyNews
	stop := p.Study("a-table1", true, nil, nil, func(n engine.StudyNews) { last = n })
	b.run(500)
	stop()
	b.run(1000)
	if !last.Over || last.Result == nil || !last.Result.Partial || len(last.Result.Rows) != 6 {
		t.Errorf("stopped: %+v", last)
	}
	p.Study("a-table1", true, nil, nil, func(n engine.StudyNews) { last = n })
	b.run(1500)
	for _, w := range b.workers {
		if !w.ended && len(w.got) > 0 {
			w.crash("out of memory")
			break
		}
	}
	b.run(1e6)
	if !last.Over || last.Err == nil {
		t.Errorf("crashed: %+v", last)
	}
	b.work = simulate
	var plain tally
	p.Run(three(), plain.event)
	b.run(1e9)
	if plain.count(engine.Done) != 6 {
		t.Errorf("%d runs afterwards", plain.count(engine.Done))
	}
}

// Intent: whoever stops a study gets what some workers have found also when another
// has not begun yet, or does not answer; other work goes on afterwards.
func TestStudyStoppedWithoutAll(t *testing.T) {
	for name, late := range map[string]string{"one has not begun": bridge.Study, "one does not hand over": bridge.Stop} {
		b := &browser{t: t}
		works := play(b, map[int]int{}, func(item int) bool { return item >= 6 })
		var last *fakeWorker
		b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
			if last == nil && len(b.workers) == 2 {
				last = b.workers[1]
			}
			if w != last || q.Kind != late {
				works(w, q, buffers, file)
			}
		}
		p := New(b, 2)
		var news engine.StudyNews
		stop := p.Study("a-table1", true, nil, nil, func(n engine.StudyNews) { news = n })
		b.run(500)
		stop()
		b.run(500 + 2*stopWait)
		if !news.Over || news.Err != nil || news.Result == nil || len(news.Result.Rows) == 0 || !news.Result.Partial {
			t.Errorf("%s: %+v", name, news)
		}
		b.work = simulate
		var plain tally
		p.Run(three(), plain.event)
		b.run(1e9)
		if plain.count(engine.Done) != 6 {
			t.Errorf("%s: %d runs afterwards", name, plain.count(engine.Done))
		}
	}
}
