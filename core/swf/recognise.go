package swf

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// magics are the first bytes of files that people mistake for a log.
var magics = []struct{ bytes, what string }{
	{"\x1f\x8b", "a gzip file that was not unpacked"},
	{"PK\x03\x04", "a zip archive: unpack it first"},
	{"BZh", "a bzip2 file: unpack it first"},
	{"\xfd7zXZ", "an xz file: unpack it first"},
	{"\x28\xb5\x2f\xfd", "a zstd file: unpack it first"},
	{"%PDF", "a PDF document"},
	{"\xff\xfe", "UTF-16 text: save it as plain text (UTF-8) first"},
	{"\xfe\xff", "UTF-16 text: save it as plain text (UTF-8) first"},
}

// recognise names files that are no logs, by their first bytes.
func recognise(data []byte) error {
	for _, m := range magics {
		if bytes.HasPrefix(data, []byte(m.bytes)) {
			return fmt.Errorf("swf: this is %s", m.what)
		}
	}
	if bytes.IndexByte(data[:min(len(data), 8<<10)], 0) >= 0 {
		return errors.New("swf: this is a binary file, not a workload log (it holds NUL bytes)")
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte(byteOrderMark)), " \t\v\f\r\n")
	if len(text) == 0 {
		return nil
	}
	start := strings.ToLower(string(text[:min(len(text), 512)]))
	switch start[0] {
	case '<':
		if strings.Contains(start, "<html") || strings.HasPrefix(start, "<!doctype html") {
			return errors.New("swf: this looks like HTML, a web page instead of the log it may link to")
		}
		return errors.New("swf: this looks like XML, not like a workload log")
	case '{', '[':
		if bytes.Contains(text, []byte(`"jobs"`)) && bytes.Contains(text, []byte(`"profiles"`)) {
			return errors.New("swf: this looks like JSON, a Batsim workload; Batchlab reads logs in Standard Workload Format")
		}
		if strings.Contains(start, `"batchlab"`) {
			return errors.New("swf: this looks like JSON, a Batchlab experiment, not like a workload log")
		}
		return errors.New("swf: this looks like JSON, not like a workload log")
	}
	return nil
}

// notALog names what a file looks like of which no line could be read, by the first one
// behind its header. It returns nil if the file may be a log all of whose lines are
// damaged, or a header alone.
func (l *Log) notALog(line []byte) error {
	if l.Malformed == 0 {
		if len(bytes.TrimLeft(l.Header.Text, " \t\v\f\r\n")) == 0 {
			return errors.New("swf: the file is empty")
		}
		return nil
	}
	line = bytes.TrimLeft(line, " \t\v\f")
	for _, separator := range []string{",", ";", "|"} {
		if bytes.Count(line, []byte(separator)) >= 2 && len(bytes.Fields(line)) < Fields {
			return fmt.Errorf("swf: line %d: this looks like CSV (values separated by %q); a workload log has 18 numbers separated by blanks",
				l.Problems[0].Line, separator)
		}
	}
	if bytes.IndexByte(l.Header.Text, ';') < 0 && line[0] != '-' && line[0] != '+' && (line[0] < '0' || line[0] > '9') {
		return fmt.Errorf("swf: line %d: this is not a workload log: 18 numbers are expected, but it begins with %q",
			l.Problems[0].Line, shorten(line))
	}
	return nil
}
