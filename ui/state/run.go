package state

import (
	"fmt"
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// CanRun says why a run cannot start now, "" when it can.
func (s *Store) CanRun() string {
	switch {
	case len(s.Settings.Schedulers) == 0:
		return "Add a scheduler first"
	case s.Withheld():
		return Holds(s.From(), len(s.Unread(s.Settings.Programs()))) + " Read first, then let it run"
	case s.Wanted != nil:
		return "Choose the log " + s.Wanted.Name + " first"
	case s.NeedsProcessors():
		return "Say how many processors the machine has first"
	case len(s.Fields) > 0 || s.faulty():
		return "Correct the marked field first"
	case s.unread:
		return s.LoadError
	case s.DrawFault() != "":
		return s.DrawFault()
	case s.VaryFault() != "":
		return "What varies " + s.VaryFault()
	}
	for i := range s.Settings.Schedulers {
		if text, _ := s.SchedulerFault(i); text != "" {
			return words.Letter(i) + " " + s.Settings.Labels()[i] + " cannot run here: " + text
		}
	}
	return ""
}

// Run starts the experiment as the settings stand. A run under way is
// cancelled. While a log, or a workload with machines or needs of its own, is
// still being read the run waits for it. Of very much it asks first: see Much.
func (s *Store) Run() { s.run(false) }

func (s *Store) run(agreed bool) {
	if s.CanRun() != "" {
		return
	}
	if s.Loading && (s.loaded.Workload.Source.Log != nil || s.loaded.Studies()) { // what is wrong with it is said before
		s.runAfter = true
		return
	}
	s.runAfter = false
	s.allow(s.Settings.Programs(), true)
	doc := clone(&s.Settings)
	if err := doc.Validate(); err != nil {
		s.tell("This experiment cannot run: " + err.Error())
		return
	}
	if s.Much = nil; !agreed && !s.SweepHalted() {
		if s.Much = s.muchOf(&doc); s.Much != nil {
			s.touch()
			return
		}
	}
	if s.Varies() {
		s.runSweep(&doc)
		return
	}
	if s.cancel != nil {
		s.cancel()
	}
	s.quiet, s.agreed, s.ended = nil, agreed, 0
	s.Ran, s.Digest = &doc, ""
	s.Jobs, s.Sites = map[int]*report.Jobs{}, map[int]*report.Site{}
	s.Runs = queued(&doc)
	s.Results++
	s.View.From, s.View.To, s.View.Job = 0, 0, -1
	if s.fresh {
		s.firstView()
		if s.asked != nil {
			s.show(s.asked)
		}
	}
	if s.shown != nil {
		s.shown()
		s.shown = nil
	}
	s.clampView()
	s.note("Run: %s, %s", words.Count(len(doc.Schedulers), "scheduler", "schedulers"), words.Count(len(s.Runs), "run", "runs"))
	s.running++
	number := s.running
	s.cancel = s.engine.Run(clone(&doc), func(ev Event) {
		if number == s.running && ev.Run >= 0 && ev.Run < len(s.Runs) {
			s.event(ev)
		}
	})
	s.touch()
}

// queued are the runs of an experiment, scheduler by scheduler.
func queued(doc *experiment.Experiment) (runs []*Run) {
	for i := range doc.Schedulers {
		for r := range repeats(doc.Schedulers[i].Repeat) {
			runs = append(runs, &Run{Scheduler: i, Repetition: int(r)})
		}
	}
	return runs
}

// runsOf are those of scheduler i of the results, in order of repetition.
func (s *Store) runsOf(i int) []*Run {
	if s.Ran == nil || i < 0 || i >= len(s.Ran.Schedulers) {
		return nil
	}
	from := 0
	for k := range i {
		from += int(repeats(s.Ran.Schedulers[k].Repeat))
	}
	to := from + int(repeats(s.Ran.Schedulers[i].Repeat))
	return s.Runs[min(from, len(s.Runs)):min(to, len(s.Runs))]
}

// repeats is at least one.
func repeats(n int64) int64 { return max(1, n) }

// event applies one piece of news.
func (s *Store) event(ev Event) {
	r := s.Runs[ev.Run]
	if r.Status >= Done {
		return
	}
	moved := r.Status == ev.Status && ev.Status == Running
	r.Status, r.Progress, r.Left = ev.Status, ev.Progress, ev.Left
	name := s.RunName(r)
	switch ev.Status {
	case Done:
		r.Progress, r.Left, r.Result = 1, 0, ev.Result
		s.Results++
		if ev.Jobs != nil {
			s.Jobs[r.Repetition] = ev.Jobs
			s.Sites[r.Repetition] = ev.Site
			s.findJob()
		}
		if r.Result != nil && r.Result.Copy && s.Jobs[r.Repetition] == nil { // the jobs of repetition 0
			s.Jobs[r.Repetition], s.Sites[r.Repetition] = s.Jobs[0], s.Sites[0]
		}
		if s.lets(r) {
			s.let(r)
		}
		s.learn(r, ev.Took)
		if r.Result != nil {
			s.note("%s: done in %s", name, words.Took(r.Result.Simulate))
		}
	case Failed:
		r.Error = "stopped without a message"
		if ev.Err != nil {
			r.Error = ev.Err.Error()
		}
		s.note("%s: failed: %s", name, r.Error)
	case Cancelled:
		s.note("%s: cancelled", name)
	}
	if ev.Digest != "" {
		s.Digest = ev.Digest
		s.note("Digest %s", ev.Digest)
	}
	if ev.Status >= Done {
		s.ended++
	}
	if moved || !s.worthDrawing(ev.Status) {
		s.progress()
		return
	}
	s.clampView()
	s.touch()
}

// worthDrawing says whether news is worth drawing the page anew: with thousands
// of runs not all is, but a hundredth of them having ended.
func (s *Store) worthDrawing(news Status) bool {
	n := len(s.Runs)
	return n <= mostRuns || news >= Done && (s.ended == n || s.ended%(n/100) == 0)
}

// Cancel stops everything that has not finished; finished runs stay.
func (s *Store) Cancel() {
	s.runAfter, s.Much = false, nil
	if !s.Active() {
		return
	}
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
	}
	for _, r := range s.Runs {
		if r.Status < Done {
			r.Status = Cancelled
		}
	}
	s.running++ // late news of this run is not wanted
	s.note("Cancelled")
	s.touch()
}

