package state

import (
	"reflect"
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/draft"
	"batchlab/ui/engine"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// Revert puts the settings back to those of the results.
func (s *Store) Revert() {
	if s.Ran != nil {
		s.Replace(s.Ran)
	}
}

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
	case len(s.Fields) > 0 || s.Faulty():
		return "Correct the marked field first"
	case s.Unreadable:
		return s.Says()
	case s.DrawFault() != "":
		return s.DrawFault()
	case s.VaryFault() != "":
		return "What varies " + s.VaryFault()
	}
	for i := range s.Settings.Schedulers {
		if text, _ := s.SchedulerFault(i); text != "" {
			return words.LetterAt(s.Places()[i]) + " " + s.Settings.Labels()[i] + " cannot run here: " + text
		}
	}
	return ""
}

// Run starts the experiment as the settings stand. A run under way is
// cancelled. While a log, or a workload with machines or needs of its own, is
// still being read the run waits for it. Of very much it asks first: see LargeRun.
func (s *Store) Run() { s.run(nil) }

// run is Run; asked is what the page had asked about and is agreed to now, nil
// nothing: settings that have changed since leave nothing to agree to.
func (s *Store) run(asked *LargeRun) {
	if s.CanRun() != "" {
		return
	}
	if s.Loading && (s.loaded.Workload.Source.Log != nil || len(s.loaded.Logs()) > 0 || s.loaded.Studies()) { // what is wrong with it is said before
		s.runAfter = true
		return
	}
	s.runAfter = false
	s.Admit(s.Settings.Programs(), true)
	doc := *s.Settings.Clone()
	if asked == nil || !asked.checked {
		if err := doc.Validate(); err != nil {
			s.Tell("This experiment cannot run: " + err.Error())
			return
		}
	}
	if s.LargeRun = nil; asked == nil && !s.SweepHalted() {
		if s.LargeRun = s.largeRun(&doc); s.LargeRun != nil {
			s.LargeRun.checked = true
			s.Touch()
			return
		}
	}
	if s.Varies() {
		s.runSweep(&doc)
		return
	}
	s.stop()
	s.agreed, s.dated = asked != nil, s.Preview
	s.Sweep = result.One(&doc)
	s.Results++
	s.View.From, s.View.To, s.View.Job = 0, 0, -1
	if s.fresh {
		s.fresh, s.lettered = false, nil
		s.First(len(doc.Schedulers))
		if s.Asked != nil {
			s.show(s.Asked)
		}
	}
	s.letter()
	if s.shown != nil {
		s.shown()
		s.shown = nil
	}
	s.Clamp()
	s.Note("Run: %s, %s", words.Count(len(doc.Schedulers), "scheduler", "schedulers"), words.Count(len(s.Runs), "run", "runs"))
	s.begin(s.Sweep)
}

// stop stops what is under way, for other runs.
func (s *Store) stop() {
	s.StopRuns()
	if s.live != nil {
		s.live.StopRuns()
		s.live = nil
	}
}

// begin begins runs.
func (s *Store) begin(w *result.Sweep) {
	w.Begin(s.engine.Run, func(ev engine.Event) { s.event(w, ev) })
	s.Touch()
}

// letter gives the results the letters, colours and dashes that their schedulers have
// in the settings. What is looked at goes along: schedulers that were added or taken
// out leave the others where they are.
func (s *Store) letter() {
	was, now := s.lettered, s.Places()
	words.SetLetters(now)
	s.lettered = now
	if was == nil || slices.Equal(was, now) {
		return
	}
	found := func(i int) int {
		if i < 0 || i >= len(was) {
			return -1
		}
		return slices.Index(now, was[i])
	}
	v := &s.View
	v.A, v.B, v.Baseline = found(v.A), found(v.B), found(v.Baseline)
	for k := range v.More {
		v.More[k] = found(v.More[k]-1) + 1
	}
}

