// Package news is what the page is told: that something changed, what happened,
// and one message for the whole page.
package news

import "fmt"

// Board tells the page. The parts of the page's state share one.
type Board struct {
	Version int      // grows with every change that a drawing depends on
	Notice  string   // one message for the whole page: a damaged link, for example
	Log     []string // what happened, oldest first, at most 200 lines

	changed  func()
	progress func()
}

// New returns a board that nobody listens to.
func New() *Board { return &Board{changed: func() {}, progress: func() {}} }

// Tell shows one message for the whole page.
func (s *Board) Tell(text string) {
	s.Notice = text
	s.Note("%s", text)
	s.Touch()
}

// DropNotice takes the notice away.
func (s *Board) DropNotice() {
	s.Notice = ""
	s.Touch()
}

// OnChange sets the listener that draws the page. OnProgress sets a cheaper
// one for news that moves nothing but the bars of the runs.
func (s *Board) OnChange(f func()) { s.changed = f }

func (s *Board) OnProgress(f func()) { s.progress = f }

// Moved announces what moves nothing but bars.
func (s *Board) Moved() { s.progress() }

// Drawn announces a change that drawings and bars depend on, and nothing else on
// the page.
func (s *Board) Drawn() {
	s.Version++
	s.progress()
}

// Touch announces a change that drawings depend on.
func (s *Board) Touch() {
	s.Version++
	s.changed()
}

// maxLog bounds Board.Log.
const maxLog = 200

// Note adds a line to the log.
func (s *Board) Note(format string, args ...any) {
	s.Log = append(s.Log, fmt.Sprintf(format, args...))
	if len(s.Log) > maxLog {
		s.Log = s.Log[len(s.Log)-maxLog:]
	}
}
