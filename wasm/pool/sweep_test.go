package pool

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

// sweeping is a document of 3 × 40 points, of which the first axis changes how
// many runs there are.
func sweeping(t *testing.T) experiment.Experiment {
	e := three()
	e.Vary = []experiment.Axis{{Path: "schedulers[1].repeat", Values: []experiment.Value{"1", "3", "2"}}, {Path: "workload.scale.load"}}
	for i := range 40 {
		e.Vary[1].Values = append(e.Vary[1].Values, experiment.NumberValue(float64(i+1)/10))
	}
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	return e
}

// sweeper plays a worker: item i has the measures i, i + 1, …, its part of the
// digest is "(point scheduler repetition)", and items take cost milliseconds
// each; after the time budget of a worker it hands back what is left.
type sweeper struct {
	t      *testing.T
	doc    experiment.Experiment
	random *rand.Rand
	cost   int
	times  []int  // how often each item was told
	bad    int    // this item crashes its worker, −1 none
	refuse int    // this one cannot run, −1 none
	large  []byte // stands for all parts of the digest, where they are only counted

	points *experiment.Points
	items  *experiment.Items
	at     map[int]*experiment.Experiment

	free      map[*fakeWorker]float64 // when each worker is
	cancelled map[int]bool
}

func (s *sweeper) work(w *fakeWorker, q bridge.Request, buffers []Buffer, _ any) {
	switch q.Kind {
	case bridge.Fold:
		state := string(q.State)
		for _, b := range buffers {
			state += string(b.([]byte))
		}
		w.reply(bridge.Reply{Kind: bridge.Result, ID: q.ID, State: []byte(state), Digest: state})
	case bridge.Cancel:
		if w.held.ID == q.ID { // half of it is done
			s.free[w] = s.now(w)
			s.answer(w, w.held, w.held.Span.From+(w.held.Span.To-w.held.Span.From)/2)
			return
		}
		s.cancelled[q.ID] = true
	case bridge.Sweep:
		if s.free == nil {
			s.free, s.cancelled = map[*fakeWorker]float64{}, map[int]bool{}
		}
		to := min(q.Span.To, q.Span.From+1+s.random.IntN(60))
		begin := max(s.now(w), s.free[w])
		s.free[w] = begin + float64((to-q.Span.From)*s.cost) + 1
		w.b.After(int(begin-s.now(w)), func() {
			if !s.cancelled[q.ID] {
				w.held = q
			}
		})
		w.b.After(int(s.free[w]-s.now(w)), func() {
			if w.held.ID == q.ID && !w.ended {
				s.answer(w, q, to)
			}
		})
	default:
		simulate(w, q, buffers, nil)
	}
}

func (s *sweeper) now(w *fakeWorker) float64 { return w.b.now }

func (s *sweeper) answer(w *fakeWorker, q bridge.Request, to int) {
	w.held = bridge.Request{}
	if s.items == nil {
		s.points = s.doc.Points()
		s.items, _ = s.points.Items()
		s.at = map[int]*experiment.Experiment{}
	}
	items := s.items
	reply := bridge.Reply{Kind: bridge.Result, ID: q.ID, Span: bridge.Span{From: q.Span.From, To: q.Span.From}}
	var runs []report.Swept
	var values []float64
	out, single := "", q.Span.To == q.Span.From+1
	var blocks []string
	for item := q.Span.From; item < to; item++ {
		if item == s.bad {
			w.crash("out of memory")
			return
		}
		point, within := items.Point(item)
		if s.at[point] == nil {
			s.at[point], _ = s.points.At(point)
		}
		ids, place := items.Of(s.at[point])
		one := report.Swept{Scheduler: int32(ids[within].Scheduler), Repetition: int32(ids[within].Repetition)}
		if item == s.refuse {
			one.Refused = 1
			reply.Refused = append(reply.Refused, bridge.Refused{Item: item, Error: "too large"})
		}
		runs = append(runs, one)
		for k := range catalog.MetricKeys() {
			values = append(values, float64(item+k))
		}
		if blocks == nil {
			blocks = make([]string, len(place))
		}
		blocks[place[within]] = fmt.Sprintf("(%d %d %d)", point, one.Scheduler, one.Repetition)
		if within+1 == len(ids) || single {
			out += strings.Join(blocks, "")
			blocks, reply.Span.To = nil, item+1
		}
	}
	n := reply.Span.To - reply.Span.From
	if n == 0 {
		w.reply(bridge.Reply{Kind: bridge.Failure, ID: q.ID, Code: bridge.CodeCancelled, Error: "cancelled"})
		return
	}
	list := []Buffer{bridge.PackSwept(runs[:n], values[:n*len(catalog.MetricKeys())]).Bytes()}
	if len(reply.Refused) == 0 {
		block := []byte(out)
		if s.large != nil {
			block = s.large
		}
		list = append(list, block)
	}
	w.reply(reply, list...)
}

