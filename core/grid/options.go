package grid

import "batchlab/core/model"

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

// Options are the policies of the upper level. The zero value is: random allocation,
// reservations in turn, on-line.
type Options struct {
	Batch        Allocation // of batch jobs: Random or LoadBalance
	Reservations Allocation
	Load         Load       // what a queue's length counts
	Spread       bool       // MCT: ties at random instead of to the shortest queue
	Reserved     int        // Partition: how many providers, from the first, take reservations only; 0: half
	First        bool       // reservations stand before batch jobs in the grid's queue
	Delta        model.Time // off-line period δ: the grid's queue is served at multiples of it; 0: on-line
	NoLimit      bool       // batch jobs that state no limit never start while a reservation is known, and hinder each that comes
}
