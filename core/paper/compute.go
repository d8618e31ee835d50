package paper

import (
	"errors"

	"batchlab/core/experiment"
	"batchlab/core/swf"
)

// Input is what a preset that computes for itself is given.
type Input struct {
	Logs   []Log // those that were given, in order; none: it runs on its stand-in
	Quick  bool  // a smaller version is wanted
	Points int   // grid points a dimension of coverages; 0: the preset's own
	// Each does n pieces of work, work(worker, 0) … work(worker, n − 1), in any
	// order and on several workers at once where there are more; calls with one
	// worker, 0 … Workers − 1, follow each other. It returns the first error,
	// ErrCancelled when it was stopped. result(item) points to what a piece
	// leaves behind: workers that share no memory each compute all of the
	// preset but the pieces, and pass these on as JSON. Nil: one after the other.
	Each    func(n int, work func(worker, item int) error, result func(item int) any) error
	Workers int // how many Each may use; 0 is 1
	// Watch, when not nil, is told how far a piece is, and returns false to stop.
	Watch func(done, total int) bool
}

// ErrCancelled means that a preset was stopped. What it had found until then
// comes along.
var ErrCancelled = errors.New("cancelled")

// Log is a log that was given.
type Log struct {
	Ref experiment.Log
	Log *swf.Log
}

// Output is what such a preset computed.
type Output struct {
	Log     string // what it ran on
	StandIn bool   // no wanted log was given
	Digest  string // of the schedules behind the rows
	Rows    []Row
	Notes   []string // for people, one sentence each
}

// each is in.Each, or one piece after the other.
func (in *Input) each(n int, work func(worker, item int) error, result func(item int) any) error {
	if in.Each != nil {
		return in.Each(n, work, result)
	}
	for i := range n {
		if err := work(0, i); err != nil {
			return err
		}
	}
	return nil
}

// workers returns how many workers each uses.
func (in *Input) workers() int {
	if in.Each == nil {
		return 1
	}
	return max(1, in.Workers)
}
