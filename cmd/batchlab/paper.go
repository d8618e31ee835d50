package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/paper"
)

const usePaper = "[KEY] [--log FILE]... [--quick] [--document] [--out DIR] [--parallel N] [--shard I/N]"

// paperCommand lists the presets of the studies, or runs one and sets our
// numbers beside the paper's.
func paperCommand(args []string, stdout, stderr io.Writer) int {
	f := newFlags("paper", usePaper, "Lists the presets of the studies, or runs one and sets our numbers beside the paper's.")
	paths := f.files("log", "FILE", "The log that the preset wants, packed with gzip or not. May be given several times.")
	quick := f.toggle("quick", "A smaller version for a first look.")
	document := f.toggle("document", "Print the preset's experiment document instead of running it: for batchlab run, batchlab slurm, or the page.")
	out := f.text("out", "DIR", "", "Folder for experiment.json and result.json.")
	workers := f.parallel()
	part := f.shard()
	rest, status, ok := f.parse(args, stdout, stderr)
	if !ok {
		return status
	}
	if len(rest) == 0 {
		list := listed{Presets: []listedPreset{}}
		for _, p := range paper.Presets {
			list.Presets = append(list.Presets, listedPreset{p.Key, p.Study, p.Shows, p.Log, map[bool]string{true: "example", false: "whole"}[p.Compute != nil]})
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
	if preset.Compute == nil && !preset.Any && len(logs) > 0 && logs.named(preset.Log) == nil {
		if preset.Log == "" {
			return fail(stderr, fmt.Errorf("paper: %s needs no log, but %s is given", preset.Key, logs[0].path))
		}
		return fail(stderr, fmt.Errorf("paper: %s wants the log %s; %s is another one (its name would begin with that)", preset.Key, preset.Log, logs[0].path))
	}
	run := newPresetRun(preset, logs, *quick, int(*workers), newProgress(stderr))
	switch {
	case *document:
		return run.document(stdout, stderr)
	case part.of == 0:
		return runPreset(run, *out, stdout, stderr)
	case *out == "":
		return fail(stderr, errors.New("paper: --shard: --out DIR is missing: the folder that all shards have in common"))
	}
	return shardPreset(run, part, *out, stdout, stderr)
}

func noteQuick(stderr io.Writer, preset *paper.Preset) {
	fmt.Fprintf(stderr, "%s: a smaller version for a first look (--quick): numbers differ from the paper's\n", preset.Key)
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
	// Document is "whole" where --document prints all of the preset, so that it
	// gives the preset's digest, and "example" where the preset computes for itself.
	Document string `json:"document"`
}

type papered struct {
	Key    string `json:"key"`
	Log    string `json:"log"`
	Digest string `json:"digest"`
	experiment.Build
	Quick bool `json:"quick,omitempty"`
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
	From   *float64 `json:"from,omitempty"` // and To: that interval where it is not even about ours
	To     *float64 `json:"to,omitempty"`
	Paper  *float64 `json:"paper"`
	Unit   string   `json:"unit"`
}

func rows(of []paper.Row) []row {
	list := make([]row, len(of))
	for i, r := range of {
		list[i] = row{Label: r.Label, Column: r.Column, Half: r.Half, From: r.From, To: r.To, Paper: r.Paper, Unit: r.Unit}
		if finite(r.Ours) {
			list[i].Ours = &of[i].Ours
		}
	}
	return list
}
