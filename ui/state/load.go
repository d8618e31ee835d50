package state

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/draft"
	"batchlab/ui/engine"
	"batchlab/ui/look"
	"batchlab/ui/words"
)

// Open replaces the settings by a whole document: a preset or an opened file
// of settings. It is read at once, and run when run is true. Results of the
// experiment before stay until a run replaces them.
func (s *Store) Open(doc *experiment.Experiment, preset string, run bool) {
	s.open(doc, preset, run, func() {})
}

// open is Open; prepare sets what came with the document before it is run.
func (s *Store) open(doc *experiment.Experiment, preset string, run bool, prepare func()) {
	s.Begin(doc, preset)
	s.Settle()
	s.Notice, s.Asked, s.linked = "", nil, false
	s.DropSweep()
	prepare()
	s.Preview, s.Machine, s.confs, s.Mapping, s.tables = nil, nil, nil, nil, nil
	s.fresh = true
	s.runAfter = false
	s.LeavePlace()
	s.Reload()
	if preset != "" {
		s.Admit(s.Settings.Programs(), false)
	}
	if s.Withheld() {
		s.View.Own = s.unreadOne()
		s.ShowTab(look.OwnTab)
	} else if run {
		s.Run()
	}
	s.Touch()
}

// Reload reads the workload of the settings again. Settings that are no valid
// document are left alone: their faults stand at their places.
func (s *Store) Reload() {
	doc := *s.Settings.Clone()
	s.Unreadable, s.NeedsMissing = false, false
	if s.Faulty() {
		s.loads++ // nobody waits for an earlier answer
		s.Loading, s.LoadError = false, ""
		return
	}
	var file any
	if l := doc.Workload.Source.Log; l != nil {
		file = s.offered[l.SHA256]
	}
	s.load(doc, file, func(p *report.Preview, err error) {
		s.Said = experiment.Faults(err)
		var other engine.LogMissing
		switch l := doc.Workload.Source.Log; {
		case err == nil:
			s.Preview, s.LoadError = p, ""
			s.Note("Read %s: %s", p.Name, words.Count(p.Jobs, "job", "jobs"))
		case errors.As(err, new(engine.NeedsMissing)):
			s.LoadError, s.Unreadable, s.NeedsMissing = err.Error(), true, true
		case errors.As(err, &other):
			s.Wanted, s.Preview, s.LoadError = &other.Log, nil, ""
			s.Note("This experiment needs the log %s, too", other.Log.Name)
		case l != nil && file == nil && (s.Preview == nil || s.Preview.SHA256 != l.SHA256):
			s.Wanted, s.Preview, s.LoadError = l, nil, ""
			s.Note("This experiment needs the log %s: %v", l.Name, err)
		default:
			s.LoadError, s.Unreadable = strings.TrimPrefix(err.Error(), "swf: "), true
			s.Note("Reading failed: %v", err)
		}
	})
}

// load asks the engine for a preview; an answer that a later request has
// overtaken is dropped.
func (s *Store) load(doc experiment.Experiment, file any, done func(*report.Preview, error)) {
	s.loads++
	number := s.loads
	s.Loading, s.loaded = true, doc
	s.engine.Load(*doc.Clone(), file, func(p *report.Preview, err error) {
		if number != s.loads {
			return
		}
		s.Loading = false
		done(p, err)
		s.searchIfDue()
		s.runIfDue()
		s.Touch()
	})
}

// setReading takes news of the reading of a log.
func (s *Store) setReading(f engine.Fetching) {
	before := s.Reading
	if s.Reading = f; f.Active && before.Active {
		s.Moved()
	} else if f.Active != before.Active {
		s.Touch()
	}
}

// StopReading gives up what is being read, and files that were dropped with it.
func (s *Store) StopReading() {
	if e, ok := s.engine.(engine.Reader); ok && s.Reading.Active {
		s.queued, s.parts = nil, nil
		e.StopReading()
	}
}

