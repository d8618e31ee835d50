//go:build !js

package draw

import (
	"github.com/vugu/vugu/js"

	"batchlab/ui/state"
)

// Host is an island's place in the page, which only a browser has.
type Host struct{}

// Island is one drawing in the page.
type Island interface{}

// Use does nothing where there is no browser.
func Use(*Room) {}

// Attach does nothing where there is no browser.
func Attach(string, js.Value, *state.Store) {}

// Sync does nothing where there is no browser.
func Sync(*state.Store) {}

// Refresh does nothing where there is no browser.
func Refresh() {}

// ShowResult does nothing where there is no browser.
func ShowResult(key, title, sub string, r *Result) {}

// ForgetResults does nothing where there is no browser.
func ForgetResults() {}
