package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/report"
	"batchlab/core/swf"
)

const useRun = "EXPERIMENT.json [--log FILE]... [--needs FILE.csv] [--out DIR]"

// runExperiment runs an experiment document.
func runExperiment(args []string, stdout, stderr io.Writer) int {
	f := newFlags("run", useRun, "Runs an experiment document, as the page downloads it; - is standard input.")
	paths := f.files("log", "A log, packed with gzip or not; the one that the experiment names is found by its SHA-256. May be given several times.")
	needs := f.text("needs", "FILE.csv", "", "Deadlines and licences of single jobs, if the experiment names such a file.")
	out := f.text("out", "DIR", "", "Folder for experiment.json, summary.csv, of a grid providers.csv, and jobs-NN-KEY-REPETITION.csv of each run.")
	skip := f.toggle("skip-malformed", "Go on although more than 1 % of a log's lines are damaged.")
	rest, status, ok := f.parse(args, stdout, stderr)
	if !ok {
		return status
	}
	if len(rest) != 1 {
		return fail(stderr, errors.New("run: which experiment? batchlab run "+useRun))
	}
	e, err := readExperiment(rest[0])
	if err != nil {
		return fail(stderr, err)
	}
	if strings.Contains(rest[0], "#x=") {
		rest[0] = "the link" // in messages
	}
	logs, err := readLogs(*paths, *skip, stderr)
	if err != nil {
		return fail(stderr, err)
	}
	var log *logFile
	if want := e.Workload.Source.Log; want != nil {
		if log, err = logs.file(*want); err != nil {
			return fail(stderr, fmt.Errorf("%s: %w", rest[0], err))
		}
	}
	for _, l := range logs {
		if l != log {
			fmt.Fprintf(stderr, "%s: not used: the experiment does not name it\n", l.path)
		}
	}
	if *out != "" {
		if err := os.MkdirAll(*out, 0o777); err != nil {
			return fail(stderr, err)
		}
	}
	result := ran{Title: e.Title, Identity: e.Identity(), Runs: []oneRun{}}
	prog := newProgress(stderr)
	var trace tracer
	env := lab.Env{Log: logs.find, File: func(want experiment.Log) ([]byte, error) { return readNeeds(*needs, want) }}
	rep, err := lab.Run(e, env, lab.Options{Now: seconds, Progress: prog.show, Columns: *out != ""}, func(id lab.RunID, p *lab.Prepared, r *lab.Result) error {
		prog.end()
		trace.add(r)
		if id == (lab.RunID{}) {
			w, clean, err := p.Workload(0)
			if err != nil {
				return err
			}
			if result.Cleaning = cleaned(clean); log != nil {
				noteCleaning(stderr, log.path, clean)
			}
			noteLogged(stderr, e, w)
			if result.Reaction, err = p.Reaction(0); err != nil {
				return err
			}
			noteReaction(stderr, result.Reaction)
		}
		if *out == "" {
			return nil
		}
		name := filepath.Join(*out, fmt.Sprintf("jobs-%02d-%s-%d.csv", id.Scheduler+1, r.Report.Key, id.Repetition))
		noteNoProcessors(stderr, name, r)
		err := writeJobs(name, p, r)
		r.Report.Columns, r.Report.Licences = report.Columns{}, nil // not kept until the last run
		return err
	})
	prog.end()
	if err != nil {
		if log != nil {
			err = log.explain(err, e, "platform.processors in the experiment")
		}
		return fail(stderr, fmt.Errorf("%s: %w", rest[0], err))
	}
	result.add(e, rep)
	result.Engine, result.Link = experiment.Engine, trace.link(e, rep.Digest)
	if e.Expect != "" {
		same := e.Expect == rep.Digest
		result.Expected, result.Reproduced = e.Expect, &same
		if !same {
			fmt.Fprintf(stderr, "%s: not reproduced: the digest is %s, expected was %s\n", rest[0], rep.Digest, e.Expect)
			labels := func(i int) string { return fmt.Sprintf("%s, repetition %d", rep.Runs[i].Label, rep.Runs[i].Repetition) }
			if result.Difference = trace.parted(e, labels); result.Difference != "" {
				fmt.Fprintf(stderr, "%s: %s\n", rest[0], result.Difference)
			}
		}
	}
	if *out != "" {
		if err := writeReport(*out, rest[0], e, rep); err != nil {
			return fail(stderr, err)
		}
	}
	return printJSON(stdout, stderr, result)
}

