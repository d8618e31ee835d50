//go:build js

package ui

import (
	"encoding/hex"
	"syscall/js"

	"batchlab/core/sum"
)

// tabStorage is the browser's sessionStorage, which lives as long as the tab.
func tabStorage() js.Value { return window.Get("Reflect").Call("get", window, "sessionStorage") }

func programKey(program string) string {
	sum := sum.Of([]byte(program))
	return "batchlab-program-" + hex.EncodeToString(sum[:])
}

// keepProgram remembers that a program may run, for this tab. A browser that keeps
// nothing is no fault: then it is asked again after a reload.
func keepProgram(program string) {
	defer func() { _ = recover() }()
	tabStorage().Call("setItem", programKey(program), "1")
}

// keptProgram reports whether keepProgram was called for this very program.
func keptProgram(program string) (yes bool) {
	defer func() { _ = recover() }()
	return tabStorage().Call("getItem", programKey(program)).Truthy()
}
