package plan

import "batchlab/core/search"

// drops remembers which moves have been tried and dropped since the current solution
// is what it is: with few waiting jobs a call of an optimiser draws the same moves again
// and again. It serves one list of at most 64 jobs, a word for each.
type drops struct {
	knows    bool    // the list is short enough
	place    []int32 // by slot, of the list
	tried    [64]uint64
	from, to int32 // the move of the candidate
}

// begin forgets all: the current solution is another one.
func (d *drops) begin(p *Plan) {
	jobs := p.lanes[0].jobs
	if d.knows = len(p.lanes) == 1 && len(jobs) <= len(d.tried); !d.knows {
		return
	}
	if n := len(p.slots) - len(d.place); n > 0 {
		d.place = append(d.place, make([]int32, n)...)
	}
	for k, i := range jobs {
		d.place[i], d.tried[k] = int32(k), 1<<k // where it stands
	}
}

// note takes note that the candidate is dropped. Two neighbours that change places are
// one candidate, whichever moves.
func (d *drops) note() {
	if !d.knows {
		return
	}
	d.tried[d.from] |= 1 << d.to
	if d.from-d.to == 1 || d.to-d.from == 1 {
		d.tried[d.to] |= 1 << d.from
	}
}

// Dropped says that a move has been tried and dropped since the current solution is
// what it is, or that it moves nothing.
func (t *tuner) Dropped(m search.Move) bool {
	return t.drops.knows && t.drops.tried[t.drops.place[m.What]]>>m.At&1 != 0
}

var _ search.Recaller = (*tuner)(nil)
