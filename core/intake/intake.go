// Package intake reads what batch systems and public traces keep of their jobs
// and makes a log of it: accounting of Slurm, PBS and LSF, published traces, and
// any table with columns for submission, start and end. One file a format, one
// row in Formats each.
//
// Names (of users, groups, accounts, queues, jobs, nodes) become numbers here, at
// the door: the log holds none of them. What a log in Standard Workload Format has
// no field for comes beside it, as Extra; what was understood, left out and
// assumed is in the Report.
package intake

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"batchlab/core/report"
	"batchlab/core/swf"
)

// Format is one kind of file.
type Format struct {
	Key  string // lower case, stable: files and command lines hold it
	Name string // for people
	// Sniff says whether a file that begins with these bytes is of this kind. Of
	// several that say so, the first row counts.
	Sniff func(head []byte) bool
	// Read hands every job of the file to the log.
	Read func(s *source, to *builder) error
	JSON bool // it begins with a bracket
}

// Formats are all kinds of files that are read beside SWF itself.
var Formats = []Format{
	{"sacct", "Slurm accounting (sacct -P)", sniffSacct, readSacct, false},
	{"sacct-json", "Slurm accounting (sacct --json)", sniffSacctJSON, readSacctJSON, true},
	{"pbs", "PBS, OpenPBS or Torque accounting", sniffPBS, readPBS, false},
	{"lsf", "LSF accounting (lsb.acct)", sniffLSF, readLSF, false},
	{"philly", "the Philly trace (JSON)", sniffPhilly, readPhilly, true},
	{"alcf", "ALCF job history (CSV)", sniffALCF, readALCF, false},
	{"openb", "Alibaba's openb pods (CSV)", sniffOpenb, readOpenb, false},
	{"csv", "a table with a column for each field (CSV)", sniffCSV, readCSV, false},
}

// Find returns the format with a key, nil for none.
func Find(key string) *Format {
	for i := range Formats {
		if Formats[i].Key == key {
			return &Formats[i]
		}
	}
	return nil
}

// Keys returns the keys of all formats.
func Keys() []string {
	var keys []string
	for i := range Formats {
		keys = append(keys, Formats[i].Key)
	}
	return keys
}

// headBytes is how much of a file a format is recognised by.
const headBytes = 64 << 10

// Recognise returns the format of a file, nil where no row knows it (an SWF file,
// for one).
func Recognise(data []byte) *Format {
	head := bytes.TrimLeft(text(data[:min(len(data), headBytes)]), " \t\r\n")
	if len(head) == 0 || head[0] == ';' {
		return nil // the header of a log in Standard Workload Format
	}
	json := head[0] == '{' || head[0] == '[' // one long line of which looks like a header
	for i := range Formats {
		if Formats[i].Sniff(head) && (!json || Formats[i].JSON) {
			return &Formats[i]
		}
	}
	return nil
}

// Options say how a file is to be read.
type Options struct {
	Format string // a key; "" recognises it
	// Offset returns how many seconds a clock on the wall is ahead of UTC when it
	// shows this many seconds since 1970-01-01 00:00. nil takes UTC, and the report
	// says so where that was assumed.
	Offset func(wall int64) int64
	// Columns of a table by what they hold: {"submit": "queued_at"}. Only the
	// format csv uses it; what is not named is recognised. Where there are some, a
	// file is of that format unless Format says otherwise.
	Columns map[string]string
}

// Result is what a file holds.
type Result struct {
	Log    *swf.Log // jobs in order of submission
	Extra  []Extra  // one for each record of the log
	Report report.Import
	Names  Names
}

// Extra is what the Standard Workload Format has no field for.
type Extra = swf.Extra

// Names are the names that numbers stand for.
type Names = swf.Names

// Read reads one or several files of one kind; a job that stands in more than one of
// them counts once. Errors say that a file is no file of that kind at all; rows that
// cannot be read are left out and listed.
func Read(o Options, files ...[]byte) (*Result, error) {
	var windows []*swf.Window
	for _, data := range files {
		windows = append(windows, swf.Whole(data))
	}
	return ReadPieces(o, windows...)
}

