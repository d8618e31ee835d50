package swf_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"batchlab/core/swf"

	"pgregory.net/rapid"
)

// job is a plain job line with some fields replaced: job(4, "x") has run time x.
func job(replace ...any) string {
	f := strings.Fields("1 0 0 60 4 -1 -1 4 100 -1 1 1 1 1 1 -1 -1 -1")
	for i := 0; i < len(replace); i += 2 {
		f[replace[i].(int)-1] = replace[i+1].(string)
	}
	return strings.Join(f, " ") + "\n"
}

func parse(t *testing.T, text string) *swf.Log {
	t.Helper()
	l, err := swf.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	sameAsPlain(t, []byte(text), l)
	return l
}

// Every damaged line is left out with a problem that names line, field, text
// and what is wrong; the lines around it are read.
func TestProblems(t *testing.T) {
	tests := []struct {
		name, line string
		field      int
		fieldName  string
		text, what string
	}{
		{"one field is missing", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n", 0, "", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", "17 fields, 18 expected"},
		{"a single word", "hello\n", 0, "", "hello", "1 field, 18 expected"},
		{"a word where a number belongs", job(4, "abc"), 4, "run time", "abc", "abc is not a number"},
		{"two numbers run together", job(4, "12-5"), 4, "run time", "12-5", "12-5 is not a number"},
		{"a lone sign", job(5, "-"), 5, "allocated processors", "-", "- is not a number"},
		{"a lone point", job(5, "."), 5, "allocated processors", ".", ". is not a number"},
		{"thousands separated", job(9, "1,000"), 9, "requested time", "1,000", "1,000 is not a number"},
		{"not a number by name", job(6, "NaN"), 6, "average CPU time used", "NaN", "NaN is not a number"},
		{"infinity", job(6, "inf"), 6, "average CPU time used", "inf", "inf is not a number"},
		{"an exponent", job(4, "1e5"), 4, "run time", "1e5", "1e5 is written with an exponent: plain digits are expected"},
		{"an exponent with sign and fraction", job(4, "-1.5E+03"), 4, "run time", "-1.5E+03", "-1.5E+03 is written with an exponent: plain digits are expected"},
		{"a run time beyond 68 years", job(4, "2147483648"), 4, "run time", "2147483648", "2147483648 is too large: more than 2147483647 seconds (68 years)"},
		{"a wait beyond 68 years", job(3, "99999999999999999999"), 3, "wait time", "99999999999999999999", "99999999999999999999 is too large: more than 2147483647 seconds (68 years)"},
		{"a request beyond 68 years", job(9, "2147483648.5"), 9, "requested time", "2147483648.5", "2147483648.5 is too large: more than 2147483647 seconds (68 years)"},
		{"a submit time beyond all clocks", job(2, "1099511627777"), 2, "submit time", "1099511627777", "1099511627777 is too large: submit times end at 2^40 seconds"},
		{"more processors than there are", job(8, "2147483648"), 8, "requested processors", "2147483648", "2147483648 is too large: more than 2147483647 processors"},
		{"a user id beyond 32 bits", job(12, "4294967296"), 12, "user id", "4294967296", "4294967296 is too large"},
		{"a negative run time", job(4, "-2"), 4, "run time", "-2", "-2 is negative: only -1, for unknown, may stand below zero"},
		{"a negative submit time", job(2, "-60"), 2, "submit time", "-60", "-60 is negative: only -1, for unknown, may stand below zero"},
		{"negative processors", job(8, "-4"), 8, "requested processors", "-4", "-4 is negative: only -1, for unknown, may stand below zero"},
		{"a text in Latin-1", job(12, "M\xfcller"), 12, "user id", "Müller", "Müller is not a number"},
		{"a text with a control character", job(12, "a\x01b"), 12, "user id", "a·b", "a·b is not a number"},
		{"a very long text", job(12, strings.Repeat("ab", 50)), 12, "user id", strings.Repeat("ab", 30) + "…", strings.Repeat("ab", 30) + "… is not a number"},
		{"the first of two wrong fields is named", job(4, "x", 9, "y"), 4, "run time", "x", "x is not a number"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := parse(t, "; Version: 2.2\n"+job()+tt.line+job(1, "3"))
			if len(l.Records) != 2 || l.Malformed != 1 || len(l.Problems) != 1 || l.Lines() != 3 {
				t.Fatalf("%d records, %d damaged, problems %v", len(l.Records), l.Malformed, l.Problems)
			}
			p := l.Problems[0]
			if p.Line != 3 || p.Field != tt.field || p.Name != tt.fieldName || p.Text != tt.text || p.What != tt.what || p.Action != "line left out" {
				t.Errorf("problem is %+v", p)
			}
		})
	}
}

