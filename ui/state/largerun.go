package state

import (
	"batchlab/core/experiment"
	"batchlab/ui/engine"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// LargeRun is work of which the page asks before it begins, or goes on: a link can
// ask for thousands of runs, and a scheduler may take minutes.
type LargeRun struct {
	Runs    int     // that wait for an answer
	Seconds float64 // they will take, 0 unknown
	Begun   bool    // the runs before them told how long they take; these are held back
	Jobs    int     // of each run, where a log so large was opened; 0 otherwise
	checked bool    // the settings are valid: with thousands of points to check that takes a while
}

const (
	mostRuns = 2000    // that begin without asking
	longest  = 60.0    // seconds that runs take without asking
	counted  = 10      // times as long where the button that was pressed says how many runs there are
	mostJobs = 500_000 // of an opened log that is run without asking, over all runs
)

// offerRun says what an opened log would take, where that is much; nil: it is run
// at once. Seconds are those of as many jobs of the runs before.
func (s *Store) offerRun(doc *experiment.Experiment, jobs int) *LargeRun {
	m := LargeRun{Runs: len(doc.Schedulers), Jobs: jobs}
	if jobs*m.Runs <= mostJobs {
		return nil
	}
	for i := range doc.Schedulers {
		one, known := s.perJob[doc.Schedulers[i].Key]
		if !known {
			m.Seconds = 0
			break
		}
		m.Seconds += one * float64(jobs)
	}
	m.Seconds /= float64(max(1, min(m.Runs, s.Workers())))
	return &m
}

// largeRun says what has to be asked before an experiment runs, nil nothing.
func (s *Store) largeRun(doc *experiment.Experiment) *LargeRun {
	m := LargeRun{}
	for i := range doc.Schedulers {
		n := int(max(1, doc.Schedulers[i].Repeat))
		m.Runs += n
		if doc.First(i, n-1) == 0 {
			n = 1 // the others are copies
		}
		m.Seconds += float64(n) * s.pace[paceKey(doc, i)]
	}
	for _, a := range doc.Vary {
		m.Runs *= len(a.Values)
		m.Seconds *= float64(len(a.Values))
	}
	m.Seconds /= float64(max(1, min(m.Runs, s.Workers())))
	most := longest
	if len(doc.Vary) > 0 {
		most *= counted
	}
	if m.Runs > mostRuns || m.Seconds > most && m.Runs > len(doc.Schedulers) {
		return &m
	}
	return nil
}

// paceKey is what the time of scheduler i's runs depends on.
func paceKey(doc *experiment.Experiment, i int) string {
	one := *doc.Clone()
	one.Title, one.Expect, one.Seed, one.Workload.Resample, one.Vary = "", "", 0, nil, nil
	one.Schedulers = one.Schedulers[i : i+1]
	one.Schedulers[0].Label, one.Schedulers[0].Repeat = "", 1
	return string(experiment.Encode(&one))
}

// learn keeps how long a run took, and holds the others back when it shows that
// they will take long. They go on by themselves when those that had begun show
// that they will not.
func (s *Store) learn(r *result.Run, took float64) {
	if took <= 0 || s.Ran == nil {
		return
	}
	if s.pace == nil {
		s.pace, s.perJob = map[string]float64{}, map[string]float64{}
	}
	key := s.paceOf(r.Scheduler)
	if old := s.pace[key]; old > 0 {
		took = (old + took) / 2
	}
	s.pace[key] = took
	if r.Result != nil && r.Result.Jobs > 0 {
		s.perJob[s.Ran.Schedulers[r.Scheduler].Key] = took / float64(r.Result.Jobs)
	}
	if s.agreed {
		return
	}
	rest := LargeRun{Begun: true}
	for _, r := range s.Runs {
		if r.Status == engine.Queued && s.Ran.First(r.Scheduler, r.Repetition) == r.Repetition {
			rest.Runs++
			rest.Seconds += s.pace[s.paceOf(r.Scheduler)]
		}
	}
	rest.Seconds /= float64(max(1, min(rest.Runs, s.Workers())))
	switch {
	case rest.Seconds > longest:
		if s.LargeRun == nil {
			s.Note("The other %s wait: they would take about %s", words.Count(rest.Runs, "run", "runs"), words.Natural(rest.Seconds))
			s.Hold(true)
		}
		s.LargeRun = &rest
	case s.LargeRun != nil && s.LargeRun.Begun:
		s.LargeRun = nil
		s.Hold(false)
	}
}

// paceOf is the paceKey of scheduler i of the results.
func (s *Store) paceOf(i int) string {
	if s.paceFor != s.Ran {
		s.paceFor, s.paceKeys = s.Ran, make([]string, len(s.Ran.Schedulers))
	}
	if s.paceKeys[i] == "" {
		s.paceKeys[i] = paceKey(s.Ran, i)
	}
	return s.paceKeys[i]
}

// Agree runs what the page asked about.
func (s *Store) Agree() {
	m := s.LargeRun
	if m == nil {
		return
	}
	s.LargeRun = nil
	if !m.Begun {
		s.run(m)
		return
	}
	s.agreed = true
	s.Hold(false)
	s.Note("Go on")
	s.Touch()
}

// Decline leaves it alone; what has run stays.
func (s *Store) Decline() {
	if s.LargeRun != nil && s.LargeRun.Begun {
		s.Cancel()
	}
	s.LargeRun = nil
	s.Touch()
}

// RunOnce runs every scheduler once instead, which is a change of the settings.
func (s *Store) RunOnce() {
	s.Forget("sched.")
	s.Change(func(e *experiment.Experiment) {
		for i := range e.Schedulers {
			e.Schedulers[i].Repeat = 1
		}
	})
	s.Run()
}

// Installed is called when other settings are in effect.
func (s *Store) Installed() {
	if s.LargeRun != nil && !s.LargeRun.Begun { // it was of the settings as they were
		s.LargeRun = nil
	}
	s.Clamp()
}

// LargeRunText says what waits for an answer, and how long it would take.
func (s *Store) LargeRunText() string {
	m := s.LargeRun
	if m == nil {
		return ""
	}
	text := words.Count(m.Runs, "run", "runs")
	if m.Begun {
		text = "The other " + text + " wait"
	} else {
		if m.Jobs > 0 {
			text += " of " + words.Count(m.Jobs, "job", "jobs") + " each"
		}
		text += " would start"
	}
	switch {
	case m.Seconds <= 0:
	case m.Jobs > 0:
		text += ", and take about " + words.Natural(max(1, m.Seconds)) + ", going by the runs before; with long queues more"
	case m.Begun:
		text += ": they take about " + words.Natural(m.Seconds) + " on this computer"
	default:
		text += ", and take about " + words.Natural(m.Seconds) + " on this computer"
	}
	return text + "."
}
