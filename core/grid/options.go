package grid

import (
	"fmt"

	"batchlab/core/model"
)

// Local is the policy of the providers' local schedulers (sections 2.1 and
// 4.4.3).
type Local uint8

// Local policies. All but EASY and Conservative walk over the queue in an order
// and start what fits; Options.Stop says whether they stop at the first job that
// does not.
const (
	FCFS         Local = iota // in order of submission, stopping at the first that does not fit
	FCFSBF                    // in order of submission, passing over what does not fit; nothing is kept for the first
	EASY                      // the first that does not fit gets a start that no later job may delay
	Conservative              // every waiting job has such a start
	LSF                       // largest size first
	SJF                       // shortest request first
	PPP                       // by priority, the log's queue number
	PPPD                      // PPP that stops running jobs of lower priority
	FairShare                 // jobs of users that have used least first
)

// Allocation is how the grid level chooses a provider (section 4.4.2).
type Allocation uint8

// Allocations. Batch jobs know Random and LoadBalance only.
const (
	Random      Allocation = iota // any
	LoadBalance                   // the shortest queue; ties to the most free processors, then the first
	MCT                           // minimum completion time
	Priority                      // "AR resource priority": the first in order that can keep the interval
	Partition                     // MCT among the first Options.Reserved providers, which take no batch jobs
)

// Load is what counts as a provider's queue where the shortest is wanted: "a
// number of tasks in queues of local schedulers" (section 4.4.2), of which each
// provider has "one queue for non-AR and one for AR tasks" (section 4.2).
type Load uint8

// What counts. A reservation is in the queue from its acceptance to its begin.
const (
	CountBatch        Load = iota // batch jobs that wait
	CountReservations             // and reservations
	CountAll                      // and jobs that run, those of reservations included
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

// Options are the policies of both levels. The zero value is: FCFS at each
// provider, random allocation, reservations in turn, on-line, slots of a second,
// tardiness instead of rejection, dynamic binding.
type Options struct {
	Local  Local
	Stop   bool       // LSF, SJF, PPP, PPPD, FairShare: stop at the first job that does not fit
	Period model.Time // of LSF and SJF: they start jobs at multiples of it only, from the first submission; 0: whenever something happens

	Batch        Allocation // of batch jobs: Random or LoadBalance
	Reservations Allocation
	Load         Load       // what a queue's length counts
	Spread       bool       // MCT: ties at random instead of to the shortest queue
	Reserved     int        // Partition: how many providers, from the first, take reservations only; 0: half
	First        bool       // reservations stand before batch jobs in the grid's queue
	Delta        model.Time // off-line period δ: the grid's queue is served at multiples of it; 0: on-line

	Slot     model.Time // reservations are widened to multiples of it; 0 and 1: not
	Reject   bool       // a reservation that cannot keep its interval is rejected; else it is late
	Static   bool       // binding to named processors when a reservation is accepted
	AtEnd    AtEnd
	Suspend  bool // running batch jobs do not hinder reservations: they are suspended, and resumed after
	Hold     bool // a reservation keeps its processors when its job ends early
	NoLimit  bool // batch jobs that state no limit never start while a reservation is known, and hinder each that comes
	LowFirst bool // PPP, PPPD: larger queue numbers have priority
	Requeue  bool // PPPD: running jobs are killed and run again; else they are suspended
}

// Check refuses combinations that have no meaning.
func (o *Options) Check() error {
	switch {
	case o.Batch > LoadBalance:
		return fmt.Errorf("grid: batch jobs are allocated at random or by load balance")
	case o.Static && (o.Local == Conservative || o.Local == PPPD || o.Suspend):
		return fmt.Errorf("grid: static binding is not defined for conservative, PPPD and suspended batch jobs, which count processors")
	case o.Period < 0 || o.Delta < 0 || o.Slot < 0 || o.Reserved < 0:
		return fmt.Errorf("grid: periods, slots and numbers of providers are at least 0")
	}
	return nil
}
