package workload

import (
	"bytes"

	"batchlab/core/swf"
)

// Parse reads a workload file: a log in Standard Workload Format, a Batsim workload
// (JSON with "jobs" and "profiles"), or a file of another kind that package intake
// knows by its content, such as Slurm's accounting. The header of what is made of the
// latter says in notes what was understood, left out and assumed.
func Parse(data []byte) (*swf.Log, error) {
	switch {
	case isBatsim(data):
		return FromBatsim(data)
	case mayBeOther(data):
		if l, err := fromOther(data); l != nil || err != nil {
			return l, err
		}
	}
	return swf.Parse(data)
}

// isBatsim reports whether a file is a Batsim workload.
func isBatsim(data []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	return len(text) > 0 && text[0] == '{' && bytes.Contains(text, []byte(`"jobs"`)) && bytes.Contains(text, []byte(`"profiles"`))
}

// mayBeOther says whether a file cannot be a log in Standard Workload Format: it
// begins with a letter, a quote or a bracket, or with the date and type of a line of
// PBS accounting.
func mayBeOther(data []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	if len(text) == 0 {
		return false
	}
	first, _, _ := bytes.Cut(text[:min(len(text), 4<<10)], []byte("\n"))
	switch c := text[0]; {
	case c == '"', c == '{', c == '[', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		return bytes.IndexByte(data[:min(len(data), 8<<10)], 0) < 0
	default:
		return c != ';' && bytes.IndexByte(first, ';') > 0 && bytes.IndexByte(first, '/') > 0
	}
}
