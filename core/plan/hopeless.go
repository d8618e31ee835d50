package plan

import "batchlab/core/search"

// hopeless knows moves that lead to nothing better without carrying them out. It
// serves one list.
//
// With few waiting jobs a call of an optimiser draws the same moves again and again:
// those that have been tried and dropped since the current solution is what it is are
// marked, a word for each job. Of others, on a plain lane, bounds tell it (bounds.go).
type hopeless struct {
	words    bool    // the list is short enough
	place    []int32 // by slot, of the list
	tried    [64]uint64
	from, to int32 // the move of the candidate
	bounds   bounds
}

// begin forgets all: the current solution is another one.
func (d *hopeless) begin(p *Plan) {
	d.bounds.ready = false
	jobs := p.lanes[0].jobs
	if d.words = len(p.lanes) == 1 && len(jobs) <= len(d.tried); !d.words {
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
func (d *hopeless) note() {
	if !d.words {
		return
	}
	d.tried[d.from] |= 1 << d.to
	if d.from-d.to == 1 || d.to-d.from == 1 {
		d.tried[d.to] |= 1 << d.from
	}
}

// Hopeless says that a move has been tried and dropped since the current solution is
// what it is, that it moves nothing, or that it cannot lead to anything better.
func (t *tuner) Hopeless(m search.Move) bool {
	d := &t.hopeless
	if len(t.p.lanes) > 1 {
		return false
	}
	var from int
	if d.words {
		if from = int(d.place[m.What]); d.tried[from]>>m.At&1 != 0 {
			return true
		}
	}
	b := &d.bounds
	if !b.ready {
		t.survey()
	}
	if !b.able {
		return false
	}
	if !d.words {
		from = t.position(m.What)
	}
	if !b.worse(from, int(m.At)) {
		return false
	}
	if d.words {
		d.tried[from] |= 1 << m.At
	}
	return true
}

var _ search.Bounder = (*tuner)(nil)
