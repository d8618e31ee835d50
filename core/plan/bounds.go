package plan

import (
	"math"
	"slices"
)

// bounds tell of moves within a plain lane that they cannot lead to a better plan,
// without placing all the jobs that they concern.
//
// What a plan is worth is convex in the starts of its jobs: a change of starts gains at
// most what it gains at prices, one for a second of each job, that hold in the plan as
// it is. While none is negative, only jobs that start earlier gain. Those behind the job
// that moves start no earlier than they would without it: removal says how much they
// gain at most. And what the job gains itself by passing others is lost if these start
// later for it, of which the first tell enough mostly.
type bounds struct {
	ready   bool      // what follows is of the current solution
	able    bool      // the bounds hold there
	margin  float64   // what rounding may make of a gain, relative as a gain is
	prices  []float64 // by place
	seats   []seat
	states  []state // before each place, and at the end
	lack    []int32 // by place: processors that are missing just before its start; enough: no matter, it starts as the one before it
	ends    []release
	last    []int32   // by place: of the jobs of one kind that stand there one behind the other
	chained []float64 // by place: what those up to it gain if each starts where the one before it does
	gone    []removal // by place
	freed   []freed   // of removals
	coming  []release // scratch
	shift   uint
	mask    uint64
	added   []uint64 // scratch: ends of what stands elsewhere, ascending
}

// state is where the placing of a list stands: the time of the last start, the processors
// that are free then, and how many ends have come until then.
type state struct {
	at   int64
	free int32
	next int32
}

// release is an end of a job, (end << shift) | processors, and its place in the list;
// −1: it runs.
type release struct {
	key   uint64
	place int32
}

// removal is what would be without the job at a place.
type removal struct {
	known bool
	first int32   // of those behind it that start earlier
	begin int32   // of bounds.freed
	count int32   // how many, from the first on, stand there; the others start as ever
	gain  float64 // at prices
}

// freed is a job that starts earlier when another one is removed.
type freed struct {
	at   int64
	gain float64 // of all up to it
}

const enough = math.MaxInt32

// survey prepares the bounds for the current solution.
func (t *tuner) survey() {
	d, b := &t.lanes[0], &t.hopeless.bounds
	b.ready = true
	if b.able = d.plain && !t.copied && b.price(t, d) && b.sweep(d); b.able {
		if cap(b.gone) < len(d.seats) {
			b.gone = make([]removal, len(d.seats)*2)
		}
		b.gone = b.gone[:len(d.seats)]
		clear(b.gone)
		b.freed = b.freed[:0]
		b.alike()
	}
}

// alike writes which jobs stand one behind the other and ask for the same.
func (b *bounds) alike() {
	b.chained, b.last = append(b.chained[:0], make([]float64, len(b.seats))...), append(b.last[:0], make([]int32, len(b.seats))...)
	for k := range b.seats {
		s := &b.seats[k]
		if k > 0 && b.seats[k-1].procs == s.procs && b.seats[k-1].length == s.length {
			b.chained[k] = b.chained[k-1] + float64(b.prices[k]*float64(s.start-b.seats[k-1].start))
		}
	}
	for k := len(b.seats) - 1; k >= 0; k-- {
		if b.last[k] = int32(k); k+1 < len(b.seats) && b.seats[k+1].procs == b.seats[k].procs && b.seats[k+1].length == b.seats[k].length {
			b.last[k] = b.last[k+1]
		}
	}
}

// shifted is at least what jobs of one kind behind one up to another gain if each starts
// where the one before it does.
func (b *bounds) shifted(from, to int) float64 {
	return b.chained[to] - b.chained[from] + float64(1e-11*b.chained[to])
}

