//go:build !js

package island

import (
	"github.com/vugu/vugu/js"

	"batchlab/ui/chart"
	"batchlab/ui/state"
)

// Attach does nothing where there is no browser.
func Attach(string, js.Value, *state.Store) {}

// Sync does nothing where there is no browser.
func Sync(*state.Store) {}

// Refresh does nothing where there is no browser.
func Refresh() {}

// ShowResult does nothing where there is no browser.
func ShowResult(key, title, sub string, r *chart.Result) {}

// ForgetResults does nothing where there is no browser.
func ForgetResults() {}
