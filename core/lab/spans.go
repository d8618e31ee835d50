package lab

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
)

// places derives processor numbers for last attempts, for those before them,
// for what the calendar takes, and for what reservations hold without using it:
// releases first, then starts by start and job number, each on the lowest free
// processors (design: Resources). They come in order of (job, First). A logged
// schedule that does not fit on the machine has none. Where executions have
// claims, numbers are derived machine by machine.
// With names in the schedule's holds numbers are not derived but those.
func places(s *model.Schedule) ([]report.Span, []report.Piece, []report.Away, []report.Away) {
	if len(s.Claims) == 0 {
		return countedSpans(s), nil, nil, nil
	}
	holds := holdsOf(s)
	last, before, away, unused := sitePlaces(s, holds)
	if last == nil && holds != nil && !holds.named() {
		// A failure has taken processors from the slots of a reservation, before or
		// after its job runs: what it holds then is left out, and the jobs stand.
		return sitePlaces(s, nil)
	}
	return last, before, away, unused
}

func countedSpans(s *model.Schedule) []report.Span {
	if s.Logged && (len(s.Platform.Clusters) != 1 || s.Platform.Clusters[0].Packing != model.PackProcessors) {
		return nil // nobody knows on which of its machines jobs would have run
	}
	byStart, byEnd := turnsOf(s)
	free := freeList{{0, int32(s.Platform.Procs())}}
	// Spans in order of start, in blocks: with millions of jobs one slice that grows would
	// need its memory twice.
	blocks := [][]report.Span{make([]report.Span, 0, len(byStart))}
	type place struct{ block, from, count int32 } // of an execution's spans
	held := make([]place, len(s.Executions))
	of := func(i int32) []report.Span {
		p := held[i]
		return blocks[p.block][p.from : p.from+p.count]
	}
	ended, all := 0, 0
	for _, i := range byStart {
		e := &s.Executions[i]
		for ; s.Executions[byEnd[ended]].End <= e.Start; ended++ {
			k := byEnd[ended]
			for _, span := range of(k) {
				free.give(span.First, span.Count)
			}
		}
		last := len(blocks) - 1
		if most := min(len(free), int(e.Procs)); cap(blocks[last])-len(blocks[last]) < most {
			blocks, last = append(blocks, make([]report.Span, 0, max(len(byStart)/2, most))), last+1
		}
		from := len(blocks[last])
		var ok bool
		if blocks[last], ok = free.take(blocks[last], e.Job, e.Procs); !ok {
			return nil
		}
		held[i] = place{int32(last), int32(from), int32(len(blocks[last]) - from)}
		all += len(blocks[last]) - from
	}
	ordered := make([]report.Span, 0, all)
	for i := range s.Executions {
		ordered = append(ordered, of(int32(i))...)
	}
	return ordered
}

// turnsOf returns the indices of executions by start and job number, and by
// end.
func turnsOf(s *model.Schedule) (byStart, byEnd []int32) { return turnsHeld(s, nil) }

// turnsHeld is turnsOf by when executions begin and cease to hold processors.
func turnsHeld(s *model.Schedule, holds holds) (byStart, byEnd []int32) {
	byStart = make([]int32, 0, len(s.Executions))
	for i := range s.Executions {
		if !s.Executions[i].Reason.Unserved() {
			byStart = append(byStart, int32(i))
		}
	}
	byEnd = slices.Clone(byStart)
	jobs := s.Workload.Jobs
	slices.SortFunc(byStart, func(a, b int32) int {
		x, y := &s.Executions[a], &s.Executions[b]
		return cmp.Or(cmp.Compare(holds.from(s, a), holds.from(s, b)), cmp.Compare(jobs[x.Job].Number, jobs[y.Job].Number), cmp.Compare(a, b))
	})
	slices.SortFunc(byEnd, func(a, b int32) int {
		return cmp.Or(cmp.Compare(holds.to(s, a), holds.to(s, b)), cmp.Compare(a, b))
	})
	return byStart, byEnd
}

