package state

import (
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/draft"
	"batchlab/ui/engine"
	"batchlab/ui/words"
)

// RefreshKept asks which logs are kept; Kept holds them once the answer is
// there.
func (s *Store) RefreshKept() {
	if shelf, ok := s.engine.(engine.Shelf); ok {
		shelf.Kept(func(list []engine.KeptLog) {
			s.Kept = list
			s.Touch()
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
		text = "This log is not kept for the next visit: the browser's storage is full. Everything else works."
	default:
		text = "This log is not kept for the next visit: the browser stores nothing here (private window, or storage off). Everything else works."
	}
	if text != s.Storage {
		s.Storage = text
		if text != "" {
			s.Note("%s", text)
		}
		s.Touch()
	}
}

// ForgetLog deletes a kept log. What is loaded of it stays until the page is
// closed.
func (s *Store) ForgetLog(sha256 string) {
	if shelf, ok := s.engine.(engine.Shelf); ok {
		shelf.Forget(sha256, s.RefreshKept)
	}
}

// OpenKept makes a kept log the workload, as if it had been dropped again.
func (s *Store) OpenKept(k engine.KeptLog) {
	l := k.Log
	if use := map[string]func(experiment.Log){"needs": s.UseNeeds, "predictions": s.UsePredictions, "extra": s.UseExtra}[k.Kind]; use != nil {
		use(l)
		return
	}
	if w := s.Wanted; w != nil && w.SHA256 == l.SHA256 {
		s.Reload()
		return
	}
	doc := draft.ForLog(*s.Settings.Clone())
	doc.Workload.Source = experiment.Source{Log: &l}
	s.Settle()
	s.Note("Reading %s", l.Name)
	s.load(doc, nil, func(p *report.Preview, err error) {
		if err != nil {
			s.LoadError = l.Name + ": " + strings.TrimPrefix(err.Error(), "swf: ")
			s.Note("Reading failed: %s", s.LoadError)
			return
		}
		pending := &Pending{Name: l.Name, Preview: p, doc: doc}
		if asks(&p.Clean) {
			s.Pending = pending
			s.Note("%s: %s cannot be read", l.Name, words.Count(p.Clean.Malformed, "line", "lines"))
			return
		}
		s.accept(pending)
	})
	s.Touch()
}

// KeepFile has the engine keep a file beside the log.
func (s *Store) KeepFile(l experiment.Log, file any, kind string) {
	if k, ok := s.engine.(engine.Keeper); ok {
		k.KeepFile(l, file, kind)
	}
}
