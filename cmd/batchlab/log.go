package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// Bounds of what is read; the largest logs in use have 42 MB of text.
const (
	maxLog      = 1 << 30 // packed and unpacked
	maxDocument = experiment.MaxFile
)

// logFile is a log as it was read.
type logFile struct {
	path   string // as it was given; "standard input" for -
	ref    experiment.Log
	log    *swf.Log
	parseS float64 // seconds from packed bytes to records
	text   []byte  // unpacked, where it is no log but something that a log is made of
	unread error   // why there is no log unless a document says how to read it
}

// readFile reads a file of at most limit bytes, or standard input for "-".
// Errors name the file once.
func readFile(path string, limit int64) (name string, data []byte, err error) {
	name = path
	f := os.Stdin
	if path == "-" {
		name = "standard input"
	} else if f, err = os.Open(path); err == nil {
		defer f.Close()
	}
	var b bytes.Buffer
	if err == nil {
		if info, unknown := f.Stat(); unknown == nil && info.Mode().IsRegular() {
			b.Grow(int(min(info.Size(), limit)) + bytes.MinRead)
		}
		_, err = b.ReadFrom(io.LimitReader(f, limit+1))
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	switch {
	case err != nil:
		return name, nil, fmt.Errorf("%s: %w", name, err)
	case int64(b.Len()) > limit:
		return name, nil, fmt.Errorf("%s: more than %d MB, which is too large", name, limit>>20)
	}
	return name, b.Bytes(), nil
}

// readLog reads and parses a log, packed or not. Errors name the file; with one about a
// table whose columns a document may tell, the file comes, too.
func readLog(path string) (*logFile, error) {
	name, data, err := readFile(path, maxLog)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if swf.IsGzip(data) {
		if data, err = swf.Gunzip(data, maxLog); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	log, err := workload.Parse(data)
	unknown := new(report.Table)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
		if !errors.As(err, &unknown) {
			return nil, err
		}
	}
	l := &logFile{path: name, log: log, parseS: time.Since(began).Seconds(), unread: err}
	if log == nil || log.Import != nil {
		l.text = data
	}
	sum := sha256.Sum256(data)
	l.ref = experiment.Log{Name: documentName(name), SHA256: hex.EncodeToString(sum[:]), Size: int64(len(data))}
	return l, err
}

// readJobs reads a log and cleans it as it is read: neither its text nor its records are
// kept. nil where that cannot be done, and readLog says why, if it cannot either.
func readJobs(path string, o workload.Options) (*logFile, *workload.Cleaned) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	began, size := time.Now(), info.Size()
	var text io.Reader = bufio.NewReaderSize(f, 1<<20)
	if head, _ := text.(*bufio.Reader).Peek(2); swf.IsGzip(head) {
		if text, err = gzip.NewReader(text); err != nil {
			return nil, nil
		}
		size = 0
	}
	hash, count := sha256.New(), int64(0)
	text = io.TeeReader(text, io.MultiWriter(hash, counter{&count}))
	c, err := workload.ReadClean(swf.NewWindow(text, size), o)
	if err != nil {
		return nil, nil
	}
	l := &logFile{path: path, log: c.Log, parseS: time.Since(began).Seconds()}
	l.ref = experiment.Log{Name: documentName(path), SHA256: hex.EncodeToString(hash.Sum(nil)), Size: count}
	return l, c
}

// counter counts bytes.
type counter struct{ n *int64 }

func (c counter) Write(p []byte) (int, error) {
	*c.n += int64(len(p))
	return len(p), nil
}

// documentName makes the name of a file fit for an experiment document: without
// folder and .gz, without control characters, not too long.
func documentName(path string) string {
	name := filepath.Base(path)
	if plain := strings.TrimSuffix(name, ".gz"); plain != "" {
		name = plain
	}
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '_'
		}
		return r
	}, strings.ToValidUTF8(name, "_"))
	if r := []rune(name); len(r) > 200 {
		name = string(r[:200])
	}
	return name
}

// mayBeMalformed is the share of lines that may be damaged before a log is
// refused; the page asks at the same point.
const mayBeMalformed = 0.01

// checkMalformed notes damaged lines on stderr, and refuses a log with too
// many of them unless it is told to skip them.
func (l *logFile) checkMalformed(skip bool, stderr io.Writer) error {
	damaged, lines := l.log.Malformed, l.log.Lines()
	if damaged == 0 {
		return nil
	}
	var b strings.Builder
	for i, p := range l.log.Problems {
		if i == 10 {
			fmt.Fprintf(&b, "\n  … and %d more", damaged-i)
			break
		}
		fmt.Fprintf(&b, "\n  %s: %s", l.path, p)
	}
	switch {
	case damaged == lines:
		return fmt.Errorf("%s: none of the lines can be read%s", l.path, b.String())
	case float64(damaged)/float64(lines) > mayBeMalformed && !skip:
		return fmt.Errorf("%s: %d of %d lines are damaged, more than 1 %%; --skip-malformed goes on without them%s", l.path, damaged, lines, b.String())
	}
	fmt.Fprintf(stderr, "%s: %d of %d lines are damaged and were left out%s\n", l.path, damaged, lines, b.String())
	return nil
}

