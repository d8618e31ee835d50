// Package grid is the upper level of a grid (Kurowski, Oleksiak, Piątek and Węglarz
// 2011, section 4): a scheduler with one queue that sends batch jobs and reservations
// to resource providers, each a cluster of the platform with a scheduler of its own.
//
// Start at Broker, which is a sim.Scheduler. Providers' schedulers are those that run
// alone, too; reservations are accepted and kept by the desk of package reserve, which
// asks the Broker where.
package grid
