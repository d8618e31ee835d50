package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/workload"
)

const useGenerate = "MODEL [flags] > OUT.swf"

// generate writes a log made by a seeded model. It is the one command whose
// standard output is not JSON: it is the log.
func generate(args []string, stdout, stderr io.Writer) int {
	row, args := takeModel(args)
	if row == nil {
		return noModel(args, stdout, stderr)
	}
	g, err := experiment.NewGenerator(row.Key)
	if err != nil {
		return fail(stderr, err)
	}
	f := newFlags("generate", strings.Replace(useGenerate, "MODEL", row.Key, 1), row.Help)
	seed := f.whole("seed", "N", 1, 0, experiment.MaxInteger, "Seed of all randomness. (default 1)")
	draw := f.whole("draw", "N", 0, 0, math.MaxInt32, "Which log of this seed, from 0: the jobs of repetition N of an experiment. (default 0)")
	for i := range row.Params {
		p := &row.Params[i]
		f.add(p.Key, placeholder(p), describeParam(p), func(s string) error { return setText(g, p, s) })
	}
	rest, status, ok := f.parse(args, stdout, stderr)
	if !ok {
		return status
	}
	if len(rest) > 0 {
		return fail(stderr, fmt.Errorf("generate: what is %q? Parameters are given as flags", rest[0]))
	}
	params := make(map[string]any, len(g.Params))
	for _, p := range g.Params {
		params[p.Key] = p.Value
	}
	log, err := workload.GenerateSeeded(row.Key, params, uint64(*seed), int(*draw))
	if err != nil {
		return fail(stderr, fmt.Errorf("generate: %s", strings.TrimPrefix(err.Error(), "workload: ")))
	}
	if _, err := stdout.Write(log.Append(nil)); err != nil {
		fmt.Fprintln(stderr, "batchlab:", err)
		return 1
	}
	return 0
}

// takeModel finds the model among the arguments, wherever it stands, and
// returns the others.
func takeModel(args []string) (*catalog.Generator, []string) {
	for i, a := range args {
		if row := catalog.FindGenerator(a); row != nil {
			return row, append(args[:i:i], args[i+1:]...)
		}
	}
	return nil, args
}

// noModel says which models there are.
func noModel(args []string, stdout, stderr io.Writer) int {
	models := "usage: batchlab generate " + useGenerate + "\n\nmodels:\n"
	for _, g := range catalog.Generators {
		models += fmt.Sprintf("  %-10s%s\n", g.Key, g.Help)
	}
	models += "\nbatchlab generate MODEL --help lists the flags of a model.\n"
	wrong, hint := "", ""
	for _, a := range args {
		switch {
		case a == "-h" || a == "-help" || a == "--help":
			fmt.Fprint(stdout, models)
			return 0
		case strings.HasPrefix(a, "-") || hint != "":
		default: // the first argument, unless a later one looks like a model
			hint = catalog.DidYouMean(a, catalog.GeneratorKeys())
			if wrong == "" || hint != "" {
				wrong = a
			}
		}
	}
	if wrong != "" {
		return fail(stderr, fmt.Errorf("generate: no model %q%s (batchlab generate --help lists them)", wrong, hint))
	}
	return fail(stderr, errors.New("generate: which model? batchlab generate "+strings.Join(catalog.GeneratorKeys(), "|")))
}

// setText sets a parameter of a generator from the text of a flag.
func setText(g *experiment.Generator, p *catalog.Param, s string) error {
	value, err := parseParam(p, s)
	if err != nil {
		return err
	}
	if err := g.SetParam(p.Key, value); err != nil {
		return errors.New(message(err))
	}
	return nil
}
