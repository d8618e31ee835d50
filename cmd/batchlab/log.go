package main

import (
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

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// maxLog bounds an unpacked log; the largest in use have 42 MB.
const maxLog = 4 << 30

// logFile is a log as it was read.
type logFile struct {
	path   string
	ref    experiment.Log
	log    *swf.Log
	parseS float64 // seconds from packed bytes to records
}

// readLog reads and parses a log, packed or not. Errors name the file.
func readLog(path string) (*logFile, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	began := time.Now()
	if swf.IsGzip(data) {
		if data, err = swf.Gunzip(data, maxLog); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	log, err := swf.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	l := &logFile{path: path, log: log, parseS: time.Since(began).Seconds()}
	sum := sha256.Sum256(data)
	name := strings.TrimSuffix(filepath.Base(path), ".gz")
	l.ref = experiment.Log{Name: name, SHA256: hex.EncodeToString(sum[:]), Size: int64(len(data))}
	return l, nil
}

// mayBeMalformed is the share of lines that may be damaged before a log is
// refused; the page asks at the same point.
const mayBeMalformed = 0.01

// checkMalformed notes damaged lines on stderr, and refuses a log with too
// many of them unless it is told to skip them.
func (l *logFile) checkMalformed(skip bool, stderr io.Writer) error {
	if l.log.Malformed == 0 {
		return nil
	}
	var b strings.Builder
	for i, p := range l.log.Problems {
		if i == 10 {
			fmt.Fprintf(&b, "  … and %d more\n", l.log.Malformed-i)
			break
		}
		fmt.Fprintf(&b, "  %s: %s\n", l.path, p)
	}
	if share := float64(l.log.Malformed) / float64(l.log.Lines()); share > mayBeMalformed && !skip {
		return fmt.Errorf("%s: %d of %d lines are damaged, more than 1 %%; go on without them by --skip-malformed\n%s",
			l.path, l.log.Malformed, l.log.Lines(), strings.TrimRight(b.String(), "\n"))
	}
	fmt.Fprintf(stderr, "%s: %d of %d lines are damaged and were left out\n%s", l.path, l.log.Malformed, l.log.Lines(), b.String())
	return nil
}

// noteCleaning prints what cleaning did, a line for each reason.
func noteCleaning(stderr io.Writer, path string, c report.Cleaning) {
	for _, n := range c.Counts {
		if n.Jobs == 0 {
			continue
		}
		lines := ""
		for i, l := range n.Lines {
			if i > 0 {
				lines += ", "
			}
			lines += fmt.Sprint(l)
		}
		if lines != "" {
			lines = " (line " + lines + ")"
			if len(n.Lines) < n.Jobs {
				lines = strings.TrimSuffix(lines, ")") + ", …)"
			}
		}
		fmt.Fprintf(stderr, "%s: %d jobs: %s%s\n", path, n.Jobs, n.Text, lines)
	}
}

// explain adds the way out to an error of making a workload.
func explain(path string, err error) error {
	if errors.Is(err, workload.ErrNoMachineSize) {
		return fmt.Errorf("%s: %w (--processors N)", path, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}
