//go:build js && wasm

// Command studies is the second program of the browser: a worker that can do
// everything, the studies included. The page fetches it when an experiment or
// an action needs it.
package main

import "batchlab/wasm/worker"

func main() { worker.Main() }
