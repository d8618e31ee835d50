package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"batchlab/core/mixed"
	"batchlab/core/paper"
)

// computePaper runs a preset that computes for itself, on all processors of
// this computer.
func computePaper(preset *paper.Preset, logs logSet, quick bool, out string, stdout, stderr io.Writer) int {
	prog := newProgress(stderr)
	in := paper.Input{Quick: quick, Workers: runtime.GOMAXPROCS(0)}
	in.Each = func(n int, work func(worker, item int) error) error {
		return each(in.Workers, n, work, func(done int) { prog.show(done, n) })
	}
	for _, l := range logs {
		in.Logs = append(in.Logs, paper.Log{Ref: l.ref, Log: l.log})
	}
	got, err := preset.Compute(in)
	prog.end()
	if err != nil {
		if errors.Is(err, mixed.ErrShort) {
			err = fmt.Errorf("%w (this study compares weeks, or months in figure 15)", err)
		}
		return fail(stderr, fmt.Errorf("%s: %w", preset.Key, err))
	}
	for _, note := range got.Notes {
		fmt.Fprintf(stderr, "%s: %s\n", preset.Key, note)
	}
	if quick {
		noteQuick(stderr, preset)
	}
	result := papered{Key: preset.Key, Log: got.Log, Digest: got.Digest, Quick: quick, Rows: rows(got.Rows)}
	if out != "" {
		err := os.MkdirAll(out, 0o777)
		if err == nil {
			err = writeResult(out, "experiment.json", got.Experiment, result)
		}
		if err != nil {
			return fail(stderr, err)
		}
	}
	return printJSON(stdout, stderr, result)
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
