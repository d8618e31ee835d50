package pool

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

// browser plays the page's thread: a clock and a list of what comes later.
type browser struct {
	t       *testing.T
	now     float64
	later   []later
	workers []*fakeWorker // all ever started
	patient bool          // run waits for the watch over silent workers, too
	fetches int           // how often the studies' program was asked for
	offline error         // why it does not come, nil it does
	// work answers a request; it may leave it unanswered.
	work func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any)
}

type later struct {
	at    float64
	f     func()
	watch bool // of the watch over silent workers
}

// fakeWorker is a worker that answers through the browser's queue.
type fakeWorker struct {
	b       *browser
	receive func([]byte, []Buffer)
	crash   func(string)
	ended   bool
	got     []bridge.Request
	held    bridge.Request // run left unanswered
	studies bool
}

func (b *browser) Spawn(studies bool, receive func([]byte, []Buffer), crashed func(string)) Port {
	w := &fakeWorker{b: b, studies: studies, receive: receive, crash: crashed}
	b.workers = append(b.workers, w)
	return w
}
func (b *browser) Fetch(progress func(got, total int), done func(error)) {
	b.fetches++
	b.After(5, func() { progress(1, 2) })
	b.After(10, func() { done(b.offline) })
}
func (b *browser) Copy(x Buffer, done func([]byte)) {
	b.After(2, func() { done(x.([]byte)) })
}
func (b *browser) Size(x Buffer) int              { return len(x.([]byte)) }
func (b *browser) Join(files []any) any           { return files }
func (b *browser) Both(log any, beside []any) any { return [2]any{log, beside[0]} }
func (b *browser) Now() float64                   { return b.now }
func (b *browser) After(ms int, f func()) {
	b.later = append(b.later, later{b.now + float64(ms), f, ms == watchEvery})
}
func (w *fakeWorker) Terminate() { w.ended = true }
func (w *fakeWorker) reply(p bridge.Reply, buffers ...Buffer) {
	w.b.After(1, func() {
		if !w.ended {
			w.receive([]byte(bridge.Encode(p)), buffers)
		}
	})
}

func (w *fakeWorker) Send(head string, buffers []Buffer, file any) {
	q, err := bridge.DecodeRequest([]byte(head))
	if err != nil {
		w.b.t.Errorf("the pool sent %s: %v", head, err)
		return
	}
	w.got = append(w.got, q)
	w.b.After(1, func() {
		if !w.ended {
			w.b.work(w, q, buffers, file)
		}
	})
}

// run plays until nothing is left to happen, or until the clock says stop.
func (b *browser) run(until float64) {
	for slices.ContainsFunc(b.later, func(l later) bool { return !l.watch || b.patient }) {
		i := 0
		for k := range b.later {
			if b.later[k].at < b.later[i].at {
				i = k
			}
		}
		next := b.later[i]
		if next.at > until {
			return
		}
		b.later = slices.Delete(b.later, i, i+1)
		b.now = next.at
		next.f()
	}
}

// simulate answers as a worker does: a run whose numbers say which it was, a
// block of one letter, jobs when asked, and the blocks together as digest.
func simulate(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
	switch q.Kind {
	case bridge.Run:
		run := &report.Run{Scheduler: q.Scheduler, Repetition: q.Repetition, Jobs: 1,
			Columns: report.Columns{Start: []model.Time{5}, End: []model.Time{model.Time(q.Scheduler)}}}
		head, columns, _ := bridge.PackRun(run)
		out := []Buffer{columns.Bytes(), []byte{byte('a' + q.Scheduler), byte('0' + q.Repetition)}}
		if q.Jobs {
			out = append(out, bridge.PackJobs(&report.Jobs{Number: []int64{int64(q.Repetition)}, Submit: []model.Time{0}, Limit: []model.Time{9},
				Run: []model.Time{9}, Procs: []int32{1}, User: []int32{1}, Queue: []int32{1}}).Bytes())
		}
		w.reply(bridge.Reply{Kind: bridge.Progress, ID: q.ID, Done: 1, Total: 2})
		w.reply(bridge.Reply{Kind: bridge.Result, ID: q.ID, Run: head}, out...)
	case bridge.Fold:
		state := slices.Clone(q.State)
		for _, r := range q.Blocks {
			state = append(state, buffers[r.Buffer].([]byte)[0], byte('0'+r.Repetition))
		}
		for _, b := range buffers {
			if q.Blocks == nil {
				state = append(state, b.([]byte)...)
			}
		}
		w.reply(bridge.Reply{Kind: bridge.Result, ID: q.ID, State: state, Digest: string(state)}, buffers...)
	case bridge.Why:
		w.reply(bridge.Reply{Kind: bridge.Result, ID: q.ID}, bridge.PackRecord(&report.Record{Why: []report.Why{{Head: int32(10*q.Scheduler + q.Repetition)}}}).Bytes())
	case bridge.Load:
		if q.NewLog != "" {
			w.reply(bridge.Reply{Kind: bridge.Result, ID: q.ID, Preview: &report.Preview{Name: q.NewLog, SHA256: hash, Size: 3}})
			return
		}
		w.reply(bridge.Reply{Kind: bridge.Result, ID: q.ID, Preview: &report.Preview{Name: "generated"}})
	}
}

const hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// three is an experiment of three schedulers with two repetitions each, which
// differ.
func three() experiment.Experiment {
	e := *experiment.New()
	g, err := experiment.NewGenerator("daily")
	if err != nil {
		panic(err)
	}
	e.Workload.Source = experiment.Source{Generator: g}
	e.Schedulers = nil
	for _, key := range []string{"fcfs", "easy", "conservative"} {
		s, err := experiment.NewScheduler(key)
		if err != nil {
			panic(err)
		}
		s.Repeat = 2
		e.Schedulers = append(e.Schedulers, s)
	}
	return e
}

// tally collects events by run.
type tally struct {
	last   map[int]engine.Event
	jobs   map[int]int
	digest string
}

func (y *tally) event(ev engine.Event) {
	if y.last == nil {
		y.last, y.jobs = map[int]engine.Event{}, map[int]int{}
	}
	if old := y.last[ev.Run]; old.Status >= engine.Done {
		panic(fmt.Sprintf("run %d: news after its end", ev.Run))
	}
	y.last[ev.Run] = ev
	if ev.Status == engine.Done && ev.Jobs == nil && !ev.Result.Copy && y.jobs[ev.Result.Repetition] == 0 {
		panic(fmt.Sprintf("run %d: done before the jobs of its repetition came", ev.Run))
	}
	if ev.Jobs != nil {
		y.jobs[int(ev.Jobs.Number[0])]++
	}
	if ev.Digest != "" {
		y.digest = ev.Digest
	}
}

func (y *tally) count(s engine.Status) (n int) {
	for _, ev := range y.last {
		if ev.Status == s {
			n++
		}
	}
	return n
}

// Intent: whatever the number of workers, every run ends once with its own
// numbers, jobs come once a repetition, and the digest is of all blocks in
// order of the experiment, with the last news.
func TestRunsSpreadOverWorkers(t *testing.T) {
	for _, size := range []int{1, 2, 8} {
		b := &browser{t: t, work: simulate}
		p := New(b, size)
		var y tally
		p.Run(three(), y.event)
		if len(y.last) > 0 {
			t.Fatalf("%d workers: news before Run returned", size)
		}
		b.run(1e9)
		if y.count(engine.Done) != 6 || y.digest != "a0a1b0b1c0c1" {
			t.Errorf("%d workers: %d done, digest %q", size, y.count(engine.Done), y.digest)
		}
		for i, ev := range y.last {
			if ev.Result.Scheduler != i/2 || ev.Result.Repetition != i%2 || ev.Result.Columns.End[0] != model.Time(i/2) {
				t.Errorf("%d workers: run %d got the result of scheduler %d, repetition %d", size, i, ev.Result.Scheduler, ev.Result.Repetition)
			}
		}
		if y.jobs[0] != 1 || y.jobs[1] != 1 {
			t.Errorf("%d workers: jobs by repetition %v", size, y.jobs)
		}
		if len(b.workers) > size {
			t.Errorf("%d workers: %d were started", size, len(b.workers))
		}
	}
}

// copied is three with schedulers of which the first and the last do the same twice.
func copied(t *testing.T) experiment.Experiment {
	e := three()
	e.Workload.Source = experiment.Source{Bundled: "demo"}
	plan, err := experiment.NewScheduler("hill-climbing") // draws
	if err != nil {
		t.Fatal(err)
	}
	plan.Repeat = 2
	e.Schedulers[1] = plan
	return e
}