// What looks odd but is sound is read: edges of ranges, signs, fractions
// (cut towards zero), blanks of all kinds.
func TestOddButSound(t *testing.T) {
	tests := []struct {
		name, line string
		field      int
		want       int64
	}{
		{"the longest run", job(4, "2147483647"), 4, 2147483647},
		{"the most processors", job(8, "2147483647"), 8, 2147483647},
		{"the last submit time", job(2, "1099511627776"), 2, 1099511627776},
		{"Unix seconds as submit time", job(2, "1356996147"), 2, 1356996147},
		{"a first submit of -1", job(2, "-1"), 2, -1},
		{"memory in bytes", job(10, "68719476736"), 10, 68719476736},
		{"a fraction is cut", job(6, "552.21"), 6, 552},
		{"a fraction of a fraction of a second", job(4, ".9"), 4, 0},
		{"a negative fraction is cut towards zero", job(4, "-1.9"), 4, -1},
		{"nearly nothing below zero", job(4, "-.5"), 4, 0},
		{"a point without digits after it", job(4, "7."), 4, 7},
		{"a plus sign", job(4, "+7"), 4, 7},
		{"leading zeros", job(4, "0000000000000000000000007"), 4, 7},
		{"a status beyond 5", job(11, "17"), 11, 17},
		{"job number 0", job(1, "0"), 1, 0},
		{"a negative think time is nobody's business", job(18, "-30"), 18, -30},
		{"tabs", strings.ReplaceAll(job(4, "8"), " ", "\t"), 4, 8},
		{"blanks before and after", "   " + strings.TrimSpace(job(4, "8")) + " \t\n", 4, 8},
		{"no line end after the last line", strings.TrimSpace(job(4, "8")), 4, 8},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := parse(t, tt.line)
			if len(l.Records) != 1 || l.Malformed != 0 {
				t.Fatalf("%d records, problems %v", len(l.Records), l.Problems)
			}
			if got := l.Records[0].Numbers()[tt.field-1]; got != tt.want {
				t.Errorf("field %d is %d, want %d", tt.field, got, tt.want)
			}
		})
	}
}

// Of lines with more fields the first 18 are read, and the lines counted, unless
// they are of the Alea simulator's extended format: 21 fields, the 19th a list
// in braces. Blanks and a remark may stand behind the fields.
func TestExtraFields(t *testing.T) {
	plain := strings.TrimSpace(job(1, "0"))
	l := parse(t, plain+" {1241,1241} q_2w 1:ppn=12\n"+plain+" ; remark\n"+plain+" \t\v\f\n"+strings.Replace(plain, " 60 ", " +60 ", 1)+" x\n"+
		plain+" 7 8 9\n"+plain+" \x01\n"+plain+strings.Repeat(" x", 18)+"\n"+plain+" ; 1 2 3\n")
	if len(l.Records) != 8 || l.ExtraFields.Count != 4 || !slices.Equal(l.ExtraFields.Lines, []int{4, 5, 6, 7}) || len(l.Alea) != 8 {
		t.Errorf("%d records, extra fields %+v", len(l.Records), l.ExtraFields)
	}
}

