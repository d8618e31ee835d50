// Package reserve accepts advance reservations, apart from scheduling: what can be
// had, who gets it, when, and what happens at its end (Kurowski et al. 2011,
// sections 3 and 5). Whoever has been accepted holds its processors, memory and
// licences against every scheduler, which sees no more of it than an interval in
// which they are taken.
package reserve

import (
	"fmt"

	"batchlab/core/model"
)

// AtEnd is what happens to a job that still runs when its reservation ends
// (table 1).
type AtEnd uint8

// What may happen at the end of a reservation.
const (
	EndKill    AtEnd = iota // its job is killed
	EndSuspend              // its job is suspended and goes on as a batch job
	EndEarly                // its job is killed 60 s before
)

// early is how long before the end of a reservation EndEarly kills (table 1, SGE).
const early model.Time = 60

// Options are the rules by which reservations are accepted and kept. The zero
// value: at once, in slots of a second, late rather than rejected, dynamic
// binding, killed at their end, beside running jobs, given back when they end
// early.
type Options struct {
	Delta   model.Time // requests are served at multiples of it, from the first submission; 0: at once
	Slot    model.Time // reservations are widened to multiples of it; 0 and 1: not
	Reject  bool       // what cannot keep its interval is rejected; else it is late
	Static  bool       // binding to named processors when a reservation is accepted
	AtEnd   AtEnd
	Suspend bool // running batch jobs do not hinder reservations: they are suspended, and resumed after
	Hold    bool // a reservation keeps what it has when its job ends early
}

// Check refuses combinations that have no meaning.
func (o *Options) Check() error {
	switch {
	case o.Static && o.Suspend:
		return fmt.Errorf("reserve: with static binding batch jobs cannot be suspended: nobody knows whose processors a reservation will take")
	case o.Delta < 0 || o.Slot < 0:
		return fmt.Errorf("reserve: periods and slots are at least 0")
	}
	return nil
}
