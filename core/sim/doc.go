// Package sim is the clock: it replays submissions, asks one scheduler at each
// instant what to start, and lets jobs end when their hidden run time is over.
//
// Read view.go first (what a scheduler sees and answers), then run.go (the
// loop, simulation rules 4 and 5), then record.go (why each job waited).
//
// A scheduler decides and never acts: it returns starts, and only the
// simulator changes the state of the machine. It cannot peek: run times are
// not in the CountedView. Schedulers themselves live in core/policy.
package sim
