//go:build js && wasm

// Command app is the program of the browser: the page, or in a worker the
// simulation. Both are one file because they share most of their code, so that
// half as much is downloaded and compiled.
package main

import (
	"syscall/js"

	"batchlab/wasm/page"
	"batchlab/wasm/worker"
)

func main() {
	if js.Global().Get("batchlabInbox").Truthy() { // worker.js has put it there
		worker.Main()
		return
	}
	page.Main()
}
