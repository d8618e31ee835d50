package swf_test

import (
	"bytes"
	"compress/gzip"
	"runtime"
	"strings"
	"testing"

	"batchlab/core/swf"
)

// A log is written as it was read: header and comments byte for byte and in
// their places, one line for each record.
func TestAppend(t *testing.T) {
	text := "; Version: 2.2\r\n;\n  \n" + job() + ";between\n; and more\n" + job(1, "2") + "; at the end"
	l := parse(t, text)
	want := "; Version: 2.2\r\n;\n  \n" +
		"    1        0      0     60    4     -1    -1    4    100    -1  1   1   1   1  1 -1 -1 -1\n" +
		";between\n; and more\n" +
		"    2        0      0     60    4     -1    -1    4    100    -1  1   1   1   1  1 -1 -1 -1\n" +
		"; at the end"
	if got := string(l.Append([]byte("before"))); got != "before"+want {
		t.Errorf("written as\n%s\nwant\n%s", got, want)
	}
}

// A header made by hand without a last line end does not swallow the first job.
func TestAppendEndsHeader(t *testing.T) {
	l := parse(t, job())
	l.Header.Text = []byte("; Version: 2.2")
	l.Comments = []swf.Comment{{Before: 1, Text: []byte("; end")}}
	if again := parse(t, string(l.Append(nil))); len(again.Records) != 1 || again.Header.Version != "2.2" {
		t.Errorf("read back as %+v", again)
	}
}

// Whatever the bytes, Parse does not panic; what it reads agrees with the plain
// twin and can be written and read again without change; line numbers exist.
func FuzzParse(f *testing.F) {
	f.Add([]byte("; Version: 2.2\n" + job() + job(4, "x") + "; c\n" + job(4, "1.5")))
	f.Add([]byte("\ufeff;\tMaxProcs: 8\r" + strings.ReplaceAll(job(), "\n", "\r") + ";"))
	f.Add([]byte(strings.TrimSpace(job(2, "1099511627777")) + " {1,2} q\r\n\r\n;x"))
	f.Add([]byte(job(8, "2147483647", 9, "1e5", 12, "\xfc")))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := swf.Parse(data)
		if err != nil {
			return
		}
		sameAsPlain(t, data, l)
		lines := int32(len(data) + 1)
		for i := range l.Records {
			if n := l.Records[i].Line; n < 1 || n > lines {
				t.Fatalf("record %d stands on line %d", i, n)
			}
		}
		for _, p := range l.Problems {
			if got := swf.Lines(data, p.Line, 0); len(got) != 1 {
				t.Fatalf("problem on line %d, which does not exist", p.Line)
			}
		}
		written := l.Append(nil)
		if len(written) == 0 || len(l.Records) == 0 && len(l.Comments) == 0 && len(bytes.TrimSpace(l.Header.Text)) == 0 {
			return // nothing was kept
		}
		again, err := swf.Parse(written)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		sameLog(t, l, again)
		if again.Malformed != 0 {
			t.Fatalf("what was written has problems: %v", again.Problems)
		}
		if twice := again.Append(nil); !bytes.Equal(written, twice) {
			t.Fatalf("written as %q, then as %q", written, twice)
		}
	})
}

// Intent: a file that unpacks to more than may be is refused with little memory, and one
// that is large and allowed comes whole, with memory for itself and no more.
func TestGunzipMemory(t *testing.T) {
	var member bytes.Buffer
	z := gzip.NewWriter(&member)
	piece := bytes.Repeat([]byte("1 0 -1 10 4\n"), 1<<20)
	z.Write(piece)
	z.Close()
	packed := bytes.Repeat(member.Bytes(), 30) // 378 MB
	taken := func(do func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		do()
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) >> 20
	}
	if mb := taken(func() {
		if _, err := swf.Gunzip(packed, 200<<20); err == nil || !strings.Contains(err.Error(), "more than 209715200 bytes") {
			t.Errorf("%v", err)
		}
	}); mb > 150 {
		t.Errorf("refusing it took %d MB", mb)
	}
	for _, limit := range []int64{0, 30 * int64(len(piece))} {
		if mb := taken(func() {
			got, err := swf.Gunzip(packed, limit)
			if err != nil || len(got) != 30*len(piece) || !bytes.Equal(got[29*len(piece):], piece) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		}); mb > 150+378 {
			t.Errorf("unpacking it took %d MB", mb)
		}
	}
	if _, err := swf.Gunzip(packed[:len(packed)-9], 0); err == nil || !strings.Contains(err.Error(), "ends early") {
		t.Errorf("cut off: %v", err)
	}
}

// Gunzip unpacks, refuses too much, and says how a damaged file is damaged.
func TestGunzip(t *testing.T) {
	text := []byte(strings.Repeat(job(), 1000))
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(text)
	z.Close()
	packed := b.Bytes()
	if got, err := swf.Gunzip(packed, int64(len(text))); err != nil || !bytes.Equal(got, text) {
		t.Fatalf("unpacked %d of %d bytes: %v", len(got), len(text), err)
	}
	if got, err := swf.Gunzip(append(packed[:len(packed):len(packed)], packed...), 0); err != nil || len(got) != 2*len(text) {
		t.Errorf("two gzip files one after the other unpack to %d bytes: %v", len(got), err)
	}
	flipped := bytes.Clone(packed)
	flipped[len(flipped)-6] ^= 1
	tests := []struct {
		name   string
		packed []byte
		limit  int64
		want   string
	}{
		{"too much", packed, int64(len(text)) - 1, "swf: the gzip file unpacks to more than"},
		{"cut off in the middle", packed[:len(packed)/2], 0, "bytes: it is damaged or was not downloaded completely"},
		{"cut off in its last bytes", packed[:len(packed)-3], 0, "bytes: it is damaged or was not downloaded completely"},
		{"cut off in its first bytes", packed[:5], 0, "swf: the gzip file ends early after 5 bytes: it is damaged or was not downloaded completely"},
		{"nothing at all", nil, 0, "swf: the gzip file ends early after 0 bytes"},
		{"a wrong check sum", flipped, 0, "swf: the gzip file is damaged: gzip: invalid checksum"},
		{"plain text", text, 0, "swf: this is not a gzip file"},
	}
	for _, tt := range tests {
		if _, err := swf.Gunzip(tt.packed, tt.limit); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}
