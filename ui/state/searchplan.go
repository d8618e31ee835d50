package state

import (
	"batchlab/core/windows"
	"batchlab/ui/engine"
)

// doPhases has the phases from number at on done, one after the other.
func (s *Store) doPhases(r *Search, phases []windows.Phase, at int) {
	r.Total = 0
	for _, p := range phases {
		r.Total += p.Work
	}
	if at == len(phases) || !r.Active() {
		s.endSearch(r, nil)
		return
	}
	p := &phases[at]
	pieces := p.Pieces()
	if len(pieces) == 0 {
		s.doPhases(r, phases, at+1)
		return
	}
	r.Phase = p.Name
	before, spent := r.Done, r.Seconds
	r.control = s.engine.(engine.Searcher).Pieces(*r.Doc.Clone(), pieces, func(n engine.News) {
		if s.search != r {
			return
		}
		r.Moved(before+n.Done, spent+n.Seconds, 0.3)
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
		case fault != nil:
			r.control.Drop()
			s.endSearch(r, fault)
		case n.Over:
			s.doPhases(r, phases, at+1)
			s.Touch()
		case len(n.Answers) > 0 && r.Due():
			s.Touch()
		default:
			s.Moved()
		}
	})
}
