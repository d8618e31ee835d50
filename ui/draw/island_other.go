//go:build !js

package draw

import (
	"batchlab/ui/state"
)

// Host is an island's place in the page, which only a browser has.
type Host struct{}

// Island is one drawing in the page.
type Island interface{}

// Use does nothing where there is no browser.
func Use(*Room) {}

// Sync does nothing where there is no browser.
func Sync(*state.Store) {}

// Refresh does nothing where there is no browser.
func Refresh() {}