// Intent: repetitions that would be the same run are run once, told as often as
// they are asked for, and stand in the digest each by itself; run again, they come
// back together.
func TestCopies(t *testing.T) {
	b := &browser{t: t, work: simulate}
	p := New(b, 2)
	e := copied(t)
	var y tally
	all := p.Run(e, func(ev engine.Event) { y.take(ev) })
	b.run(1e9)
	if y.count(engine.Done) != 6 || y.digest != "a0a1b0b1c0c1" {
		t.Errorf("%d done, digest %q", y.count(engine.Done), y.digest)
	}
	asked := 0
	for _, w := range b.workers {
		for _, q := range w.got {
			if q.Kind == bridge.Run {
				asked++
			}
		}
	}
	if asked != 4 {
		t.Errorf("%d runs were asked for, 4 differ", asked)
	}
	for i, ev := range y.last {
		if r := ev.Result; r.Scheduler != i/2 || r.Repetition != i%2 || r.Copy != (i == 1 || i == 5) {
			t.Errorf("run %d is scheduler %d, repetition %d, copy %v", i, r.Scheduler, r.Repetition, r.Copy)
		}
	}
	y = tally{}
	all.Again([]int{4, 5})
	b.run(2e9)
	if len(y.last) != 2 || y.count(engine.Done) != 2 || y.digest != "a0a1b0b1c0c1" {
		t.Errorf("again: %d runs, digest %q", len(y.last), y.digest)
	}
	p.Run(e, func(engine.Event) {}).StopOne(5)
	b.run(3e9)
}

// Intent: a worker that ends by itself is replaced, and what it had is done once
// more; the reason is told, and the result is whole.
func TestCrashIsDoneAgain(t *testing.T) {
	b := &browser{t: t}
	crashes := 0
	b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
		if q.Kind == bridge.Run && q.Scheduler == 1 && q.Repetition == 0 && crashes == 0 {
			crashes++
			w.crash("it ended without a message")
			w.crash("it ended without a message") // the lock and the last words may both come
			return
		}
		simulate(w, q, buffers, file)
	}
	p := New(b, 2)
	var told []string
	p.OnLost(func(reason string) { told = append(told, reason) })
	var y tally
	p.Run(three(), y.event)
	b.run(1e9)
	if y.count(engine.Done) != 6 || y.digest == "" || len(b.workers) != 3 || !slices.Equal(told, []string{"it ended without a message"}) {
		t.Errorf("%d done, digest %q, %d workers, told %q", y.count(engine.Done), y.digest, len(b.workers), told)
	}
}

// Intent: what was cancelled is not done again when its worker ends before it obeys.
func TestCrashAfterCancel(t *testing.T) {
	b := &browser{t: t}
	b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
		if q.Kind == bridge.Run {
			w.held = q
		}
	}
	p := New(b, 1)
	var y tally
	all := p.Run(three(), y.event)
	b.run(100)
	all.Stop()
	b.workers[0].crash("it ended without a message")
	b.run(1e9)
	if y.count(engine.Cancelled) != 6 || len(p.queue) != 0 || len(b.workers) != 1 {
		t.Errorf("%d cancelled, %d tasks left, %d workers", y.count(engine.Cancelled), len(p.queue), len(b.workers))
	}
}

// Intent: a run over which worker after worker ends fails alone, all other runs end
// well, and there is no digest of an incomplete experiment.
func TestCrashFailsOneRun(t *testing.T) {
	for _, how := range []string{"crash", "panic", "nonsense"} {
		b := &browser{t: t}
		b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
			if q.Kind != bridge.Run || q.Scheduler != 1 || q.Repetition != 0 {
				simulate(w, q, buffers, file)
				return
			}
			switch how {
			case "crash":
				w.crash("out of memory")
			case "panic":
				w.reply(bridge.Reply{Kind: bridge.Failure, ID: q.ID, Error: "out of memory", Code: bridge.CodePanic})
			case "nonsense":
				w.receive([]byte(`{"kind":"?","error":"out of memory"}`), nil)
			}
		}
		p := New(b, 2)
		var y tally
		p.Run(three(), y.event)
		b.run(1e9)
		if y.count(engine.Done) != 5 || y.count(engine.Failed) != 1 || y.last[2].Status != engine.Failed || y.digest != "" {
			t.Fatalf("%s: %d done, %d failed, run 2 %+v, digest %q", how, y.count(engine.Done), y.count(engine.Failed), y.last[2], y.digest)
		}
		if how != "nonsense" && !strings.Contains(y.last[2].Err.Error(), "out of memory") {
			t.Errorf("%s: the failed run says %v", how, y.last[2].Err)
		}
		if want := map[string]int{"crash": 4, "panic": 3, "nonsense": 4}[how]; len(b.workers) != want { // two, and replacements: a fault of the simulator would only come again
			t.Errorf("%s: %d workers were started", how, len(b.workers))
		}
	}
}

