//go:build js && wasm

// Command studies is the second program of the browser: a worker that can do
// everything, the studies included; beside the page it draws views for which that has no
// room. The page fetches it when an experiment or an action needs it.
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
