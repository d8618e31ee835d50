//go:build js && wasm

// Command studies is the second program of the browser: a worker that can do
// everything, the studies included; beside the page it draws views for which that has no
// room. The page fetches it when an experiment or an action needs it.
//
// Page and worker share most of their code, so app.wasm is both; 2.5 MB with brotli is
// the limit of the first load. What only studies, machines and lecturers use is left
// out of it by the build tag small and stands here. Experiment.Studies tells which of the
// two a document takes; TestStudies, run with and without the tag, proves that it is
// right. Views drawn here ask through the page's pool, lecturers' pages have a worker of
// their own (boot.js, annex). wasm-opt -Oz was tried: 1.6 % more with brotli, three
// minutes of processor time; it is left out.
package main

import (
	"syscall/js"

	"batchlab/wasm/annex"
	"batchlab/wasm/worker"
)

func main() {
	if js.Global().Get("batchlabInbox").Truthy() { // worker.js has put it there
		worker.Main()
		return
	}
	annex.Main()
}