// price works out what a second of each job is worth, as a part of the weighted gain.
// It reports whether none is negative and rounding harmless.
func (b *bounds) price(t *tuner, d *tuned) bool {
	w := &t.s.o.Weights
	sum, squares := t.sum, t.squares
	for i := range t.shares {
		u := &t.shares[i]
		u.price = float64(u.wait) / u.used
		sum += u.price
		squares += float64(u.price * u.price)
	}
	users := float64(t.s.past.n)
	mean := sum / users
	spread := squares/users - float64(mean*mean) // of the users' NUWT
	if spread < 0.01*float64(mean*mean) {
		return false // too little is left of it to be exact
	}
	deviation := math.Sqrt(spread)
	value, flat, slope := mean+deviation, 1/users, 1/float64(users*deviation)
	if t.s.o.Objective.Squares {
		value, flat, slope = users+users*spread, 0, 2
	}
	fair := 0.0
	if value > 0 {
		fair = w[Unfairness] / value
	}
	for i := range t.shares {
		u := &t.shares[i]
		u.price = fair * (flat + float64(slope*(u.price-mean))) / u.used
	}
	wait, slow := 0.0, 0.0
	if t.wait > 0 {
		wait = w[MeanWait] / float64(t.wait)
	}
	if t.slow > 0 {
		slow = w[MeanSlowdown] / float64(t.slow)
	}
	b.margin = float64(1e-14*(1+users))*(w[0]+w[1]+w[2]) + float64(slow*float64(t.weighs)) // each slowdown is a whole number of units
	b.seats, b.prices = d.seats, b.prices[:0]
	for k := range d.seats {
		s := &d.seats[k]
		one := wait
		if float64(s.start+int64(s.offset))*s.inverse > unit {
			one += float64(slow * s.inverse)
		}
		if t.p.roots {
			one *= float64(t.p.weight(s.procs))
		}
		if one += t.shares[s.active].price; one < 0 {
			return false
		}
		b.prices = append(b.prices, one)
	}
	return true
}

// sweep writes the states, and reports whether each job starts as the order has it: a
// plan that has not been repaired from its first job on need not.
func (b *bounds) sweep(d *tuned) bool {
	b.states, b.lack, b.ends = b.states[:0], b.lack[:0], b.ends[:0]
	coming, head := b.coming[:0], 0
	at, free, base := int64(0), d.idle, d.base
	b.shift, b.mask = d.shift, uint64(1)<<d.shift-1
	until := func(limit uint64) { // all that ends before
		for {
			r := release{base[0], -1}
			if head < len(coming) && coming[head].key < r.key {
				r = coming[head]
			}
			if r.key>>d.shift >= limit {
				return
			}
			if r.place < 0 {
				base = base[1:]
			} else {
				head++
			}
			free += int32(r.key & b.mask)
			b.ends = append(b.ends, r)
		}
	}
	until(1)
	for k := range d.seats {
		s := &d.seats[k]
		b.states = append(b.states, state{at, free, int32(len(b.ends))})
		lack := int32(enough)
		if s.start != at {
			if s.start < at {
				return false
			}
			until(uint64(s.start))
			if lack = s.procs - free; lack <= 0 {
				return false
			}
			until(uint64(s.start) + 1)
			at = s.start
		}
		if free -= s.procs; free < 0 {
			return false
		}
		b.lack = append(b.lack, lack)
		r := release{uint64(at+int64(s.length))<<d.shift | uint64(s.procs), int32(k)}
		coming = append(coming, r)
		m := len(coming) - 1
		for ; m > head && coming[m-1].key > r.key; m-- {
			coming[m] = coming[m-1]
		}
		coming[m] = r
	}
	b.coming = coming
	b.states = append(b.states, state{at, free, int32(len(b.ends))})
	until(^uint64(0) >> d.shift)
	b.ends = append(b.ends, release{^uint64(0), -1})
	return true
}

// walk places jobs one behind the other from a state on.
type walk struct {
	at   int64
	free int32
	next int // of bounds.ends
	head int // of bounds.added
	from int // ends of jobs from this place on are not what they were
	out  int // nor is that of the job at this place
}

