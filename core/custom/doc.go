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
// The language and its interpreter are go.starlark.net's. It bounds steps, but
// neither what a single step may do nor memory, so programs are guarded here:
// scan.go bounds their text, rewrite.go puts a call of guard.go in the place of
// whatever could cost more than a step should, library.go offers the functions
// that are left. Steps are counted, never timed, so that a program that is
// stopped is stopped at the same place everywhere.
package custom
