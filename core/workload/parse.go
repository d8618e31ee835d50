package workload

import (
	"bytes"

	"batchlab/core/swf"
)

// Parse reads a workload file: a log in Standard Workload Format, a Batsim workload
// (JSON with "jobs" and "profiles"), or a file of another kind that package intake
// knows by its content, such as Slurm's accounting. The header of what is made of the
// latter says in notes what was understood, left out and assumed.
func Parse(data []byte) (*swf.Log, error) { return ParseAs(data, Reading{}) }

// Reading says how a file that is no log is to be read. The zero value recognises it
// by its content and takes times that state no zone as UTC.
type Reading struct {
	Format string // key of a format of package intake, "" recognised
	Zone   string // of times that state none: "+01:00", or a name that Zones knows
	// Zones returns the offset of a named zone from Greenwich, in seconds, by Unix
	// time, and nil for a zone that it does not know. May itself be nil.
	Zones func(name string) func(unix int64) int64
	// Columns of a table by what they hold, by keys of catalog.LogColumns; what is not
	// named is recognised. It makes the file a table.
	Columns map[string]string
}

// ParseAs is Parse of a file of which something is known.
func ParseAs(data []byte, how Reading) (*swf.Log, error) { return Read(swf.Whole(data), how) }

// Read is ParseAs of a file that comes in pieces, of which only what is read is held: all
// of a Batsim workload, a row of any other.
func Read(w *swf.Window, how Reading) (*swf.Log, error) {
	if how.Format != "" || len(how.Columns) > 0 {
		return fromOther(w, how)
	}
	if mayBeOther(w.Head(headBytes)) {
		if l, err := fromOther(w, how); l != nil || err != nil {
			return l, err
		}
	}
	return swf.Read(w)
}

// headBytes is how much of a file its kind is told by.
const headBytes = 64 << 10

// mayBeOther says whether a file cannot be a log in Standard Workload Format: it is
// UTF-16, or begins with something else than a remark or a number, or with the date and
// type of a line of PBS accounting.
func mayBeOther(data []byte) bool {
	if len(data) > 1 && data[0] >= 0xfe && data[0]^data[1] == 0xff^0xfe {
		return true
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	if len(text) == 0 || bytes.IndexByte(data[:min(len(data), 8<<10)], 0) >= 0 {
		return false
	}
	first, _, _ := bytes.Cut(text[:min(len(text), 4<<10)], []byte("\n"))
	switch c := text[0]; {
	case c == ';', c < ' ', c >= 0x7f:
		return false
	case c >= '0' && c <= '9', c == '-', c == '+':
		return bytes.IndexByte(first, ';') > 0 && bytes.IndexByte(first, '/') > 0
	}
	return true
}
