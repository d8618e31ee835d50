// Package program runs schedulers that are programs of their own, written in any
// language: at each instant of a simulation it writes one line of JSON to the
// program and reads one line back. docs/exec-protocol.md is the contract.
//
// What a program is told is what a scheduler may see (sim.View), never a run time
// before its job has ended. Only changes travel: a program keeps the queue and
// the running jobs by itself. What fits, where and when, it may ask, so that it
// needs no model of machines, licences, outages and reservations.
package program

// Protocol is the version of the protocol.
const Protocol = 1