// sitePlaces is places for executions that hold parts of machines. What the
// calendar takes of interchangeable processors are the highest that are free
// when the entry begins, so that it stands apart from the jobs.
func sitePlaces(s *model.Schedule, holds holds) (last []report.Span, before []report.Piece, away, unused []report.Away) {
	byStart, byEnd := turnsHeld(s, holds)
	nodes := s.Platform.Nodes()
	free := make([]freeList, len(nodes))
	for i, n := range nodes {
		free[i] = freeList{{n.First, n.Procs}}
	}
	held := make([][]report.Span, len(s.Executions))
	taken := newCalendar(s.Platform, nodes, holds.named())
	gaps := newGaps(s)
	taken.gaps = gaps
	ended := 0
	for _, i := range byStart {
		e, from := &s.Executions[i], holds.from(s, i)
		// All that happens up to the start, in order of time: at one instant jobs
		// end before entries do, and entries begin last.
		for {
			end := model.Never
			if k := byEnd[ended]; holds.to(s, k) <= from {
				end = holds.to(s, k)
			}
			if taken.next(min(end-1, from), free) {
				continue
			}
			if end == model.Never {
				break
			}
			for _, span := range held[byEnd[ended]] {
				free[nodeOf(nodes, span.First)].give(span.First, span.Count)
			}
			gaps.end(held[byEnd[ended]], end)
			ended++
		}
		var ok bool
		if h := holds.of(i); h != nil && h.Which != nil {
			held[i], ok = takeNamed(free, nodes, e, h.Which)
			if !ok {
				return nil, nil, nil, nil
			}
		} else {
			for _, part := range s.Claims[e.Claim-1].Parts {
				if held[i], ok = free[part.Node].take(held[i], e.Job, part.Procs); !ok {
					return nil, nil, nil, nil
				}
			}
		}
		gaps.begin(holds.of(i), held[i])
	}
	for taken.next(model.Never, free) {
	}
	for i := range s.Executions {
		e := &s.Executions[i]
		if h := holds.of(int32(i)); h != nil {
			for _, span := range held[i] {
				for _, part := range [...][2]model.Time{{h.From, e.Start}, {e.End, h.To}} {
					if part[0] < part[1] {
						gaps.list = append(gaps.list, report.Away{From: part[0], To: part[1], Entry: e.Job, Kind: report.HeldUnused, First: span.First, Count: span.Count})
					}
				}
			}
		}
		if i+1 == len(s.Executions) || s.Executions[i+1].Job != e.Job {
			last = append(last, held[i]...)
			continue
		}
		for _, span := range held[i] {
			before = append(before, report.Piece{Start: e.Start, End: e.End, Job: e.Job, First: span.First, Count: span.Count, Reason: int32(e.Reason)})
		}
	}
	for _, list := range [...][]report.Away{taken.away, gaps.list} {
		order.Stable(list, func(a, b report.Away) int {
			return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Entry, b.Entry), cmp.Compare(a.First, b.First))
		})
	}
	return last, before, taken.away, gaps.list
}

// nodeOf returns the node that has a processor.
func nodeOf(nodes []model.Node, first int32) int {
	at, found := slices.BinarySearchFunc(nodes, first, func(n model.Node, first int32) int { return cmp.Compare(n.First, first) })
	if !found {
		at--
	}
	return at
}

// freeList holds the free processors as intervals in ascending order, none
// touching the next.
type freeList []interval

type interval struct{ first, count int32 }

// take appends the lowest free processors as spans of a job; false when there
// are not as many.
func (f *freeList) take(spans []report.Span, job model.JobID, procs int32) ([]report.Span, bool) {
	used := 0
	for procs > 0 {
		if used == len(*f) {
			return spans, false
		}
		v := &(*f)[used]
		n := min(procs, v.count)
		spans = append(spans, report.Span{Job: job, First: v.first, Count: n})
		v.first, v.count = v.first+n, v.count-n
		procs -= n
		if v.count == 0 {
			used++
		}
	}
	*f = (*f)[:copy(*f, (*f)[used:])]
	return spans, true
}

// give returns processors, joining them with their neighbours.
func (f *freeList) give(first, count int32) {
	at, _ := slices.BinarySearchFunc(*f, first, func(v interval, first int32) int { return cmp.Compare(v.first, first) })
	left := at > 0 && (*f)[at-1].first+(*f)[at-1].count == first
	right := at < len(*f) && first+count == (*f)[at].first
	switch {
	case left && right:
		(*f)[at-1].count += count + (*f)[at].count
		*f = slices.Delete(*f, at, at+1)
	case left:
		(*f)[at-1].count += count
	case right:
		(*f)[at].first, (*f)[at].count = first, (*f)[at].count+count
	default:
		*f = slices.Insert(*f, at, interval{first, count})
	}
}
