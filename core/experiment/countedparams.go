package experiment

import "batchlab/core/catalog"

// General says whether a parameter of the scheduler has a value that its form for
// counted processors does not know, so that it runs in its general form.
func (s *Scheduler) General() bool {
	row := catalog.FindScheduler(s.Key)
	if row == nil {
		return false
	}
	if !row.Foretells && s.foretells() {
		return true
	}
	for i := range row.Params {
		p := &row.Params[i]
		if v, ok := s.Params.Get(p.Key); ok && p.General && v != p.Default {
			return true
		}
	}
	return false
}