// Whatever byte a line feed between two jobs was damaged to, and where it is
// gone, no job is lost unsaid: the line is named, or both jobs are read.
func TestDamagedLineFeed(t *testing.T) {
	one, two := strings.TrimSpace(job(1, "7")), strings.TrimSpace(job(1, "8", 2, "60"))
	said := map[string]int{}
	for c := range 257 {
		between := ""
		if c < 256 {
			between = string([]byte{byte(c)})
		}
		l, err := swf.Parse([]byte(job(1, "6") + one + between + two + "\n" + job(1, "9", 2, "70")))
		if err != nil { // NUL: a binary file
			said["refused"]++
			continue
		}
		switch {
		case len(l.Records) == 4 && l.Malformed == 0:
			said["read"]++
		case len(l.Records) == 2 && l.Malformed == 1 && l.Problems[0].Line == 2 && l.Problems[0].What != "":
			said["named"]++
			if strings.Contains(l.Problems[0].What, "another job stands behind the first one") {
				said["as two jobs"]++
			}
		default:
			t.Errorf("%q: %d records, %d damaged lines %v, extra %+v", between, len(l.Records), l.Malformed, l.Problems, l.ExtraFields)
		}
	}
	// Line ends; blanks, digits and a point, with which the fields are numbers, and nothing at all.
	if said["read"] != 2 || said["as two jobs"] != 4+10+1+1 || said["refused"] != 1 {
		t.Errorf("%v", said)
	}
	lost := strings.TrimSpace(job(1, "1")) + " " + strings.TrimSpace(job(1, "2")) + " " + strings.TrimSpace(job(1, "3"))
	if l := parse(t, job(1, "0")+lost+"\n"); len(l.Records) != 1 || l.Malformed != 1 || !strings.HasPrefix(l.Problems[0].What, "54 fields, 18 expected: another job") {
		t.Errorf("%d records, %v", len(l.Records), l.Problems)
	}
}

// Where one byte of a log is changed, lost or doubled, no job is lost unsaid: as
// many jobs are missing as damaged lines account for, two for a lost line end.
// (A semicolon alone makes a comment of what it begins.)
func TestOneDamagedByte(t *testing.T) {
	field := rapid.OneOf(rapid.Just("-1"), rapid.StringMatching(`[0-9]{1,6}`), rapid.StringMatching(`[0-9]{1,4}\.[0-9]{1,2}`))
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "jobs")
		var b strings.Builder
		for i := range n {
			fmt.Fprint(&b, i+1)
			for range swf.Fields - 1 {
				b.WriteString(" " + field.Draw(t, "field"))
			}
			b.WriteString(rapid.SampledFrom([]string{"", " ", "\t ", " ; a remark", " {3,3} q 1:ppn=2"}).Draw(t, "behind") + "\n")
		}
		text := []byte(b.String())
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		if ends := rapid.Bool().Draw(t, "at a line end"); ends {
			for text[at] != '\n' {
				at++
			}
		}
		c := rapid.Byte().Filter(func(c byte) bool { return c != ';' }).Draw(t, "byte")
		switch rapid.IntRange(0, 2).Draw(t, "how") {
		case 0:
			text[at] = c
		case 1:
			text = slices.Delete(text, at, at+1)
		case 2:
			text = slices.Insert(text, at, c)
		}
		l, err := swf.Parse(text)
		if err != nil {
			return // no log any more, and it is said
		}
		if len(l.Records)+2*l.Malformed < n || len(l.Problems) != l.Malformed {
			t.Fatalf("%d of %d jobs, %d damaged lines %v, extra fields %+v:\n%s", len(l.Records), n, l.Malformed, l.Problems, l.ExtraFields, text)
		}
	})
}

// Jobs out of submit order stay in the order of the file and are counted, with
// five example lines.
func TestUnsorted(t *testing.T) {
	l := parse(t, job(2, "10")+job(2, "5")+job(2, "5")+job(2, "-1")+strings.Repeat(job(2, "9")+job(2, "8"), 6))
	if l.Unsorted.Count != 8 || !slices.Equal(l.Unsorted.Lines, []int{2, 4, 6, 8, 10}) {
		t.Errorf("unsorted is %+v", l.Unsorted)
	}
	if l.Records[1].SubmitTime != 5 || l.Records[1].Line != 2 {
		t.Errorf("second record is %+v", l.Records[1])
	}
}

// Line ends may be LF, CRLF or CR, with a byte order mark before them: the
// same records on the same lines.
func TestLineEnds(t *testing.T) {
	text := "; Version: 2.2\n; MaxProcs: 8\n\n" + job() + "\n; between\n" + job(4, "x") + job(1, "2")
	for _, end := range []string{"\n", "\r\n", "\r"} {
		for _, mark := range []string{"", "\ufeff"} {
			l := parse(t, mark+strings.ReplaceAll(text, "\n", end))
			if len(l.Records) != 2 || l.Records[0].Line != 4 || l.Records[1].Line != 8 || l.Problems[0].Line != 7 {
				t.Errorf("end %q: records %+v, problems %v", end, l.Records, l.Problems)
			}
			if l.Header.MaxProcs != 8 || l.Header.Version != "2.2" || len(l.Comments) != 1 || l.Comments[0].Before != 1 {
				t.Errorf("end %q: header %+v, comments %v", end, l.Header, l.Comments)
			}
		}
	}
}

