package swf_test

import (
	"slices"
	"strings"
	"testing"

	"batchlab/core/swf"
)

// Headers are read in all the ways that logs of the archive write them.
func TestHeader(t *testing.T) {
	text := ";Version: 2.2\n" + // no blank after the semicolon
		"; Computer:\tIBM SP2\n" +
		";  Installation: somewhere\n" + // a known key, indented
		"; MaxNodes: 338 (batch partition; 512 total)\n" +
		"; maxprocs: 512\n" +
		"; MaxJobs: 0\n" +
		"; UnixStartTime: 843480031\n; TimeZone: -28800\n; TimeZoneString: US/Pacific\n" +
		"; Information: http://a.example/\n;              http://b.example/\n" +
		"; Copyright: first line\n;\tsecond: line\n;   third line\n" +
		";\n; loose words\n" +
		"; Note: one\n; Note: two,\n;   and more\n"
	l := parse(t, text+job())
	h := &l.Header
	if h.Version != "2.2" || h.Computer != "IBM SP2" || h.Installation != "somewhere" || h.TimeZoneString != "US/Pacific" {
		t.Errorf("header is %+v", h)
	}
	if h.MaxNodes != 338 || h.MaxProcs != 512 || h.MaxJobs != 0 || h.MaxRecords != 0 || h.UnixStartTime != 843480031 || h.TimeZone != -28800 {
		t.Errorf("header is %+v", h)
	}
	if got := h.Get("information"); got != "http://a.example/\nhttp://b.example/" {
		t.Errorf("Information is %q", got)
	}
	if got := h.Get("Copyright"); got != "first line\nsecond: line\nthird line" {
		t.Errorf("Copyright is %q", got)
	}
	if !slices.Equal(h.Notes, []string{"one", "two,\nand more"}) {
		t.Errorf("notes are %q", h.Notes)
	}
	if h.Get("nothing") != "" || string(h.Text) != text || h.String() != text {
		t.Errorf("text is %q", h.Text)
	}
}

// Texts of counts that hold no sensible number count as unknown.
func TestHeaderCounts(t *testing.T) {
	for text, want := range map[string]int64{
		"128": 128, "about 64 nodes": 64, "-1": 0, "": 0, "none": 0,
		"99999999999999999999999999": 0, "12.5": 12, "2x8": 2,
	} {
		if got := parse(t, "; MaxProcs: "+text+"\n"+job()).Header.MaxProcs; got != want {
			t.Errorf("MaxProcs %q is %d, want %d", text, got, want)
		}
	}
}

// A header that is not UTF-8 is shown as Latin-1, line by line, and kept as it is.
func TestHeaderBytes(t *testing.T) {
	text := "; Acknowledge: J\xfcrgen\r\n; Installation: Universität\r\n"
	l := parse(t, text+job())
	if got := l.Header.Get("Acknowledge"); got != "Jürgen" {
		t.Errorf("Acknowledge is %q", got)
	}
	if l.Header.Installation != "Universität" {
		t.Errorf("Installation is %q", l.Header.Installation)
	}
	if got := string(l.Append(nil)); !strings.HasPrefix(got, text) {
		t.Errorf("written as %q", got)
	}
}

// Add writes fields that read back, several lines included, and no value can
// break out of its line.
func TestHeaderAdd(t *testing.T) {
	var h swf.Header
	h.Text = []byte("; Version: 2.2")
	h.Add("Note", "one\ntwo\r9 9 9")
	if got := string(h.Text); got != "; Version: 2.2\n; Note: one\n;       two 9 9 9\n" {
		t.Errorf("text is %q", got)
	}
	if h.Version != "2.2" || !slices.Equal(h.Notes, []string{"one\ntwo 9 9 9"}) {
		t.Errorf("header is %+v", h)
	}
}
