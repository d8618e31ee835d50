package state

import (
	"errors"
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/draft"
	"batchlab/ui/engine"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// Consent is what the reader has said of programs that came from outside: each
// program by itself, for as long as the tab lives.
type Consent struct {
	allowed map[string]bool // by program

	// Keep and Kept remember programs beyond a reload of the tab; nil: nothing does.
	Keep func(program string)
	Kept func(program string) bool
}

// Unread are those of some programs that nobody here has written or allowed: they
// are shown before they run.
func (s *Store) Unread(programs []string) (list []string) {
	for _, p := range programs {
		if !s.Consent.allowed[p] && (s.Consent.Kept == nil || !s.Consent.Kept(p)) {
			list = append(list, p)
		}
	}
	return list
}

// Allow lets programs run, now and whenever they come again; another program needs
// a word of its own.
func (s *Store) Allow(programs []string) {
	s.Admit(programs, true)
	s.Touch()
}

func (s *Store) Admit(programs []string, keep bool) {
	c := &s.Consent
	for _, p := range programs {
		if c.allowed == nil {
			c.allowed = map[string]bool{}
		}
		if c.allowed[p] = true; keep && c.Keep != nil {
			c.Keep(p)
		}
	}
}

// Withheld says whether the settings hold programs from outside that nobody here
// has allowed to run yet.
func (s *Store) Withheld() bool { return len(s.Unread(s.Settings.Programs())) > 0 }

// Holds says what came with programs and what they can do.
func Holds(from string, programs int) string {
	if programs > 1 {
		return from + " contains " + words.Count(programs, "program", "programs") + "; they can only decide starts."
	}
	return from + " contains a program; it can only decide starts."
}

// From is where the settings came from, for Holds.
func (s *Store) From() string {
	if s.linked {
		return "This link"
	}
	return "This experiment"
}

// AllowPrograms lets the programs of the settings run, and runs them.
func (s *Store) AllowPrograms() {
	s.Allow(s.Settings.Programs())
	s.fresh = true
	s.Run()
	s.Touch()
}

// LeaveProgramsOut takes the programs out of the settings, and what varies them,
// and runs what is left; EASY where nothing is.
func (s *Store) LeaveProgramsOut() {
	s.Forget("sched.")
	s.Change(func(e *experiment.Experiment) {
		s.Lost(draft.TakeAxes(e, func(i int) bool {
			alone := experiment.Experiment{Vary: e.Vary[i : i+1]}
			return len(alone.Programs()) > 0
		}))
		own := func(sch experiment.Scheduler) bool { return sch.Program() != "" }
		if !slices.ContainsFunc(e.Schedulers, func(sch experiment.Scheduler) bool { return !own(sch) }) {
			e.Schedulers[0] = experiment.Scheduler{Key: "easy", Params: experiment.Defaults(catalog.FindScheduler("easy").Params), Repeat: e.Schedulers[0].Repeat}
		}
		for i := len(e.Schedulers) - 1; i >= 0; i-- {
			if own(e.Schedulers[i]) {
				e.Schedulers = slices.Delete(e.Schedulers, i, i+1)
				s.Lost(draft.MoveAxes(e, i, -1))
			}
		}
	})
	s.fresh = true
	s.Run()
	s.Touch()
}

// unreadOne is the first scheduler of the settings whose program nobody has read.
func (s *Store) unreadOne() int {
	return max(0, slices.IndexFunc(s.Settings.Schedulers, func(sch experiment.Scheduler) bool {
		return sch.Program() != "" && len(s.Unread([]string{sch.Program()})) > 0
	}))
}

// Inquire asks the engine what a view of the second program asks about an experiment.
func (s *Store) Inquire(e *experiment.Experiment, what, in string, progress func(done, total int), done func([]byte, error)) (cancel func()) {
	by, ok := s.engine.(engine.ViewAnswerer)
	if !ok || len(s.Unread(e.Programs())) > 0 {
		done(nil, errNoAnswer)
		return func() {}
	}
	return by.Inquire(*e, what, in, progress, done)
}

var errNoAnswer = errors.New("this cannot be asked here")

// RunInBackground runs an experiment beside the one that is open, unless it holds a
// program that nobody here has allowed; told is called when it is done, or has
// failed.
func (s *Store) RunInBackground(e *experiment.Experiment, told func()) *result.Background {
	if list := s.Unread(e.Programs()); len(list) > 0 {
		return result.Refuse(e, Holds("This experiment", len(list))+" Open it in the laboratory, which shows it, and let it run there first.")
	}
	return result.RunInBackground(s.engine, e, told)
}