// runIfDue begins the runs that wait for what is read.
func (s *Store) runIfDue() {
	if s.runAfter && !s.Loading && !s.NeedsProcessors() {
		s.runAfter = false
		if s.Preview != nil && s.LoadError == "" && s.Pending == nil && s.Wanted == nil {
			s.Run()
		}
	}
}

// forget takes away what was said of what was opened before, so that no old error
// stands beside a new one. That a workload cannot be read is true as long as it is set.
func (s *Store) forget() {
	s.Notice = ""
	if !s.Unreadable {
		s.LoadError = ""
	}
}

// OpenFile reads a dropped or chosen log and runs the schedulers that are there on
// it; of a large one it says first what that takes. Settings and preview change
// only once it has been read well; until then, and when it cannot be read, what
// was loaded before stays.
func (s *Store) OpenFile(name string, file any) { s.openLog(experiment.Log{Name: name}, file) }

// openLog is OpenFile of a log of which it may be known how it is to be read.
func (s *Store) openLog(log experiment.Log, file any) {
	name := log.Name
	doc := *s.Settings.Clone()
	wanted := s.Wanted
	if wanted == nil {
		doc = draft.ForLog(doc)
	}
	doc.Workload.Source = experiment.Source{Log: &log}
	s.forget()
	s.Pending, s.Other, s.LoadError = nil, nil, ""
	s.Note("Reading %s", name)
	s.load(doc, file, func(p *report.Preview, err error) {
		if errors.Is(err, engine.ErrMachine) {
			s.openMachine(name, file)
			return
		}
		t := (*report.Table)(nil)
		unknown := errors.As(err, &t)
		if unknown && wanted != nil && t.SHA256 == wanted.SHA256 && log.SHA256 == "" {
			s.openLog(*wanted, file) // which says what the columns are
			return
		}
		defer s.openNext()
		if unknown {
			s.askColumns(name, file, t)
			return
		}
		if err != nil {
			s.answering = nil
			s.LoadError = name + ": " + strings.TrimPrefix(err.Error(), "swf: ")
			s.Note("Reading failed: %s", s.LoadError)
			return
		}
		if s.isPart(&Pending{Name: name, Preview: p, file: file, doc: doc}) {
			return
		}
		if wanted != nil && p.SHA256 != wanted.SHA256 {
			log.SHA256, log.Size = p.SHA256, p.Size
			if !s.wantedOfPoint() {
				s.Other = &Pending{Name: name, Preview: p, file: file, doc: doc}
			}
			s.LoadError = fmt.Sprintf("%s is another log: %s, %s, SHA-256 %s…; this experiment was made with %s: %s, SHA-256 %s….",
				name, words.Count(p.Jobs, "job", "jobs"), words.Bytes(p.Size), words.HashBegin(p.SHA256), wanted.Name, words.Bytes(wanted.Size), words.HashBegin(wanted.SHA256))
			s.Note("%s", s.LoadError)
			return
		}
		log.SHA256, log.Size = p.SHA256, p.Size
		if wanted != nil {
			doc.Workload.Source.Log.Name = wanted.Name
		}
		if i := p.Import; i != nil && i.BusyTo > 0 && wanted == nil {
			doc.Schedulers = besideWhatHappened(doc.Schedulers)
		}
		pending := &Pending{Name: name, Preview: p, file: file, doc: doc}
		if asks(&p.Clean) {
			s.Pending = pending
			s.Note("%s: %d of %d lines cannot be read", name, p.Clean.Malformed, p.Clean.Lines)
			return
		}
		s.accept(pending)
	})
	s.Touch()
}

// besideWhatHappened is schedulers with what the log says happened, where there is room: whoever brings a cluster knows that, and sets the others beside it.
func besideWhatHappened(list []experiment.Scheduler) []experiment.Scheduler {
	logged, err := experiment.NewScheduler("as-logged")
	if err != nil || len(list) >= draft.MaxSchedulers || slices.ContainsFunc(list, func(x experiment.Scheduler) bool { return x.Key == logged.Key }) {
		return list
	}
	return append(slices.Clip(list), logged)
}

