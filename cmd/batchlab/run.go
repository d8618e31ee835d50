package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/report"
	"batchlab/core/swf"
)

// runExperiment runs an experiment document.
func runExperiment(args []string, stdout, stderr io.Writer) int {
	f := newFlags("run", stderr)
	var paths files
	f.Var(&paths, "log", "a log that the experiment names, found by its hash; may be given several times")
	out := f.String("out", "", "folder for summary.csv, experiment.json and a jobs file for each run")
	skip := f.Bool("skip-malformed", false, "go on although more than 1 % of a log's lines are damaged")
	rest, status, ok := parseFlags(f, args)
	if !ok {
		return status
	}
	if len(rest) != 1 {
		return fail(stderr, errors.New("run: which experiment? batchlab run EXPERIMENT.json [--log FILE]... [--out DIR]"))
	}
	e, err := readExperiment(rest[0])
	if err != nil {
		return fail(stderr, err)
	}
	logs, err := readLogs(paths, *skip, stderr)
	if err != nil {
		return fail(stderr, err)
	}
	if *out != "" {
		if err := os.MkdirAll(*out, 0o777); err != nil {
			return fail(stderr, err)
		}
	}
	prog := newProgress(stderr)
	rep, err := lab.Run(e, lab.Env{Log: logs.find}, lab.Options{Now: seconds, Progress: prog.show}, func(id lab.RunID, p *lab.Prepared, r *lab.Result) error {
		if *out == "" {
			return nil
		}
		name := fmt.Sprintf("jobs-%02d-%s-%d.csv", id.Scheduler+1, r.Report.Key, id.Repetition)
		return os.WriteFile(filepath.Join(*out, name), lab.AppendJobsCSV(nil, r.Schedule), 0o666)
	})
	prog.end()
	if err != nil {
		return fail(stderr, fmt.Errorf("%s: %w", rest[0], err))
	}
	result := ran{Title: e.Title, Identity: e.Identity(), Digest: rep.Digest, Comparison: rep.Comparison}
	if e.Expect != "" {
		same := e.Expect == rep.Digest
		result.Expected, result.Reproduced = e.Expect, &same
	}
	for _, r := range rep.Runs {
		result.Runs = append(result.Runs, oneRun{
			Scheduler: r.Scheduler, Key: r.Key, Label: r.Label, Repetition: r.Repetition, Jobs: r.Jobs,
			Processors: r.Processors, Workload: r.Workload, Metrics: metrics(r), Simulate: r.Simulate,
		})
	}
	if *out != "" {
		err := errors.Join(
			os.WriteFile(filepath.Join(*out, "experiment.json"), experiment.Encode(e), 0o666),
			os.WriteFile(filepath.Join(*out, "summary.csv"), summaryCSV(rep), 0o666))
		if err != nil {
			return fail(stderr, err)
		}
	}
	return printJSON(stdout, stderr, result)
}

// ran is what run prints.
type ran struct {
	Title      string              `json:"title"`
	Identity   string              `json:"identity"` // SHA-256 of the canonical document
	Digest     string              `json:"digest"`
	Expected   string              `json:"expected,omitempty"`
	Reproduced *bool               `json:"reproduced,omitempty"` // only with an expected digest
	Runs       []oneRun            `json:"runs"`
	Comparison []report.Comparison `json:"comparison"`
}

type oneRun struct {
	Scheduler  int                `json:"scheduler"`
	Key        string             `json:"key"`
	Label      string             `json:"label"`
	Repetition int                `json:"repetition"`
	Jobs       int                `json:"jobs"`
	Processors int                `json:"processors"`
	Workload   string             `json:"workload"`
	Metrics    map[string]float64 `json:"metrics"`
	Simulate   float64            `json:"simulate_s"`
}

// readExperiment reads a document; "-" is standard input.
func readExperiment(path string) (*experiment.Experiment, error) {
	var data []byte
	var err error
	if path == "-" {
		data, err = io.ReadAll(io.LimitReader(os.Stdin, 1<<20))
	} else {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, err
	}
	e, err := experiment.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return e, nil
}

// logSet is the logs given on the command line.
type logSet []*logFile

func readLogs(paths []string, skip bool, stderr io.Writer) (logSet, error) {
	var set logSet
	for _, path := range paths {
		l, err := readLog(path)
		if err != nil {
			return nil, err
		}
		if err := l.checkMalformed(skip, stderr); err != nil {
			return nil, err
		}
		set = append(set, l)
	}
	return set, nil
}

// find returns the log with the hash that an experiment names.
func (s logSet) find(want experiment.Log) (*swf.Log, error) {
	for _, l := range s {
		if l.ref.SHA256 == want.SHA256 {
			return l.log, nil
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

// summaryCSV has one line a run and a column a measure.
func summaryCSV(rep *lab.Report) []byte {
	var b strings.Builder
	b.WriteString("scheduler,key,label,repetition,workload,processors")
	for _, v := range rep.Runs[0].Metrics {
		b.WriteString("," + v.Key)
	}
	b.WriteByte('\n')
	for _, r := range rep.Runs {
		fmt.Fprintf(&b, "%d,%s,%q,%d,%s,%d", r.Scheduler, r.Key, r.Label, r.Repetition, r.Workload, r.Processors)
		for _, v := range r.Metrics {
			b.WriteByte(',')
			if v.Valid {
				b.WriteString(strconv.FormatFloat(v.Value, 'g', -1, 64))
			}
		}
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// message returns the words of an experiment's error without its path.
func message(err error) string {
	var e experiment.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

func visitName(given map[string]bool) func(*flag.Flag) {
	return func(f *flag.Flag) { given[f.Name] = true }
}

// progress shows one line that is written over, on terminals only.
type progress struct {
	w    io.Writer
	tty  bool
	last time.Time
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w}
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil {
			p.tty = info.Mode()&os.ModeCharDevice != 0
		}
	}
	return p
}

func (p *progress) show(done, total int) bool {
	if p.tty && time.Since(p.last) > 100*time.Millisecond {
		p.last = time.Now()
		fmt.Fprintf(p.w, "\r%3d %%", 100*done/max(1, total))
	}
	return true
}

func (p *progress) end() {
	if p.tty {
		fmt.Fprint(p.w, "\r      \r")
	}
}
