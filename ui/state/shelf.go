package state

import (
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// KeptLog is a log that the browser keeps between visits.
type KeptLog struct {
	experiment.Log
	Packed int64 // bytes that it takes up, as it was dropped
	Needs  bool  // it is a file of annotations, not a log

	Foretold bool // it is a file of predictions
}

// Shelf is what an engine offers that keeps logs between visits. Callbacks
// arrive on the page's thread.
type Shelf interface {
	// Kept lists the logs, the one used last first.
	Kept(done func([]KeptLog))
	// Forget deletes one.
	Forget(sha256 string, done func())
}

// RefreshKept asks which logs are kept; Kept holds them once the answer is
// there.
func (s *Store) RefreshKept() {
	if shelf, ok := s.engine.(Shelf); ok {
		shelf.Kept(func(list []KeptLog) {
			s.Kept = list
			s.touch()
		})
	}
}

// Stored takes note of why a log that was opened is not kept for the next visit:
// "full" the browser's storage is, "off" it is switched off, "" it is kept.
func (s *Store) Stored(why string) {
	text := ""
	switch why {
	case "":
	case "full":
		text = "This log is not kept for the next visit: the browser's storage is full. It works all the same."
	default:
		text = "This log is not kept for the next visit: the browser stores nothing here (a private window, or storage is off). It works all the same."
	}
	if text != s.Storage {
		s.Storage = text
		if text != "" {
			s.note("%s", text)
		}
		s.touch()
	}
}

// ForgetLog deletes a kept log. What is loaded of it stays until the page is
// closed.
func (s *Store) ForgetLog(sha256 string) {
	if shelf, ok := s.engine.(Shelf); ok {
		shelf.Forget(sha256, s.RefreshKept)
	}
}

// OpenKept makes a kept log the workload, as if it had been dropped again.
func (s *Store) OpenKept(k KeptLog) {
	l := k.Log
	if k.Needs {
		s.useNeeds(l)
		return
	}
	if k.Foretold {
		s.usePredictions(l)
		return
	}
	if w := s.Wanted; w != nil && w.SHA256 == l.SHA256 {
		s.reload()
		return
	}
	doc := forLog(clone(&s.Settings))
	doc.Workload.Source = experiment.Source{Log: &l}
	s.Pending, s.Wanted, s.Other, s.LoadError = nil, nil, nil, ""
	s.note("Reading %s", l.Name)
	s.load(doc, nil, func(p *report.Preview, err error) {
		if err != nil {
			s.LoadError = l.Name + ": " + strings.TrimPrefix(err.Error(), "swf: ")
			s.note("Reading failed: %s", s.LoadError)
			return
		}
		pending := &Pending{Name: l.Name, Preview: p, doc: doc}
		if asks(&p.Clean) {
			s.Pending = pending
			s.note("%s: %s cannot be read", l.Name, words.Count(p.Clean.Malformed, "line", "lines"))
			return
		}
		s.accept(pending)
	})
	s.touch()
}
