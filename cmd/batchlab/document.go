package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"batchlab/core/experiment"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// readExperiment reads a document or the long link to one; "-" is standard
// input. Errors name the file
// and the line.
func readExperiment(path string) (*experiment.Experiment, error) {
	if strings.Contains(path, "#x=") {
		return experiment.DecodeLink(path)
	}
	name, data, err := readFile(path, maxDocument)
	if err != nil {
		return nil, err
	}
	if swf.IsGzip(data) {
		return nil, fmt.Errorf("%s: this is a gzip file, not an experiment document; a log is given with --log", name)
	}
	e, err := experiment.Decode(data)
	var all experiment.Errors
	if !errors.As(err, &all) {
		return e, err
	}
	lines := make([]error, len(all))
	for i, fault := range all {
		where := ""
		if fault.Line > 0 && !strings.HasPrefix(fault.Message, "line ") {
			where = fmt.Sprintf("line %d: ", fault.Line)
		}
		lines[i] = fmt.Errorf("%s: %s%w", name, where, fault)
	}
	return nil, errors.Join(lines...)
}

// logSet is the logs given on the command line.
type logSet []*logFile

func readLogs(paths []string, skip bool, stderr io.Writer) (logSet, error) {
	var set logSet
	for _, path := range paths {
		l, err := readLog(path)
		if l == nil {
			return nil, err
		}
		if err == nil {
			if err := l.checkMalformed(skip, stderr); err != nil {
				return nil, err
			}
		}
		set = append(set, l)
	}
	return set, nil
}

// file returns the log with the hash that an experiment names.
func (s logSet) file(want experiment.Log) (*logFile, error) {
	for _, l := range s {
		if l.ref.SHA256 == want.SHA256 {
			return l, nil
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "this experiment needs the log %s (%d bytes unpacked, SHA-256 %s)", want.Name, want.Size, want.SHA256)
	for _, l := range s {
		fmt.Fprintf(&b, "\n  %s is another one: %d bytes, SHA-256 %s", l.path, l.ref.Size, l.ref.SHA256)
	}
	if len(s) == 0 {
		b.WriteString(": --log FILE")
	}
	return nil, errors.New(b.String())
}

// find is file for lab.Env.
func (s logSet) find(want experiment.Log) (*swf.Log, error) {
	l, err := s.file(want)
	if err != nil {
		return nil, err
	}
	if l.text == nil || want.Format == "" && want.Zone == "" && want.ColumnMap() == nil {
		return l.log, l.unread
	}
	log, err := workload.ParseAs(l.text, workload.Reading{Format: want.Format, Zone: want.Zone, Zones: zoneOf, Columns: want.ColumnMap()})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.path, err)
	}
	return log, nil
}

// zoneOf returns the offset of a named zone by Unix time, nil for one that is not
// known.
func zoneOf(name string) func(unix int64) int64 {
	place, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	return func(unix int64) int64 {
		_, ahead := time.Unix(unix, 0).In(place).Zone()
		return int64(ahead)
	}
}

// besides are the paths of files beside the log: what single jobs need, how long they
// are predicted to run, and what else the log has no field for.
type besides struct{ needs, predictions, extra []string }

// given returns these files, none of them read yet.
func (b besides) given() (list []*besideFile) {
	for _, path := range slices.Concat(b.needs, b.predictions, b.extra) {
		list = append(list, &besideFile{path: path})
	}
	return list
}

// fileReader returns what reads the files that an experiment names, each once. A
// file is found by its hash, under whichever flag it was given.
func fileReader(e *experiment.Experiment, given []*besideFile) func(experiment.Log) ([]byte, error) {
	return func(want experiment.Log) ([]byte, error) {
		wanted := fmt.Sprintf("this experiment needs the file %s (%d bytes, SHA-256 %s)", want.Name, want.Size, want.SHA256)
		if len(given) == 0 {
			return nil, errors.New(wanted + ": " + fileFlag(e, want) + " FILE.csv")
		}
		for _, f := range given {
			f.once.Do(f.read)
			if f.err != nil {
				return nil, f.err
			}
			if f.sum == want.SHA256 {
				return f.data, nil
			}
			wanted += fmt.Sprintf("\n  %s is another one: %d bytes, SHA-256 %s", f.name, len(f.data), f.sum)
		}
		return nil, errors.New(wanted)
	}
}

// fileFlag is the flag for a file, by where the experiment names it.
func fileFlag(e *experiment.Experiment, want experiment.Log) string {
	for _, f := range e.Files() {
		if f.File.SHA256 == want.SHA256 && strings.HasSuffix(f.Path, "predict.file") {
			return "--predictions"
		}
		if f.File.SHA256 == want.SHA256 && f.Path == "workload.extra" {
			return "--extra"
		}
	}
	return "--needs"
}

// besideFile is a file that is read once, when it is first asked for.
type besideFile struct {
	path string
	once sync.Once
	name string
	data []byte
	sum  string
	err  error
}

func (f *besideFile) read() {
	if f.name, f.data, f.err = readFile(f.path, 64<<20); f.err == nil {
		sum := sha256.Sum256(f.data)
		f.sum = hex.EncodeToString(sum[:])
	}
}

// message returns the words of an experiment's error without its path.
func message(err error) string {
	var e experiment.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}