// take notes what is told.
func (s *sweeper) take(n engine.News) {
	for _, p := range n.Parts {
		for i := range p.Runs {
			item := p.From + i
			s.times[item]++
			if got := p.Values[i*len(catalog.MetricKeys())]; got != float64(item) {
				s.t.Errorf("item %d has the measures of %v", item, got)
			}
		}
	}
}

// Intent: whatever the number of workers, however long items take, and however
// often it is stopped in the middle, every item is told once with its own
// measures, and the digest goes over all parts in their order.
func TestSweep(t *testing.T) {
	doc := sweeping(t)
	points := doc.Points()
	want := ""
	for p := range points.Len() {
		e, err := points.At(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range e.Runs() {
			want += fmt.Sprintf("(%d %d %d)", p, id.Scheduler, id.Repetition)
		}
	}
	for seed := range uint64(16) {
		random := rand.New(rand.NewPCG(seed, 1))
		items, _ := points.Items()
		s := &sweeper{t: t, doc: doc, random: random, cost: []int{1, 3, 40, 700}[seed%4], times: make([]int, items.Len()), bad: -1, refuse: -1}
		b := &browser{t: t, work: s.work}
		p := New(b, 1+random.IntN(4))
		last, over := engine.News{}, false
		c := p.Sweep(doc, func(n engine.News) {
			if over || n.Done < last.Done && !last.Over || n.Err != nil {
				t.Errorf("seed %d: %v done after %v, over %v, %v", seed, n.Done, last.Done, over, n.Err)
			}
			s.take(n)
			last, over = n, n.Over
		})
		for range random.IntN(4) {
			b.run(b.now + float64(random.IntN(3000*s.cost)))
			c.Stop()
			b.run(1e9)
			if !last.Over {
				t.Errorf("seed %d: stopped, and not over", seed)
			}
			over = false
			c.GoOn()
		}
		b.run(1e9)
		if !over && last.Digest == "" || strings.ReplaceAll(last.Digest, " ", "") != strings.ReplaceAll(want, " ", "") {
			t.Fatalf("seed %d: over %v, digest of %d characters, want %d", seed, over, len(last.Digest), len(want))
		}
		for item, n := range s.times {
			if n != 1 {
				t.Errorf("seed %d: item %d was told %d times", seed, item, n)
			}
		}
	}
}

// Intent: an item whose worker crashes fails alone, one that cannot run is
// named, all others are told, and no digest is claimed then.
func TestSweepRefused(t *testing.T) {
	doc := sweeping(t)
	items, _ := doc.Points().Items()
	for _, c := range []struct{ bad, refuse int }{{77, -1}, {-1, 200}, {3, 4}} {
		s := &sweeper{t: t, doc: doc, random: rand.New(rand.NewPCG(1, 1)), cost: 1, times: make([]int, items.Len()), bad: c.bad, refuse: c.refuse}
		b := &browser{t: t, work: s.work}
		var last engine.News
		said := map[int]string{}
		New(b, 2).Sweep(doc, func(n engine.News) {
			s.take(n)
			for _, p := range n.Parts {
				if p.Error != "" {
					said[p.From] = p.Error
				}
			}
			last = n
		})
		b.run(1e9)
		if !last.Over || last.Digest != "" || last.Err != nil || int(last.Done) != items.Len() {
			t.Errorf("%+v: over %v, digest %q, error %v, %v done", c, last.Over, last.Digest, last.Err, last.Done)
		}
		if c.bad >= 0 && !strings.Contains(said[c.bad], "out of memory") || c.refuse >= 0 && said[c.refuse] != "too large" || len(said) > 2 {
			t.Errorf("%+v: said %v", c, said)
		}
		for item, n := range s.times {
			if want := 1; n != want && item != c.bad {
				t.Errorf("%+v: item %d was told %d times", c, item, n)
			}
		}
	}
}

// Intent: what waits to be hashed stays bounded, also when the first part takes
// longer than all others.
func TestSweepMemory(t *testing.T) {
	doc := sweeping(t)
	items, _ := doc.Points().Items()
	s := &sweeper{t: t, doc: doc, random: rand.New(rand.NewPCG(1, 1)), cost: 500, times: make([]int, items.Len()), bad: -1, refuse: -1, large: make([]byte, 4<<20)}
	b := &browser{t: t}
	b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
		if q.Kind == bridge.Sweep && q.Span.From == 0 { // an hour for the first one
			b.After(3_600_000, func() { s.answer(w, q, q.Span.To) })
			return
		}
		s.work(w, q, buffers, file)
	}
	p := New(b, 3)
	c := p.Sweep(doc, s.take).(*swept)
	b.run(3_000_000)
	if c.digest.bytes > holdBlocks+3*len(s.large) || int(c.done) < holdBlocks/len(s.large)/2 {
		t.Errorf("%v bytes wait, %v items done", c.digest.bytes, c.done)
	}
	c.Stop()
	c.Drop()
}

