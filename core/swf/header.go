package swf

import (
	"bytes"
	"strings"
)

// Header is what stands before the first job line: comment lines, of which
// most are "; Key: value". The text is kept as it stands, since it carries the
// log's terms of use; the fields are read from it.
type Header struct {
	Text   []byte  // as it stands, line ends included, without a byte order mark
	Fields []Field // in the order of the file; a key may come more than once

	Version        string
	Computer       string
	Installation   string
	TimeZoneString string   // for example Europe/Stockholm
	Notes          []string // each Note, continued lines joined

	// The first integer of each text; 0 when there is none or it is negative.
	MaxJobs, MaxRecords, MaxNodes, MaxProcs int64

	UnixStartTime int64 // Unix time of submit time 0; 0 unknown
	TimeZone      int64 // seconds east of Greenwich; 0 unknown
}

// Field is one "; Key: value" of a header, continued lines joined by "\n".
type Field struct{ Key, Value string }

// knownKeys are keys of the standard. They begin a field however far they are
// indented; other keys only where they follow the semicolon closely, since
// continued lines may well hold a colon.
var knownKeys = []string{
	"Version", "Computer", "Installation", "Acknowledge", "Information", "Conversion", "MaxJobs",
	"MaxRecords", "Preemption", "UnixStartTime", "TimeZone", "TimeZoneString", "StartTime", "EndTime",
	"MaxNodes", "MaxProcs", "MaxRuntime", "MaxMemory", "AllowOveruse", "MaxQueues", "Queues", "Queue",
	"MaxPartitions", "Partitions", "Partition", "Note",
}

// Get returns the value of the first field with the key, in any case, or "".
func (h *Header) Get(key string) string {
	for i := range h.Fields {
		if strings.EqualFold(h.Fields[i].Key, key) {
			return h.Fields[i].Value
		}
	}
	return ""
}

// String returns the header for showing: as it stands, with line ends "\n", and
// with lines that are not UTF-8 read as Latin-1.
func (h *Header) String() string {
	var b strings.Builder
	for line := range h.lines {
		b.WriteString(decode(line))
		b.WriteByte('\n')
	}
	return b.String()
}

// Add appends a field to the text, and so to the fields. A value of several
// lines becomes continued lines.
func (h *Header) Add(key, value string) {
	h.Text = endLine(h.Text)
	for i, line := range strings.Split(value, "\n") {
		line = strings.Map(oneLine, line)
		if i == 0 {
			h.Text = append(h.Text, "; "+key+": "+line+"\n"...)
		} else {
			h.Text = append(h.Text, ";       "+line+"\n"...)
		}
	}
	h.parse()
}

// oneLine keeps a value from breaking out of its line.
func oneLine(r rune) rune {
	if r < ' ' {
		return ' '
	}
	return r
}

// endLine makes sure that text ends with a line end, if it is not empty.
func endLine(text []byte) []byte {
	if n := len(text); n > 0 && text[n-1] != '\n' && text[n-1] != '\r' {
		return append(text, '\n')
	}
	return text
}

// lines yields the text's lines without their line ends.
func (h *Header) lines(yield func([]byte) bool) {
	for p := 0; p < len(h.Text); {
		_, end, next := splitLine(h.Text, p)
		if !yield(h.Text[p:end]) {
			return
		}
		p = next
	}
}

// parse reads Text into everything else.
func (h *Header) parse() {
	*h = Header{Text: h.Text}
	open := false // whether the next line may continue the last field
	for line := range h.lines {
		line = bytes.TrimLeft(line, " \t\v\f")
		rest, found := bytes.CutPrefix(line, []byte(";"))
		text := strings.TrimSpace(decode(rest))
		if !found || text == "" {
			open = false
			continue
		}
		if key, value, ok := splitField(text, indented(rest)); ok {
			h.Fields = append(h.Fields, Field{key, value})
			open = true
		} else if open {
			f := &h.Fields[len(h.Fields)-1]
			if f.Value != "" {
				f.Value += "\n"
			}
			f.Value += text
		}
	}
	h.Version = h.Get("Version")
	h.Computer = h.Get("Computer")
	h.Installation = h.Get("Installation")
	h.TimeZoneString = h.Get("TimeZoneString")
	h.MaxJobs = h.count("MaxJobs")
	h.MaxRecords = h.count("MaxRecords")
	h.MaxNodes = h.count("MaxNodes")
	h.MaxProcs = h.count("MaxProcs")
	h.UnixStartTime, _ = firstInteger(h.Get("UnixStartTime"))
	h.TimeZone, _ = firstInteger(h.Get("TimeZone"))
	for _, f := range h.Fields {
		if strings.EqualFold(f.Key, "Note") {
			h.Notes = append(h.Notes, f.Value)
		}
	}
}

// indented tells whether the text after the semicolon stands further in than
// one blank, as continued lines do.
func indented(rest []byte) bool {
	return len(rest) > 1 && blank(rest[0]) && blank(rest[1]) || len(rest) > 0 && rest[0] == '\t'
}

// splitField cuts "Key: value". A key is one or a few words of letters and
// digits; an address such as http://… is none.
func splitField(text string, indented bool) (key, value string, ok bool) {
	key, value, ok = strings.Cut(text, ":")
	key = strings.TrimSpace(key)
	if !ok || key == "" || len(key) > 40 || strings.HasPrefix(value, "//") {
		return "", "", false
	}
	for _, r := range key {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == ' ') {
			return "", "", false
		}
	}
	if indented {
		known := false
		for _, k := range knownKeys {
			known = known || strings.EqualFold(k, key)
		}
		if !known {
			return "", "", false
		}
	}
	return key, strings.TrimSpace(value), true
}

// Line returns the line, from 1, on which a field of the header stands first, 0
// when it has none. A log's header begins on its first line.
func (h *Header) Line(key string) int {
	n := 0
	for line := range h.lines {
		n++
		rest, found := bytes.CutPrefix(bytes.TrimLeft(line, " \t\v\f"), []byte(";"))
		if k, _, ok := splitField(strings.TrimSpace(decode(rest)), indented(rest)); found && ok && strings.EqualFold(k, key) {
			return n
		}
	}
	return 0
}

// count returns the first integer of a field that counts something, else 0.
func (h *Header) count(key string) int64 {
	n, _ := firstInteger(h.Get(key))
	return max(n, 0)
}

// firstInteger returns the first run of digits in a text, with its sign, if
// it is within ±10^18: "338 (batch partition; 512 total)" is 338.
func firstInteger(s string) (int64, bool) {
	i := strings.IndexAny(s, "0123456789")
	if i < 0 {
		return 0, false
	}
	negative := i > 0 && s[i-1] == '-'
	n := int64(0)
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		if n >= 1e17 {
			return 0, false
		}
		n = n*10 + int64(s[i]-'0')
	}
	if negative {
		n = -n
	}
	return n, true
}
