// Command batchlab simulates batch schedulers.
package main

import (
	"fmt"
	"io"
	"os"
)

// commands are the subcommands by name.
var commands = map[string]func(args []string, stdout, stderr io.Writer) int{
	"serve": serve,
}

func main() {
	if len(os.Args) > 1 {
		if run := commands[os.Args[1]]; run != nil {
			os.Exit(run(os.Args[2:], os.Stdout, os.Stderr))
		}
	}
	fmt.Fprintln(os.Stderr, "usage: batchlab serve [--addr HOST:PORT] [--dist DIR]")
	os.Exit(2)
}
