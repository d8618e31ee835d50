package workload

import (
	"bytes"

	"batchlab/core/swf"
)

// Parse reads a workload file: a log in Standard Workload Format, or a Batsim
// workload (JSON with "jobs" and "profiles").
func Parse(data []byte) (*swf.Log, error) {
	if isBatsim(data) {
		return FromBatsim(data)
	}
	return swf.Parse(data)
}

// isBatsim reports whether a file is a Batsim workload.
func isBatsim(data []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	return len(text) > 0 && text[0] == '{' && bytes.Contains(text, []byte(`"jobs"`)) && bytes.Contains(text, []byte(`"profiles"`))
}