// noteCleaning prints what cleaning did, a line for each reason.
func noteCleaning(stderr io.Writer, path string, c report.Cleaning) {
	for _, line := range cleaningLines(path, c) {
		fmt.Fprintln(stderr, line)
	}
}

// cleaningLines words a cleaning report. Lines that could not be read are left
// to checkMalformed.
func cleaningLines(path string, c report.Cleaning) []string {
	var lines []string
	for _, n := range c.Counts {
		if n.Jobs > 0 && n.Reason != "malformed" {
			lines = append(lines, fmt.Sprintf("%s: %s: %s%s", path, plural(n.Jobs, "job"), n.Text, exampleLines(n)))
		}
	}
	return lines
}

// exampleLines names the first lines that a reason applied to: " (lines 3, 5, …)".
func exampleLines(n report.Count) string {
	if len(n.Lines) == 0 {
		return ""
	}
	s := " (line"
	if n.Jobs > 1 {
		s += "s"
	}
	for i, l := range n.Lines {
		if i > 0 {
			s += ","
		}
		s += fmt.Sprint(" ", l)
	}
	if len(n.Lines) < n.Jobs {
		s += ", …"
	}
	return s + ")"
}

// noteMissing says what the log does not state that predictors go by.
func noteMissing(stderr io.Writer, p *lab.Prepared) {
	for _, line := range p.Missing() {
		fmt.Fprintln(stderr, line)
	}
}

// noteLogged says so when the logged schedule is asked for and the log states
// no waits, or not all.
func noteLogged(stderr io.Writer, e *experiment.Experiment, w *model.Workload) {
	asked, unknown := false, 0
	for _, s := range e.Schedulers {
		row := catalog.FindScheduler(s.Key)
		asked = asked || row != nil && row.Logged
	}
	for i := range w.Truth {
		if w.Truth[i].LoggedWait < 0 {
			unknown++
		}
	}
	switch {
	case !asked || unknown == 0:
	case unknown == len(w.Truth):
		fmt.Fprintln(stderr, "as-logged: the log states no wait times, so every job starts when it is submitted")
	default:
		fmt.Fprintf(stderr, "as-logged: %d of %s have no wait time in the log and start when they are submitted\n", unknown, plural(len(w.Truth), "job"))
	}
}

// noteNoProcessors says so when a jobs file will hold no processor numbers.
func noteNoProcessors(stderr io.Writer, path string, r *lab.Result) {
	if one := r.Report; one.Logged && one.Jobs > 0 && len(one.Columns.Spans) == 0 {
		fmt.Fprintf(stderr, "%s: the logged schedule uses more than the %d processors, so allocated_resources is empty\n", path, one.Processors)
	}
}

// noteReaction says what users who react lack.
func noteReaction(stderr io.Writer, r *report.Reaction) {
	switch {
	case r == nil:
		return
	case r.Users == 0:
		fmt.Fprintln(stderr, "react: the workload names no users: nobody can react, every job is submitted when the log says")
	case !r.Reacts():
		fmt.Fprintln(stderr, "react: no user has more than one batch: nobody has anything to react to, every job is submitted when the log says")
	case r.Users == 1:
		fmt.Fprintln(stderr, "react: the workload has a single user: all of it waits for one person")
	}
	if r.Silent > 0 && r.Users > 0 {
		fmt.Fprintf(stderr, "react: %d jobs have no user and are submitted when the log says\n", r.Silent)
	}
	if r.Ends == "easy" {
		fmt.Fprintln(stderr, "react: when jobs ended is taken from a schedule by EASY, not from the log")
	} else if r.NoEnd > 0 {
		fmt.Fprintf(stderr, "react: %d jobs have no known end: nothing depends on them\n", r.NoEnd)
	}
}

// explain names the file in an error of making a workload, and the way out.
func (l *logFile) explain(err error, e *experiment.Experiment, howToGiveSize string) error {
	switch {
	case l.log == nil: // a document says how to read it
		return err
	case errors.Is(err, workload.ErrNoMachineSize):
		largest := ""
		if n := workload.LargestJob(l.log); n > 0 {
			largest = fmt.Sprintf("; its largest job asks for %d", n)
		}
		return fmt.Errorf("%s: %w (%s)%s", l.path, err, howToGiveSize, largest)
	case errors.Is(err, workload.ErrNoJobs):
		_, clean, _ := workload.Clean(l.log, workload.Options{
			Processors: e.Platform.Processors, Overrun: e.Workload.Clean.Overrun, Oversize: e.Workload.Clean.Oversize,
			NoRequest: e.Workload.Clean.NoRequest,
		})
		return errors.New(strings.Join(append([]string{fmt.Sprintf("%s: %s", l.path, err)}, cleaningLines(l.path, clean)...), "\n  "))
	}
	return fmt.Errorf("%s: %w", l.path, err)
}
