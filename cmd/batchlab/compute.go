package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"

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
}

func newPresetRun(preset *paper.Preset, logs logSet, quick bool, workers int, prog *progress) *presetRun {
	p := &presetRun{preset: preset, quick: quick, workers: workers, prog: prog}
	for _, l := range logs {
		if l.unread == nil {
			p.logs = append(p.logs, paper.Log{Ref: l.ref, Log: l.log})
		}
	}
	return p
}

// each does pieces on all workers.
func (p *presetRun) each(n int, work func(worker, item int) error, _ func(int) any) error {
	p.prog.start("pieces", n, 0, p.workers)
	return each(p.workers, n, func(worker, item int) error {
		err := work(worker, item)
		p.prog.finished(worker, 1)
		return err
	}, func(int) {})
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
func (p *presetRun) document(stdout, stderr io.Writer) int {
	doc, whole, err := p.preset.Document(paper.Input{Logs: p.logs, Quick: p.quick})
	if err != nil {
		return fail(stderr, fmt.Errorf("%s: %w", p.preset.Key, err))
	}
	if !whole {
		fmt.Fprintf(stderr, "%s is a computation of its own; this is an experiment with its jobs, whose digest is another one\n", p.preset.Key)
	}
	if p.quick {
		noteQuick(stderr, p.preset)
	}
	if _, err := stdout.Write(experiment.Encode(doc)); err != nil {
		return fail(stderr, err)
	}
	return 0
}

// runPreset runs a preset on several cores.
func runPreset(p *presetRun, out string, stdout, stderr io.Writer) int {
	got, err := p.run(p.each)
	if err != nil {
		return fail(stderr, err)
	}
	return finishPreset(p, got, out, stdout, stderr)
}

// finishPreset says what there is to say of a preset that was run, and writes
// and prints its result.
func finishPreset(p *presetRun, got *sweep.Answer, out string, stdout, stderr io.Writer) int {
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

// shardPreset does one shard of the pieces that a preset falls into at first.
// What follows from them, steps that need the results of all included, is left
// to the merge.
func shardPreset(p *presetRun, part *shardFlag, dir string, stdout, stderr io.Writer) int {
	h := shard.Header{Command: "paper", Build: experiment.ThisBuild(), Identity: p.preset.Key, Logs: []string{}, Shard: part.i, Of: part.of, Options: plainJSON(paperOptions{p.quick})}
	document := paperDocument{Key: p.preset.Key, Logs: []experiment.Log{}}
	for _, l := range p.logs {
		h.Logs = append(h.Logs, l.Ref.SHA256)
		document.Logs = append(document.Logs, l.Ref)
	}
	slices.Sort(h.Logs)
	h.Document = plainJSON(document)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fail(stderr, err)
	}
	status, asked := 0, false
	_, err := p.run(func(n int, work func(worker, item int) error, result func(item int) any) error {
		asked = true
		h.Items = n
		status = doShard(dir, h, p.workers, p.prog, func(worker, item int) ([]byte, error) {
			if err := work(worker, item); err != nil {
				return nil, err
			}
			return json.Marshal(result(item))
		}, stdout, stderr)
		return paper.ErrCancelled
	})
	if err != nil {
		return fail(stderr, err)
	}
	if !asked { // nothing can be shared out
		fmt.Fprintf(stderr, "%s does not fall into pieces: batchlab merge computes it\n", p.preset.Key)
		return doShard(dir, h, 1, p.prog, nil, stdout, stderr)
	}
	return status
}

// mergePreset merges shards of a preset.
func mergePreset(set *shard.Set, logs logSet, dir string, workers int, prog *progress, stdout, stderr io.Writer) int {
	var document paperDocument
	var options paperOptions
	preset := paper.Find(set.Identity)
	if err := errors.Join(json.Unmarshal(set.Document, &document), json.Unmarshal(set.Options, &options)); err != nil || preset == nil {
		return fail(stderr, fmt.Errorf("%s: shards of the preset %q, which this version does not have", dir, set.Identity))
	}
	p := newPresetRun(preset, nil, options.Quick, workers, prog)
	for _, ref := range document.Logs {
		one := paper.Log{Ref: ref}
		if l, err := logs.file(ref); err == nil {
			one.Log = l.log
		} else if preset.Compute != nil { // the others need no more than the log's name
			return fail(stderr, fmt.Errorf("%s: %w", preset.Key, err))
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
		for item := range n {
			line, err := set.Next()
			if err != nil {
				return err
			}
			data, err := set.Read(line)
			if err != nil {
				return err
			}
			to := reflect.ValueOf(result(item)).Elem()
			to.SetZero()
			if json.Unmarshal(data, result(item)) != nil {
				return set.Damaged(item)
			}
		}
		_, err := set.Next()
		if err == io.EOF {
			err = nil
		}
		return err
	})
	if err != nil {
		return fail(stderr, err)
	}
	return finishPreset(p, got, dir, stdout, stderr)
}