// Of the problems the first 1,000 are listed and all are counted.
func TestManyProblems(t *testing.T) {
	l := parse(t, "; Version: 2.2\n"+strings.Repeat(job(4, "x"), 1500)+job())
	if len(l.Problems) != 1000 || l.Malformed != 1500 || l.Problems[999].Line != 1001 || l.Problems[999].What == "" {
		t.Errorf("%d problems listed, %d counted, last %v", len(l.Problems), l.Malformed, l.Problems[len(l.Problems)-1])
	}
	if l.Lines() != 1501 || l.Records[0].Line != 1502 {
		t.Errorf("%d lines, record %+v", l.Lines(), l.Records[0])
	}
}

// A file that is no log at all is named for what it looks like.
func TestNotALog(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"empty", "", "swf: the file is empty"},
		{"only blank lines", "\n \r\n\t\n", "swf: the file is empty"},
		{"gzip", "\x1f\x8b\x08\x00", "swf: this is a gzip file that was not unpacked"},
		{"zip", "PK\x03\x04....", "swf: this is a zip archive: unpack it first"},
		{"NUL bytes", "\x7fELF\x02\x01\x00\x00", "swf: this is a binary file, not a workload log (it holds NUL bytes)"},
		{"UTF-16", "\xff\xfe;\x00 \x00", "swf: this is UTF-16 text: save it as plain text (UTF-8) first"},
		{"HTML", "\n<!DOCTYPE html>\n<p>404", "swf: this looks like HTML, a web page instead of the log it may link to"},
		{"XML", "<?xml version='1.0'?><platform/>", "swf: this looks like XML, not like a workload log"},
		{"JSON", `{"a": 1}`, "swf: this looks like JSON, not like a workload log"},
		{"a Batsim workload", `{"nb_res": 4, "jobs": [], "profiles": {}}`, "swf: this looks like JSON, a Batsim workload; Batchlab reads logs in Standard Workload Format"},
		{"an experiment", `{"batchlab": 1}`, "swf: this looks like JSON, a Batchlab experiment, not like a workload log"},
		{"CSV", "job_id,submit,run\n1,2,3\n", `swf: line 1: this looks like CSV (values separated by ","); a workload log has 18 numbers separated by blanks`},
		{"CSV of numbers with semicolons", "1;2;3;4\n5;6;7;8\n", `swf: line 1: this looks like CSV (values separated by ";"); a workload log has 18 numbers separated by blanks`},
		{"prose", "Dear Sir,\nplease find enclosed\n", `swf: line 1: this is not a workload log: 18 numbers are expected, but it begins with "Dear Sir,"`},
	}
	for _, tt := range tests {
		if l, err := swf.Parse([]byte(tt.data)); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, %v, want %s", tt.name, l, err, tt.want)
		}
	}
}

// A log all of whose lines are damaged is still a log: the problems say what
// is wrong, and so is one with a header alone, or without any.
func TestStillALog(t *testing.T) {
	for _, text := range []string{"; Version: 2.2\nhello\n", "1 2 3\n", "; Version: 2.2", ";\n"} {
		if l := parse(t, text); len(l.Records) != 0 {
			t.Errorf("%q has records %v", text, l.Records)
		}
	}
	if l := parse(t, job()); len(l.Header.Text) != 0 || len(l.Header.Fields) != 0 || len(l.Records) != 1 {
		t.Errorf("a log without a header is read as %+v", l)
	}
}

// Lines fetches the text around a line, numbered as Parse numbers them.
func TestLines(t *testing.T) {
	data := []byte("\ufeffone\r\ntwo\rthr\xe9e\n\nfive")
	got := swf.Lines(data, 3, 1)
	want := []swf.Line{{2, "two"}, {3, "thrée"}, {4, ""}}
	if !slices.Equal(got, want) {
		t.Errorf("lines are %v, want %v", got, want)
	}
	if got := swf.Lines(data, 5, 2); len(got) != 3 || got[2] != (swf.Line{Number: 5, Text: "five"}) {
		t.Errorf("last lines are %v", got)
	}
	for _, n := range []int{-1, 0, 6, 100} {
		if got := swf.Lines(data, n, 2); got != nil {
			t.Errorf("line %d is %v", n, got)
		}
	}
}
