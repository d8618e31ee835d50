package ui

import (
	"runtime"
	"testing"
	"weak"

	"batchlab/core/report"
)

// Intent: the page lets go of the results of an experiment when another one has run,
// whatever it has said of them: a demo that goes on for hours, and logs of 450,000 jobs
// one after the other, would fill the memory otherwise.
func TestResultsAreLetGo(t *testing.T) {
	root, g := page(t)
	var before []weak.Pointer[report.Run]
	for _, r := range root.P.S.Runs {
		before = append(before, weak.Make(r.Result))
	}
	html(t, root)
	root.P.S.OpenPreset("easy-vs-conservative")
	g.work()
	g.wait = nil
	html(t, root)
	runtime.GC()
	runtime.GC()
	for i, r := range before {
		if r.Value() != nil {
			t.Errorf("run %d is still held", i)
		}
	}
	runtime.KeepAlive(root)
}
