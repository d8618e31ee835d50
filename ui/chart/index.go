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
	main       []bool  // the tallest rectangle of its job: it carries label and mark
	of         []int32 // of[j] … of[j+1]: the job's rectangles in byJob
	byJob      []int32
}

// NewIndex builds the index of a run whose jobs hold the processors that
// c.Spans says. Spans of rejected jobs are left out.
func NewIndex(c *report.Columns, procs int) *Index {
	keys := make([]uint64, 0, len(c.Spans))
	least := model.Time(0)
	for i, s := range c.Spans {
		if t := c.Start[s.Job]; i == 0 || t < least {
			least = t
		}
	}
	least = min(least, 0) // rejected jobs start at −1
	for _, s := range c.Spans {
		keys = append(keys, uint64(c.Start[s.Job]-least))
	}
	order := SortedBy(keys)
	n := len(order)
	ix := &Index{
		Procs: procs,
		start: make([]model.Time, 0, n), end: make([]model.Time, 0, n), maxEnd: make([]model.Time, 0, n),
		job: make([]int32, 0, n), first: make([]int32, 0, n), count: make([]int32, 0, n), main: make([]bool, 0, n),
	}
	tallest := make([]int32, len(c.Start)) // the job's best span so far, 1 + index into Spans
	for i, s := range c.Spans {
		if b := tallest[s.Job]; b == 0 || s.Count >= c.Spans[b-1].Count {
			tallest[s.Job] = int32(i + 1)
		}
	}
	var most model.Time
	for _, i := range order {
		s := c.Spans[i]
		a, e := c.Start[s.Job], c.End[s.Job]
		if e <= a || a < 0 && e < 0 {
			continue
		}
		if len(ix.start) == 0 {
			ix.From, most = a, e
		}
		most = max(most, e)
		ix.start, ix.end, ix.maxEnd = append(ix.start, a), append(ix.end, e), append(ix.maxEnd, most)
		ix.job, ix.first, ix.count = append(ix.job, s.Job), append(ix.first, s.First), append(ix.count, s.Count)
		ix.main = append(ix.main, tallest[s.Job] == i+1)
	}
	ix.To = most
	ix.of = make([]int32, len(c.Start)+1)
	for _, j := range ix.job {
		ix.of[j+1]++
	}
	for j := range c.Start {
		ix.of[j+1] += ix.of[j]
	}
	ix.byJob = make([]int32, len(ix.job))
	at := append([]int32(nil), ix.of...)
	for i, j := range ix.job {
		ix.byJob[at[j]] = int32(i)
		at[j]++
	}
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

// Rects calls f for every rectangle of a job.
func (ix *Index) Rects(job int, f func(Rect)) {
	if job < 0 || job+1 >= len(ix.of) {
		return
	}
	for _, i := range ix.byJob[ix.of[job]:ix.of[job+1]] {
		f(Rect{ix.first[i], ix.count[i], ix.main[i]})
	}
}
