package result

import (
	"fmt"
	"slices"

	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/ui/words"
)

// RunsOf are those of scheduler i of the results, in order of repetition.
func (w *Sweep) RunsOf(i int) []*Run {
	if w.Ran == nil || i < 0 || i >= len(w.Ran.Schedulers) {
		return nil
	}
	from := 0
	for k := range i {
		from += int(max(1, w.Ran.Schedulers[k].Repeat))
	}
	to := from + int(max(1, w.Ran.Schedulers[i].Repeat))
	return w.Runs[min(from, len(w.Runs)):min(to, len(w.Runs))]
}

// Came is called when a run has ended well.
func (s *Tray) Came(r *Run, ev *engine.Event) {
	s.Results++
	if ev.Jobs != nil {
		s.look.FindJob()
	}
	if s.lets(r) {
		s.let(r)
	}
}

// Numbers are the numbers of the jobs on show, nil while they are not there.
func (s *Tray) Numbers() []int64 {
	if jobs := s.Jobs[s.look.View.Repetition]; jobs != nil {
		return jobs.Number
	}
	return nil
}

// RunName writes a run as "A FCFS" or "A FCFS, repeat 2".
func (s *Tray) RunName(r *Run) string {
	name := words.Letter(r.Scheduler) + " " + s.Label(r.Scheduler)
	if s.Ran != nil && max(1, s.Ran.Schedulers[r.Scheduler].Repeat) > 1 {
		name += ", " + s.RepeatName(r.Repetition)
	}
	return name
}

// Repetitions are those of the scheduler of the results that has the most.
func (w *Sweep) Repetitions() int {
	if w.Ran == nil {
		return 0
	}
	most := 1
	for i := range w.Ran.Schedulers {
		most = max(most, int(max(1, w.Ran.Schedulers[i].Repeat)))
	}
	return most
}

// Label is the name of scheduler i of the results.
func (s *Tray) Label(i int) string {
	if s.Ran == nil || i < 0 || i >= len(s.Ran.Schedulers) {
		return ""
	}
	if s.labelsOf != s.Ran {
		s.labelsOf, s.labels = s.Ran, s.Ran.Labels()
	}
	return s.labels[i]
}

// Group is what the run bar shows of one scheduler: its runs together.
type Group struct {
	Scheduler                   int
	Total, Done, Failed, Halted int
	Progress                    float64 // 0–1 over all repetitions
	Left                        float64 // seconds, 0 unknown
	Seconds                     float64 // simulated seconds of wall clock of the finished runs
	Error                       string  // of the first failed run
}

// Active reports whether the group still has something to do.
func (g *Group) Active() bool { return g.Done+g.Failed+g.Halted < g.Total }

// Groups are the runs by scheduler.
func (w *Sweep) Groups() []Group {
	if w.Ran == nil {
		return nil
	}
	groups := make([]Group, len(w.Ran.Schedulers))
	for _, r := range w.Runs {
		g := &groups[r.Scheduler]
		g.Scheduler = r.Scheduler
		g.Total++
		switch r.Status {
		case engine.Done:
			g.Done++
			if r.Result != nil {
				g.Seconds += r.Result.Simulate
			}
		case engine.Failed:
			g.Failed++
			if g.Error == "" {
				g.Error = r.Error
			}
		case engine.Cancelled:
			g.Halted++
		}
		g.Progress += r.Progress
		if r.Status == engine.Running {
			g.Left = max(g.Left, r.Left)
		}
	}
	for i := range groups {
		if groups[i].Total > 0 {
			groups[i].Progress /= float64(groups[i].Total)
		}
	}
	return groups
}

// Finished returns the run of scheduler i that the page shows: the repetition
// looked at, or else the first that is done. Nil when there is none.
func (s *Tray) Finished(i int) *Run {
	var first *Run
	for _, r := range s.RunsOf(i) {
		if r.Status != engine.Done || r.Result == nil {
			continue
		}
		if r.Repetition == s.look.View.Repetition {
			return r
		}
		if first == nil {
			first = r
		}
	}
	return first
}

// Watched returns the run of A that the page shows, and its place in Runs, when
// it is there and fit says so; nil and −1 otherwise.
func (s *Tray) Watched(fit func(*Run) bool) (*Run, int) {
	if r := s.Finished(s.look.View.A); r != nil && fit(r) {
		return r, slices.Index(s.Runs, r)
	}
	return nil, -1
}

// Some reports whether at least one run is done.
func (w *Sweep) Some() bool {
	for _, r := range w.Runs {
		if r.Status == engine.Done && r.Result != nil {
			return true
		}
	}
	return false
}

// Comparable reports whether the results stand side by side by right: at each
// repetition every run had the same jobs. text says so for people, or why not.
func (s *Tray) Comparable() (ok bool, text string) {
	first, some := make([]*Run, s.Repetitions()), false
	for _, r := range s.Runs {
		if r.Status != engine.Done || r.Result == nil {
			continue
		}
		some = true
		f := first[r.Repetition]
		if f == nil {
			first[r.Repetition] = r
		} else if f.Result.Workload != r.Result.Workload || f.Result.Processors != r.Result.Processors {
			return false, fmt.Sprintf("Not comparable: %s and %s had different jobs", s.RunName(f), s.RunName(r))
		}
	}
	if !some {
		return true, ""
	}
	text = "Same workload, same seed"
	if s.Ran.Workload.React != nil {
		text = "Same users, same seed, who submit as they are served"
	}
	if s.Different() > 1 {
		text += ": " + s.Sampled()
	}
	return true, text
}

// Verdict compares the digest with the expected one: "" nothing to compare
// yet, "reproduced" or "differs".
func (w *Sweep) Verdict() string {
	if w.Ran == nil || w.Ran.Expect == "" || w.Digest == "" {
		return ""
	}
	return words.Either(w.Ran.Expect == w.Digest, "reproduced", "differs")
}

// Run is one run of a sweep of one point.
type Run struct {
	Scheduler, Repetition int
	Status                engine.Status
	Progress              float64 // 0–1
	Left                  float64 // seconds, estimated; 0 unknown
	Error                 string
	Result                *report.Run
	WhyAsked              bool   // the record of decisions has been asked for
	WhyError              string // why it cannot be had
	Past                  *Past  // of the job that was looked at last, nil none
	Let                   bool   // Result has no columns: they are computed again when they are looked at

	recalled bool // they have been asked for
	lost     bool // they could not be computed again
}
