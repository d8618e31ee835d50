// Command batchlab simulates batch-job schedulers: the same core as the page,
// with the same digits. Every subcommand prints one JSON object on standard
// output (generate: the log), progress and notes on standard error, and exits
// with 0, or with 2 and a message on bad input. docs/command-line.md has every
// flag and field.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
)

// command is one subcommand. define defines its flags and returns what it does when they
// have been read.
type command struct {
	name, use, help string
	define          func(c *call) action
}

// call is one call of a command: its flags, and where it reads and writes.
type call struct {
	*flags
	args           []string // what was given
	stdin          io.Reader
	stdout, stderr io.Writer
}

// action does the work of a command; rest are the arguments that are no flags. What it
// returns is printed as the one JSON object of the command, nil where it has printed
// itself. An error is bad input, unless it is a status or unwritten.
type action func(rest []string) (any, error)

// status is an exit status of which all has been said.
type status int

func (s status) Error() string { return fmt.Sprint("exit status ", int(s)) }

// unwritten is an error for which no input is to blame: nothing could be written.
type unwritten struct{ error }

// runCommand is run, which episodes calls as well.
var runCommand = command{"run", "EXPERIMENT.json [--log FILE]... [--needs FILE.csv]... [--predictions FILE.csv]... [--extra FILE.csv]... [--out DIR] [--summary FILE.csv.gz] [--parallel N] [--shard I/N]", "an experiment document", runExperiment}

// commands are the subcommands in the order of the help.
var commands = []command{
	{"simulate", "--log FILE[.gz] --algorithm KEY [flags]", "one scheduler on one log", simulate},
	runCommand,
	{"episodes", "[--parallel N] < LINES", "many runs at once, decided by the program that started this", episodes},
	{"truth", "EXPERIMENT.json [--log FILE]... | ACCOUNTING... --conf slurm.conf [--qos FILE] [--accounts FILE] [--phases N] [--without] [--calibrate] [--out DIR] [--parallel N]", "schedulers beside what the log says happened", truthCommand},
	{"when", "EXPERIMENT.json --at TIME (--procs N --limit S [--user U] | --job N) [--squeue FILE] [--log FILE]... [--scheduler I] [--draws K] [--record N] [--every] [--rivals] [--within S]", "when one more job would start", whenCommand},
	{"search", "EXPERIMENT.json [--log FILE]... [--out DIR] [--parallel N] [--shard I/N]", "queue orders, window by window, as the page's tab Search does", searchCommand},
	{"merge", "DIR [--log FILE]... [--summary FILE.csv.gz] [--parallel N]", "puts the shards of run, search or paper together", merge},
	{"slurm", "EXPERIMENT.json [--log FILE]... --shards N --out DIR [-- SBATCH FLAGS]", "hands an experiment document to a cluster", slurm},
	{"import", "FILE[.gz]... [--format KEY] [--zone ZONE] [--conf slurm.conf] [--qos FILE] [--accounts FILE] --out DIR", "a log of a cluster's accounting, or of a public trace", importCommand},
	{"recorded", "DIR... [--out DIR]", "a recorded run of a real Slurm, played again", recordedCommand},
	{"check", "SCHEDULE.csv --case NAME [--as SCHEDULER]", "a schedule from elsewhere, beside a reference case", check},
	{"generate", "MODEL [flags] > OUT.swf", "a workload log from a seeded model", generate},
	{"serve", "[--addr 127.0.0.1:8080] [--data DIR] [--dist DIR]", "the page, on this computer", serve},
	{"paper", "[KEY] [--log FILE]... [--quick] [--document] [--out DIR] [--parallel N] [--shard I/N]", "the studies' tables and figures", paperCommand},
	{"version", "[--licences]", "which Batchlab this is, and how to cite it", version},
}

func main() {
	if experiment.Commit == "" {
		experiment.Commit = builtFrom(debug.ReadBuildInfo())
	}
	os.Exit(dispatch(os.Args[1:], os.Stdout, os.Stderr))
}

// dispatch runs the subcommand that the first argument names and returns the
// exit status. Help that was asked for goes to standard output.
func dispatch(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		usage(stderr)
		return badInput
	}
	name, rest := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		if len(rest) == 0 {
			usage(stdout)
			return 0
		}
		name, rest = rest[0], append(rest[1:len(rest):len(rest)], "--help")
	case "-version", "--version":
		name = "version"
	}
	var names []string
	for i := range commands {
		if commands[i].name == name {
			return commands[i].run(rest, os.Stdin, stdout, stderr)
		}
		names = append(names, commands[i].name)
	}
	return fail(stderr, fmt.Errorf("no command %q%s (batchlab help lists them)", name, catalog.DidYouMean(name, names)))
}

// run runs the command and returns the exit status.
func (m *command) run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := &call{newFlags(m.name, m.use), args, stdin, stdout, stderr}
	do := m.define(c)
	rest, err := c.parse(c.args, stdout)
	if err != nil {
		return c.end(nil, err)
	}
	return c.end(do(rest))
}

// end prints what a command returned and returns the exit status.
func (c *call) end(out any, err error) int {
	var said status
	if errors.As(err, &said) {
		err = nil
	}
	if err == nil && out != nil {
		if err = printJSON(c.stdout, out); err != nil {
			err = unwritten{err}
		}
	}
	switch {
	case err == nil:
		return int(said)
	case errors.As(err, new(unwritten)):
		fmt.Fprintln(c.stderr, "batchlab:", err)
		return 1
	}
	return fail(c.stderr, err)
}

// refuse is what a command does whose arguments are refused before its flags are read.
func (c *call) refuse(err error) action {
	c.args = nil
	return func([]string) (any, error) { return nil, err }
}

// usage lists the subcommands.
func usage(w io.Writer) {
	fmt.Fprintln(w, "usage:")
	for _, c := range commands {
		fmt.Fprintf(w, "  batchlab %-9s%s\n                    %s\n", c.name, c.use, c.help)
	}
	fmt.Fprintln(w, "\nbatchlab COMMAND --help lists the flags of a command.")
}

// badInput is the exit status for input that cannot be used.
const badInput = 2

// fail prints an error and returns the exit status for it. Refusals that have a
// code are named once more, one a line, for programs.
func fail(stderr io.Writer, err error) int {
	fmt.Fprintln(stderr, "batchlab:", err)
	for _, f := range experiment.Faults(err) {
		if f.Code != "" {
			fmt.Fprintf(stderr, "refused: %s %s\n", f.Code, f.Path)
		}
	}
	return badInput
}

// printJSON prints the one object of a command. Nothing is written when it
// cannot be encoded.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// plural words a number of things: "1 job", "2 jobs".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprint(n, " ", thing, "s")
}
