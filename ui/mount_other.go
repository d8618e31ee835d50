//go:build !js

package ui

import (
	"errors"

	"batchlab/ui/state"
)

// Run needs a browser.
func Run(string, *state.Store) error {
	return errors.New("ui: there is no browser to mount the page in")
}
