package pool

import "slices"

// gatherFor is how long news of spread work is gathered before it is told, in
// milliseconds.
const gatherFor = 120

// spread is work of many items under way: two tasks for each worker are handed out at a
// time, so that a run that is asked for meanwhile soon finds one, and what came of them is
// told together. A search and a sweep are such work; they say what the next task is, and
// what its answer means.
type spread struct {
	pool    *Pool
	open    []*task           // in the order in which they were handed out
	partial map[*task]float64 // items of them that are done
	done    float64           // items of tasks that have ended
	began   float64
	timer   bool
	stopped bool
	fault   error

	next   func() bool // hands the next task out, if there is one for now
	settle func()      // what else can be done now; nil: nothing
	over   func() bool
	send   func() // tells the news
}

// room says whether another task may be handed out.
func (s *spread) room() bool { return !s.stopped && len(s.open) < 2*s.pool.size }

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
	if s.over() {
		s.tell()
	}
}

// hand gives a task of so many items to the workers. Whoever takes its answer calls
// closed then.
func (s *spread) hand(t *task, items float64) {
	t.progress = func(done, total int) {
		if total > 0 {
			s.partial[t] = items * float64(done) / float64(total)
			s.tell()
		}
	}
	s.open = append(s.open, t)
	s.pool.submit(t, false)
}

// closed notes that a task is over.
func (s *spread) closed(t *task) {
	s.open = slices.DeleteFunc(s.open, func(o *task) bool { return o == t })
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
	for _, t := range slices.Clone(s.open) {
		s.pool.cancel(t)
	}
	s.tell()
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
	if s.timer {
		return
	}
	s.timer = true
	s.pool.host.After(gatherFor, func() {
		s.timer = false
		s.send()
	})
}
