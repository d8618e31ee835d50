package pool

import (
	"errors"
	"slices"

	"batchlab/core/experiment"
	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

// runs are the runs of an experiment that does not vary: a sweep of one point, of which
// all is kept, and whose runs are told, cancelled and done again one by one. They are
// handed out in the digest's order.
type runs struct {
	spread
	event   func(engine.Event)
	of      []int              // by run: the run that it is a copy of, itself where it is none
	ids     []experiment.RunID // by run
	copies  map[int][]int      // by run: its copies
	jobs    map[int]bool       // by repetition: they have come
	well    []bool             // runs that ended well
	left    int                // runs that have not
	clocked bool               // a schedule hangs on a wall clock: it cannot be computed once more
	due     bool               // the digest is to be told
	last    *engine.Event      // the last news, which waits for it
}

// Run implements engine.Engine.
func (p *Pool) Run(e experiment.Experiment, event func(engine.Event)) engine.Runs {
	return p.begin(e, event)
}

var _ engine.BackgroundRunner = (*Pool)(nil)

// Beside implements engine.BackgroundRunner.
func (p *Pool) Beside(e experiment.Experiment, event func(engine.Event)) engine.Runs {
	return p.begin(e, event)
}

// begin begins the runs of an experiment.
func (p *Pool) begin(e experiment.Experiment, event func(engine.Event)) *runs {
	s := &runs{spread: spreadOf(p, supply{doc: e, text: string(experiment.Encode(&e)), studies: e.Studies()}, 0, nil), event: event, copies: map[int][]int{}, jobs: map[int]bool{}}
	s.next, s.settle = s.pass, s.finish
	last := map[int]int{}
	s.ids = e.Runs()
	for i, id := range s.ids {
		first := i - id.Repetition + e.First(id.Scheduler, id.Repetition)
		if s.of = append(s.of, first); first != i {
			s.copies[first] = append(s.copies[first], i)
			last[first] = i
		} else {
			s.back(bridge.Span{From: i, To: i + 1})
		}
	}
	s.left, s.well = len(s.of), make([]bool, len(s.of))
	s.digest.runs, s.digest.last, s.digest.keep = len(s.of), last, true
	if len(last) > 0 {
		s.digest.of, s.digest.reps = s.of, make([]int, len(s.of))
		for i := range s.of {
			s.digest.reps[i] = s.ids[i].Repetition
		}
	}
	s.goOn()
	return s
}

// goOn goes on with what is to be done.
func (s *runs) goOn() {
	if err := s.attach(s.pool); err != nil {
		s.drop(engine.Event{Status: engine.Failed, Err: err})
	}
	s.feed()
}

// pass gives the next run to the workers, and turns what happens to it into events.
// A run that had ended well is silent: only its block is wanted.
func (s *runs) pass() bool {
	if s.waits() {
		return false
	}
	unit := s.take(s.todo[0].From + 1)
	i := unit.From
	t := s.task(bridge.Request{Kind: bridge.Run, Scheduler: s.ids[i].Scheduler, Repetition: s.ids[i].Repetition})
	w := &clock{now: s.pool.host.Now}
	t.before = func(q *bridge.Request) {
		q.Jobs = !s.jobs[q.Repetition]
		w.begin()
		s.say(i, engine.Event{Status: engine.Running})
	}
	t.progress = func(done, total int) {
		ev := engine.Event{Status: engine.Running}
		ev.Progress, ev.Left = w.progress(float64(done) / float64(max(1, total)))
		s.say(i, ev)
	}
	t.end = func(reply bridge.Reply, buffers []Buffer, err error) {
		if err == nil {
			took := (s.pool.host.Now() - w.started) / 1000
			s.pool.inTurn(func(release func()) { s.accept(i, t, took, reply, buffers, release) })
			return
		}
		ev := engine.Event{Status: engine.Failed, Err: err}
		if err == errCancelled {
			ev = engine.Event{Status: engine.Cancelled}
		} else if errors.As(err, new(unfetched)) {
			s.drop(ev)
		}
		s.failed(i, t, ev)
	}
	s.hand(t, unit, 1)
	return true
}

// failed ends a run that brought nothing.
func (s *runs) failed(i int, t *task, ev engine.Event) {
	if s.well[i] && ev.Err != nil {
		s.noDigest("could not be made: " + ev.Err.Error())
	}
	s.say(i, ev)
	s.closed(t)
}

// clock tells how far a run is, and how long it will take.
type clock struct {
	now                      func() float64
	started, first, furthest float64
}

// beforeProgress is how long a run has simulated, in milliseconds, when it is heard of for
// the first time; what it reads before counts for nothing.
const beforeProgress = 50

func (c *clock) begin() { c.started, c.first, c.furthest = c.now(), 0, 0 }

// progress takes a share of the time that a run takes. What it returns never falls back,
// and the time left, in seconds, is 0 while it is not known.
func (c *clock) progress(share float64) (furthest, left float64) {
	now := c.now()
	if c.first == 0 {
		c.first = now - beforeProgress
	}
	if c.furthest = max(c.furthest, share); share > 0 && now-c.first > 500 {
		left = (now - c.first) / 1000 * (1 - share) / share
	}
	return c.furthest, left
}

// say announces something of run i and of its copies.
func (s *runs) say(i int, ev engine.Event) {
	if s.well[i] {
		return
	}
	for _, ev.Run = range append([]int{i}, s.copies[i]...) {
		s.event(ev)
	}
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
func (s *runs) accept(i int, t *task, took float64, reply bridge.Reply, buffers []Buffer, release func()) {
	end := func(ev engine.Event, err error) {
		defer release()
		if err != nil {
			s.failed(i, t, engine.Event{Status: engine.Failed, Err: err})
			return
		}
		s.digest.hold(i, 1, buffers[1])
		s.arrive(i, ev)
		s.closed(t)
	}
	rep := t.request.Repetition
	switch jobs := t.request.Jobs; {
	case len(buffers) < 2 || jobs && len(buffers) < 3:
		end(engine.Event{}, errShort)
		return
	case s.well[i]:
		end(engine.Event{}, nil)
		return
	}
	s.pool.host.Copy(buffers[0], func(columns []byte) {
		run, err := bridge.UnpackRun(reply.Run, columns)
		ev := engine.Event{Status: engine.Done, Progress: 1, Result: run, Took: took}
		if err != nil || !t.request.Jobs || s.jobs[rep] {
			end(ev, err)
			return
		}
		s.pool.host.Copy(buffers[2], func(columns []byte) {
			if ev.Jobs, err = bridge.UnpackJobs(columns); err == nil {
				s.jobs[rep], ev.Site = true, reply.Site
			}
			end(ev, err)
		})
	})
}

// arrive announces a run that ended well, and its copies. The last news of all waits for
// the digest.
func (s *runs) arrive(i int, ev engine.Event) {
	if s.well[i] {
		return
	}
	s.clocked = s.clocked || ev.Result.Optimised != nil && ev.Result.Optimised.Unrepeatable
	for _, k := range append([]int{i}, s.copies[i]...) {
		if ev.Run = k; k != i {
			c := *ev.Result // it shares its memory
			c.Repetition, c.Copy = s.ids[k].Repetition, true
			ev.Result, ev.Took = &c, 0
		}
		s.well[k] = true
		if s.left--; s.left > 0 {
			s.event(ev)
			continue
		}
		s.due, s.last = true, &ev
	}
}

// finish has blocks hashed, and tells the digest when it is there, with the last news
// where that is soon; blocks that are missing then are computed once more.
func (s *runs) finish() {
	d := &s.digest
	d.fold(s.feed)
	if d.bytes > holdBlocks && !d.busy && d.digest == "" {
		if first := d.first(d.next); s.under(first) == nil && !s.waiting(first) {
			d.waive() // it will hardly come
		}
	}
	switch {
	case s.left > 0:
		s.tellLast("")
	case d.busy || !s.due:
	case d.digest != "":
		s.tellLast(d.digest)
		s.due = false
	case d.fault != nil:
		s.noDigest("could not be made: " + d.fault.Error())
	case s.clocked:
		s.noDigest("cannot be made: a scheduler uses the clock, so its schedules cannot be computed again")
	default:
		s.tellLast("")
		if len(s.todo)+len(s.open) == 0 {
			s.event(engine.Event{Run: -1, NoDigest: engine.DigestComes})
			d.waived = false
			d.missing(func(run int) {
				if !s.waiting(run) {
					s.back(bridge.Span{From: run, To: run + 1})
				}
			})
			s.feed()
		}
	}
}

// tellLast tells the last news, or the digest that comes behind it.
func (s *runs) tellLast(digest string) {
	ev := engine.Event{Run: -1}
	if s.last != nil {
		ev, s.last = *s.last, nil
	} else if digest == "" {
		return
	}
	ev.Digest = digest
	s.event(ev)
}

// noDigest says why there is none, and gives up what is computed for it.
func (s *runs) noDigest(why string) {
	s.tellLast("")
	if s.due {
		s.event(engine.Event{Run: -1, NoDigest: why})
	}
	s.due = false
	s.stopMending()
}

// stopMending gives up what is computed once more for the digest alone.
func (s *runs) stopMending() {
	todo := s.todo
	s.todo = nil
	for _, u := range todo {
		for i := u.From; i < u.To; i++ {
			if !s.well[i] {
				s.back(bridge.Span{From: i, To: i + 1})
			}
		}
	}
	for _, t := range slices.Clone(s.open) {
		if s.well[s.units[t].From] {
			s.pool.cancel(t)
		}
	}
}

// drop takes all runs out of the list that nobody has begun, with one event each.
func (s *runs) drop(ev engine.Event) {
	var rest []int
	for _, u := range s.todo {
		for i := u.From; i < u.To; i++ {
			if !s.well[i] {
				rest = append(rest, i)
			}
		}
	}
	s.todo = nil
	s.pool.host.After(0, func() {
		for _, i := range rest {
			s.say(i, ev)
		}
	})
}

// Stop implements engine.Runs.
func (s *runs) Stop() {
	s.held = false
	s.drop(engine.Event{Status: engine.Cancelled})
	s.cancel()
	s.pool.host.After(0, func() { s.tellLast("") })
	s.due = false
}

// Hold implements engine.Runs.
func (s *runs) Hold(held bool) {
	s.held = held
	s.feed()
	s.pool.host.After(0, s.pool.dispatch)
}

// StopOne implements engine.Runs.
func (s *runs) StopOne(run int) {
	if run < 0 || run >= len(s.of) || s.well[run] {
		return
	}
	if i := s.of[run]; s.away(i) {
		s.pool.host.After(0, func() { s.say(i, engine.Event{Status: engine.Cancelled}) })
	} else if t := s.under(i); t != nil {
		s.pool.cancel(t)
	}
}

// Again implements engine.Runs. Copies come with their originals.
func (s *runs) Again(list []int) {
	for _, run := range list {
		i := s.of[run]
		s.digest.forget(i)
		for _, k := range append([]int{i}, s.copies[i]...) {
			if s.well[k] {
				s.well[k] = false
				s.left++
			}
		}
		if !s.waiting(i) && s.under(i) == nil {
			s.back(bridge.Span{From: i, To: i + 1})
		}
	}
	s.stopMending() // it follows
	s.goOn()
}
