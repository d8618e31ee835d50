package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/paper"
)

// paperCommand lists the presets of the studies, or runs one and sets our
// numbers beside the paper's.
func paperCommand(args []string, stdout, stderr io.Writer) int {
	f := newFlags("paper", stderr)
	var paths files
	f.Var(&paths, "log", "the log that the preset wants; may be given several times")
	quick := f.Bool("quick", false, "a smaller version for a first look")
	out := f.String("out", "", "folder for experiment.json and result.json")
	rest, status, ok := parseFlags(f, args)
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
	preset := paper.Find(rest[0])
	if preset == nil || len(rest) > 1 {
		return fail(stderr, fmt.Errorf("paper: no preset %q: batchlab paper lists them", strings.Join(rest, " ")))
	}
	logs, err := readLogs(paths, false, stderr)
	if err != nil {
		return fail(stderr, err)
	}
	log := logs.named(preset.Log)
	if log == nil && len(logs) > 0 {
		return fail(stderr, fmt.Errorf("paper: %s wants the log %s; %s is another one", preset.Key, preset.Log, logs[0].path))
	}
	e, err := preset.Experiment(log, *quick)
	if err != nil {
		return fail(stderr, err)
	}
	prog := newProgress(stderr)
	rep, err := lab.Run(e, lab.Env{Log: logs.find}, lab.Options{Progress: prog.show}, nil)
	prog.end()
	if err != nil {
		return fail(stderr, err)
	}
	result := papered{Key: preset.Key, Log: e.Workload.Source.Bundled, Digest: rep.Digest, Quick: *quick, Rows: preset.Rows(rep.Runs, rep.Comparison)}
	if log != nil {
		result.Log = log.Name
	} else if preset.Log != "" {
		fmt.Fprintf(stderr, "%s wants %s; without it, it ran on the bundled workload %q, so numbers differ from the paper's\n", preset.Key, preset.Log, result.Log)
	}
	if *out != "" {
		err := os.MkdirAll(*out, 0o777)
		if err == nil {
			err = writeResult(*out, e, result)
		}
		if err != nil {
			return fail(stderr, err)
		}
	}
	return printJSON(stdout, stderr, result)
}

func writeResult(dir string, e *experiment.Experiment, result papered) error {
	file, err := os.Create(filepath.Join(dir, "result.json"))
	if err != nil {
		return err
	}
	if printJSON(file, os.Stderr, result) != 0 {
		file.Close()
		return errors.New("result.json could not be written")
	}
	return errors.Join(file.Close(), os.WriteFile(filepath.Join(dir, "experiment.json"), experiment.Encode(e), 0o666))
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
	Key    string      `json:"key"`
	Log    string      `json:"log"`
	Digest string      `json:"digest"`
	Quick  bool        `json:"quick,omitempty"`
	Rows   []paper.Row `json:"rows"`
}
