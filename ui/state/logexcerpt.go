package state

import (
	"batchlab/core/report"
	"batchlab/ui/engine"
)

// Excerpt is a place in a log that is looked at.
type Excerpt struct {
	Line  int // from 1
	Lines []report.Line
	Error string // why they cannot be shown
	Busy  bool
}

// ShowLine looks at a line of the log that the cleaning report speaks of.
func (s *Store) ShowLine(n int) {
	reader, ok := s.engine.(engine.LineReader)
	if !ok {
		return
	}
	doc, file := *s.Settings.Clone(), any(nil)
	if s.Pending != nil {
		doc, file = *s.Pending.doc.Clone(), s.Pending.file
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
		s.Touch()
	})
	s.Touch()
}

// DropLine stops looking at a line.
func (s *Store) DropLine() { s.Excerpt = nil }