// CancelScheduler stops what scheduler i still has to run.
func (s *Store) CancelScheduler(i int) {
	for k, r := range s.Runs { // k names it to the engine
		if r.Scheduler == i && r.Status < Done {
			s.engine.CancelOne(k)
			r.Status = Cancelled
		}
	}
	s.note("%s: cancelled", words.Letter(i))
	s.touch()
}

// Active reports whether a run has not finished yet.
func (s *Store) Active() bool {
	for _, r := range s.Runs {
		if r.Status < Done {
			return true
		}
	}
	return false
}

// Stale reports whether the settings have changed since the results were
// computed. Those of a point belong to settings that vary.
func (s *Store) Stale() bool {
	if s.Ran == nil || same(s.Ran, &s.Settings) {
		return false
	}
	return !s.Varies() || s.SweepStale() || !s.ShowsPoint()
}

// RunName writes a run as "A FCFS" or "A FCFS, repeat 2".
func (s *Store) RunName(r *Run) string {
	name := words.Letter(r.Scheduler) + " " + s.Label(r.Scheduler)
	if s.Ran != nil && repeats(s.Ran.Schedulers[r.Scheduler].Repeat) > 1 {
		name += ", " + s.RepeatName(r.Repetition)
	}
	return name
}

// repetitions are those of the scheduler of the results that has the most.
func (s *Store) repetitions() int {
	if s.Ran == nil {
		return 0
	}
	most := 1
	for i := range s.Ran.Schedulers {
		most = max(most, int(repeats(s.Ran.Schedulers[i].Repeat)))
	}
	return most
}

// Label is the name of scheduler i of the results.
func (s *Store) Label(i int) string {
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
func (s *Store) Groups() []Group {
	if s.Ran == nil {
		return nil
	}
	groups := make([]Group, len(s.Ran.Schedulers))
	for _, r := range s.Runs {
		g := &groups[r.Scheduler]
		g.Scheduler = r.Scheduler
		g.Total++
		switch r.Status {
		case Done:
			g.Done++
			if r.Result != nil {
				g.Seconds += r.Result.Simulate
			}
		case Failed:
			g.Failed++
			if g.Error == "" {
				g.Error = r.Error
			}
		case Cancelled:
			g.Halted++
		}
		g.Progress += r.Progress
		if r.Status == Running {
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
func (s *Store) Finished(i int) *Run {
	var first *Run
	for _, r := range s.runsOf(i) {
		if r.Status != Done || r.Result == nil {
			continue
		}
		if r.Repetition == s.View.Repetition {
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
func (s *Store) Watched(fit func(*Run) bool) (*Run, int) {
	if r := s.Finished(s.View.A); r != nil && fit(r) {
		return r, slices.Index(s.Runs, r)
	}
	return nil, -1
}

// Some reports whether at least one run is done.
func (s *Store) Some() bool {
	for _, r := range s.Runs {
		if r.Status == Done && r.Result != nil {
			return true
		}
	}
	return false
}

// Comparable reports whether the results stand side by side by right: at each
// repetition every run had the same jobs. text says so for people, or why not.
func (s *Store) Comparable() (ok bool, text string) {
	first, some := make([]*Run, s.repetitions()), false
	for _, r := range s.Runs {
		if r.Status != Done || r.Result == nil {
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
func (s *Store) Verdict() string {
	switch {
	case s.Ran == nil || s.Ran.Expect == "" || s.Digest == "":
		return ""
	case s.Ran.Expect == s.Digest:
		return "reproduced"
	}
	return "differs"
}

// Workers is how many workers the engine runs at a time, 0 when it does not
// say.
func (s *Store) Workers() int {
	if p, ok := s.engine.(interface{ Workers() int }); ok {
		return p.Workers()
	}
	return 0
}
