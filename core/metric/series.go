package metric

import (
	"cmp"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
)

// Series returns used processors and waiting batch jobs over time: one entry per
// instant at which one of them changes, all changes of an instant together.
// Every execution counts, whatever the measuring window; rejected jobs do not.
// They are reduced to a width in pixel columns (Reduce) without holding all of them; 0: all.
func (m *Meter) Series(s *model.Schedule, width int) report.Series {
	t := turns{first: model.Never, s: s, sorted: true}
	last, submit := -model.Never, -model.Never
	for i := range s.Executions {
		if e := &s.Executions[i]; !e.Reason.Unserved() {
			t.n++
			t.first, last = min(t.first, e.Submit), max(last, e.End)
			t.sorted = t.sorted && submit <= queued(s, e)
			submit = queued(s, e)
		}
	}
	if t.n == 0 {
		return report.Series{}
	}
	if last-t.first >= 1<<(64-procsBits) {
		return Reduce(plainSeries(s), width)
	}
	t.sort(m)
	r := reducer{}
	t.each(func(at model.Time, _, _ int32) {
		if r.n == 0 {
			r.first = at
		}
		r.n, r.span = r.n+1, at-r.first
	})
	r.begin(width)
	t.each(r.put)
	return r.end()
}

// turns are the instants at which executions are submitted, start and end.
type turns struct {
	s            *model.Schedule
	first        model.Time
	n            int
	sorted       bool     // executions stand in order of submission
	submits      []uint64 // seconds since first << procsBits, where they do not
	starts, ends []uint64 // the same, with the processors
}

// sort fills the lists, in the memory of m.
func (t *turns) sort(m *Meter) {
	starts, ends := resize(m.keys, t.n)[:0], resize(m.third, t.n)[:0]
	for i := range t.s.Executions {
		e := &t.s.Executions[i]
		if e.Reason.Unserved() {
			continue
		}
		starts = append(starts, uint64(e.Start-t.first)<<procsBits|uint64(e.Procs))
		ends = append(ends, uint64(e.End-t.first)<<procsBits|uint64(e.Procs))
		if !t.sorted {
			t.submits = append(t.submits, uint64(queued(t.s, e)-t.first)<<procsBits)
		}
	}
	m.spare = resize(m.spare, t.n)
	if !t.sorted {
		t.submits, _ = order.Keys(t.submits, make([]uint64, t.n), procsBits)
	}
	t.starts, m.spare = order.Keys(starts, m.spare, procsBits)
	t.ends, m.spare = order.Keys(ends, m.spare, procsBits)
	m.keys, m.third = t.starts, t.ends
}

// each hands on what is used and waits from each instant at which one of the two changes.
func (t *turns) each(put func(at model.Time, used, waiting int32)) {
	const never, most = ^uint64(0), 1<<31 - 1
	a, b := -1, 0
	submit := func() uint64 { // of the next execution
		if a++; !t.sorted {
			if a < t.n {
				return t.submits[a] >> procsBits
			}
			return never
		}
		for ; a < len(t.s.Executions); a++ {
			if e := &t.s.Executions[a]; !e.Reason.Unserved() {
				return uint64(queued(t.s, e) - t.first)
			}
		}
		return never
	}
	var used, waiting int64
	var u, q int32 // as they were handed on
	next := submit()
	for c := 0; c < t.n; { // the last end comes after everything
		at := min(next, t.ends[c]>>procsBits)
		if b < t.n {
			at = min(at, t.starts[b]>>procsBits)
		}
		for ; next == at; next = submit() {
			waiting++
		}
		for ; b < t.n && t.starts[b]>>procsBits == at; b++ {
			waiting--
			used += int64(t.starts[b] & (1<<procsBits - 1))
		}
		for ; c < t.n && t.ends[c]>>procsBits == at; c++ {
			used -= int64(t.ends[c] & (1<<procsBits - 1))
		}
		if x, y := int32(min(used, most)), int32(min(waiting, most)); x != u || y != q {
			u, q = x, y
			put(t.first+model.Time(at), u, q)
		}
	}
}