// event applies one piece of news.
func (s *Store) event(w *result.Sweep, ev engine.Event) {
	moved := ev.Run >= 0 && ev.Run < len(w.Runs) && w.Runs[ev.Run].Status == ev.Status && ev.Status == engine.Running
	r, ok := w.Take(&ev)
	if w == s.live {
		s.showLive()
		return
	}
	if w != s.Sweep || !ok {
		return
	}
	if r != nil {
		s.ran(r, &ev)
	}
	if ev.Digest != "" {
		s.Note("Digest %s", ev.Digest)
	} else if r == nil {
		s.Note("The digest %s", s.NoDigest)
	}
	if r != nil && (moved || !s.worthDrawing(ev.Status)) {
		s.Moved()
		return
	}
	s.Clamp()
	s.Touch()
}

// ran applies news of a run of the results.
func (s *Store) ran(r *result.Run, ev *engine.Event) {
	name := s.RunName(r)
	switch ev.Status {
	case engine.Done:
		s.Came(r, ev)
		s.learn(r, ev.Took)
		if r.Result != nil {
			s.Note("%s: done in %s", name, words.Took(r.Result.Simulate))
		}
	case engine.Failed:
		s.Note("%s: failed: %s", name, r.Error)
	case engine.Cancelled:
		s.Note("%s: cancelled", name)
	}
}

// worthDrawing says whether news is worth drawing the page again: with thousands
// of runs not all is, but a hundredth of them having ended.
func (s *Store) worthDrawing(news engine.Status) bool {
	n := len(s.Runs)
	return n <= mostRuns || news >= engine.Done && (!s.Active() || int(s.Done)%(n/100) == 0)
}

// Cancel stops everything that has not finished; finished runs stay.
func (s *Store) Cancel() {
	s.runAfter, s.LargeRun = false, nil
	if s.StopRuns() {
		s.Note("Cancelled")
		s.Touch()
	}
}

// CancelScheduler stops what scheduler i still has to run.
func (s *Store) CancelScheduler(i int) {
	s.StopScheduler(i)
	s.Note("%s: cancelled", words.Letter(i))
	s.Touch()
}

// Stale reports whether the settings have changed since the results were
// computed. Those of a point belong to settings that vary.
func (s *Store) Stale() bool {
	if s.Ran == nil || draft.Same(s.Ran, &s.Settings) {
		return false
	}
	return !s.Varies() || s.SweepStale() || !s.ShowsPoint()
}

// ShownWorkload is what was read of the workload that the results are of, and
// before there are any of that of the settings; nil while nothing is known. By it
// times on show have a date: a log that only waits to be run has another.
func (s *Store) ShownWorkload() *report.Preview {
	if s.Ran != nil && origin(&s.Ran.Workload.Source) != origin(&s.Settings.Workload.Source) {
		return s.dated
	}
	if s.Preview != nil {
		s.dated = s.Preview
	}
	return s.Preview
}

// origin tells the sources of workloads apart whose times may have other dates.
func origin(s *experiment.Source) string {
	switch {
	case s.Log != nil:
		return "log " + s.Log.SHA256
	case s.Generator != nil:
		return "generator " + s.Generator.Key
	case s.Inline != nil:
		return "inline"
	}
	return s.Bundled
}

// Workers is how many workers the engine runs at a time, 0 when it does not
// say.
func (s *Store) Workers() int {
	if p, ok := s.engine.(interface{ Workers() int }); ok {
		return p.Workers()
	}
	return 0
}

// Drawn are the machines that the generator of the settings drew for the
// results on show, nil when they are of other settings.
func (s *Store) Drawn() *report.Site {
	if s.Ran == nil || s.Settings.Platform.Generator == nil || !reflect.DeepEqual(s.Ran.Platform, s.Settings.Platform) || s.Ran.Seed != s.Settings.Seed {
		return nil
	}
	return s.Sites[s.View.Repetition]
}