// Intent: a cancel ends queued runs at once, a running one as soon as its
// worker obeys, and one whose worker does not obey after 150 ms with a new
// worker; finished runs stay.
func TestCancel(t *testing.T) {
	for _, obeys := range []bool{true, false} {
		b := &browser{t: t}
		b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
			switch {
			case q.Kind == bridge.Cancel && obeys:
				w.reply(bridge.Reply{Kind: bridge.Failure, ID: w.held.ID, Error: "cancelled", Code: bridge.CodeCancelled})
			case q.Kind == bridge.Cancel:
			case q.Kind == bridge.Run && q.Scheduler == 1:
				w.held = q
			default:
				simulate(w, q, buffers, file)
			}
		}
		p := New(b, 1)
		var y tally
		all := p.Run(three(), y.event)
		b.run(100)
		if y.count(engine.Done) != 2 || y.last[2].Status != engine.Running {
			t.Fatalf("before: %d done, run 2 %v", y.count(engine.Done), y.last[2].Status)
		}
		asked := b.now
		all.Stop()
		b.run(1e9)
		if y.count(engine.Done) != 2 || y.count(engine.Cancelled) != 4 {
			t.Errorf("obeys %v: %d done, %d cancelled", obeys, y.count(engine.Done), y.count(engine.Cancelled))
		}
		if took := b.now - asked; took > CancelWait+1 {
			t.Errorf("obeys %v: it took %v ms", obeys, took)
		}
		if b.workers[0].ended == obeys {
			t.Errorf("obeys %v: worker ended %v", obeys, b.workers[0].ended)
		}
		// The pool works on.
		b.work = simulate
		var again tally
		p.Run(three(), again.event)
		b.run(1e9)
		if again.digest != "a0a1b0b1c0c1" {
			t.Errorf("obeys %v: the next experiment has digest %q", obeys, again.digest)
		}
	}
}

// Intent: one run can be cancelled by itself; the others end.
func TestStopOne(t *testing.T) {
	b := &browser{t: t, work: simulate}
	p := New(b, 2)
	var y tally
	all := p.Run(three(), y.event)
	all.StopOne(4)
	all.StopOne(99)
	b.run(1e9)
	if y.count(engine.Done) != 5 || y.last[4].Status != engine.Cancelled || y.digest != "" {
		t.Errorf("%d done, run 4 %v, digest %q", y.count(engine.Done), y.last[4].Status, y.digest)
	}
}

// Intent: a new log is known by its hash from its first reading on; an
// experiment that names another asks for it instead of running.
func TestLogsAreKnownByHash(t *testing.T) {
	b := &browser{t: t}
	var files []any
	b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
		files = append(files, file)
		simulate(w, q, buffers, file)
	}
	p := New(b, 1)
	e := three()
	e.Workload.Source = experiment.Source{Log: &experiment.Log{Name: "a.swf", SHA256: hash, Size: 3}}
	var y tally
	p.Run(e, y.event)
	var loadErr error
	p.Load(e, nil, func(_ *report.Preview, err error) { loadErr = err })
	b.run(1e9)
	if y.count(engine.Failed) != 6 || !errors.Is(y.last[0].Err, ErrLogWanted) || !errors.Is(loadErr, ErrLogWanted) {
		t.Fatalf("unknown log: %d failed with %v, loading says %v", y.count(engine.Failed), y.last[0].Err, loadErr)
	}
	fresh := e
	fresh.Workload.Source = experiment.Source{Log: &experiment.Log{Name: "a.swf"}}
	var preview *report.Preview
	p.Load(fresh, "the file", func(v *report.Preview, err error) { preview = v })
	b.run(1e9)
	if preview == nil || preview.Name != "a.swf" || preview.SHA256 != hash {
		t.Fatalf("new log: %+v", preview)
	}
	y = tally{}
	p.Run(e, y.event)
	b.run(1e9)
	if y.count(engine.Done) != 6 {
		t.Errorf("known log: %d done, first says %v", y.count(engine.Done), y.last[0].Err)
	}
	for _, f := range files[:len(files)-1] { // the digest needs none
		if f != "the file" {
			t.Errorf("a worker got %v instead of the file", f)
		}
	}
}

