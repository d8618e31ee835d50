//go:build !js

package island

import (
	"github.com/vugu/vugu/js"

	"batchlab/ui/state"
)

// Attach does nothing where there is no browser.
func Attach(string, js.Value, *state.Store) {}

// Sync does nothing where there is no browser.
func Sync(*state.Store) {}

// Refresh does nothing where there is no browser.
func Refresh() {}
