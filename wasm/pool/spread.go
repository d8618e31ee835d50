package pool

import (
	"slices"

	"batchlab/core/experiment"
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
	pool    *Pool
	todo    []bridge.Span         // items that are to be handed out, in order
	units   map[*task]bridge.Span // those that are
	open    []*task               // in the order in which they were handed out
	partial map[*task]float64     // items of them that are done
	done    float64               // items of tasks that have ended
	began   float64
	timer   bool
	held    bool // nothing more begins for now
	stopped bool
	fault   error

	next   func() bool // hands the next task out, if there is one for now
	settle func()      // what else can be done now; nil: nothing
	over   func() bool
	send   func() // tells the news that are gathered; nil: each is told as it comes
}

// newSpread returns work of so many items.
func newSpread(p *Pool, items int) spread {
	s := spread{pool: p, units: map[*task]bridge.Span{}, partial: map[*task]float64{}, began: p.host.Now()}
	s.back(bridge.Span{To: items})
	return s
}

// room says whether another task may be handed out.
func (s *spread) room() bool {
	return !s.stopped && !s.held && len(s.todo) > 0 && len(s.open) < 2*s.pool.size
}

// feed hands out tasks while workers have room.
func (s *spread) feed() {
	if s.fault != nil {
		s.stop()
	}
	for s.room() && s.next() {
	}
	if s.settle != nil {
		s.settle()
	}
	if s.send != nil && s.over() {
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
func (s *spread) waits(d *hashing) bool {
	if d.bytes <= holdBlocks {
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

// stop gives up what is under way.
func (s *spread) stop() {
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
	s.stop()
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
	if s.timer || s.send == nil {
		return
	}
	s.timer = true
	s.pool.host.After(gatherFor, func() {
		s.timer = false
		s.send()
	})
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
