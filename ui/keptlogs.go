package ui

import (
	"batchlab/ui/engine"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// keptTitle names the link to the logs that the browser keeps.
func keptTitle(s *state.Store) string { return words.Count(len(s.Kept), "kept log", "kept logs") }

// openKept makes a kept log the workload.
func (p *Page) openKept(k engine.KeptLog) {
	p.closeDialog()
	p.S.OpenKept(k)
}
