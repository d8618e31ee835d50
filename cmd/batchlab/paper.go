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

// paperCommand lists the presets of the studies, or runs one and sets our
// numbers beside the paper's.
func paperCommand(c *call) action {
	c.intro = "Lists the presets of the studies, or runs one and sets our numbers beside the paper's."
	paths := c.files("log", "FILE", "The log that the preset wants (repeatable).")
	quick := c.toggle("quick", "A smaller version for a first look.")
	document := c.toggle("document", "Print the preset's experiment document instead of running it: for batchlab run, batchlab slurm, or the page.")
	out := c.text("out", "DIR", "", "Folder for experiment.json and result.json.")
	workers, part := c.parallel(), c.shard()
	return func(rest []string) (any, error) {
		if len(rest) == 0 {
			list := listed{Presets: []listedPreset{}}
			for _, p := range paper.Presets {
				list.Presets = append(list.Presets, listedPreset{p.Key, p.Study, p.Shows, p.Log, map[bool]string{true: "example", false: "whole"}[p.Compute != nil]})
			}
			return list, nil
		}
		preset, err := findPreset(rest)
		if err != nil {
			return nil, err
		}
		logs, err := readLogs(*paths, false, c.stderr)
		switch {
		case err != nil:
			return nil, err
		case preset.Compute != nil || preset.Any || len(logs) == 0 || logs.named(preset.Log) != nil:
		case preset.Log == "":
			return nil, fmt.Errorf("paper: %s needs no log, but %s is given", preset.Key, logs[0].path)
		default:
			return nil, fmt.Errorf("paper: %s wants the log %s; %s is another one (its name would begin with that)", preset.Key, preset.Log, logs[0].path)
		}
		p := newPresetRun(preset, logs, *quick, int(*workers), c)
		switch {
		case *document:
			return nil, p.document(c.stdout)
		case part.of == 0:
			got, err := p.run(p.each)
			return p.finish(got, *out, err)
		case *out == "":
			return nil, errors.New("paper: --shard: " + noFolder)
		}
		return p.shard(part, *out)
	}
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
