package state

import (
	"batchlab/core/experiment"
	"batchlab/core/report"
)

// LineReader is what an engine offers that can show lines of a log.
type LineReader interface {
	// Lines hands over line n, from 1, of the experiment's log with up to three
	// lines before and after it. file is as in Load.
	Lines(e experiment.Experiment, file any, n int, done func([]report.Line, error))
}

// Excerpt is a place in a log that is looked at.
type Excerpt struct {
	Line  int // from 1
	Lines []report.Line
	Error string // why they cannot be shown
	Busy  bool
}

// ShowLine looks at a line of the log that the cleaning report speaks of.
func (s *Store) ShowLine(n int) {
	reader, ok := s.engine.(LineReader)
	if !ok {
		return
	}
	doc, file := clone(&s.Settings), any(nil)
	if s.Pending != nil {
		doc, file = clone(&s.Pending.doc), s.Pending.file
	}
	if l := doc.Workload.Source.Log; l != nil && file == nil {
		file = s.offered[l.SHA256]
	}
	x := &Excerpt{Line: n, Busy: true}
	s.Excerpt = x
	reader.Lines(doc, file, n, func(lines []report.Line, err error) {
		if s.Excerpt != x {
			return
		}
		x.Busy, x.Lines = false, lines
		if err != nil {
			x.Error = err.Error()
		}
		s.touch()
	})
	s.touch()
}

// DropLine stops looking at a line.
func (s *Store) DropLine() { s.Excerpt = nil }
