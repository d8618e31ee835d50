package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"batchlab/core/experiment"
	"batchlab/core/mixed"
	"batchlab/core/paper"
	"batchlab/core/sweep"
)

// runPreset runs a preset on all processors of this computer.
func runPreset(preset *paper.Preset, logs logSet, quick bool, out string, stdout, stderr io.Writer) int {
	prog := newProgress(stderr)
	o := sweep.Options{Quick: quick, Workers: runtime.GOMAXPROCS(0), Now: seconds}
	o.Each = func(n int, work func(worker, item int) error, _ func(int) any) error {
		return each(o.Workers, n, work, func(done int) { prog.show(done, n) })
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
			result.Schedulers = append(result.Schedulers, sweptScheduler{label, s.Key, printedParams(s.Params), s.Repeat})
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

// each does n pieces of work on several workers and returns the error of the
// first piece that failed, by number. finished is told how many are done, by
// one worker at a time.
func each(workers, n int, work func(worker, item int) error, finished func(done int)) error {
	var next, done atomic.Int64
	var failed atomic.Bool
	var telling sync.Mutex
	errs := make([]error, n)
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = work(worker, i); errs[i] != nil {
					failed.Store(true)
				}
				telling.Lock()
				finished(int(done.Add(1)))
				telling.Unlock()
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
