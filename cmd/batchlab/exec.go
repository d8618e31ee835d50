package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"batchlab/cmd/batchlab/program"
	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/sim"
)

// attachedCommand is the command that stands for whoever started batchlab.
const attachedCommand = "-"

// programs starts schedulers that are programs of their own. A document may come
// from a stranger: its commands run only when the command line says so.
type programs struct {
	command string        // of --command, "" none: for schedulers without one, and consent to that very one
	allow   bool          // --allow-exec: commands of the document may run
	pipe    *program.Pipe // to whoever started batchlab; nil: nobody is asked for
	stderr  io.Writer
}

// consent returns the command of a scheduler, or says why it does not run.
func (p *programs) consent(line *experiment.Scheduler) (string, error) {
	switch own := line.Params.Text("command"); {
	case own == "" && p.command == "":
		return "", errors.New("which program? The document names none: --command \"PROGRAM ARGUMENTS\"")
	case own == "":
		return p.command, nil
	case own == p.command || p.allow:
		return own, nil
	default:
		return "", fmt.Errorf("the document would start the program %q on this computer: look at it first; --allow-exec lets it", own)
	}
}

// scheduler is lab.Env.Program.
func (p *programs) scheduler(line *experiment.Scheduler, run lab.ProgramRun) (sim.Scheduler, error) {
	command, err := p.consent(line)
	if err != nil {
		return nil, err
	}
	timeout, _ := line.Params.Int("timeout")
	o := program.Options{
		Command: command, Timeout: time.Duration(timeout) * time.Second, Stderr: p.stderr,
		Label: run.Label, Seed: run.Seed, Repetition: run.Repetition,
	}
	if command == attachedCommand {
		if p.pipe == nil {
			return nil, errors.New("command -: whoever starts batchlab has to say --command - as well, and reads its standard output")
		}
		o.Pipe = p.pipe
	} else if _, err := program.Words(command); err != nil {
		return nil, err
	}
	return program.New(o), nil
}

// attached does a command's work. Where the schedulers' command is the program that
// started this one, it speaks the protocol over stdin and stdout meanwhile, and what the
// command prints follows as one line, {"result":…} or {"failed":…}.
func (p *programs) attached(c *call, command string, work func(c *call) (any, error)) (any, error) {
	p.stderr = c.stderr
	if command != attachedCommand {
		return work(c)
	}
	var result, words, line bytes.Buffer
	inner := *c
	inner.stdout, inner.stderr = &result, io.MultiWriter(c.stderr, &words)
	p.pipe, p.stderr = program.Attached(c.stdin, c.stdout), inner.stderr
	said := inner.end(work(&inner))
	if said == 0 && json.Compact(&line, result.Bytes()) == nil {
		fmt.Fprintf(c.stdout, "{\"result\":%s}\n", line.Bytes())
		return nil, nil
	}
	text, err := json.Marshal(words.String())
	if err == nil {
		fmt.Fprintf(c.stdout, "{\"failed\":%s}\n", text)
	}
	return nil, status(said)
}
