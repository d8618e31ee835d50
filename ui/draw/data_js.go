//go:build js

package draw

import (
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/ui/state"
	"batchlab/ui/words"
	"batchlab/ui/zone"
)

// Data gathers what the drawings read from the store.
func (h *Host) Data() *Data {
	s := h.Store
	if memoOf != s.Ran {
		memoOf, memo = s.Ran, Memo{}
	}
	d := &Data{Memo: memo, A: s.View.A, B: s.View.B, Base: s.Baseline(), Clock: h.Clock(), Tau: 10, Theme: h.Theme(), Which: s.Which(), Pooled: s.Pooled()}
	if s.Ran != nil {
		d.Tau = s.Ran.Measures.Tau
		for i := range s.Ran.Schedulers {
			d.Names = append(d.Names, s.Label(i))
			var done []*report.Run
			for _, r := range s.Runs {
				if r.Scheduler == i && s.Shows(i) && r.Status == engine.Done && r.Result != nil {
					done = append(done, r.Result)
				}
			}
			d.Runs = append(d.Runs, done)
			var shown *report.Run
			if r := s.Finished(i); r != nil && s.Shows(i) {
				shown = r.Result
				if i == d.A {
					d.Jobs = s.Jobs[r.Repetition]
				}
			}
			d.Shown, d.Foretells = append(d.Shown, shown), append(d.Foretells, s.Ran.Foretells(i) != nil)
		}
	}
	d.Busy = WaitingFor(s)
	d.Acceptable = s.Acceptable()
	if p := s.ShownWorkload(); p != nil {
		d.Reaction = p.Reaction
	}
	return d
}

// memo is kept while the same experiment is looked at.
var (
	memo   Memo
	memoOf *experiment.Experiment
)

var StepsKnown = map[*report.Run][2]*Steps{}

// Steps returns the step functions of a run, made once for all islands.
func (h *Host) Steps(r *report.Run) (used, waiting *Steps) {
	k, ok := StepsKnown[r]
	if !ok {
		live := map[*report.Run]bool{}
		for _, x := range h.Store.Runs {
			live[x.Result] = true
		}
		for old := range StepsKnown {
			if !live[old] {
				delete(StepsKnown, old)
			}
		}
		k[0], k[1] = UsedAndWaiting(r)
		StepsKnown[r] = k
	}
	return k[0], k[1]
}

// WaitingFor says why there is nothing to draw, "" when nothing runs.
func WaitingFor(s *state.Store) string {
	switch {
	case s.Recalling():
		return "Computing the jobs of this repeat again."
	case s.Active():
		return "Running …"
	case s.Loading:
		return "Reading the workload."
	case s.Ran != nil && len(s.Runs) > 0 && !s.Some():
		return "No run has finished. Run again to see a result."
	}
	return ""
}

// Clock reads times in the workload's time zone, as the browser knows it, or
// counts from the workload's beginning when that is preferred.
func (h *Host) Clock() Clock {
	p := h.Store.ShownWorkload()
	if p == nil || p.UnixStart == 0 || h.Store.Prefs.Relative {
		return Clock{}
	}
	return Clock{Unix: p.UnixStart, Offset: zone.Of(p.TimeZone), Long: LengthOf(p.Last - p.First)}
}

// FileName makes the name of an exported file.
func (h *Host) FileName(what, suffix string) string {
	name := "batchlab"
	if p := h.Store.ShownWorkload(); p != nil && p.Name != "" {
		name = p.Name
	}
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, name+"-"+what)
	return strings.Trim(clean, "-.") + suffix
}

// Title is "A EASY".
func (h *Host) Title(i int) string { return words.Letter(i) + " " + h.Store.Label(i) }
