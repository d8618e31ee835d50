package result

import (
	"strings"

	"batchlab/core/report"
	"batchlab/ui/words"
)

// draws says what the results were drawn from; nil where they were not.
func (s *Tray) draws() *report.Draws {
	for _, r := range s.Runs {
		if r.Result != nil && r.Result.Draws != nil {
			return r.Result.Draws
		}
	}
	return nil
}

// Phased reports whether repeats of a scheduler are phases of its loops, over the same jobs.
func (s *Tray) Phased(scheduler int) bool {
	for _, r := range s.finished(scheduler) {
		if r.Draws != nil && r.Draws.By == report.ByPhases {
			return true
		}
	}
	return false
}

// Phases is over how many phases there is a band, 0 without one. It is asked of every run
// that comes in: of very many, none is looked at where no scheduler has phases.
func (s *Tray) Phases() int {
	if !s.phased() {
		return 0
	}
	if d := s.draws(); d == nil || d.By != report.ByPhases || s.Different() < 2 {
		return 0
	}
	return s.Different()
}

// phased says whether any scheduler of the experiment that ran has phases.
func (s *Tray) phased() bool {
	if s.Ran == nil {
		return true
	}
	for i := range s.Ran.Schedulers {
		if s.Ran.Phases(i) {
			return true
		}
	}
	return false
}

// Workloads is how many different workloads the results are of.
func (s *Tray) Workloads() int { return words.Either(s.Phases() > 0, 1, s.Different()) }

// Different is how many different repeats the results have, at most: copies of a
// run count once.
func (s *Tray) Different() int {
	most := 0
	for _, r := range s.Runs {
		if r.Result != nil && !r.Result.Copy {
			most = max(most, r.Repetition+1)
		}
	}
	return most
}

// RepeatName says which repeat a repetition is: "repeat 2", "draw 3", "the log as
// it came".
func (s *Tray) RepeatName(repetition int) string {
	switch {
	case s.Phases() > 0:
		return "phase" + words.NB + words.Int(repetition+1)
	case s.Ran == nil || s.Ran.Workload.Resample == nil:
		return "repeat" + words.NB + words.Int(repetition+1)
	case repetition == 0:
		return "the log itself"
	}
	return "draw" + words.NB + words.Int(repetition)
}

// Which says which repeat charts of a single run show, "" where there is one
// only.
func (s *Tray) Which() string {
	if s.Different() < 2 {
		return ""
	}
	return s.RepeatName(s.look.View.Repetition)
}

// Pooled says over what charts of all runs go, "" where there is one only.
func (s *Tray) Pooled() string {
	switch n := s.Different(); {
	case n < 2:
		return ""
	case s.Phases() > 0:
		return "all " + words.Count(n, "phase", "phases") + " together"
	case s.draws() != nil:
		return "the log and " + words.Count(n-1, "draw", "draws") + " together"
	default:
		return "all " + words.Count(n, "repeat", "repeats") + " together"
	}
}

// Sampled says what the numbers are of: "one workload", "5 repeats", "20 draws of
// 46 weeks, paired".
func (s *Tray) Sampled() string {
	n := s.Different()
	d := s.draws()
	switch {
	case n < 2 && s.byLog():
		return "One workload, with an interval computed from it"
	case n < 2:
		return "One workload: no interval"
	case s.Phases() > 0:
		return "Band over " + words.Count(n, "phase", "phases") + ", one workload"
	case d == nil:
		return words.Count(n, "repeat", "repeats") + ", paired"
	case d.By == "shake":
		return words.Count(n-1, "shaken copy", "shaken copies") + " of the log, paired"
	case d.By == "users":
		return words.Count(n-1, "draw", "draws") + " of " + words.Count(s.preview().Users, "user", "users") + ", paired"
	}
	return words.Count(n-1, "draw", "draws") + " of " + strings.TrimSuffix(words.Number(d.Pieces, 1), ".0") + " weeks, paired"
}

// byLog reports whether the one log there is says something of others: of the pair that
// the sentence is about.
func (s *Tray) byLog() bool {
	b := s.Against()
	if b < 0 {
		return false
	}
	d := s.Compare(s.look.View.A, b, "mean-wait")
	return d.How == report.ByLog
}

// preview is the preview, or an empty one.
func (s *Tray) preview() *report.Preview {
	if of := s.host.Workload(); of != nil {
		return of
	}
	return &report.Preview{}
}
