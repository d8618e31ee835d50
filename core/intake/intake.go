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
	Read func(data []byte, to *builder) error
}

// Formats are all kinds of files that are read beside SWF itself.
var Formats = []Format{
	{"sacct", "Slurm accounting (sacct -P)", sniffSacct, readSacct},
	{"sacct-json", "Slurm accounting (sacct --json)", sniffSacctJSON, readSacctJSON},
	{"pbs", "PBS, OpenPBS or Torque accounting", sniffPBS, readPBS},
	{"lsf", "LSF accounting (lsb.acct)", sniffLSF, readLSF},
	{"philly", "the Philly trace (JSON)", sniffPhilly, readPhilly},
	{"alcf", "ALCF job history (CSV)", sniffALCF, readALCF},
	{"openb", "Alibaba's openb pods (CSV)", sniffOpenb, readOpenb},
	{"csv", "a table with a column for each field (CSV)", sniffCSV, readCSV},
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
	head := bytes.TrimLeft(bytes.TrimPrefix(data[:min(len(data), headBytes)], []byte("\ufeff")), " \t\r\n")
	if len(head) == 0 || head[0] == ';' {
		return nil // the header of a log in Standard Workload Format
	}
	for i := range Formats {
		if Formats[i].Sniff(head) {
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
	// format csv goes by it; what is not named is recognised.
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

// Names are the names that numbers stand for, in order from 1. They stay with
// whoever read the file.
type Names struct{ Users, Groups, Accounts, Queues, Partitions, QOS, Jobs []string }

// Read reads one or several files of one kind; a job that stands in more than one of
// them counts once. Errors say that a file is no file of that kind at all; rows that
// cannot be read are left out and listed.
func Read(o Options, files ...[]byte) (*Result, error) {
	var b *builder
	for _, data := range files {
		data = bytes.TrimPrefix(data, []byte("\ufeff"))
		f := Find(o.Format)
		if o.Format == "" {
			f = Recognise(data)
		}
		switch {
		case f == nil && o.Format != "":
			return nil, fmt.Errorf("intake: there is no format %q; there are %s", o.Format, strings.Join(Keys(), ", "))
		case f == nil:
			return nil, errors.New("intake: this file is of no kind that is known: its first line says neither what its columns are nor whose accounting it is")
		case b == nil:
			b = newBuilder(f, o)
		case b.format != f:
			return nil, fmt.Errorf("intake: one file is of the kind %s and another of the kind %s; read them one by one", b.format.Key, f.Key)
		}
		if err := f.Read(data, b); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Key, err)
		}
	}
	if b == nil {
		return nil, errors.New("intake: there is no file to read")
	}
	return b.finish()
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
func brief(s string) string {
	s = strings.ToValidUTF8(s, "�")
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
