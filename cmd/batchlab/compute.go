package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"batchlab/core/experiment"
	"batchlab/core/mixed"
	"batchlab/core/paper"
	"batchlab/core/sweep"
)

// runPreset runs a preset on several cores.
func runPreset(preset *paper.Preset, logs logSet, quick bool, workers int, out string, stdout, stderr io.Writer) int {
	prog := newProgress(stderr)
	o := sweep.Options{Quick: quick, Workers: workers, Now: seconds}
	o.Each = func(n int, work func(worker, item int) error, _ func(int) any) error {
		prog.start("pieces", n, 0, o.Workers)
		return each(o.Workers, n, func(worker, item int) error {
			err := work(worker, item)
			prog.finished(worker, 1)
			return err
		}, func(int) {})
	}
	for _, l := range logs {
		o.Logs = append(o.Logs, paper.Log{Ref: l.ref, Log: l.log})
	}
	got, err := sweep.Preset(preset, o)
	prog.end()
	if err != nil {
		if errors.Is(err, mixed.ErrShort) {
			err = fmt.Errorf("%w (this study compares weeks, or months in figure 15)", err)
		}
		if preset.Compute != nil {
			err = fmt.Errorf("%s: %w", preset.Key, err)
		}
		return fail(stderr, err)
	}
	for _, note := range got.Notes {
		fmt.Fprintf(stderr, "%s: %s\n", preset.Key, note)
	}
	switch {
	case !got.StandIn || preset.Compute != nil:
	case preset.Any:
		fmt.Fprintf(stderr, "%s takes any log with users; without one, it ran on the bundled workload %q, whose numbers have nothing to do with the paper's\n", preset.Key, got.Log)
	case got.Sweep:
		fmt.Fprintf(stderr, "%s wants %s; without it, it ran on generated jobs, whose numbers have nothing to do with the paper's\n", preset.Key, preset.Log)
	default:
		fmt.Fprintf(stderr, "%s wants %s; without it, it ran on the bundled workload %q, so numbers differ from the paper's\n", preset.Key, preset.Log, got.Log)
	}
	if quick {
		noteQuick(stderr, preset)
	}
	result := papered{Key: preset.Key, Log: got.Log, Digest: got.Digest, Quick: quick, Rows: rows(got.Rows)}
	if got.Sweep {
		e := got.Experiments[0].Experiment
		for i, label := range e.Labels() {
			s := &e.Schedulers[i]
			result.Schedulers = append(result.Schedulers, sweptScheduler{label, s.Key, printedParams(*s), s.Repeat})
		}
	}
	if out != "" {
		if err := writePreset(out, got, result); err != nil {
			return fail(stderr, err)
		}
	}
	return printJSON(stdout, stderr, result)
}

// writePreset writes what --out asks for: result.json, and the experiments.
func writePreset(dir string, got *sweep.Answer, result papered) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(dir, "result.json"))
	if err != nil {
		return err
	}
	if printJSON(file, os.Stderr, result) != 0 {
		file.Close()
		return errors.New("result.json could not be written")
	}
	err = file.Close()
	for i, p := range got.Experiments {
		name := "experiment.json"
		if got.Sweep {
			name = fmt.Sprintf("experiment-%02d.json", i+1)
		}
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), experiment.Encode(p.Experiment), 0o666))
	}
	return err
}
