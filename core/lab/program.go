package lab

import "fmt"

// ProgramError is what is wrong with a scheduler that a user wrote: found when it
// was read, or when it ran.
type ProgramError struct {
	Scheduler    int    `json:"scheduler"` // index into the experiment's schedulers
	Line, Column int    // from 1; 0: unknown
	Message      string // without the place
}

func (e *ProgramError) Error() string {
	return fmt.Sprintf("schedulers[%d].params.code: line %d, column %d: %s", e.Scheduler, e.Line, e.Column, e.Message)
}
