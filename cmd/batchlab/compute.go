package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"

	"batchlab/cmd/batchlab/shard"
	"batchlab/core/experiment"
	"batchlab/core/mixed"
	"batchlab/core/paper"
	"batchlab/core/sweep"
)

// presetRun is a preset that is run on several cores, in shards, or merged.
type presetRun struct {
	preset  *paper.Preset
	logs    []paper.Log
	quick   bool
	workers int
	prog    *progress
	stderr  io.Writer
}

func newPresetRun(preset *paper.Preset, logs logSet, quick bool, workers int, c *call) *presetRun {
	p := &presetRun{preset: preset, quick: quick, workers: workers, prog: newProgress(c.stderr), stderr: c.stderr}
	for _, l := range logs {
		if l.unread == nil {
			p.logs = append(p.logs, paper.Log{Ref: l.ref, Log: l.log})
		}
	}
	return p
}

// each does pieces on all workers.
func (p *presetRun) each(n int, work func(worker, item int) error, _ func(int) any) error {
	return p.prog.each("pieces", p.workers, n, work)
}

// run runs the preset with a function that has its pieces done.
func (p *presetRun) run(each func(n int, work func(worker, item int) error, result func(item int) any) error) (*sweep.Answer, error) {
	got, err := sweep.Preset(p.preset, sweep.Options{Logs: p.logs, Quick: p.quick, Workers: p.workers, Each: each, Now: seconds})
	p.prog.end()
	if err != nil {
		if errors.Is(err, mixed.ErrShort) {
			err = fmt.Errorf("%w (this study compares weeks, or months in figure 15)", err)
		}
		if p.preset.Compute != nil {
			err = fmt.Errorf("%s: %w", p.preset.Key, err)
		}
	}
	return got, err
}

// document prints the experiment behind a preset.
func (p *presetRun) document(stdout io.Writer) error {
	doc, whole, err := p.preset.Document(paper.Input{Logs: p.logs, Quick: p.quick})
	if err != nil {
		return fmt.Errorf("%s: %w", p.preset.Key, err)
	}
	if !whole {
		fmt.Fprintf(p.stderr, "%s is a computation of its own; this is an experiment with its jobs, whose digest is another one\n", p.preset.Key)
	}
	if p.quick {
		noteQuick(p.stderr, p.preset)
	}
	_, err = stdout.Write(experiment.Encode(doc))
	return err
}

// finish says what there is to say of a preset that was run, writes its result and
// returns it.
func (p *presetRun) finish(got *sweep.Answer, out string, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	stderr := p.stderr
	preset := p.preset
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
	if p.quick {
		noteQuick(stderr, preset)
	}
	result := papered{Key: preset.Key, Log: got.Log, Digest: got.Digest, Build: experiment.ThisBuild(), Quick: p.quick, Rows: rows(got.Rows)}
	if got.Sweep {
		e := got.Experiments[0].Experiment
		for i, label := range e.Labels() {
			s := &e.Schedulers[i]
			result.Schedulers = append(result.Schedulers, sweptScheduler{label, s.Key, printedParams(*s), s.Repeat})
		}
	}
	if out != "" {
		err = writePreset(out, got, result)
	}
	return result, err
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
	err = errors.Join(printJSON(file, result), file.Close())
	for i, p := range got.Experiments {
		name := "experiment.json"
		if got.Sweep {
			name = fmt.Sprintf("experiment-%02d.json", i+1)
		}
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), experiment.Encode(p.Experiment), 0o666))
	}
	if got.Sweep { // all of these as one
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, "experiment.json"), experiment.Encode(got.Document), 0o666))
	}
	return err
}

// paperDocument stands in the place of a document in shards of a preset.
type paperDocument struct {
	Key  string           `json:"key"`
	Logs []experiment.Log `json:"logs"`
}

// paperOptions is what shards of a preset agree in beside its key and logs.
type paperOptions struct {
	Quick bool `json:"quick"`
}

// shard does one shard of the pieces that a preset falls into at first.
// What follows from them, steps that need the results of all included, is left
// to the merge.
func (p *presetRun) shard(part *shardFlag, dir string) (any, error) {
	document := paperDocument{Key: p.preset.Key, Logs: []experiment.Log{}}
	for _, l := range p.logs {
		document.Logs = append(document.Logs, l.Ref)
	}
	h := headerOf("paper", p.preset.Key, document.Logs, part)
	h.Options, h.Document = plainJSON(paperOptions{p.quick}), plainJSON(document)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	var done any
	var failed error
	_, err := p.run(func(n int, work func(worker, item int) error, result func(item int) any) error {
		h.Items = n
		done, failed = doShard(dir, h, p.workers, p.prog, func(worker, item int) ([]byte, error) {
			if err := work(worker, item); err != nil {
				return nil, err
			}
			return json.Marshal(result(item))
		})
		return paper.ErrCancelled
	})
	if err == nil && done == nil && failed == nil { // nothing can be shared out
		fmt.Fprintf(p.stderr, "%s does not fall into pieces: batchlab merge computes it\n", p.preset.Key)
		done, failed = doShard(dir, h, 1, p.prog, nil)
	}
	return done, errors.Join(err, failed)
}

// mergePreset merges shards of a preset.
func mergePreset(c *call, set *shard.Set, logs logSet, dir string, workers int) (any, error) {
	var document paperDocument
	var options paperOptions
	preset := paper.Find(set.Identity)
	if err := errors.Join(json.Unmarshal(set.Document, &document), json.Unmarshal(set.Options, &options)); err != nil || preset == nil {
		return nil, fmt.Errorf("%s: shards of the preset %q, which this version does not have", dir, set.Identity)
	}
	p := newPresetRun(preset, nil, options.Quick, workers, c)
	for _, ref := range document.Logs {
		one := paper.Log{Ref: ref}
		if l, err := logs.file(ref); err == nil {
			one.Log = l.log
		} else if preset.Compute != nil { // the others need no more than the log's name
			return nil, fmt.Errorf("%s: %w", preset.Key, err)
		}
		p.logs = append(p.logs, one)
	}
	first := true
	got, err := p.run(func(n int, work func(worker, item int) error, result func(item int) any) error {
		if !first { // a step that needs the results of all
			return p.each(n, work, result)
		}
		if first = false; n != set.Items {
			return fmt.Errorf("%s: shards of %d pieces, the preset has %d", dir, set.Items, n)
		}
		return set.All(func(item int, data []byte) error {
			reflect.ValueOf(result(item)).Elem().SetZero()
			if json.Unmarshal(data, result(item)) != nil {
				return set.Damaged(item)
			}
			return nil
		})
	})
	return p.finish(got, dir, err)
}
