package instant

// Providers of a grid, and machines of several clusters, stand in lanes of their own
// above each other, each with its name and its own scale.

// lane is a cluster's processors [first, first+count).
type lane struct {
	name         string
	first, count int32
}

const (
	laneGap   = 20.0 // above each lane, where its name stands
	mostLanes = 12   // more stand as one picture with lines between them
)

// lanes are the clusters of a site from the lowest processor on; nil where there is
// one only, or too many.
func (s *Scene) lanes() (list []lane) {
	if s.Site == nil {
		return nil
	}
	for _, m := range s.Site.Machines {
		if n := len(list) - 1; n >= 0 && list[n].name == m.Cluster && list[n].first+list[n].count == m.First {
			list[n].count += m.Procs
			continue
		}
		list = append(list, lane{m.Cluster, m.First, m.Procs})
	}
	if len(list) < 2 || len(list) > mostLanes {
		return nil
	}
	return list
}

// Rows is how high the processors are drawn together where each is to have so many
// pixels, if there is room.
func (s *Scene) Rows(row float64) float64 {
	n := float64(len(s.lanes()))
	return min(max(float64(s.Procs)*row, 120, 44*n), max(320, 64*n)) + n*laneGap
}

// lane is the index of the lane in which a processor stands, 0 where there are none.
func (p *painter) lane(proc int32) int {
	for i := len(p.strips) - 1; i > 0; i-- {
		if proc >= p.strips[i].first {
			return i
		}
	}
	return 0
}

// pieces calls visit with the parts of processors that stand in one lane.
func (p *painter) pieces(first, count int32, visit func(first, count int32)) {
	for count > 0 {
		n := count
		if i := p.lane(first) + 1; i < len(p.strips) {
			n = min(n, p.strips[i].first-first)
		}
		visit(first, n)
		first, count = first+n, count-n
	}
}

// spans is rows.spans by lanes.
func (p *painter) spans(r rows, visit func(first, count int32)) {
	r.spans(func(first, count int32) { p.pieces(first, count, visit) })
}

// low is the lower edge of a processor's row.
func (p *painter) low(proc int32) float64 { return p.y(proc) + p.row }
