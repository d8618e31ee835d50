package lab

import (
	"cmp"
	"math/bits"
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
)

// holds are those of a schedule by execution; nil where it has none.
type holds []*model.Hold

func holdsOf(s *model.Schedule) holds {
	if len(s.Holds) == 0 {
		return nil
	}
	list, k := make(holds, len(s.Executions)), 0
	for i := range s.Executions {
		if e := &s.Executions[i]; k < len(s.Holds) && s.Holds[k].Job == e.Job && s.Holds[k].Start == e.Start {
			list[i] = &s.Holds[k]
			k++
		}
	}
	return list
}

// named says whether any execution is bound to processors by number.
func (h holds) named() bool {
	return slices.ContainsFunc(h, func(one *model.Hold) bool { return one != nil && one.Which != nil })
}

// of returns the hold of an execution, nil for none.
func (h holds) of(i int32) *model.Hold {
	if h == nil {
		return nil
	}
	return h[i]
}

// from is when an execution begins to hold processors.
func (h holds) from(s *model.Schedule, i int32) model.Time {
	if one := h.of(i); one != nil {
		return one.From
	}
	return s.Executions[i].Start
}

// to is when it gives them back.
func (h holds) to(s *model.Schedule, i int32) model.Time {
	if one := h.of(i); one != nil {
		return one.To
	}
	return s.Executions[i].End
}

// takeNamed takes named processors of an execution's cluster; false when one of
// them is not free.
func takeNamed(free []freeList, nodes []model.Node, e *model.Execution, which []uint64) (spans []report.Span, ok bool) {
	node := slices.IndexFunc(nodes, func(n model.Node) bool { return n.Cluster == e.Cluster })
	if node < 0 {
		return nil, false
	}
	first := nodes[node].First
	for w, word := range which {
		for word != 0 {
			p := first + int32(64*w+bits.TrailingZeros64(word))
			word &= word - 1
			if n := len(spans); n > 0 && spans[n-1].First+spans[n-1].Count == p {
				spans[n-1].Count++
			} else {
				spans = append(spans, report.Span{Job: e.Job, First: p, Count: 1})
			}
		}
	}
	for _, s := range spans {
		if !free[node].takeAt(s.First, s.Count) {
			return nil, false
		}
	}
	return spans, true
}

// takeAt takes processors [first, first+count); false when not all are free.
func (f *freeList) takeAt(first, count int32) bool {
	at := slices.IndexFunc(*f, func(v interval) bool { return v.first <= first && first+count <= v.first+v.count })
	if at < 0 {
		return false
	}
	v := (*f)[at]
	left, right := interval{v.first, first - v.first}, interval{first + count, v.first + v.count - first - count}
	switch {
	case left.count > 0 && right.count > 0:
		(*f)[at] = left
		*f = slices.Insert(*f, at+1, right)
	case left.count > 0:
		(*f)[at] = left
	case right.count > 0:
		(*f)[at] = right
	default:
		*f = slices.Delete(*f, at, at+1)
	}
	return true
}

// gaps finds what stands idle directly before reservations, as processors are
// drawn.
type gaps struct {
	idle []idle // from the first processor to the last; nil: nothing is reserved
	list []report.Away
}

// idle says since when processors are idle, from one on up to where the next
// stretch begins. A machine may have 2^31 of them, few of which are told apart.
type idle struct {
	first int32
	since model.Time
}

func newGaps(s *model.Schedule) *gaps {
	g := &gaps{}
	if slices.ContainsFunc(s.Holds, func(h model.Hold) bool { return h.Reserved }) {
		first, _ := s.Workload.Span()
		g.idle = []idle{{0, first}}
	}
	return g
}

// at is the stretch that begins with a processor, which is made to begin there.
func (g *gaps) at(p int32) int {
	i, found := slices.BinarySearchFunc(g.idle, p, func(v idle, p int32) int { return cmp.Compare(v.first, p) })
	if !found {
		g.idle = slices.Insert(g.idle, i, idle{p, g.idle[i-1].since})
	}
	return i
}

// end notes that processors become idle.
func (g *gaps) end(spans []report.Span, at model.Time) {
	if g == nil || g.idle == nil {
		return
	}
	for _, s := range spans {
		from := g.at(s.First)
		to := g.at(s.First + s.Count) // behind the last processor a stretch may begin, of none
		g.idle[from].since = at
		g.idle = slices.Delete(g.idle, from+1, to)
	}
}

// begin notes that an execution takes processors: for a reservation, those that
// were idle until then are a gap.
func (g *gaps) begin(h *model.Hold, spans []report.Span) {
	if g.idle == nil || h == nil || !h.Reserved {
		return
	}
	for _, s := range spans {
		from := g.at(s.First)
		to := g.at(s.First + s.Count)
		for from < to {
			v, next := g.idle[from], from+1
			for next < to && g.idle[next].since == v.since {
				next++
			}
			if v.since < h.From {
				g.list = append(g.list, report.Away{From: v.since, To: h.From, Entry: s.Job, Kind: report.HeldBefore, First: v.first, Count: g.idle[next].first - v.first})
			}
			from = next
		}
	}
}
