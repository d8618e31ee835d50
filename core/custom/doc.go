// Package custom runs schedulers that users write, in Starlark: a small language
// that looks like Python and cannot reach anything outside its own program. A
// program defines
//
//	def decide(s):        # called at each instant: returns the jobs to start now
//	def order(job, s):    # a number or tuple: jobs start smallest first
//
// and with order, if it likes, backfill = "easy", "conservative" or "none". What
// it may see is what any scheduler sees, and nothing of it depends on the kind of
// platform: see values.go, and catalog.CustomWords for the whole of it.
//
// The language and its interpreter are go.starlark.net's, maintained by others; what a
// program sees and what it may cost is ours.
//
// Guards. The interpreter counts steps, but one step may multiply a list by a billion,
// or compare lists within lists that stand for more values than there are atoms, and
// memory is not bounded at all. So a program's syntax tree is rewritten before it is
// compiled (rewrite.go): operators, look-ups and methods that could be dear become calls
// of guards that weigh their operands first, refuse what is too large, and count steps
// for the rest (guard.go). Where the text shows that both sides are small, as in s.now +
// job.requested, nothing is rewritten, and nothing is paid. What is nested is bounded
// before it is parsed (scan.go), since a browser's stack is short. What a program keeps
// from call to call is weighed now and then, whenever it could have doubled.
//
// The same digits. There is no clock, no hash of the interpreter's, no logarithm; each
// operation rounds by itself; dicts keep their order; random numbers are a stream of the
// experiment's seed. Steps are the interpreter's, so that a program that is stopped is
// stopped at the same place everywhere.
//
// The rules are shared. order(job, s) runs under the EASY, FCFS and conservative
// backfilling of the other schedulers: a policy.Judge gives ranks where the program
// looks only at what never changes, else scores that hold for an instant. decide(s) asks
// a policy.Draft, as programs in other languages do: it answers by View.Space what fits
// and when, keeps what the pass starts and promises, and gives back what was booked when
// the call ends.
//
// The smallest case (core/lab/smallest.go) on which two schedulers part is found by
// taking jobs out: of those at hand where they part first halves, then ever smaller
// pieces, then single jobs, each time simulating both on a table of what is left. It
// counts simulated jobs, and times nothing.
package custom
