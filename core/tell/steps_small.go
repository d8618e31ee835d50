//go:build small

package tell

// steps says that runs can be told.
const steps = false
