package draw

import (
	"sort"

	"batchlab/core/model"
	"batchlab/core/report"
)

// Index holds the rectangles of one run's Gantt chart in order of their start,
// with a running maximum of their ends, so that finding what is visible is a
// binary search. A rectangle belongs to a job, or to an attempt of a job that
// was stopped: see Job.
type Index struct {
	Procs    int
	From, To model.Time // first start and last end; equal when nothing ran
	All      []rect
	maxEnd   []model.Time // maxEnd[i] = greatest end of rectangles 0 … i
	columns  *report.Columns
	tallest  []bool // by span
}

// rect is one rectangle. They stand one by one rather than column by column:
// drawing reads all of each.
type rect struct {
	Start, End   model.Time
	Job          int32 // from the number of jobs on: an attempt in c.Before
	First, Count int32 // processors
	Main         bool  // the tallest rectangle of its job: it carries label and mark
}

// Indexing is an index in the making, in steps that a page can take one by one
// between frames.
type Indexing struct {
	ix     Index
	c      *report.Columns
	from   []int32 // by job: where its spans begin
	at     int     // of the phase under way
	phase  int
	sort   *sorting
	order  []int32
	latest model.Time
	n      int // rectangles so far
}

// NewIndex builds the index of a run whose jobs hold the processors that
// c.Spans and c.Before say. It keeps c. Spans of rejected jobs are left out.
func NewIndex(c *report.Columns, procs int) *Index {
	b := StartIndex(c, procs)
	for !b.Step(1 << 30) {
	}
	return b.Index()
}

// StartIndex begins what NewIndex does in one go.
func StartIndex(c *report.Columns, procs int) *Indexing {
	return &Indexing{c: c, ix: Index{Procs: procs, columns: c}}
}

// Index returns the index once Step has returned true.
func (b *Indexing) Index() *Index { return &b.ix }

// Step does about most rectangles' worth of work and says whether the index is
// ready.
func (b *Indexing) Step(most int) bool {
	c, ix := b.c, &b.ix
	jobs, spans, all := len(c.Start), len(c.Spans), len(c.Spans)+len(c.Before)
	switch b.phase {
	case 0:
		ix.tallest = make([]bool, spans)
		b.from = make([]int32, jobs+1)
		ix.All, ix.maxEnd = make([]rect, all), make([]model.Time, all)
		b.phase++
	case 1: // where the spans of each job begin, and which is its tallest
		i := b.at
		for stop := b.at + most; i < spans && i < stop; {
			best, job := i, c.Spans[i].Job
			b.from[job] = int32(i)
			for i++; i < spans && c.Spans[i].Job == job; i++ {
				if c.Spans[i].Count >= c.Spans[best].Count {
					best = i
				}
			}
			b.from[job+1] = int32(i)
			ix.tallest[best] = true
		}
		if b.at = i; i == spans {
			b.at = 0
			b.phase++
		}
	case 2: // jobs and earlier attempts in order of their starts
		least := model.Time(0) // rejected jobs start at −1
		keys := make([]uint64, jobs+len(c.Before))
		for _, s := range c.Start {
			least = min(least, s)
		}
		for i, s := range c.Start {
			keys[i] = uint64(s - least)
		}
		for i := range c.Before {
			keys[jobs+i] = uint64(c.Before[i].Start - least)
		}
		b.sort = startSort(keys)
		b.phase++
	case 3:
		if b.sort.step() {
			b.order, b.sort = b.sort.idx, nil
			b.phase++
		}
	case 4:
		for stop := b.n + most; b.at < len(b.order) && b.n < stop; b.at++ {
			j := b.order[b.at]
			if int(j) >= jobs {
				p := &c.Before[int(j)-jobs]
				b.add(p.Start, p.End, j, p.First, p.Count, true)
				continue
			}
			for k := b.from[j]; k < b.from[j+1] && c.Spans[k].Job == j; k++ {
				b.add(c.Start[j], c.End[j], j, c.Spans[k].First, c.Spans[k].Count, ix.tallest[k])
			}
		}
		if b.at == len(b.order) {
			n := b.n
			b.from, b.order = nil, nil
			ix.All, ix.maxEnd = ix.All[:n], ix.maxEnd[:n]
			ix.To = b.latest
			b.phase++
		}
	}
	return b.phase == 5
}

func (b *Indexing) add(start, end model.Time, job, first, count int32, main bool) {
	if end <= start {
		return
	}
	ix, n := &b.ix, b.n
	if n == 0 {
		ix.From, b.latest = start, end
	}
	if end > b.latest {
		b.latest = end
	}
	ix.All[n], ix.maxEnd[n] = rect{start, end, job, first, count, main}, b.latest
	b.n++
}

// Len returns the number of rectangles.
func (ix *Index) Len() int { return len(ix.All) }

// Job returns the job of what Raster.At found, and which earlier attempt of it
// that was, −1 its last one.
func (ix *Index) Job(found int) (job, attempt int) {
	if n := len(ix.columns.Start); found >= n {
		return int(ix.columns.Before[found-n].Job), found - n
	}
	return found, -1
}

// Range returns the half-open range of rectangles among which all that overlap
// (from, to) lie; some in the range may have ended before.
func (ix *Index) Range(from, to model.Time) (lo, hi int) {
	hi = sort.Search(len(ix.All), func(i int) bool { return ix.All[i].Start >= to })
	lo = sort.Search(hi, func(i int) bool { return ix.maxEnd[i] > from })
	return lo, hi
}

// Rect is one rectangle of a job: processors [First, First+Count).
type Rect struct {
	First, Count int32
	Main         bool
}

// Rects calls f for every rectangle of a job's last attempt, lowest first.
func (ix *Index) Rects(job int, f func(Rect)) {
	if ix.columns == nil {
		return
	}
	spans := ix.columns.Spans
	i := sort.Search(len(spans), func(i int) bool { return int(spans[i].Job) >= job })
	for ; i < len(spans) && int(spans[i].Job) == job; i++ {
		f(Rect{spans[i].First, spans[i].Count, ix.tallest[i]})
	}
}

// Neighbour returns the job that follows (by 1) or goes before (by −1) on the
// processors of a job: of those that hold at least one of them, the one that
// starts next after it, or before it. −1 when there is none.
func (ix *Index) Neighbour(job, by int) int {
	c := ix.columns
	if c == nil || job < 0 || job >= len(c.Start) {
		return -1
	}
	var mine []Rect
	ix.Rects(job, func(r Rect) { mine = append(mine, r) })
	touches := func(i int) bool {
		for _, m := range mine {
			if ix.All[i].First < m.First+m.Count && m.First < ix.All[i].First+ix.All[i].Count {
				return true
			}
		}
		return false
	}
	begin := c.Start[job]
	i := sort.Search(len(ix.All), func(i int) bool { return ix.All[i].Start > begin })
	if by < 0 {
		i = sort.Search(len(ix.All), func(i int) bool { return ix.All[i].Start >= begin }) - 1
	}
	for ; i >= 0 && i < len(ix.All); i += by {
		if found, _ := ix.Job(int(ix.All[i].Job)); found != job && touches(i) {
			return found
		}
	}
	return -1
}
