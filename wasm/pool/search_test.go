package pool

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

// searcher answers searches: value 1 + week + from ÷ 100 for each vector, after
// as many milliseconds as there are vectors, one request after the other.
type searcher map[*fakeWorker]float64 // when each is free again

func (free searcher) work(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
	begin := max(w.b.now, free[w])
	wait := int(begin - w.b.now)
	if q.Kind != bridge.Search {
		w.b.After(wait, func() { simulate(w, q, buffers, file) })
		return
	}
	if q.Piece.Kind == "" {
		text, _ := json.Marshal([]engine.Week{{Number: 1, Jobs: 5}, {Number: 2, Jobs: 7}})
		w.reply(bridge.Reply{Kind: bridge.Result, ID: q.ID, Weeks: text})
		return
	}
	n := q.Piece.To - q.Piece.From
	free[w] = begin + float64(n)
	w.b.After(wait, func() { w.held = q })
	values := make([]float64, n)
	for i := range values {
		values[i] = 1 + float64(q.Piece.Week) + float64(q.Piece.From+i)/100
	}
	w.b.After(wait+n/2, func() { w.reply(bridge.Reply{Kind: bridge.Progress, ID: q.ID, Done: n / 2, Total: n}) })
	w.b.After(wait+n, func() {
		w.reply(bridge.Reply{Kind: bridge.Result, ID: q.ID}, bridge.PackValues(values).Bytes())
	})
}

// pieces are pieces of a coverage of several sizes.
func pieces(n int) (list []engine.Piece) {
	for i := range n {
		size := 50 + 37*i%200
		list = append(list, engine.Piece{Kind: engine.PieceCoverage, Week: i % 3, Last: i % 3, From: 10 * i, To: 10*i + size, Work: size})
	}
	return list
}

// Intent: whatever the number of workers, each piece is answered once with its
// own values, progress only grows, news come at most about ten times a second,
// and the last one says so.
func TestSearchSpreadsOverWorkers(t *testing.T) {
	list := pieces(20)
	total := 0.0
	for _, p := range list {
		total += float64(p.Work)
	}
	var took []float64
	for _, size := range []int{1, 2, 5} {
		b := &browser{t: t, work: searcher{}.work}
		p := New(b, size)
		var weeks []engine.Week
		p.Weeks(three(), func(w []engine.Week, err error) { weeks = w })
		b.run(1e9)
		if len(weeks) != 2 || weeks[1].Jobs != 7 {
			t.Fatalf("weeks %+v", weeks)
		}
		began := b.now
		got := map[int][]float64{}
		last, times, over := 0.0, 0, 0
		p.Pieces(three(), list, func(n engine.News) {
			times++
			if n.Done < last || n.Done > total+1e-9 || n.Err != nil || over > 0 {
				t.Errorf("%d workers: %v done after %v, error %v, over %d", size, n.Done, last, n.Err, over)
			}
			last = n.Done
			for _, a := range n.Answers {
				if got[a.Piece] != nil {
					t.Errorf("piece %d is answered twice", a.Piece)
				}
				got[a.Piece] = a.Values
			}
			if n.Over {
				over++
			}
		})
		b.run(1e9)
		took = append(took, b.now-began)
		if over != 1 || last != total || len(got) != len(list) || float64(times) > (b.now-began)/gatherFor+2 {
			t.Errorf("%d workers: over %d times, %v of %v, %d answers, %d news in %v ms", size, over, last, total, len(got), times, b.now-began)
		}
		for i, values := range got {
			if len(values) != list[i].Work || values[0] != 1+float64(list[i].Week)+float64(list[i].From)/100 {
				t.Errorf("%d workers: piece %d has %d values from %v", size, i, len(values), values[0])
			}
		}
		if len(b.workers) != size {
			t.Errorf("%d workers: %d were started", size, len(b.workers))
		}
	}
	if took[0]/took[1] < 1.8 {
		t.Errorf("one worker takes %v ms, two %v", took[0], took[1])
	}
}