// Intent: fewer workers serve a log that is large for the memory there is, first the one that
// has read it; its runs are all done, and others' work goes on beside them.
func TestLargeLogsHaveFewerWorkers(t *testing.T) {
	for _, c := range []struct {
		size int64 // of the log
		most int
	}{{10, 3}, {100, 2}, {1000, 1}} { // the other's runs take one
		b := &browser{t: t}
		busy, peak := map[*fakeWorker]bool{}, 0
		var reader, first *fakeWorker
		b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
			if q.Kind == bridge.Load {
				reader = w
			}
			if q.Kind != bridge.Run || file == nil {
				simulate(w, q, buffers, file)
				return
			}
			if first == nil {
				first = w
			}
			busy[w] = true
			peak = max(peak, len(busy))
			b.After(50, func() { delete(busy, w); simulate(w, q, buffers, file) })
		}
		p := New(b, 4)
		p.Bound(2 * perText * 100)
		other := three()
		var before, y, z tally
		p.Run(other, before.event) // so that all four workers are there
		b.run(1e9)
		e := three()
		e.Workload.Source = experiment.Source{Log: &experiment.Log{Name: "a.swf"}}
		p.Load(e, "the file", func(*report.Preview, error) {})
		b.run(1e9)
		e.Workload.Source.Log = &experiment.Log{Name: "a.swf", SHA256: hash, Size: c.size}
		p.Run(e, y.event)
		p.Beside(other, z.event)
		b.run(1e9)
		if y.count(engine.Done) != 6 || z.count(engine.Done) != 6 || peak != c.most || first != reader {
			t.Errorf("%d bytes: %d and %d runs done, at most %d workers at it instead of %d, begun by its reader: %v", c.size, y.count(engine.Done), z.count(engine.Done), peak, c.most, first == reader)
		}
	}
}

// Intent: reasons are asked of the scheduler and repetition that the run's
// index stands for.
func TestWhyNamesTheRun(t *testing.T) {
	b := &browser{t: t, work: simulate}
	p := New(b, 1)
	got := map[int]int32{}
	for run := range 6 {
		p.Why(three(), run, func(r report.Record, err error) { got[run] = r.Why[0].Head })
	}
	var err error
	p.Why(three(), 6, func(_ report.Record, e error) { err = e })
	b.run(1e9)
	for run := range 6 {
		if got[run] != int32(run/2*10+run%2) {
			t.Errorf("run %d: reasons of %d", run, got[run])
		}
	}
	if err == nil {
		t.Error("a run beyond the last was answered")
	}
}

// Intent: a file of annotations goes along with the log of its experiment; one
// that is not here is asked for by name, and nothing is sent to a worker.
func TestFileOfAnnotations(t *testing.T) {
	b := &browser{t: t}
	var files []any
	b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
		files = append(files, file)
		simulate(w, q, buffers, file)
	}
	p := New(b, 1)
	e := three()
	e.Workload.Annotate.File = &experiment.Log{Name: "needs.csv", SHA256: hash, Size: 3}
	var missing engine.NeedsMissing
	var got error
	p.Load(e, nil, func(_ *report.Preview, err error) { got = err })
	b.run(1e9)
	if !errors.As(got, &missing) || missing.File.Name != "needs.csv" || len(files) > 0 {
		t.Fatalf("%v, %d messages", got, len(files))
	}
	p.KeepFile(*e.Workload.Annotate.File, "the file", "needs")
	p.Load(e, nil, func(_ *report.Preview, err error) { got = err })
	b.run(1e9)
	if got != nil || len(files) != 1 || files[0] != [2]any{nil, "the file"} {
		t.Errorf("%v, %v", got, files)
	}
}
