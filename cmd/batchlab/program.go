package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"batchlab/core/custom"
	"batchlab/core/lab"
	"batchlab/core/report"
)

// checkProgram reads a user's program and says what is wrong with it, each fault
// with file, line and column.
func checkProgram(path, code string) error {
	_, faults := custom.Compile(code)
	var list []error
	for _, f := range faults {
		list = append(list, at(path, f.Line, f.Column, f.Message))
	}
	return errors.Join(list...)
}

// programError puts the name of a program's file in front of what went wrong in it.
func programError(path string, err error) error {
	var p *lab.ProgramError
	if !errors.As(err, &p) || path == "" {
		return err
	}
	return at(path, p.Line, p.Column, p.Message)
}

func at(path string, line, column int, message string) error {
	return fmt.Errorf("%s:%d:%d: %s", path, cmp.Or(line, 1), cmp.Or(column, 1), message)
}

// printProgram prints what a user's program has printed.
func printProgram(stderr io.Writer, p *report.Program) {
	if p != nil {
		for _, line := range p.Printed {
			fmt.Fprintln(stderr, line)
		}
	}
}
