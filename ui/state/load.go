package state

import (
	"errors"
	"fmt"
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// New returns an empty store that works through e.
func New(e Engine) *Store {
	return &Store{
		engine:   e,
		changed:  func() {},
		progress: func() {},
		offered:  map[string]any{},
		Fields:   map[string]Field{},
		View:     View{Tab: "overview", B: 1, Baseline: -1, Job: -1, Colour: "wait"},
	}
}

// OnChange sets the listener that draws the page. OnProgress sets a cheaper
// one for news that moves nothing but the bars of the runs.
func (s *Store) OnChange(f func())   { s.changed = f }
func (s *Store) OnProgress(f func()) { s.progress = f }

// touch announces a change that drawings depend on.
func (s *Store) touch() {
	s.Version++
	s.changed()
}

// maxLog bounds Store.Log.
const maxLog = 200

func (s *Store) note(format string, args ...any) {
	s.Log = append(s.Log, fmt.Sprintf(format, args...))
	if len(s.Log) > maxLog {
		s.Log = s.Log[len(s.Log)-maxLog:]
	}
}

// Change edits the settings: f changes a copy of them, which then takes their
// place. When the jobs would differ the workload is read again; the expected
// digest goes, since it belonged to the experiment as it was.
func (s *Store) Change(f func(*experiment.Experiment)) {
	next := s.current()
	f(&next.doc)
	if !same(&s.Settings, &next.doc) {
		next.doc.Expect = ""
		s.lost(fitAxes(&next.doc))
	}
	if s.put(next) {
		s.reload()
	}
	s.touch()
}

// lost says which settings vary no longer, since the document has no such place
// any more.
func (s *Store) lost(paths []string) {
	for _, path := range paths {
		s.note("%s does not vary any more: it is no place of this experiment", path)
	}
}

// Open replaces the settings by a whole document: a preset or an opened file
// of settings. It is read at once, and run when run is true. Results of the
// experiment before stay until a run replaces them.
func (s *Store) Open(doc *experiment.Experiment, preset string, run bool) {
	s.open(doc, preset, run, func() {})
}

// open is Open; prepare sets what came with the document before it is run.
func (s *Store) open(doc *experiment.Experiment, preset string, run bool, prepare func()) {
	opened := clone(doc)
	s.put(step{doc: clone(doc), preset: preset, opened: &opened})
	s.Fields = map[string]Field{}
	s.Pending, s.Wanted, s.Other, s.Notice, s.LoadError = nil, nil, nil, "", ""
	s.asked, s.Modified = nil, ""
	s.varying, s.linked = nil, false
	s.dropSweep()
	prepare()
	s.Preview = nil
	s.fresh = true
	s.runAfter = false
	s.LeavePlace()
	s.reload()
	if preset != "" {
		s.allow(s.Settings.Programs(), false)
	}
	if s.Withheld() {
		s.View.Own = s.unreadOne()
		s.ShowTab(OwnTab)
	} else if run {
		s.Run()
	}
	s.touch()
}

// reload reads the workload of the settings again. Settings that are no valid
// document are left alone: their faults stand at their places.
func (s *Store) reload() {
	doc := clone(&s.Settings)
	s.unread, s.needsMissing = false, false
	if s.faulty() {
		s.loads++ // nobody waits for an earlier answer
		s.Loading, s.LoadError = false, ""
		return
	}
	var file any
	if l := doc.Workload.Source.Log; l != nil {
		file = s.offered[l.SHA256]
	}
	s.load(doc, file, func(p *report.Preview, err error) {
		s.said = experiment.Faults(err)
		switch l := doc.Workload.Source.Log; {
		case err == nil:
			s.Preview, s.LoadError = p, ""
			s.note("Read %s: %s", p.Name, words.Count(p.Jobs, "job", "jobs"))
		case errors.As(err, new(NeedsMissing)):
			s.LoadError, s.unread, s.needsMissing = err.Error(), true, true
		case l != nil && file == nil && (s.Preview == nil || s.Preview.SHA256 != l.SHA256):
			s.Wanted, s.Preview, s.LoadError = ptr(l), nil, ""
			s.note("This experiment needs the log %s: %v", l.Name, err)
		default:
			s.LoadError, s.unread = strings.TrimPrefix(err.Error(), "swf: "), true
			s.note("Reading failed: %v", err)
		}
	})
}

// load asks the engine for a preview; an answer that a later request has
// overtaken is dropped.
func (s *Store) load(doc experiment.Experiment, file any, done func(*report.Preview, error)) {
	s.loads++
	number := s.loads
	s.Loading, s.loaded = true, doc
	s.engine.Load(clone(&doc), file, func(p *report.Preview, err error) {
		if number != s.loads {
			return
		}
		s.Loading = false
		done(p, err)
		s.searchIfDue()
		if s.runAfter && !s.NeedsProcessors() {
			s.runAfter = false
			if s.Preview != nil && s.LoadError == "" && s.Pending == nil && s.Wanted == nil {
				s.Run()
			}
		}
		s.touch()
	})
}

// OpenFile reads a dropped or chosen log and runs the schedulers that are there on
// it; of a large one it says first what that takes. Settings and preview change
// only once it has been read well; until then, and when it cannot be read, what
// was loaded before stays.
func (s *Store) OpenFile(name string, file any) {
	doc := clone(&s.Settings)
	wanted := s.Wanted
	if wanted == nil {
		doc = forLog(doc)
	}
	doc.Workload.Source = experiment.Source{Log: &experiment.Log{Name: name}}
	s.Pending, s.Other, s.LoadError = nil, nil, ""
	s.note("Reading %s", name)
	s.load(doc, file, func(p *report.Preview, err error) {
		if err != nil {
			s.LoadError = name + ": " + strings.TrimPrefix(err.Error(), "swf: ")
			s.note("Reading failed: %s", s.LoadError)
			return
		}
		if wanted != nil && p.SHA256 != wanted.SHA256 {
			doc.Workload.Source.Log = &experiment.Log{Name: name, SHA256: p.SHA256, Size: p.Size}
			s.Other = &Pending{Name: name, Preview: p, file: file, doc: doc}
			s.LoadError = fmt.Sprintf("%s is another log: %s, %s, SHA-256 %s…; this experiment was made with %s: %s, SHA-256 %s….",
				name, words.Count(p.Jobs, "job", "jobs"), words.Bytes(p.Size), short(p.SHA256), wanted.Name, words.Bytes(wanted.Size), short(wanted.SHA256))
			s.note("%s", s.LoadError)
			return
		}
		doc.Workload.Source.Log = &experiment.Log{Name: name, SHA256: p.SHA256, Size: p.Size}
		if wanted != nil {
			doc.Workload.Source.Log.Name = wanted.Name
		}
		pending := &Pending{Name: name, Preview: p, file: file, doc: doc}
		if asks(&p.Clean) {
			s.Pending = pending
			s.note("%s: %d of %d lines cannot be read", name, p.Clean.Malformed, p.Clean.Lines)
			return
		}
		s.accept(pending)
	})
	s.touch()
}

// OpenTable makes a table of jobs the workload and runs the schedulers that are
// there on it.
func (s *Store) OpenTable(in *experiment.Inline) {
	doc := forLog(clone(&s.Settings))
	doc.Workload.Source = experiment.Source{Inline: in}
	s.Open(&doc, "", true)
}

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
		s.touch()
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
		o.Name, short(o.Preview.SHA256), s.Wanted.Name, short(s.Wanted.SHA256))
	if t := []rune(o.doc.Title); len(t)+len(modified) <= experiment.MaxTitle && !strings.HasSuffix(o.doc.Title, modified) {
		o.doc.Title = strings.TrimSpace(o.doc.Title + modified)
	}
	s.Pending, s.Other, s.LoadError = o, nil, ""
	if asks(&o.Preview.Clean) {
		s.touch()
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
	s.touch()
}

