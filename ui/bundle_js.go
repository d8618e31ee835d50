//go:build js

package ui

import (
	"syscall/js"

	"batchlab/ui/state"
	"batchlab/ui/view/overview"
)

// Charts implements Packer.
func (b *browser) Charts() []state.File { return overview.Files(b.p.S) }

// Later implements Packer.
func (b *browser) Later(f func()) {
	window.Call("setTimeout", once(func([]js.Value) { f() }), 0)
}