// OpenTable makes a table of jobs the workload and runs the schedulers that are
// there on it.
func (s *Store) OpenTable(in *experiment.Inline) {
	doc := draft.ForLog(*s.Settings.Clone())
	doc.Workload.Source = experiment.Source{Inline: in}
	s.Open(&doc, "", true)
}

// Settle gives up what was asked about a log.
func (s *Store) Settle() { s.Pending, s.Wanted, s.Other, s.LoadError = nil, nil, nil, "" }

// asks reports whether so many lines are damaged that the page asks first:
// more than one in a hundred.
func asks(c *report.Cleaning) bool { return c.Malformed*100 > c.Lines }

// GoOn uses the pending log without its unreadable lines.
func (s *Store) GoOn() {
	if s.Pending != nil {
		s.accept(s.Pending)
		if s.runAfter && !s.NeedsProcessors() {
			s.runAfter = false
			s.Run()
		}
		s.Touch()
	}
}

// UseOther runs the opened experiment on the log that was offered in place of
// the one it names, and marks it as modified.
func (s *Store) UseOther() {
	o := s.Other
	if o == nil || s.Wanted == nil {
		return
	}
	s.Modified = fmt.Sprintf("it runs on the log %s (SHA-256 %s…) instead of %s (SHA-256 %s…)",
		o.Name, words.HashBegin(o.Preview.SHA256), s.Wanted.Name, words.HashBegin(s.Wanted.SHA256))
	if t := []rune(o.doc.Title); len(t)+len(modified) <= experiment.MaxTitle && !strings.HasSuffix(o.doc.Title, modified) {
		o.doc.Title = strings.TrimSpace(o.doc.Title + modified)
	}
	s.Pending, s.Other, s.LoadError = o, nil, ""
	if asks(&o.Preview.Clean) {
		s.Touch()
		return
	}
	s.GoOn()
}

// modified ends the title of an experiment that runs on another log than the
// one it was made with.
const modified = " (modified)"

// DropPending leaves the pending log alone and keeps what was loaded before.
func (s *Store) DropPending() {
	s.Pending = nil
	if s.Wanted != nil {
		s.Modified = ""
	}
	s.Touch()
}

// accept makes a log that was read the workload of the settings.
func (s *Store) accept(p *Pending) {
	if p.file != nil {
		s.offered[p.Preview.SHA256] = p.file
	}
	if s.wantedOfPoint() {
		s.Settle()
		s.Note("Read %s: %s", p.Name, words.Count(p.Preview.Jobs, "job", "jobs"))
		s.Reload()
		s.runAfter = true
		return
	}
	s.Preview = p.Preview
	s.answered()
	if s.LargeRun != nil { // what was asked is of another log
		s.Decline()
	}
	waited := s.Wanted != nil
	s.TakeLog(&p.doc, waited)
	if !waited {
		s.matchNames()
	}
	var much *LargeRun
	if !waited {
		much = s.offerRun(&s.Settings, p.Preview.Jobs)
	}
	s.LargeRun, s.runAfter = much, much == nil
	s.Settle()
	s.Clamp()
	if p.Preview.Import != nil && !waited {
		s.ShowTab(look.ImportTab)
	}
	s.Note("Loaded %s: %s", p.Name, words.Count(p.Preview.Jobs, "job", "jobs"))
}

// wantedOfPoint reports whether a point of what varies, not the document itself,
// names the log that is wanted.
func (s *Store) wantedOfPoint() bool {
	own := s.Settings.Workload.Source.Log
	return s.Wanted != nil && (own == nil || own.SHA256 != s.Wanted.SHA256)
}

// DropWanted gives up on the log that an opened experiment names and goes back
// to the first preset.
func (s *Store) DropWanted() {
	s.Wanted, s.Other = nil, nil
	s.OpenPreset("")
}

// Workload is what was read, nil while nothing is: what the results ask it for.
func (s *Store) Workload() *report.Preview { return s.Preview }