// accept makes a log that was read the workload of the settings.
func (s *Store) accept(p *Pending) {
	expect := p.doc.Expect
	if p.file != nil {
		s.offered[p.Preview.SHA256] = p.file
	}
	s.Preview = p.Preview
	next := s.current()
	next.doc = clone(&p.doc)
	next.doc.Expect = expect
	s.lost(fitAxes(&next.doc))
	if s.Much != nil { // what was asked is of another log
		s.Decline()
	}
	var much *Much
	if s.Wanted == nil {
		next.preset, next.modified, next.opened = "", "", nil
		much = s.offerRun(&next.doc, p.Preview.Jobs)
	}
	s.put(next)
	s.Much, s.runAfter = much, much == nil
	s.Pending, s.Wanted, s.Other, s.LoadError = nil, nil, nil, ""
	s.clampView()
	s.note("Loaded %s: %s", p.Name, words.Count(p.Preview.Jobs, "job", "jobs"))
}

// DropWanted gives up on the log that an opened experiment names and goes back
// to the first preset.
func (s *Store) DropWanted() {
	s.Wanted, s.Other = nil, nil
	s.OpenPreset("")
}

// forLog is doc with everything reset that belonged to another workload. A log
// is the same at each repetition, so one run each is enough.
func forLog(doc experiment.Experiment) experiment.Experiment {
	doc.Title, doc.Expect = "", ""
	doc.Workload.Annotate.Jobs, doc.Workload.Annotate.File = nil, nil
	doc.Workload.Filter, doc.Workload.Window = experiment.Filter{}, experiment.Window{}
	doc.Workload.Scale, doc.Workload.Resample = experiment.Scale{Load: 1, Time: 1}, nil
	doc.Platform.Processors = 0
	doc.Measures.From, doc.Measures.To = nil, nil
	for i := range doc.Schedulers {
		doc.Schedulers[i].Repeat = 1
	}
	return doc
}

// NeedsProcessors reports whether the machine size must be asked for: neither
// the settings nor the log state it.
func (s *Store) NeedsProcessors() bool {
	return s.Preview != nil && s.Preview.Processors == 0 && s.Settings.Platform.Processors == 0
}

// Processors is the machine size in effect, 0 when it is not known.
func (s *Store) Processors() int64 {
	if n := s.Settings.Platform.Processors; n > 0 {
		return n
	}
	if s.Preview != nil {
		return int64(s.Preview.Processors)
	}
	return 0
}

func short(hash string) string {
	if len(hash) > 8 {
		return hash[:8]
	}
	return hash
}
