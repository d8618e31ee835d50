package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/paper"
	"batchlab/core/sweep"
)

const usePaper = "[KEY] [--log FILE]... [--quick] [--out DIR]"

// paperCommand lists the presets of the studies, or runs one and sets our
// numbers beside the paper's.
func paperCommand(args []string, stdout, stderr io.Writer) int {
	f := newFlags("paper", usePaper, "Lists the presets of the studies, or runs one and sets our numbers beside the paper's.")
	paths := f.files("log", "The log that the preset wants, packed with gzip or not. May be given several times.")
	quick := f.toggle("quick", "A smaller version for a first look.")
	out := f.text("out", "DIR", "", "Folder for experiment.json and result.json.")
	rest, status, ok := f.parse(args, stdout, stderr)
	if !ok {
		return status
	}
	if len(rest) == 0 {
		list := listed{Presets: []listedPreset{}}
		for _, p := range paper.Presets {
			list.Presets = append(list.Presets, listedPreset{p.Key, p.Study, p.Shows, p.Log})
		}
		return printJSON(stdout, stderr, list)
	}
	preset, err := findPreset(rest)
	if err != nil {
		return fail(stderr, err)
	}
	logs, err := readLogs(*paths, false, stderr)
	if err != nil {
		return fail(stderr, err)
	}
	if preset.Compute != nil {
		return computePaper(preset, logs, *quick, *out, stdout, stderr)
	}
	log := logs.named(preset.Log)
	if preset.Any && len(logs) > 0 {
		log = &logs[0].ref
	}
	switch {
	case log != nil || len(logs) == 0:
	case preset.Log == "":
		return fail(stderr, fmt.Errorf("paper: %s needs no log, but %s is given", preset.Key, logs[0].path))
	default:
		return fail(stderr, fmt.Errorf("paper: %s wants the log %s; %s is another one (its name would begin with that)", preset.Key, preset.Log, logs[0].path))
	}
	if preset.Sweep != nil {
		return runSweep(preset, log, logs, *quick, *out, stdout, stderr)
	}
	e, err := preset.Experiment(log, *quick)
	if err != nil {
		return fail(stderr, err)
	}
	prog := newProgress(stderr)
	rep, err := lab.Run(e, lab.Env{Log: logs.find}, lab.Options{Now: seconds, Progress: prog.show}, nil)
	prog.end()
	if err != nil {
		return fail(stderr, err)
	}
	result := papered{Key: preset.Key, Log: e.Workload.Source.Bundled, Digest: rep.Digest, Quick: *quick, Rows: rows(preset.Rows(rep.Runs, rep.Comparison))}
	if log != nil {
		result.Log = log.Name
	} else if preset.Log != "" {
		fmt.Fprintf(stderr, "%s wants %s; without it, it ran on the bundled workload %q, so numbers differ from the paper's\n", preset.Key, preset.Log, result.Log)
	}
	if *quick {
		noteQuick(stderr, preset)
	}
	if *out != "" {
		err := os.MkdirAll(*out, 0o777)
		if err == nil {
			err = writeResult(*out, "experiment.json", e, result)
		}
		if err != nil {
			return fail(stderr, err)
		}
	}
	return printJSON(stdout, stderr, result)
}

func noteQuick(stderr io.Writer, preset *paper.Preset) {
	fmt.Fprintf(stderr, "%s: a smaller version for a first look (--quick): numbers differ from the paper's\n", preset.Key)
}

