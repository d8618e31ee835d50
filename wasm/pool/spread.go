package pool

import (
	"slices"

	"errors"

	"batchlab/core/experiment"
	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

// gatherFor is how long news of spread work is gathered before it is told, in
// milliseconds.
const gatherFor = 120

// spread is work of many items under way, which may be tens of thousands: two tasks for
// each worker are handed out at a time, so that whatever is asked for meanwhile soon
// finds one, and starting and stopping cost the page's thread no more than a few items
// do. Runs, a sweep and a search are such work; they say what the next task is, and what
// its answer means.
type spread struct {
	supply
	pool    *Pool
	todo    []bridge.Span         // items that are to be handed out, in order
	units   map[*task]bridge.Span // those that are
	open    []*task               // in the order in which they were handed out
	partial map[*task]float64     // items of them that are done
	done    float64               // items of tasks that have ended
	began   float64
	spent   float64 // seconds before it went on last
	refused int     // items that cannot run, since then
	timer   bool
	held    bool // nothing more begins for now
	stopped bool
	dropped bool
	ended   bool  // the last news is told
	never   error // why it cannot begin
	fault   error
	digest  hashing // of no runs: there is none; waived where a part is lost or does not exist

	next   func() bool       // hands the next task out, if there is one for now
	settle func()            // what else can be done now
	told   func(engine.News) // nil: each item is told as it comes
	news   engine.News       // gathered
}

var _ engine.Control = (*spread)(nil)

// spreadOf returns work of so many items about an experiment.
func spreadOf(p *Pool, s supply, items int, told func(engine.News)) spread {
	w := spread{supply: s, pool: p, units: map[*task]bridge.Span{}, partial: map[*task]float64{}, told: told}
	w.digest = hashing{pool: p, held: map[int]block{}, away: map[int]block{}}
	w.back(bridge.Span{To: items})
	return w
}

// GoOn implements engine.Control.
func (s *spread) GoOn() {
	if !s.stopped || s.dropped || s.never == nil && s.hashed() && len(s.todo) == 0 {
		return
	}
	if s.fault = s.never; s.fault == nil {
		s.fault, s.refused = s.attach(s.pool), 0
	}
	s.stopped, s.ended, s.began = false, false, s.pool.host.Now()
	s.pool.host.After(0, s.feed)
}

// Drop implements engine.Control.
func (s *spread) Drop() {
	s.Stop()
	s.dropped = true
	s.digest.waive()
}

// hashed says whether nothing more can come of the digest.
func (s *spread) hashed() bool {
	return s.digest.runs == 0 || s.digest.waived || s.digest.fault != nil || s.digest.digest != ""
}

// over says whether nothing more is to come.
func (s *spread) over() bool {
	return len(s.open) == 0 && (s.stopped || len(s.todo) == 0 && s.hashed())
}

// room says whether another task may be handed out.
func (s *spread) room() bool {
	return !s.stopped && !s.held && len(s.todo) > 0 && len(s.open) < 2*s.pool.size
}

// feed hands out tasks while workers have room.
func (s *spread) feed() {
	if s.fault != nil {
		s.Stop()
	}
	for s.room() && s.next() {
	}
	if !s.dropped {
		s.settle()
	}
	if s.over() {
		s.tell()
	}
}

// take takes the first items from the list, up to one.
func (s *spread) take(to int) bridge.Span {
	u := &s.todo[0]
	unit := bridge.Span{From: u.From, To: to}
	if u.From = to; u.From >= u.To {
		s.todo = s.todo[1:]
	}
	return unit
}

// back puts items into the list: those that were not done, or are done again.
func (s *spread) back(unit bridge.Span) {
	if unit.From >= unit.To {
		return
	}
	i, _ := slices.BinarySearchFunc(s.todo, unit.From, func(u bridge.Span, from int) int { return u.From - from })
	s.todo = slices.Insert(s.todo, i, unit)
	if i+1 < len(s.todo) && s.todo[i].To == s.todo[i+1].From {
		s.todo[i].To = s.todo[i+1].To
		s.todo = slices.Delete(s.todo, i+1, i+2)
	}
	if i > 0 && s.todo[i-1].To == s.todo[i].From {
		s.todo[i-1].To = s.todo[i].To
		s.todo = slices.Delete(s.todo, i, i+1)
	}
}

// waiting says whether an item is in the list.
func (s *spread) waiting(item int) bool { return s.index(item) >= 0 }

func (s *spread) index(item int) int {
	return slices.IndexFunc(s.todo, func(u bridge.Span) bool { return u.From <= item && item < u.To })
}

// away takes an item out of the list, and says whether it was there.
func (s *spread) away(item int) bool {
	i := s.index(item)
	if i < 0 {
		return false
	}
	u := s.todo[i]
	s.todo = slices.Delete(s.todo, i, i+1)
	s.back(bridge.Span{From: u.From, To: item})
	s.back(bridge.Span{From: item + 1, To: u.To})
	return true
}

// under is the task that an item is under way with, nil none.
func (s *spread) under(item int) *task {
	for _, t := range s.open {
		if u := s.units[t]; u.From <= item && item < u.To {
			return t
		}
	}
	return nil
}

// waits says whether items wait while very much of a digest is held: only the one that
// the others wait for is handed out then, unless it is under way.
func (s *spread) waits() bool {
	if s.digest.bytes <= holdBlocks {
		return false
	}
	return slices.ContainsFunc(s.open, func(t *task) bool { return s.units[t].From < s.todo[0].From })
}

// hand gives items to the workers, by a task that counts as so much. Whoever takes its
// answer calls closed then.
func (s *spread) hand(t *task, unit bridge.Span, items float64) {
	t.work = s
	if t.progress == nil {
		t.progress = func(done, total int) {
			if total > 0 {
				s.partial[t] = items * float64(done) / float64(total)
				s.tell()
			}
		}
	}
	s.units[t] = unit
	s.open = append(s.open, t)
	s.pool.submit(t, false)
}

// closed notes that a task is over.
func (s *spread) closed(t *task) {
	s.open = slices.DeleteFunc(s.open, func(o *task) bool { return o == t })
	delete(s.units, t)
	delete(s.partial, t)
	s.tell()
	s.feed()
}

// Stop implements engine.Control.
func (s *spread) Stop() {
	if s.stopped {
		return
	}
	s.stopped = true
	s.cancel()
	s.tell()
}

// cancel cancels the tasks that are handed out.
func (s *spread) cancel() {
	for _, t := range slices.Clone(s.open) {
		s.pool.cancel(t)
	}
}

// fail ends the work; what is done stays.
func (s *spread) fail(err error) {
	if s.fault == nil {
		s.fault = err
	}
	s.Stop()
}

// finished is how many items are done, parts of those under way included.
func (s *spread) finished() float64 {
	n := s.done
	for _, v := range s.partial {
		n += v
	}
	return n
}

// tell tells the news soon, together with those that come until then.
func (s *spread) tell() {
	if s.timer || s.told == nil {
		return
	}
	s.timer = true
	s.pool.host.After(gatherFor, func() {
		s.timer = false
		s.send()
	})
}

// send tells the news that have come in.
func (s *spread) send() {
	if s.dropped || s.ended {
		return
	}
	n := s.news
	s.news = engine.News{}
	if n.Done, n.Seconds, n.Err, n.Digest, n.Over = s.finished(), s.spent+(s.pool.host.Now()-s.began)/1000, s.fault, s.digest.digest, s.over(); n.Over {
		s.spent, s.ended, s.stopped = n.Seconds, true, true
		if len(s.todo) == 0 && n.Digest == "" && n.Err == nil && s.refused == 0 && s.digest.runs > 0 {
			n.Err = errors.New("a worker stopped with a part of the digest: all runs are there, the digest is not")
		}
	}
	s.told(n)
}

// supply is what all tasks of an experiment come with.
type supply struct {
	doc     experiment.Experiment
	text    string
	studies bool // it needs the studies' program
	with    task // the logs and files
}

// attach finds the logs and files.
func (s *supply) attach(p *Pool) error { return p.attach(&s.with, &s.doc) }

// task is a request about the experiment.
func (s *supply) task(q bridge.Request) *task {
	q.Experiment, q.Logs = s.text, s.with.request.Logs
	return &task{studies: s.studies, log: s.with.log, file: s.with.file, beside: s.with.beside, request: q}
}
