package state

import (
	"batchlab/core/windows"
	"batchlab/ui/engine"
)

// searchEvery is how many seconds pass between drawings of a search under way:
// they take time that the workers want too.
const searchEvery = 1.0

// sweep has the phases from number at on done, one after the other.
func (s *Store) sweep(r *Search, phases []windows.Phase, at int) {
	r.Total = 0
	for _, p := range phases {
		r.Total += float64(p.Work)
	}
	if at == len(phases) || r.Status != engine.Running {
		s.endSearch(r, nil)
		return
	}
	p := &phases[at]
	pieces := p.Pieces()
	if len(pieces) == 0 {
		s.sweep(r, phases, at+1)
		return
	}
	r.Phase = p.Name
	before, spent := r.Done, r.Seconds
	s.stopSearch = s.engine.(engine.Searcher).Pieces(*r.Doc.Clone(), pieces, func(n engine.PieceNews) {
		if s.search != r {
			return
		}
		r.Done, r.Seconds = before+n.Done, spent+n.Seconds
		if r.Left = 0; r.Done > 0 && r.Seconds > 0.3 && r.Status == engine.Running {
			r.Left = r.Seconds * max(0, r.Total-r.Done) / r.Done
		}
		var fault error
		for _, a := range n.Answers {
			if err := r.Take(&pieces[a.Piece], &a); err != nil && fault == nil {
				fault = err
			}
		}
		if n.Err != nil {
			fault = n.Err
		}
		switch {
		case fault != nil && s.stopSearch != nil && !n.Over:
			s.stopSearch()
			fallthrough
		case fault != nil:
			s.endSearch(r, fault)
		case n.Over:
			s.sweep(r, phases, at+1)
			s.Touch()
		case len(n.Answers) > 0 && r.Seconds > r.drawn+searchEvery:
			r.drawn = r.Seconds
			s.Touch()
		default:
			s.Moved()
		}
	})
}
