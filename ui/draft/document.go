package draft

import (
	"batchlab/core/experiment"
)

// Change edits the settings: f changes a copy of them, which then takes their
// place. When the jobs would differ the workload is read again; the expected
// digest goes, since it belonged to the experiment as it was.
func (s *Draft) Change(f func(*experiment.Experiment)) {
	next := s.current()
	f(&next.doc)
	if !Same(&s.Settings, &next.doc) {
		next.doc.Expect = ""
		s.Lost(fitAxes(&next.doc))
	}
	if s.put(next) {
		s.host.Reload()
	}
	s.board.Touch()
}

// Lost says which settings vary no longer, since the document has no such place
// any more.
func (s *Draft) Lost(paths []string) {
	for _, path := range paths {
		s.board.Note("%s no longer varies: this experiment has no such setting", path)
	}
}

// NeedsProcessors reports whether the machine size must be asked for: neither
// the settings nor the log state it.
func (s *Draft) NeedsProcessors() bool {
	return s.Preview != nil && s.Preview.Processors == 0 && s.Settings.Platform.Processors == 0
}

// Processors is the machine size in effect, 0 when it is not known.
func (s *Draft) Processors() int64 {
	if n := s.Settings.Platform.Processors; n > 0 {
		return n
	}
	if s.Preview != nil {
		return int64(s.Preview.Processors)
	}
	return 0
}

// Calendar reports whether the workload says when it began, so that there are
// dates to show.
func (s *Draft) Calendar() bool { return s.Preview != nil && s.Preview.UnixStart != 0 }

// Varies reports whether the settings vary.
func (s *Draft) Varies() bool { return len(s.Settings.Vary) > 0 }

// Edited reports whether the settings differ from the document they came from.
func (s *Draft) Edited() bool { return s.opened != nil && !Same(s.opened, &s.Settings) }
