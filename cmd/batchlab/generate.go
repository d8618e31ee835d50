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

// generate writes a log made by a seeded model. It is the one command whose
// standard output is not JSON: it is the log.
func generate(c *call) action {
	row, args := takeModel(c.args)
	if row == nil {
		return c.refuse(noModel(c.use, args, c.stdout))
	}
	g, err := experiment.NewGenerator(row.Key)
	if err != nil {
		return c.refuse(err)
	}
	c.args, c.use, c.intro = args, strings.Replace(c.use, "MODEL", row.Key, 1), row.Help
	seed := c.whole("seed", "N", 1, 0, experiment.MaxInteger, "Seed of all randomness. (default 1)")
	draw := c.whole("draw", "N", 0, 0, math.MaxInt32, "Which log of this seed, from 0: the jobs of repetition N of an experiment. (default 0)")
	for i := range row.Params {
		p := &row.Params[i]
		c.add(p.Key, placeholder(p), describeParam(p), func(s string) error { return setText(g, p, s) })
	}
	return func(rest []string) (any, error) {
		if len(rest) > 0 {
			return nil, fmt.Errorf("generate: what is %q? Parameters are given as flags", rest[0])
		}
		params := make(map[string]any, len(g.Params))
		for _, p := range g.Params {
			params[p.Key] = p.Value
		}
		log, err := workload.GenerateSeeded(row.Key, params, uint64(*seed), int(*draw))
		if err != nil {
			return nil, fmt.Errorf("generate: %s", strings.TrimPrefix(err.Error(), "workload: "))
		}
		if _, err := c.stdout.Write(log.AppendExtended(nil)); err != nil {
			return nil, unwritten{err}
		}
		return nil, nil
	}
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
func noModel(use string, args []string, stdout io.Writer) error {
	models := "usage: batchlab generate " + use + "\n\nmodels:\n"
	for _, g := range catalog.Generators {
		models += fmt.Sprintf("  %-10s%s\n", g.Key, g.Help)
	}
	models += "\nbatchlab generate MODEL --help lists the flags of a model.\n"
	wrong, hint := "", ""
	for _, a := range args {
		switch {
		case a == "-h" || a == "-help" || a == "--help":
			fmt.Fprint(stdout, models)
			return status(0)
		case strings.HasPrefix(a, "-") || hint != "":
		default: // the first argument, unless a later one looks like a model
			hint = catalog.DidYouMean(a, catalog.GeneratorKeys())
			if wrong == "" || hint != "" {
				wrong = a
			}
		}
	}
	if wrong != "" {
		return fmt.Errorf("generate: no model %q%s (batchlab generate --help lists them)", wrong, hint)
	}
	return errors.New("generate: which model? batchlab generate " + strings.Join(catalog.GeneratorKeys(), "|"))
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
