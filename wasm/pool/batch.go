package pool

import (
	"errors"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

// batch is the runs of one experiment, which may be tens of thousands. A run
// becomes a task when it is nearly its turn, so that starting and stopping them
// cost the page's thread no more than a few do.
type batch struct {
	e      experiment.Experiment
	text   string // of the experiment
	study  bool   // it needs the studies' program
	event  func(engine.Event)
	tasks  []*task       // by run, nil until it is nearly its turn; those of copies are their originals'
	of     []int         // by run: the run that it is a copy of, itself where it is none
	copies map[int][]int // by run: its copies
	reps   []int         // by run: its repetition
	next   int           // the runs before it have become tasks
	ahead  int           // tasks that wait for a worker
	held   bool          // no more runs begin for now
	broken error         // why none of the others can, nil when they can
	blocks []Buffer      // of the digest, by run; nil for copies and for what is hashed
	digest hashing
	jobs   map[int]bool // by repetition: they have come
	well   []bool       // runs that ended well
	left   int          // runs that have not
}

// Run implements engine.Engine.
func (p *Pool) Run(e experiment.Experiment, event func(engine.Event)) (cancel func()) {
	p.current, cancel = p.begin(e, event)
	return cancel
}

var _ engine.BackgroundRunner = (*Pool)(nil)

// Beside implements engine.BackgroundRunner.
func (p *Pool) Beside(e experiment.Experiment, event func(engine.Event)) (cancel func()) {
	_, cancel = p.begin(e, event)
	return cancel
}

// begin begins the runs of an experiment.
func (p *Pool) begin(e experiment.Experiment, event func(engine.Event)) (b *batch, cancel func()) {
	b = &batch{e: e, text: string(experiment.Encode(&e)), study: e.Studies(), event: event, copies: map[int][]int{}, jobs: map[int]bool{}}
	for s := range e.Schedulers {
		base := len(b.of)
		for r := range int(max(1, e.Schedulers[s].Repeat)) {
			first := base + e.First(s, r)
			b.of, b.reps = append(b.of, first), append(b.reps, r)
			if first != base+r {
				b.copies[first] = append(b.copies[first], base+r)
			}
		}
	}
	b.left = len(b.of)
	b.tasks, b.blocks, b.well = make([]*task, b.left), make([]Buffer, b.left), make([]bool, b.left)
	if err := p.attach(&task{}, &e); err != nil {
		b.giveUp(p, engine.Event{Status: engine.Failed, Err: err})
	}
	p.feed(b)
	return b, func() {
		b.giveUp(p, engine.Event{Status: engine.Cancelled})
		p.stopMending(b)
		for _, t := range b.tasks[:b.next] {
			if t != nil {
				p.cancel(t)
			}
		}
	}
}

// feed makes tasks of the next runs, as long as fewer wait than there may be
// workers.
func (p *Pool) feed(b *batch) {
	for b.broken == nil && !b.held && b.ahead < p.size && b.next < len(b.of) {
		i := b.next
		b.next++
		if b.of[i] == i && b.tasks[i] == nil {
			p.start(b, i, b.event)
		}
	}
}

// start makes a task of run i and hands it in.
func (p *Pool) start(b *batch, i int, event func(engine.Event)) *task {
	t := p.runTask(b, i)
	t.batch = b
	b.tasks[i] = t
	p.watch(b, i, t, event)
	if err := p.attach(t, &b.e); err != nil {
		p.host.After(0, func() { t.finish(bridge.Reply{}, nil, err) })
		return t
	}
	p.submit(t, false)
	return t
}

// runTask is a task that does run i.
func (p *Pool) runTask(b *batch, i int) *task {
	s := 0
	for k := i - b.reps[i]; k > 0; s++ {
		k -= int(max(1, b.e.Schedulers[s].Repeat))
	}
	return &task{studies: b.study, request: bridge.Request{Kind: bridge.Run, Experiment: b.text, Scheduler: s, Repetition: b.reps[i]}}
}

// giveUp ends all runs that have not become tasks, with one event each.
func (b *batch) giveUp(p *Pool, ev engine.Event) {
	if b.broken != nil {
		return
	}
	b.broken = errCancelled
	if ev.Err != nil {
		b.broken = ev.Err
	}
	var rest []int
	for i := b.next; i < len(b.of); i++ {
		if b.tasks[b.of[i]] == nil {
			rest = append(rest, i)
		}
	}
	b.next = len(b.of)
	p.host.After(0, func() {
		for _, ev.Run = range rest {
			b.event(ev)
		}
	})
}

var _ engine.Holder = (*Pool)(nil)

// Hold implements engine.Holder.
func (p *Pool) Hold(held bool) {
	if b := p.current; b != nil {
		b.held = held
		p.feed(b)
		p.host.After(0, p.dispatch)
	}
}

// CancelOne implements engine.Engine.
func (p *Pool) CancelOne(run int) {
	b := p.current
	if b == nil || run < 0 || run >= len(b.of) {
		return
	}
	i := b.of[run]
	if b.tasks[i] != nil {
		p.cancel(b.tasks[i])
		return
	}
	if b.broken == nil {
		b.tasks[i] = &task{over: true}
		p.host.After(0, func() {
			b.tell(i, b.event, engine.Event{Status: engine.Cancelled})
		})
	}
}

var _ engine.Rerunner = (*Pool)(nil)

// Again implements engine.Rerunner.
func (p *Pool) Again(e experiment.Experiment, runs []int, event func(engine.Event)) (cancel func()) {
	b := p.current
	if b == nil || b.text != string(experiment.Encode(&e)) {
		return func() {}
	}
	p.stopMending(b)
	var tasks []*task
	asked := make(map[int]bool, len(runs))
	for _, i := range runs {
		if i = b.of[i]; asked[i] {
			continue // it comes with its original, or with another copy
		}
		asked[i] = true
		b.forget(p, i)
		for _, k := range append([]int{i}, b.copies[i]...) {
			b.undone(k)
		}
		tasks = append(tasks, p.start(b, i, event))
	}
	return func() {
		p.stopMending(b)
		for _, t := range tasks {
			p.cancel(t)
		}
	}
}

// tell announces something of run i and of its copies.
func (b *batch) tell(i int, event func(engine.Event), ev engine.Event) {
	ev.Run = i
	event(ev)
	for _, ev.Run = range b.copies[i] {
		event(ev)
	}
}

// done and undone count the runs that ended well.
func (b *batch) done(i int) {
	if !b.well[i] {
		b.well[i] = true
		b.left--
	}
}

func (b *batch) undone(i int) {
	if b.well[i] {
		b.well[i] = false
		b.left++
	}
}

// beforeProgress is how long a run has simulated, in milliseconds, when it is heard of for
// the first time; what it reads before counts for nothing.
const beforeProgress = 50

// watch turns what happens to run i of a batch into events, for its copies as
// well.
func (p *Pool) watch(b *batch, i int, t *task, event func(engine.Event)) {
	var started, first, furthest float64
	waits := true
	b.ahead++
	leave := func() {
		if waits {
			waits = false
			b.ahead--
			p.feed(b)
		}
	}
	t.before = func(q *bridge.Request) {
		q.Jobs = !b.jobs[q.Repetition]
		started = p.host.Now()
		first, furthest = 0, 0
		b.tell(i, event, engine.Event{Status: engine.Running})
		leave()
	}
	t.progress = func(done, total int) {
		now := p.host.Now()
		if first == 0 {
			first = now - beforeProgress
		}
		share := float64(done) / float64(max(1, total)) // of the time that it takes
		if furthest = max(furthest, share); share > 0 && now-first > 500 {
			ev := engine.Event{Status: engine.Running, Progress: furthest, Left: (now - first) / 1000 * (1 - share) / share}
			b.tell(i, event, ev)
			return
		}
		b.tell(i, event, engine.Event{Status: engine.Running, Progress: furthest})
	}
	t.end = func(reply bridge.Reply, buffers []Buffer, err error) {
		if errors.As(err, new(unfetched)) {
			b.giveUp(p, engine.Event{Status: engine.Failed, Err: err})
		}
		leave()
		switch {
		case err == errCancelled:
			b.tell(i, event, engine.Event{Status: engine.Cancelled})
		case err != nil:
			b.tell(i, event, engine.Event{Status: engine.Failed, Err: err})
		default:
			took := (p.host.Now() - started) / 1000
			p.inTurn(func(release func()) {
				p.accept(b, i, t, reply, buffers, func(ev engine.Event) {
					defer release()
					if ev.Status != engine.Done {
						b.tell(i, event, ev)
						return
					}
					ev.Run, ev.Took = i, took
					p.arrive(b, ev, event)
					ev.Took = 0
					for _, k := range b.copies[i] {
						ev.Run, ev.Result = k, copied(ev.Result, b.reps[k])
						p.arrive(b, ev, event)
					}
				})
			})
		}
	}
}

// arrive announces a run that ended well. The last news waits for the digest.
func (p *Pool) arrive(b *batch, ev engine.Event, event func(engine.Event)) {
	b.done(ev.Run)
	if b.left == 0 {
		p.digest(b, ev, event)
		return
	}
	event(ev)
}

// copied is a run as that of another repetition. It shares its memory.
func copied(r *report.Run, repetition int) *report.Run {
	c := *r
	c.Repetition, c.Copy = repetition, true
	return &c
}

// inTurn calls f when those before it have called release. Results are
// accepted one after the other, so that no run is news before the jobs that
// came with an earlier one.
func (p *Pool) inTurn(f func(release func())) {
	p.turn = append(p.turn, f)
	if len(p.turn) == 1 {
		f(p.release)
	}
}

func (p *Pool) release() {
	p.turn = p.turn[1:]
	if len(p.turn) > 0 {
		p.host.After(0, func() { p.turn[0](p.release) })
	}
}

// accept reads the result of a run: columns, block, and jobs when they came.
func (p *Pool) accept(b *batch, i int, t *task, reply bridge.Reply, buffers []Buffer, done func(engine.Event)) {
	fail := func(err error) { done(engine.Event{Run: i, Status: engine.Failed, Err: err}) }
	if len(buffers) < 2 || t.request.Jobs && len(buffers) < 3 {
		fail(errShort)
		return
	}
	p.host.Copy(buffers[0], func(columns []byte) {
		run, err := bridge.UnpackRun(reply.Run, columns)
		if err != nil {
			fail(err)
			return
		}
		b.digest.clocked = b.digest.clocked || run.Optimised != nil && run.Optimised.Unrepeatable
		p.hold(b, i, buffers[1])
		ev := engine.Event{Run: i, Status: engine.Done, Progress: 1, Result: run}
		rep := t.request.Repetition
		if !t.request.Jobs || b.jobs[rep] {
			done(ev)
			return
		}
		b.jobs[rep] = true
		p.host.Copy(buffers[2], func(columns []byte) {
			if ev.Jobs, err = bridge.UnpackJobs(columns); err != nil {
				fail(err)
				return
			}
			ev.Site = reply.Site
			done(ev)
		})
	})
}

// digest has the blocks of all runs hashed and then sends the last news.
func (p *Pool) digest(b *batch, last engine.Event, event func(engine.Event)) {
	if b.digest.next > 0 || b.digest.busy || b.digest.fault != nil || b.missing() >= 0 {
		p.sum(b, last, event)
		return
	}
	t := &task{request: bridge.Request{Kind: bridge.Digest}}
	var from []int // runs that the buffers are of
	place := map[int]int{}
	for i, of := range b.of {
		if of == i {
			place[i] = len(from)
			from, t.buffers = append(from, i), append(t.buffers, b.blocks[i])
		}
		t.request.Blocks = append(t.request.Blocks, bridge.Block{Buffer: place[of], Repetition: b.reps[i]})
	}
	if len(from) == len(b.of) {
		t.request.Blocks = nil
	}
	clear(b.blocks) // the memory is the worker's, until it comes back
	t.end = func(reply bridge.Reply, blocks []Buffer, err error) {
		if len(blocks) == len(from) {
			for k, i := range from {
				b.blocks[i] = blocks[k]
			}
		}
		event(summed(last, reply, err))
	}
	p.submit(t, true)
}

// summed is the last event of an experiment with the digest that a worker made of
// its blocks, or the failure of it.
func summed(last engine.Event, reply bridge.Reply, err error) engine.Event {
	if err != nil {
		return engine.Event{Run: last.Run, Status: engine.Failed, Err: err}
	}
	last.Digest = reply.Digest
	return last
}