// procsBits holds any int32 that is not negative.
const procsBits = 31

// plainSeries is Series the obvious way; it takes any span of time.
func plainSeries(s *model.Schedule) report.Series {
	type change struct {
		at            model.Time
		used, waiting int64
	}
	var changes []change
	for i := range s.Executions {
		if e := &s.Executions[i]; !e.Reason.Unserved() {
			changes = append(changes, change{queued(s, e), 0, 1}, change{e.Start, int64(e.Procs), -1}, change{e.End, -int64(e.Procs), 0})
		}
	}
	order.Sort(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	var out report.Series
	var used, waiting int64
	for i, c := range changes {
		used += c.used
		waiting += c.waiting
		if i+1 < len(changes) && changes[i+1].at == c.at {
			continue
		}
		const most = 1<<31 - 1
		u, q := int32(min(used, most)), int32(min(waiting, most))
		if n := len(out.At); n > 0 && out.Used[n-1] == u && out.Waiting[n-1] == q || n == 0 && u == 0 && q == 0 {
			continue
		}
		out.At, out.Used, out.Waiting = append(out.At, c.at), append(out.Used, u), append(out.Waiting, q)
	}
	return out
}

// Reduce returns a series that draws the same in width pixel columns: of each
// column the first and the last point, and those with the least and the
// greatest value of each of the two curves (M4: Jugel, Jerzak, Hackenbroich and
// Markl, VLDB 2014), so at most six points a column. A series that is short
// enough comes back as it is.
func Reduce(s report.Series, width int) report.Series {
	n := len(s.At)
	if width < 1 || n <= 6*width {
		return s
	}
	r := reducer{n: n, first: s.At[0], span: s.At[n-1] - s.At[0]}
	r.begin(width)
	for i, at := range s.At {
		r.put(at, s.Used[i], s.Waiting[i])
	}
	return r.end()
}

// reducer is Reduce of points that come one by one.
type reducer struct {
	n           int // points
	first, span model.Time
	width       int // 0: all are kept
	out         report.Series
	at, column  int      // points that have come; the column of the last
	keep        [6]point // of it: the first, those with least and greatest values, the last
}

type point struct {
	place         int
	at            model.Time
	used, waiting int32
}

func (r *reducer) begin(width int) {
	room := r.n
	if r.width = width; width < 1 || r.n <= 6*width {
		r.width = 0
	} else {
		room = 6 * width
	}
	r.out = report.Series{At: make([]model.Time, 0, room), Used: make([]int32, 0, room), Waiting: make([]int32, 0, room)}
}

func (r *reducer) put(at model.Time, used, waiting int32) {
	p := point{r.at, at, used, waiting}
	r.at++
	if r.width == 0 {
		r.write(&p)
		return
	}
	if column := min(int(float64(at-r.first)/float64(r.span)*float64(r.width)), r.width-1); column != r.column || p.place == 0 {
		r.flush()
		r.column, r.keep = column, [6]point{p, p, p, p, p, p}
		return
	}
	k := &r.keep
	if used < k[1].used {
		k[1] = p
	}
	if used > k[2].used {
		k[2] = p
	}
	if waiting < k[3].waiting {
		k[3] = p
	}
	if waiting > k[4].waiting {
		k[4] = p
	}
	k[5] = p
}

// flush writes the points of a column that are kept.
func (r *reducer) flush() {
	if r.at <= 1 {
		return
	}
	for last := -1; last < r.keep[5].place; { // in their order, each once
		next := &r.keep[5]
		for i := range r.keep {
			if p := &r.keep[i]; p.place > last && p.place < next.place {
				next = p
			}
		}
		last = next.place
		r.write(next)
	}
}

func (r *reducer) write(p *point) {
	s := &r.out
	s.At, s.Used, s.Waiting = append(s.At, p.at), append(s.Used, p.used), append(s.Waiting, p.waiting)
}

func (r *reducer) end() report.Series {
	if r.width > 0 {
		r.flush()
	}
	return r.out
}