// runSweep runs a preset of several experiments.
func runSweep(preset *paper.Preset, log *experiment.Log, logs logSet, quick bool, out string, stdout, stderr io.Writer) int {
	points, err := preset.Sweep.Points(log, quick)
	if err != nil {
		return fail(stderr, err)
	}
	prog := newProgress(stderr)
	results, digest, err := sweep.Run(points, lab.Env{Log: logs.find}, lab.Options{Now: seconds, Progress: prog.show})
	prog.end()
	if err != nil {
		return fail(stderr, err)
	}
	result := papered{Key: preset.Key, Digest: digest, Quick: quick, Rows: rows(preset.Sweep.Rows(results))}
	for i, label := range points[0].Experiment.Labels() {
		s := &points[0].Experiment.Schedulers[i]
		result.Schedulers = append(result.Schedulers, sweptScheduler{label, s.Key, printedParams(s.Params), s.Repeat})
	}
	if log != nil {
		result.Log = log.Name
	} else if preset.Any {
		result.Log = points[0].Experiment.Workload.Source.Bundled
		fmt.Fprintf(stderr, "%s takes any log with users; without one, it ran on the bundled workload %q, whose numbers have nothing to do with the paper's\n", preset.Key, result.Log)
	} else if preset.Log != "" {
		fmt.Fprintf(stderr, "%s wants %s; without it, it ran on generated jobs, whose numbers have nothing to do with the paper's\n", preset.Key, preset.Log)
	}
	if quick {
		noteQuick(stderr, preset)
	}
	if out != "" {
		if err := os.MkdirAll(out, 0o777); err != nil {
			return fail(stderr, err)
		}
		for i := range points {
			if err := writeResult(out, fmt.Sprintf("experiment-%02d.json", i+1), points[i].Experiment, result); err != nil {
				return fail(stderr, err)
			}
		}
	}
	return printJSON(stdout, stderr, result)
}

// findPreset returns the preset that the arguments name.
func findPreset(args []string) (*paper.Preset, error) {
	if len(args) > 1 {
		return nil, fmt.Errorf("paper: one preset at a time, not %s", strings.Join(args, " "))
	}
	if p := paper.Find(args[0]); p != nil {
		return p, nil
	}
	var keys []string
	for _, p := range paper.Presets {
		keys = append(keys, p.Key)
	}
	return nil, fmt.Errorf("paper: no preset %q%s (batchlab paper lists them)", args[0], catalog.DidYouMean(args[0], keys))
}

// writeResult writes what --out asks for.
func writeResult(dir, name string, e *experiment.Experiment, result papered) error {
	file, err := os.Create(filepath.Join(dir, "result.json"))
	if err != nil {
		return err
	}
	if printJSON(file, os.Stderr, result) != 0 {
		file.Close()
		return errors.New("result.json could not be written")
	}
	return errors.Join(file.Close(), os.WriteFile(filepath.Join(dir, name), experiment.Encode(e), 0o666))
}

// named returns the log whose file name begins with a name, or nil.
func (s logSet) named(name string) *experiment.Log {
	for _, l := range s {
		if name != "" && strings.HasPrefix(l.ref.Name, name) {
			return &l.ref
		}
	}
	return nil
}

type listed struct {
	Presets []listedPreset `json:"presets"`
}

type listedPreset struct {
	Key   string `json:"key"`
	Study string `json:"study"`
	Shows string `json:"shows"`
	Log   string `json:"log"`
}

type papered struct {
	Key    string `json:"key"`
	Log    string `json:"log"`
	Digest string `json:"digest"`
	Quick  bool   `json:"quick,omitempty"`
	// Schedulers of a sweep, with the parameters behind its rows.
	Schedulers []sweptScheduler `json:"schedulers,omitempty"`
	Rows       []row            `json:"rows"`
}

type sweptScheduler struct {
	Label  string         `json:"label"`
	Key    string         `json:"key"`
	Params map[string]any `json:"params"`
	Repeat int64          `json:"repeat"`
}

// row is a number of a table or figure; ours is null where the measure does not
// exist.
type row struct {
	Label  string   `json:"label"`
	Column string   `json:"column"`
	Ours   *float64 `json:"ours"`
	Half   *float64 `json:"half,omitempty"` // of the 95 % interval of ours
	Paper  *float64 `json:"paper"`
	Unit   string   `json:"unit"`
}

func rows(of []paper.Row) []row {
	list := make([]row, len(of))
	for i, r := range of {
		list[i] = row{Label: r.Label, Column: r.Column, Half: r.Half, Paper: r.Paper, Unit: r.Unit}
		if finite(r.Ours) {
			list[i].Ours = &of[i].Ours
		}
	}
	return list
}
