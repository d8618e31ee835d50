package lab

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
)

// calendar gives the entries of a platform's calendar their places, in order of
// time, while the jobs get theirs.
type calendar struct {
	entries []model.CalendarEntry
	nodes   []model.Node
	pieces  []calendarPiece
	turns   []turn // in order of time; ends before beginnings
	away    []report.Away
	gaps    *gaps
}

// calendarPiece is an entry of counted processors for a time, or a part of that time.
type calendarPiece struct {
	entry    int32
	from, to model.Time
	bound    bool // spans are known beforehand
	spans    []report.Span
}

// turn is the beginning or the end of a piece.
type turn struct {
	at    model.Time
	take  bool
	piece int32
}

// newCalendar prepares the entries of a platform. Where jobs are bound to processors by
// number, entries are, too (named).
func newCalendar(p *model.Platform, nodes []model.Node, named bool) *calendar {
	c := &calendar{entries: p.Calendar, nodes: nodes}
	for i := range p.Calendar {
		e := &p.Calendar[i]
		if len(e.Nodes) == 0 {
			if !named {
				c.pieces = append(c.pieces, calendarPiece{entry: int32(i), from: e.From, to: e.To})
			}
			continue
		}
		for _, s := range wholeNodes(e.Nodes, nodes) { // nothing runs there: jobs need not know
			c.away = append(c.away, report.Away{From: e.From, To: e.To, Entry: int32(i), Kind: int32(e.Kind), First: s.First, Count: s.Count})
		}
	}
	if named {
		c.bind()
	}
	for i, piece := range c.pieces {
		c.turns = append(c.turns, turn{piece.from, true, int32(i)}, turn{piece.to, false, int32(i)})
	}
	order.Stable(c.turns, func(a, b turn) int {
		if d := cmp.Compare(a.at, b.at); d != 0 || a.take == b.take {
			return d
		}
		if a.take {
			return 1
		}
		return -1
	})
	return c
}

// bind makes the pieces of entries that are bound: each has, at each instant, the highest
// processors of its cluster that no entry before it has.
func (c *calendar) bind() {
	var edges []model.Time
	for i := range c.entries {
		edges = append(edges, c.entries[i].From, c.entries[i].To)
	}
	slices.Sort(edges)
	edges = slices.Compact(edges)
	for k := range max(0, len(edges)-1) {
		free := map[int32]freeList{}
		for i := range c.entries {
			e := &c.entries[i]
			if len(e.Nodes) > 0 || e.From > edges[k] || e.To <= edges[k] {
				continue
			}
			list, known := free[e.Cluster]
			if !known {
				n := c.nodes[c.nodeOf(e.Cluster)]
				list = freeList{{n.First, n.Procs}}
			}
			spans := list.takeTop(e.Procs)
			free[e.Cluster] = list
			c.pieces = append(c.pieces, calendarPiece{int32(i), edges[k], edges[k+1], true, spans})
		}
	}
}

// nodeOf is the node that stands for a counted cluster.
func (c *calendar) nodeOf(cluster int32) int {
	return slices.IndexFunc(c.nodes, func(n model.Node) bool { return n.Cluster == cluster })
}

// wholeNodes are the processors of nodes, those of neighbours together.
func wholeNodes(list []int32, nodes []model.Node) []report.Span {
	var spans []report.Span
	for _, n := range slices.Sorted(slices.Values(list)) {
		if k := len(spans); k > 0 && spans[k-1].First+spans[k-1].Count == nodes[n].First {
			spans[k-1].Count += nodes[n].Procs
			continue
		}
		spans = append(spans, report.Span{First: nodes[n].First, Count: nodes[n].Procs})
	}
	return spans
}

// next carries out one turn at or before a time; false when there is none.
// Where entries overlap so far that too little is free, one gets what is left.
func (c *calendar) next(until model.Time, free []freeList) bool {
	if len(c.turns) == 0 || c.turns[0].at > until {
		return false
	}
	t := c.turns[0]
	c.turns = c.turns[1:]
	piece := &c.pieces[t.piece]
	e := &c.entries[piece.entry]
	node := c.nodeOf(e.Cluster)
	if !t.take {
		for _, s := range piece.spans {
			free[node].give(s.First, s.Count)
		}
		c.gaps.end(piece.spans, t.at)
		return true
	}
	if !piece.bound {
		piece.spans = free[node].takeTop(e.Procs)
	} else {
		piece.spans = slices.DeleteFunc(piece.spans, func(s report.Span) bool { return !free[node].takeAt(s.First, s.Count) })
	}
	for _, s := range piece.spans {
		c.away = append(c.away, report.Away{From: piece.from, To: piece.to, Entry: piece.entry, Kind: int32(e.Kind), First: s.First, Count: s.Count})
	}
	return true
}

// takeTop takes the highest free processors, as many as there are up to procs,
// lowest first.
func (f *freeList) takeTop(procs int32) []report.Span {
	var spans []report.Span
	for procs > 0 && len(*f) > 0 {
		v := &(*f)[len(*f)-1]
		n := min(procs, v.count)
		v.count -= n
		procs -= n
		spans = append(spans, report.Span{First: v.first + v.count, Count: n})
		if v.count == 0 {
			*f = (*f)[:len(*f)-1]
		}
	}
	slices.Reverse(spans)
	return spans
}

// calendarKinds name the kinds of entries for people and files.
var calendarKinds = [...]string{model.KindReservation: "reservation", model.KindOutage: "outage", model.KindFailure: "failure"}

// entries describes the calendar of a platform.
func entries(p *model.Platform) []report.Entry {
	var list []report.Entry
	for i := range p.Calendar {
		e := &p.Calendar[i]
		list = append(list, report.Entry{Kind: calendarKinds[e.Kind], Name: e.Name, Cluster: p.Clusters[e.Cluster].Name, From: e.From, To: e.To, Procs: e.Procs, Nodes: int32(len(e.Nodes))})
	}
	return list
}
