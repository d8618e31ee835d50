// Command batchlab simulates batch-job schedulers: the same core as the page,
// with the same digits. Every subcommand prints one JSON object on standard
// output, progress and notes on standard error, and exits with 0, or with 2
// and a message on bad input.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// command is one subcommand.
type command struct {
	name, use, help string
	run             func(args []string, stdout, stderr io.Writer) int
}

// commands are the subcommands in the order of the help.
var commands = []command{
	{"simulate", "--log FILE[.gz] --algorithm KEY [flags]", "one scheduler on one log", simulate},
	{"run", "EXPERIMENT.json [--log FILE]... [--out DIR]", "an experiment document", runExperiment},
	{"generate", "MODEL [flags] > OUT.swf", "a workload log from a seeded model", generate},
	{"serve", "[--addr 127.0.0.1:8080] [--data DIR] [--dist DIR]", "the page, on this computer", serve},
	{"paper", "[KEY] [--log FILE]... [--quick] [--out DIR]", "the studies' tables and figures", paperCommand},
}

func main() {
	if len(os.Args) > 1 {
		for _, c := range commands {
			if c.name == os.Args[1] {
				os.Exit(c.run(os.Args[2:], os.Stdout, os.Stderr))
			}
		}
		if os.Args[1] != "help" && os.Args[1] != "-h" && os.Args[1] != "--help" {
			fmt.Fprintf(os.Stderr, "batchlab: no command %q\n", os.Args[1])
		}
	}
	fmt.Fprintln(os.Stderr, "usage:")
	for _, c := range commands {
		fmt.Fprintf(os.Stderr, "  batchlab %-9s%s\n                    %s\n", c.name, c.use, c.help)
	}
	fmt.Fprintln(os.Stderr, "\nbatchlab COMMAND --help lists the flags of a command.")
	os.Exit(badInput)
}

// badInput is the exit status for input that cannot be used.
const badInput = 2

// fail prints an error and returns the exit status for it.
func fail(stderr io.Writer, err error) int {
	fmt.Fprintln(stderr, "batchlab:", err)
	return badInput
}

// printJSON prints the one object of a command.
func printJSON(stdout, stderr io.Writer, v any) int {
	e := json.NewEncoder(stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		fmt.Fprintln(stderr, "batchlab:", err)
		return 1
	}
	return 0
}

// newFlags returns a flag set that reports errors instead of exiting.
func newFlags(name string, stderr io.Writer) *flag.FlagSet {
	f := flag.NewFlagSet("batchlab "+name, flag.ContinueOnError)
	f.SetOutput(stderr)
	return f
}

// parseFlags parses flags that may stand before, between and after the
// positional arguments, which it returns. ok is false when the command is to
// end with the given status.
func parseFlags(f *flag.FlagSet, args []string) (positional []string, status int, ok bool) {
	for {
		if err := f.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, 0, false
			}
			return nil, badInput, false
		}
		if f.NArg() == 0 {
			return positional, 0, true
		}
		positional = append(positional, f.Arg(0))
		args = f.Args()[1:]
	}
}

// files is a flag that may be given several times.
type files []string

func (f *files) String() string     { return fmt.Sprint([]string(*f)) }
func (f *files) Set(s string) error { *f = append(*f, s); return nil }