// start places a job and returns when it starts.
func (b *bounds) start(w *walk, procs int32) int64 {
	for w.free < procs {
		r := &b.ends[w.next]
		for int(r.place) >= w.from || int(r.place) == w.out && w.out >= 0 {
			w.next++
			r = &b.ends[w.next]
		}
		key := r.key
		if w.head < len(b.added) && b.added[w.head] < key {
			key = b.added[w.head]
			w.head++
		} else {
			w.next++
		}
		w.free += int32(key & b.mask)
		w.at = max(w.at, int64(key>>b.shift))
	}
	w.free -= procs
	return w.at
}

// add notes the end of a job that stands elsewhere.
func (b *bounds) add(w *walk, end int64, procs int32) {
	key := uint64(end)<<b.shift | uint64(procs)
	b.added = append(b.added, key)
	m := len(b.added) - 1
	if m-w.head > 64 && b.added[m-1] > key {
		m, _ = slices.BinarySearch(b.added[w.head:m], key)
		m += w.head
		copy(b.added[m+1:], b.added[m:len(b.added)-1])
		b.added[m] = key
		return
	}
	for ; m > w.head && b.added[m-1] > key; m-- {
		b.added[m] = b.added[m-1]
	}
	b.added[m] = key
}

// served returns the first place behind one whose job would start earlier if the job at
// that place ended before a time, and the number of places if there is none.
func (b *bounds) served(a int, before int64) int {
	x, k := &b.seats[a], a+1
	if k < len(b.seats) && b.lack[k] == enough && b.seats[k].procs <= x.procs-b.lack[a] {
		return k // it takes its place
	}
	for end := x.start + int64(x.length); k < len(b.seats) && b.seats[k].start <= end; k++ {
		if b.lack[k] <= x.procs && b.seats[k].start > before {
			return k
		}
	}
	return len(b.seats)
}

// rest is at least what all behind a place gain if the job at a place not behind it is
// not there. Each of the same kind that follows takes the place of the one before it, so
// that it is the last of them that is missing.
func (b *bounds) rest(a, k int) float64 {
	e := int(b.last[a])
	r, gain := b.removal(e), 0.0
	if k < e {
		gain = b.shifted(k, e)
	}
	switch n := k - int(r.first); {
	case n >= int(r.count):
		return gain
	case n >= 0:
		return gain + r.gain - b.freed[int(r.begin)+n].gain
	}
	return gain + r.gain
}

// removal returns what would be without the job at a place, which is the last of its kind
// there.
func (b *bounds) removal(a int) *removal {
	r := &b.gone[a]
	if r.known {
		return r
	}
	r.known = true
	x := &b.seats[a]
	end := x.start + int64(x.length)
	h := b.served(a, x.start)
	if h == len(b.seats) {
		return r
	}
	r.first, r.begin = int32(h), int32(len(b.freed))
	w := b.without(a, h)
	for k := h; k < len(b.seats); k++ {
		s := &b.seats[k]
		at := b.start(&w, s.procs)
		if at != s.start {
			r.gain += float64(b.prices[k] * float64(s.start-at))
			end = max(end, s.start+int64(s.length))
		} else if at >= end {
			break
		}
		b.freed = append(b.freed, freed{at, r.gain})
		b.add(&w, at+int64(s.length), s.procs)
	}
	r.count = int32(len(b.freed)) - r.begin
	return r
}

// without is the state before a place while all in front of it start as ever, but for the
// job at a place before it, which is not there.
func (b *bounds) without(a, k int) walk {
	b.added = b.added[:0]
	if k == a+1 {
		s := b.states[a]
		return walk{at: s.at, free: s.free, next: int(s.next), from: a, out: -1}
	}
	s, x := b.states[k], &b.seats[a]
	w := walk{at: s.at, free: s.free, next: int(s.next), from: k, out: a}
	if x.start+int64(x.length) > s.at {
		w.free += x.procs
	}
	return w
}

// worse says that a move cannot lead to anything better.
func (b *bounds) worse(a, to int) bool {
	switch {
	case a < to:
		return b.later(a, to)
	case a > to:
		return b.sooner(a, to)
	}
	return true
}

// atLeast is what a loss is to be at least for a gain to be none.
func (b *bounds) atLeast(gain float64) float64 { return float64(gain*(1+1e-9)) + b.margin }