// Intent: each item comes with all logs that points name, by their hashes; before
// one is here neither reading nor running begins, and both say which it is; reading
// the wanted one needs no other.
func TestSweepLogs(t *testing.T) {
	doc := three()
	log := func(name, digit string) experiment.Log {
		return experiment.Log{Name: name, SHA256: strings.Repeat(digit, 64), Size: 3}
	}
	a, c := log("a.swf", "a"), log("c.swf", "c")
	doc.Workload.Source = experiment.Source{Log: &a}
	axis := experiment.Axis{Path: "workload.source.log"}
	for _, l := range []experiment.Log{a, c} {
		axis.Values = append(axis.Values, experiment.Value(fmt.Sprintf(`{"name":%q,"sha256":%q,"size":3}`, l.Name, l.SHA256)))
	}
	doc.Vary = []experiment.Axis{axis}
	if err := doc.Validate(); err != nil {
		t.Fatal(err)
	}
	items, _ := doc.Points().Items()
	s := &sweeper{t: t, doc: doc, random: rand.New(rand.NewPCG(1, 1)), cost: 1, times: make([]int, items.Len()), bad: -1, refuse: -1}
	b := &browser{t: t}
	b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
		if q.Kind == bridge.Sweep && (!slices.Equal(q.Logs, []string{c.SHA256}) || file != [2]any{"file a", "file c"}) {
			t.Errorf("item %d comes with %v of %v", q.Span.From, file, q.Logs)
		}
		s.work(w, q, buffers, file)
	}
	p := New(b, 2)
	p.KeepFile(a, "file a", "")
	missing := func(err error) bool {
		var m engine.LogMissing
		return errors.As(err, &m) && m.Log == c && strings.Contains(err.Error(), "c.swf")
	}
	var last engine.News
	control := p.Sweep(doc, func(n engine.News) {
		s.take(n)
		last = n
	})
	var loading error
	p.Load(doc, nil, func(_ *report.Preview, err error) { loading = err })
	b.run(1e9)
	if !last.Over || !missing(last.Err) || last.Done != 0 || !missing(loading) {
		t.Fatalf("without the log: %+v; reading says %v", last, loading)
	}
	fresh := doc
	fresh.Workload.Source = experiment.Source{Log: &experiment.Log{Name: "c.swf"}}
	p.Load(fresh, "file c", func(_ *report.Preview, err error) { loading = err })
	p.KeepFile(c, "file c", "")
	control.GoOn()
	b.run(2e9)
	if loading != nil || !last.Over || last.Err != nil || int(last.Done) != items.Len() || last.Digest == "" {
		t.Errorf("with it: %+v; reading says %v", last, loading)
	}
}
