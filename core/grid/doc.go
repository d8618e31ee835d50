// Package grid schedules on two levels, with advance reservations (Kurowski,
// Oleksiak, Piątek and Węglarz 2011, section 4): a grid scheduler with one queue
// sends batch jobs and reservations to resource providers, each a cluster of
// interchangeable processors with a local scheduler of its own.
//
// Start at Scheduler, which is a sim.Scheduler. Options name the policies
// of both levels. availability is what each provider knows of its processors
// over time, a CARTS of core/resource; request.go accepts reservations, and
// local.go has the frame of the local policies, which share one walk over a
// queue and differ in its order.
//
// A reservation is a job with Demand.Reservation. Once accepted it starts at its
// time, with its processors, whatever the local policy does.
package grid
