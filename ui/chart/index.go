package chart

import (
	"sort"

	"batchlab/core/model"
	"batchlab/core/report"
)

// Index holds the rectangles of one run's Gantt chart in order of their start,
// with a running maximum of their ends, so that finding what is visible is a
// binary search.
type Index struct {
	Procs      int
	From, To   model.Time // first start and last end; equal when nothing ran
	start, end []model.Time
	maxEnd     []model.Time // maxEnd[i] = greatest end of rectangles 0 … i
	job        []int32
	first      []int32
	count      []int32
	main       []bool // the tallest rectangle of its job: it carries label and mark
	spans      []report.Span
	tallest    []bool // by span
}

// NewIndex builds the index of a run whose jobs hold the processors that
// c.Spans says, which it keeps. Spans of rejected jobs are left out.
func NewIndex(c *report.Columns, procs int) *Index {
	n := len(c.Spans)
	ix := &Index{
		Procs: procs, spans: c.Spans, tallest: make([]bool, n),
		start: make([]model.Time, n), end: make([]model.Time, n), maxEnd: make([]model.Time, n),
		job: make([]int32, n), first: make([]int32, n), count: make([]int32, n), main: make([]bool, n),
	}
	least := model.Time(0) // rejected jobs start at −1
	for i := 0; i < n; {
		best, job := i, c.Spans[i].Job
		least = min(least, c.Start[job])
		for i++; i < n && c.Spans[i].Job == job; i++ {
			if c.Spans[i].Count >= c.Spans[best].Count {
				best = i
			}
		}
		ix.tallest[best] = true
	}
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = uint64(c.Start[c.Spans[i].Job] - least)
	}
	var most model.Time
	k := 0
	for _, i := range SortedBy(keys) {
		s := &c.Spans[i]
		a, e := c.Start[s.Job], c.End[s.Job]
		if e <= a {
			continue
		}
		if k == 0 {
			ix.From, most = a, e
		}
		if e > most {
			most = e
		}
		ix.start[k], ix.end[k], ix.maxEnd[k] = a, e, most
		ix.job[k], ix.first[k], ix.count[k], ix.main[k] = s.Job, s.First, s.Count, ix.tallest[i]
		k++
	}
	ix.To = most
	ix.start, ix.end, ix.maxEnd = ix.start[:k], ix.end[:k], ix.maxEnd[:k]
	ix.job, ix.first, ix.count, ix.main = ix.job[:k], ix.first[:k], ix.count[:k], ix.main[:k]
	return ix
}

// Len returns the number of rectangles.
func (ix *Index) Len() int { return len(ix.start) }

// Range returns the half-open range of rectangles among which all that overlap
// (from, to) lie; some in the range may have ended before.
func (ix *Index) Range(from, to model.Time) (lo, hi int) {
	hi = sort.Search(len(ix.start), func(i int) bool { return ix.start[i] >= to })
	lo = sort.Search(hi, func(i int) bool { return ix.maxEnd[i] > from })
	return lo, hi
}

// Rect is one rectangle of a job: processors [First, First+Count).
type Rect struct {
	First, Count int32
	Main         bool
}

// Rects calls f for every rectangle of a job, lowest first.
func (ix *Index) Rects(job int, f func(Rect)) {
	i := sort.Search(len(ix.spans), func(i int) bool { return int(ix.spans[i].Job) >= job })
	for ; i < len(ix.spans) && int(ix.spans[i].Job) == job; i++ {
		f(Rect{ix.spans[i].First, ix.spans[i].Count, ix.tallest[i]})
	}
}
