//go:build js

package island

import (
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/chart"
	"batchlab/ui/state"
	"batchlab/ui/words"
	"batchlab/ui/zone"
)

// data gathers what the drawings read from the store.
func (h *host) data() *chart.Data {
	s := h.store
	if memoOf != s.Ran {
		memoOf, memo = s.Ran, chart.Memo{}
	}
	d := &chart.Data{Memo: memo, A: s.View.A, B: s.View.B, Base: s.Baseline(), Clock: h.clock(), Tau: 10, Theme: h.theme(), Which: s.Which(), Pooled: s.Pooled()}
	if s.Ran != nil {
		d.Tau = s.Ran.Measures.Tau
		for i := range s.Ran.Schedulers {
			d.Names = append(d.Names, s.Label(i))
			var done []*report.Run
			for _, r := range s.Runs {
				if r.Scheduler == i && r.Status == state.Done && r.Result != nil {
					done = append(done, r.Result)
				}
			}
			d.Runs = append(d.Runs, done)
			var shown *report.Run
			if r := s.Finished(i); r != nil {
				shown = r.Result
				if i == d.A {
					d.Jobs = s.Jobs[r.Repetition]
				}
			}
			d.Shown = append(d.Shown, shown)
		}
	}
	d.Busy = waitingFor(s)
	d.Acceptable = s.Acceptable()
	if s.Preview != nil {
		d.Reaction = s.Preview.Reaction
	}
	return d
}

// memo is kept while the same experiment is looked at.
var (
	memo   chart.Memo
	memoOf *experiment.Experiment
)

var stepsKnown = map[*report.Run][2]*chart.Steps{}

// steps returns the step functions of a run, made once for all islands.
func (h *host) steps(r *report.Run) (used, waiting *chart.Steps) {
	k, ok := stepsKnown[r]
	if !ok {
		live := map[*report.Run]bool{}
		for _, x := range h.store.Runs {
			live[x.Result] = true
		}
		for old := range stepsKnown {
			if !live[old] {
				delete(stepsKnown, old)
			}
		}
		k[0], k[1] = chart.UsedAndWaiting(r)
		stepsKnown[r] = k
	}
	return k[0], k[1]
}

// waitingFor says why there is nothing to draw, "" when nothing runs.
func waitingFor(s *state.Store) string {
	switch {
	case s.Active():
		return "Running. The first result appears here as soon as it is there."
	case s.Loading:
		return "Reading the workload."
	case s.Ran != nil && len(s.Runs) > 0 && !s.Some():
		return "No run has finished. Run again to see a result."
	}
	return ""
}

// clock reads times in the workload's time zone, as the browser knows it, or
// counts from the workload's beginning when that is preferred.
func (h *host) clock() chart.Clock {
	p := h.store.Preview
	if p == nil || p.UnixStart == 0 || h.store.Prefs.Relative {
		return chart.Clock{}
	}
	return chart.Clock{Unix: p.UnixStart, Offset: zone.Of(p.TimeZone), Long: chart.LengthOf(p.Last - p.First)}
}

// fileName makes the name of an exported file.
func (h *host) fileName(what, suffix string) string {
	name := "batchlab"
	if p := h.store.Preview; p != nil && p.Name != "" {
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

// title is "A EASY".
func (h *host) title(i int) string { return words.Letter(i) + " " + h.store.Label(i) }