// later says that nothing gets better by a job that goes behind another.
func (b *bounds) later(a, to int) bool {
	x, e := &b.seats[a], int(b.last[a])
	if to <= e { // all start where one of them did
		at := b.seats[to].start
		return at == x.start || float64(b.prices[a]*float64(at-x.start)) > b.atLeast(b.shifted(a, to))
	}
	r := b.removal(e)
	m := move{end: b.seats[e].start + int64(x.length), gain: b.shifted(a, e), moved: b.seats[e].start != x.start}
	k, at, most := to+1, b.seats[to].start, b.atLeast(m.gain+r.gain)
	switch n := to - int(r.first); {
	case n >= int(r.count):
		m.gain, m.moved = m.gain+r.gain, m.moved || r.count > 0
	case n >= 0:
		k, at = int(r.first), b.freed[int(r.begin)+n].at
	}
	if float64(b.prices[a]*float64(max(at, x.start)-x.start)) > most {
		return true
	}
	for m.walk = b.without(e, k); k <= to; k++ {
		b.put(&m, k, &b.seats[k])
	}
	if b.put(&m, a, x); m.loss > most {
		return true
	}
	return b.tail(&m, to+1, e)
}

// move is a walk behind a job that has moved.
type move struct {
	walk
	end        int64 // when all has ended that is not as ever
	gain, loss float64
	moved      bool
}

// put places a job, and says whether it and all behind it start as ever.
func (b *bounds) put(m *move, k int, s *seat) bool {
	at := b.start(&m.walk, s.procs)
	switch {
	case at < s.start:
		m.gain += float64(b.prices[k] * float64(s.start-at))
		m.end, m.moved = max(m.end, s.start+int64(s.length)), true
	case at > s.start:
		m.loss += float64(b.prices[k] * float64(at-s.start))
		m.end, m.moved = max(m.end, at+int64(s.length)), true
	case at >= m.end:
		return true
	}
	b.add(&m.walk, at+int64(s.length), s.procs)
	return false
}

// tail goes on behind both places of a move, and says whether it leads to nothing better.
// Jobs there gain no more than without the one at a place; −1: nothing.
func (b *bounds) tail(m *move, k, a int) bool {
	for ; k < len(b.seats) && !b.put(m, k, &b.seats[k]); k++ {
		rest := 0.0
		if a >= 0 {
			rest = b.rest(a, k)
		}
		if m.loss > b.atLeast(m.gain+rest) {
			return true
		}
	}
	return !m.moved || m.loss > b.atLeast(m.gain)
}

// sooner says that nothing gets better by a job that goes in front of another.
func (b *bounds) sooner(a, to int) bool {
	x, s := &b.seats[a], b.states[to]
	if s.at == x.start {
		return true // nothing changes
	}
	m := move{walk: walk{at: s.at, free: s.free, next: int(s.next), from: to, out: -1}}
	b.added = b.added[:0]
	at := b.start(&m.walk, x.procs)
	end, k, rest, of := at+int64(x.length), to, 0.0, -1
	if b.served(a, end) < len(b.seats) {
		rest, of = b.rest(a, a), a
		b.added = b.added[:0]
	}
	if m.gain, m.moved = float64(b.prices[a]*float64(x.start-at)), at < x.start; at <= b.seats[to].start {
		for ; k < a && b.seats[k].start < end && b.states[k+1].free >= x.procs; k++ {
		}
		if k == a || b.seats[k].start >= end { // nobody is put off
			return !m.moved && of < 0
		}
		if k > to {
			s = b.states[k]
			m.walk = walk{at: s.at, free: s.free - x.procs, next: int(s.next), from: k, out: -1}
		}
	}
	b.add(&m.walk, end, x.procs)
	m.end = max(end, x.start+int64(x.length))
	for most := b.atLeast(m.gain + rest); k < a; k++ {
		if b.put(&m, k, &b.seats[k]) {
			return false
		}
		if m.loss > most {
			return true
		}
	}
	return b.tail(&m, a+1, of)
}
