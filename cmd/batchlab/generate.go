package main

import (
	"fmt"
	"io"
	"strconv"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/workload"
)

// generate writes a log made by a seeded model. It is the one command whose
// standard output is not JSON: it is the log.
func generate(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 || catalog.FindGenerator(args[0]) == nil {
		fmt.Fprintln(stderr, "usage: batchlab generate MODEL [flags] > OUT.swf\n\nmodels:")
		for _, g := range catalog.Generators {
			fmt.Fprintf(stderr, "  %-10s %s\n", g.Key, g.Help)
		}
		if len(args) == 0 || args[0] == "-h" || args[0] == "--help" {
			return badInput
		}
		return fail(stderr, fmt.Errorf("generate: no model %q%s", args[0], catalog.DidYouMean(args[0], catalog.GeneratorKeys())))
	}
	row := catalog.FindGenerator(args[0])
	g, err := experiment.NewGenerator(row.Key)
	if err != nil {
		return fail(stderr, err)
	}
	f := newFlags("generate "+row.Key, stderr)
	seed := f.Uint64("seed", 1, "seed of all randomness")
	repetition := f.Int("repetition", 0, "repetition of the seed, from 0")
	for _, p := range row.Params {
		text := p.Help
		if p.Unit != "" {
			text += " [" + p.Unit + "]"
		}
		f.Func(p.Key, fmt.Sprintf("%s (default %v)", text, p.Default), func(s string) error {
			return setText(g, &p, s)
		})
	}
	rest, status, ok := parseFlags(f, args[1:])
	if !ok {
		return status
	}
	if len(rest) > 0 {
		return fail(stderr, fmt.Errorf("generate: what is %q? Flags begin with --", rest[0]))
	}
	if *repetition < 0 {
		return fail(stderr, fmt.Errorf("generate: --repetition %d: 0 or more is expected", *repetition))
	}
	params := make(map[string]any, len(g.Params))
	for _, p := range g.Params {
		params[p.Key] = p.Value
	}
	log, err := workload.GenerateSeeded(row.Key, params, *seed, *repetition)
	if err != nil {
		return fail(stderr, err)
	}
	if _, err := stdout.Write(log.Append(nil)); err != nil {
		fmt.Fprintln(stderr, "batchlab:", err)
		return 1
	}
	return 0
}

// setText sets a parameter from the text of a flag.
func setText(g *experiment.Generator, p *catalog.Param, s string) error {
	var value any = s
	var err error
	switch p.Type {
	case catalog.Int, catalog.Seconds:
		value, err = strconv.ParseInt(s, 10, 64)
	case catalog.Number:
		value, err = strconv.ParseFloat(s, 64)
	case catalog.Bool:
		value, err = strconv.ParseBool(s)
	}
	if err != nil {
		return fmt.Errorf("%q is not a number", s)
	}
	if err := g.SetParam(p.Key, value); err != nil {
		return fmt.Errorf("%s", message(err))
	}
	return nil
}
