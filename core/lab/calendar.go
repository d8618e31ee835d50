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
	turns   []turn // in order of time; ends before beginnings
	held    [][]report.Span
	away    []report.Away
	gaps    *gaps
}

// turn is the beginning or the end of an entry.
type turn struct {
	at    model.Time
	take  bool
	entry int32
}

func newCalendar(p *model.Platform, nodes []model.Node) *calendar {
	c := &calendar{entries: p.Calendar, nodes: nodes, held: make([][]report.Span, len(p.Calendar))}
	for i := range p.Calendar {
		e := &p.Calendar[i]
		if len(e.Nodes) == 0 {
			c.turns = append(c.turns, turn{e.From, true, int32(i)}, turn{e.To, false, int32(i)})
			continue
		}
		for _, s := range wholeNodes(e.Nodes, nodes) { // nothing runs there: jobs need not know
			c.away = append(c.away, report.Away{From: e.From, To: e.To, Entry: int32(i), Kind: int32(e.Kind), First: s.First, Count: s.Count})
		}
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
	e := &c.entries[t.entry]
	node := slices.IndexFunc(c.nodes, func(n model.Node) bool { return n.Cluster == e.Cluster })
	if !t.take {
		for _, s := range c.held[t.entry] {
			free[node].give(s.First, s.Count)
		}
		c.gaps.end(c.held[t.entry], t.at)
		return true
	}
	c.held[t.entry] = free[node].takeTop(e.Procs)
	for _, s := range c.held[t.entry] {
		c.away = append(c.away, report.Away{From: e.From, To: e.To, Entry: t.entry, Kind: int32(e.Kind), First: s.First, Count: s.Count})
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
