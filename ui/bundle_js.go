//go:build js

package ui

import (
	"syscall/js"

	"batchlab/ui/engine"
	"batchlab/ui/view/overview"
)

// Charts implements Packer.
func (b *browser) Charts() []engine.File { return overview.Files(b.p.S) }

// Later implements Packer.
func (b *browser) Later(f func()) {
	window.Call("setTimeout", once(func([]js.Value) { f() }), 0)
}