// Intent: a cancelled search keeps what workers had by then, answers included
// that come as fewer values; a run that is asked for meanwhile waits for no
// more than the pieces that workers have.
func TestSearchCancelAndRuns(t *testing.T) {
	b := &browser{t: t}
	free := searcher{}
	b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
		if q.Kind == bridge.Cancel {
			if q.ID == w.held.ID {
				w.reply(bridge.Reply{Kind: bridge.Result, ID: w.held.ID}, bridge.PackValues([]float64{1.5, 2.5}).Bytes())
			}
			return
		}
		free.work(w, q, buffers, file)
	}
	p := New(b, 2)
	var short [][]float64
	var news engine.News
	done := 0
	work := p.Pieces(three(), pieces(200), func(n engine.News) {
		news = n
		done += len(n.Answers)
		for _, a := range n.Answers {
			if len(a.Values) == 2 {
				short = append(short, a.Values)
			}
		}
	})
	b.run(1000)
	var y tally
	p.Run(three(), y.event)
	b.run(2500)
	if y.count(engine.Done) != 6 {
		t.Errorf("%d of 6 runs are done beside a search", y.count(engine.Done))
	}
	before := done + 2 // each worker may have had an answer that was not told yet
	work.Stop()
	b.run(1e9)
	if !news.Over || news.Err != nil || before == 2 || done > before+4 || len(short) == 0 || !slices.Equal(short[0], []float64{1.5, 2.5}) {
		t.Errorf("over %v, error %v, %d answers before and %d after, short %v", news.Over, news.Err, before, done, short)
	}
}

// Intent: a worker that crashes fails the search, and what waited in it does not
// come twice; one that crashes with a run in it loses no piece that waited.
func TestSearchCrash(t *testing.T) {
	b := &browser{t: t}
	free := searcher{}
	crashes := 0
	b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
		if q.Kind == bridge.Search && q.Piece.From == 50 {
			if crashes++; crashes == 1 {
				w.b.After(int(max(0, free[w]-w.b.now))+20, func() { w.reply(bridge.Reply{Kind: bridge.Failure, ID: q.ID, Error: "nil", Code: bridge.CodePanic}) })
				return
			}
		}
		free.work(w, q, buffers, file)
	}
	p := New(b, 1)
	var news engine.News
	p.Pieces(three(), pieces(9), func(n engine.News) { news = n })
	b.run(1e9)
	if !news.Over || news.Err == nil {
		t.Errorf("%+v", news)
	}
	if len(p.queue) > 0 || len(p.workers) > 1 {
		t.Errorf("%d tasks are left behind, %d workers", len(p.queue), len(p.workers))
	}
	var y tally
	p.Run(three(), y.event)
	b.run(1e9)
	if y.count(engine.Done) != 6 {
		t.Errorf("%d of 6 runs are done afterwards", y.count(engine.Done))
	}
}

// Intent: a fault of a piece ends the search with its message; a worker that
// sends other than was asked is a fault.
func TestSearchFaults(t *testing.T) {
	for name, work := range map[string]func(w *fakeWorker, q bridge.Request){
		"formula 7": func(w *fakeWorker, q bridge.Request) {
			w.reply(bridge.Reply{Kind: bridge.Failure, ID: q.ID, Error: "formula 7"})
		},
		"the simulation worker sent 300 values instead of 50": func(w *fakeWorker, q bridge.Request) {
			w.reply(bridge.Reply{Kind: bridge.Result, ID: q.ID}, bridge.PackValues(make([]float64, 300)).Bytes())
		},
		errShort.Error(): func(w *fakeWorker, q bridge.Request) { w.reply(bridge.Reply{Kind: bridge.Result, ID: q.ID}) },
		"the simulation worker stopped, and so did a second one (out of memory); other runs go on": func(w *fakeWorker, q bridge.Request) { w.crash("out of memory") },
	} {
		b := &browser{t: t, work: func(w *fakeWorker, q bridge.Request, _ []Buffer, _ any) {
			if q.Kind == bridge.Search {
				work(w, q)
			}
		}}
		var news engine.News
		New(b, 1).Pieces(three(), pieces(3), func(n engine.News) { news = n })
		b.run(1e9)
		if !news.Over || fmt.Sprint(news.Err) != name {
			t.Errorf("%s: %+v", name, news)
		}
	}
}

// Intent: what does not matter to a search makes no other document of it, so
// that workers cut the workload once.
func TestSearchTextIsStable(t *testing.T) {
	a, b := three(), three()
	from, to := int64(1), int64(math.MaxInt32)
	b.Title, b.Workload.Window.From, b.Workload.Window.To, b.Schedulers = "another", &from, &to, b.Schedulers[:1]
	x, err := searchText(a)
	y, _ := searchText(b)
	if err != nil || x != y {
		t.Errorf("%v\n%s\n%s", err, x, y)
	}
	b.Measures.Tau = 60
	if y, _ = searchText(b); x == y {
		t.Error("τ does not matter")
	}
}