// ReadPieces is Read of files that come in pieces, of which as much is held at a time as
// one row needs: the result is the same whatever the pieces are. Besides, its error may
// be that of the pieces.
func ReadPieces(o Options, files ...*swf.Window) (*Result, error) {
	var b *builder
	empty := 0
	for _, w := range files {
		s := sourceOf(w)
		if s.isEmpty() && s.Err() == nil {
			empty++
			continue
		}
		f, err := formatOf(s.Head(headBytes+1), o)
		switch {
		case s.Err() != nil:
			return nil, s.Err()
		case err != nil:
			return nil, err
		case b == nil:
			b = newBuilder(f, o)
		case b.format != f:
			return nil, fmt.Errorf("intake: one file is of the kind %s and another of the kind %s; read them one by one", b.format.Key, f.Key)
		}
		b.room(s)
		err = f.Read(s, b)
		if s.Err() != nil {
			return nil, s.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Key, err)
		}
	}
	if b == nil && empty > 0 {
		return nil, errors.New("intake: the file is empty")
	}
	if b == nil {
		return nil, errors.New("intake: there is no file to read")
	}
	if empty > 0 {
		b.assume("Some files are empty", fmt.Sprintf("%d of them, in which nothing stands", empty), "", "")
	}
	return b.finish()
}

// formatOf is the format of a file that begins with these bytes, or says why there is none.
func formatOf(head []byte, o Options) (*Format, error) {
	if o.Format != "" {
		if f := Find(o.Format); f != nil {
			return f, nil
		}
		return nil, fmt.Errorf("intake: there is no format %q; there are %s", o.Format, strings.Join(Keys(), ", "))
	}
	if len(o.Columns) > 0 {
		return Find("csv"), nil
	}
	if f := Recognise(head); f != nil {
		return f, nil
	}
	if why := Hint(head); why != "" {
		return nil, errors.New("intake: " + why)
	}
	if t := Table(head, nil); t != nil {
		return nil, t
	}
	return nil, errors.New("intake: this file is of no kind that is known: its first lines say neither what its columns are nor whose accounting it is")
}

// unreadable are files that people bring and that are not read, by how they begin.
var unreadable = []struct{ begins, what string }{
	{"\x1f\x8b", "a gzip file: gunzip unpacks it"},
	{"PK\x03\x04", "a zip archive: unzip unpacks it"},
	{"BZh", "a bzip2 file: bunzip2 unpacks it"},
	{"\xfd7zXZ", "an xz file: unxz unpacks it"},
	{"\x28\xb5\x2f\xfd", "a zstd file: unzstd unpacks it"},
	{"PAR1", "a Parquet file, which duckdb -c \"copy (select * from 'jobs.parquet') to 'jobs.csv'\" turns into a table"},
}

// Hint says of a file that no format knows what it is and what to do, "" where that
// cannot be told.
func Hint(data []byte) string {
	for _, u := range unreadable {
		if bytes.HasPrefix(data, []byte(u.begins)) {
			return "this is " + u.what
		}
	}
	head := text(data[:min(len(data), 4<<10)])
	if bytes.Contains(head, []byte("JobID ")) && bytes.Contains(head, []byte("----")) {
		return "this is what sacct prints without -P, which cuts columns off: ask for sacct -P and name the columns"
	}
	if first, _ := line(bytes.TrimLeft(head, " \r\n")); noHeader(first) {
		return "this is accounting without the line that names its columns: ask sacct again without -n (--noheader)"
	}
	return ""
}

// noHeader says whether a line is a row of sacct -P: times and the state of a job.
func noHeader(row []byte) bool {
	probe, times, state := newBuilder(&Format{}, Options{}), 0, false
	for cell := range bytes.SplitSeq(row, []byte("|")) {
		if at, ok := probe.stamp(cell); ok && at > relative {
			times++
		}
		word, _, _ := bytes.Cut(cell, []byte(" "))
		_, known := states[string(word)]
		state = state || known
	}
	return times > 1 && state
}

// maxProblems bounds the faults that are listed, as in a log.
const maxProblems = 1000

// problem notes a row that could not be read and is left out.
func (b *builder) problem(line int, column, text, what string) {
	b.log.Malformed++
	if len(b.log.Problems) < maxProblems {
		b.log.Problems = append(b.log.Problems, report.Problem{Line: line, Name: column, Text: brief(text), What: what, Action: "row left out"})
	}
}

// brief cuts a text for a message.
func brief(s string) string { return clip(s, 60) }

// clip is at most so many characters of a text, and says where there were more.
func clip(s string, most int) string {
	s = strings.ToValidUTF8(s, "�")
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