// writeJobs writes jobs.csv of a run that has columns.
func writeJobs(name string, p *lab.Prepared, r *lab.Result) error {
	table, err := p.Executions(r)
	if err != nil {
		return err
	}
	return os.WriteFile(name, table.CSV(), 0o666)
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
		fmt.Fprintf(stderr, "react: of %d jobs nobody knows when they ended: nothing depends on them\n", r.NoEnd)
	}
}

// ran is what run prints.
type ran struct {
	Title      string              `json:"title"`
	Identity   string              `json:"identity"` // SHA-256 of the canonical document
	Digest     string              `json:"digest"`
	Engine     string              `json:"engine"`
	Link       string              `json:"link"` // the part of an address, from "#" on, that opens this in the page
	Expected   string              `json:"expected,omitempty"`
	Reproduced *bool               `json:"reproduced,omitempty"` // only with an expected digest
	Difference string              `json:"difference,omitempty"` // where the result parts from the expected one
	Cleaning   cleaning            `json:"cleaning"`             // of repetition 0
	Reaction   *report.Reaction    `json:"reaction,omitempty"`   // of users who react, repetition 0
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
	Params     map[string]any     `json:"params"` // of the scheduler, without what is not set
	Metrics    map[string]float64 `json:"metrics"`
	Simulate   float64            `json:"simulate_s"`
	Providers  []report.Provider  `json:"providers,omitempty"` // of a grid of several
	Optimised  *report.Optimised  `json:"optimised,omitempty"` // what the scheduler's optimiser did
}

func (r *ran) add(e *experiment.Experiment, rep *lab.Report) {
	r.Digest, r.Comparison = rep.Digest, rep.Comparison
	for _, one := range rep.Runs {
		r.Runs = append(r.Runs, oneRun{
			Scheduler: one.Scheduler, Key: one.Key, Label: one.Label, Repetition: one.Repetition, Jobs: one.Jobs,
			Processors: one.Processors, Workload: one.Workload, Params: printedParams(e.Schedulers[one.Scheduler].Params), Metrics: metrics(one), Simulate: one.Simulate, Providers: one.Providers, Optimised: one.Optimised,
		})
	}
}

// writeReport writes what --out asks for beside the jobs files. An experiment
// that was read from this very place stays as its author wrote it.
func writeReport(dir, read string, e *experiment.Experiment, rep *lab.Report) error {
	err := os.WriteFile(filepath.Join(dir, "summary.csv"), report.SummaryCSV(rep.Runs), 0o666)
	if table := report.ProvidersCSV(rep.Runs); err == nil && table != nil {
		err = os.WriteFile(filepath.Join(dir, "providers.csv"), table, 0o666)
	}
	path := filepath.Join(dir, "experiment.json")
	if err != nil || sameFile(path, read) {
		return err
	}
	return os.WriteFile(path, experiment.Encode(e), 0o666)
}

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
	return l.log, nil
}

// readNeeds reads the file of annotations that an experiment names.
func readNeeds(path string, want experiment.Log) ([]byte, error) {
	wanted := fmt.Sprintf("this experiment needs the file %s (%d bytes, SHA-256 %s)", want.Name, want.Size, want.SHA256)
	if path == "" {
		return nil, errors.New(wanted + ": --needs FILE.csv")
	}
	name, data, err := readFile(path, 64<<20)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != want.SHA256 {
		return nil, fmt.Errorf("%s\n  %s is another one: %d bytes, SHA-256 %x", wanted, name, len(data), sum)
	}
	return data, nil
}

// message returns the words of an experiment's error without its path.
func message(err error) string {
	var e experiment.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
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

// end clears the line.
func (p *progress) end() {
	if p.tty {
		fmt.Fprint(p.w, "\r      \r")
	}
}
