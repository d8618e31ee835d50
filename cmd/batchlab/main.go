// Command batchlab simulates batch-job schedulers: the same core as the page,
// with the same digits. Every subcommand prints one JSON object on standard
// output (generate: the log), progress and notes on standard error, and exits
// with 0, or with 2 and a message on bad input. docs/command-line.md has every
// flag and field.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
)

// command is one subcommand.
type command struct {
	name, use, help string
	run             func(args []string, stdout, stderr io.Writer) int
}

// commands are the subcommands in the order of the help.
var commands = []command{
	{"simulate", useSimulate, "one scheduler on one log", simulate},
	{"run", useRun, "an experiment document", runExperiment},
	{"episodes", useEpisodes, "many runs at once, decided by the program that started this", episodes},
	{"truth", useTruth, "schedulers beside what the log says happened", truthCommand},
	{"when", useWhen, "when one more job would start", whenCommand},
	{"search", useSearch, "queue orders, window by window, as the page's tab Search does", searchCommand},
	{"merge", useMerge, "puts the shards of run, search or paper together", merge},
	{"slurm", useSlurm, "hands an experiment document to a cluster", slurm},
	{"import", useImport, "a log of a cluster's accounting, or of a public trace", importCommand},
	{"recorded", useRecorded, "a recorded run of a real Slurm, played again", recordedCommand},
	{"check", useCheck, "a schedule from elsewhere, beside a reference case", check},
	{"generate", useGenerate, "a workload log from a seeded model", generate},
	{"serve", "[--addr 127.0.0.1:8080] [--data DIR] [--dist DIR]", "the page, on this computer", serve},
	{"paper", usePaper, "the studies' tables and figures", paperCommand},
	{"version", useVersion, "which Batchlab this is, and how to cite it", version},
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
	for _, c := range commands {
		if c.name == name {
			return c.run(rest, stdout, stderr)
		}
		names = append(names, c.name)
	}
	return fail(stderr, fmt.Errorf("no command %q%s (batchlab help lists them)", name, catalog.DidYouMean(name, names)))
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

// plural words a number of things: "1 job", "2 jobs".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprint(n, " ", thing, "s")
}
