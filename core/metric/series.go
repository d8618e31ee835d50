package metric

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
)

// Series returns used processors and waiting batch jobs over time: one entry per
// instant at which one of them changes, all changes of an instant together.
// Every execution counts, whatever the measuring window; rejected jobs do not.
func Series(s *model.Schedule) report.Series {
	n := 0
	first, last := model.Never, -model.Never
	for i := range s.Executions {
		if e := &s.Executions[i]; !e.Reason.Unserved() {
			n++
			first, last = min(first, e.Submit), max(last, e.End)
		}
	}
	if n == 0 {
		return report.Series{}
	}
	if last-first >= 1<<(64-procsBits) {
		return plainSeries(s)
	}
	// Three sorted lists of instants, merged: submissions, and starts and ends
	// packed with their processors into one word each.
	submits, starts, ends := make([]uint64, 0, n), make([]uint64, 0, n), make([]uint64, 0, n)
	for i := range s.Executions {
		if e := &s.Executions[i]; !e.Reason.Unserved() {
			submits = append(submits, uint64(queued(s, e)-first)<<procsBits)
			starts = append(starts, uint64(e.Start-first)<<procsBits|uint64(e.Procs))
			ends = append(ends, uint64(e.End-first)<<procsBits|uint64(e.Procs))
		}
	}
	spare := make([]uint64, n)
	if !slices.IsSorted(submits) {
		submits, spare = order.Keys(submits, spare, procsBits)
	}
	starts, spare = order.Keys(starts, spare, procsBits)
	ends, _ = order.Keys(ends, spare, procsBits)

	w := newSeriesWriter(3 * n)
	var used, waiting int64
	a, b, c := 0, 0, 0
	for c < n { // the last end comes after everything
		t := ends[c] >> procsBits
		if a < n {
			t = min(t, submits[a]>>procsBits)
		}
		if b < n {
			t = min(t, starts[b]>>procsBits)
		}
		for ; a < n && submits[a]>>procsBits == t; a++ {
			waiting++
		}
		for ; b < n && starts[b]>>procsBits == t; b++ {
			waiting--
			used += int64(starts[b] & (1<<procsBits - 1))
		}
		for ; c < n && ends[c]>>procsBits == t; c++ {
			used -= int64(ends[c] & (1<<procsBits - 1))
		}
		w.put(first+model.Time(t), used, waiting)
	}
	return w.series
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
	w := newSeriesWriter(len(changes))
	var used, waiting int64
	for i, c := range changes {
		used += c.used
		waiting += c.waiting
		if i+1 == len(changes) || changes[i+1].at != c.at {
			w.put(c.at, used, waiting)
		}
	}
	return w.series
}

// seriesWriter appends the points at which something changes.
type seriesWriter struct{ series report.Series }

func newSeriesWriter(capacity int) seriesWriter {
	return seriesWriter{report.Series{
		At:      make([]model.Time, 0, capacity),
		Used:    make([]int32, 0, capacity),
		Waiting: make([]int32, 0, capacity),
	}}
}

func (w *seriesWriter) put(at model.Time, used, waiting int64) {
	const most = 1<<31 - 1
	u, q := int32(min(used, most)), int32(min(waiting, most))
	s := &w.series
	if n := len(s.At); n > 0 && s.Used[n-1] == u && s.Waiting[n-1] == q || n == 0 && u == 0 && q == 0 {
		return
	}
	s.At, s.Used, s.Waiting = append(s.At, at), append(s.Used, u), append(s.Waiting, q)
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
	w := newSeriesWriter(min(n, 6*width))
	out := &w.series
	first, span := s.At[0], s.At[n-1]-s.At[0]
	column := func(i int) int { return min(int(float64(s.At[i]-first)/float64(span)*float64(width)), width-1) }
	for from := 0; from < n; {
		to, c := from+1, column(from)
		for to < n && column(to) == c {
			to++
		}
		keep := [6]int{from, from, from, from, from, to - 1}
		for i := from; i < to; i++ {
			if s.Used[i] < s.Used[keep[1]] {
				keep[1] = i
			}
			if s.Used[i] > s.Used[keep[2]] {
				keep[2] = i
			}
			if s.Waiting[i] < s.Waiting[keep[3]] {
				keep[3] = i
			}
			if s.Waiting[i] > s.Waiting[keep[4]] {
				keep[4] = i
			}
		}
		slices.Sort(keep[:])
		for k, i := range keep {
			if k == 0 || keep[k-1] != i {
				out.At, out.Used, out.Waiting = append(out.At, s.At[i]), append(out.Used, s.Used[i]), append(out.Waiting, s.Waiting[i])
			}
		}
		from = to
	}
	return *out
}
