//go:build !small

package lab

import (
	"errors"
	"fmt"

	"batchlab/core/custom"
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/core/sim"
)

// newCustom makes the scheduler that a user's program describes.
func newCustom(p experiment.Params) (sim.Scheduler, error) {
	program, faults := custom.Compile(p.Text("code"))
	if program == nil {
		return nil, faults[0]
	}
	return custom.New(program), nil
}

// programmed is a scheduler that a user's program is behind.
type programmed interface {
	Printed() []string
	Steps() uint64
	Profile(clock func() float64)
	Profiled() *report.CodeProfile
}

// said returns what the program of a scheduler did and said; nil for any other.
func said(s sim.Scheduler) *report.Program {
	noted, ok := s.(interface {
		Notes() (notes []report.Note, more int)
	})
	if !ok {
		return nil
	}
	out := &report.Program{}
	out.Notes, out.More = noted.Notes()
	if p, ok := s.(programmed); ok {
		out.Printed, out.Steps, out.Profile = p.Printed(), int64(p.Steps()), p.Profiled()
	} else if len(out.Notes) == 0 { // in another language, and silent
		return nil
	}
	return out
}

// refused is what is wrong with line i of an experiment, at its place if the error
// knows it; of a program, at that.
func refused(i int, err error) *experiment.Error {
	if placed := (experiment.Error{}); errors.As(err, &placed) {
		return &placed
	}
	path := fmt.Sprintf("schedulers[%d]", i)
	var fault *custom.Fault
	if errors.As(err, &fault) {
		path += ".params.code"
	}
	return &experiment.Error{Path: path, Message: err.Error()}
}

// faulty is an error of a run, at its place in the document where a program is to
// blame.
func faulty(i int, s sim.Scheduler, err error) error {
	if p, ok := s.(interface{ Blame(error) error }); ok {
		err = p.Blame(err)
	}
	var fault *custom.Fault
	if !errors.As(err, &fault) {
		return err
	}
	return &ProgramError{Scheduler: i, Line: fault.Line, Column: fault.Column, Message: fault.Message}
}

// CheckProgram says what a user's program is and what is wrong with it.
func CheckProgram(code string) report.ProgramCheck {
	program, faults := custom.Compile(code)
	var out report.ProgramCheck
	for _, f := range faults {
		out.Faults = append(out.Faults, report.CodeFault{Line: f.Line, Column: f.Column, Message: f.Message})
	}
	if program != nil {
		out.Kind = program.Kind()
	}
	return out
}
