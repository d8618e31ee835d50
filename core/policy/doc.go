// Package policy holds the queue-based schedulers, one a file: FCFS, EASY
// backfilling with any pair of orders, conservative backfilling. They follow
// docs/simulation-rules.md to the letter; each has a slow twin in the tests,
// written from the rules alone, that must agree with it job for job.
//
// # EASY
//
// See countedeasy.go, queue.go, shadow.go. The rule is short; the cost is in
// looking at a long queue at every instant.
//
// Blocks of 64. Waiting jobs stand in backfill order as blocks of at most 64, each a
// word of rank and job. Inserting and removing moves words within one block. In a
// prototype, a tree over all ranks was slower at every length of queue, and a flat slice
// won only below about 25 jobs.
//
// Bounds for each class of processors. A pass over the backfill order steps over a block
// that cannot hold a job that could start: one with at most the free processors that
// either ends before the shadow time or fits in the extra. The least processors and the
// least request of a block prune badly when kept apart, since one job of a block is
// narrow and another short. So a block keeps the least request of all jobs up to each
// class of processors (powers of two). In a prototype that halved the cost of a backlog
// of ten thousand. Bounds are lower bounds: a removal leaves them standing, and a scan
// that found nothing makes them tight again.
//
// Nothing fits, nothing to decide. When no block has a job of as few processors as are
// free, a pass ends before the head is even known.
//
// The arrival shortcut. While nothing ends and the head stays the same, shadow time and
// extra processors stay the same as well: they depend on the running jobs' requested
// ends, which a backfilled job either does not touch (it ends before the shadow time) or
// has paid for (from extra). All waiting jobs have been tried against them, and as time
// passes a job that would have ended too late still would. So only the new job has to be
// tested. Whether the head stays is known cheaply for each order: in a static order by
// comparing ranks; under LEXP by looking the first job up again; under SEXP never, since
// nothing has a smaller expansion factor than a job that has just come.
//
// Static orders are ranks. An order of requests never changes between two waiting jobs,
// so jobs are ranked once, by a radix sort of keys that keeps ties by rule 6, and the
// queue order is a heap of ranks whose removed jobs are dropped when they come up. Only
// the expansion factors change with time; their first job is found by a scan with a
// bound for each block. A bound uses the same division as a score, and rounding is
// monotone, so it is safe.
//
// Orders by score (mixed.go, lineup.go). A mixed order that gives the expansion factor
// no weight, and a formula that uses neither wait nor expansion factor, never change
// between two waiting jobs: they become ranks, too. In any other order a job has a score
// that holds for one instant. Lineup is an order of any kind on any platform;
// conservative backfilling takes it as plan.Order, so that plans know nothing of orders.
// A search simulates its windows by counts exactly where a run would (mixed.Ground).
//
// Shadow time. Running jobs are kept sorted by requested end; on the logs that were
// measured the shadow time is found after 4 to 11 of them.
//
// The general form is one pass over what lies ahead (backfillbeside.go). Where nothing
// does, a shorter one (backfill.go, refusal.go) keeps of every waiting job why it was
// refused, and of every block which jobs suit which machine, need which licence and ask
// for which class of processors, 64 jobs to a word. A pass tries only those for which
// something has changed and that may find processors at all: who is too wide for every
// machine now needs one that gains something, and is tried then. Who lacks a licence is
// not tried, and not asked either: a word for each licence of which no copy is free
// masks them, as long as none is. In an order that changes blocks stand by processors,
// so that a pass ends at the first that is too wide. On a site of one counted cluster
// and nothing else a number says what is free, so the head's reservation is counted as
// in the counted form. Jobs that ask for nothing but the same number of processors share
// the sets of machines that suit them, and claims of one node their parts.
//
// # Conservative backfilling
//
// core/policy/countedconservative.go. Rule 9 places all waiting jobs again whenever one
// has ended early. Done literally, the profile is emptied and filled at most
// completions. Instead the profile is kept, with all planned jobs in it, and a job moves
// only if it fits earlier with itself left in. The outcome is the same:
//
// Claim. Going through the jobs in order of planned start, job k gets the same start
// both ways. Proof, by induction over the order; let s be its old start, l its requested
// time, and t < s a start to be tried. By the literal rule, t is tried against the
// running jobs and jobs 1 … k−1 at their new places; in the kept profile jobs k, k+1, …
// stand at their old places besides.
//
//  1. Before s, none of these is in the way: in the order of planned start, all of them
//     begin at s or later. So up to s both profiles have the same free processors.
//  2. From s on, up to t + l < s + l, job k itself already holds what it needs, and the
//     kept profile is never below zero there. So with jobs k and later taken out, at
//     least its processors are free: the literal rule accepts this part, too.
//
// So t is right exactly when job k's processors are free from t to min(s, t + l) in the
// kept profile. If no t < s is, it stays at s, where it fits: no planned start ever
// moves later. ∎
//
// Which starts to try. Before the completion, every planned job stood at its earliest
// fit in this sense: it was placed there or moved there, and since then nothing became
// free that it was not tried against (what a moving job frees lies at or after its old
// start, so it helps only jobs later in the order). So a new start must use something
// that has just become free, and lies before its end. That end moves on as moved jobs
// free what they held (freed in the code). The loop ends early when no step before it
// has room for even the narrowest job.
//
// When no job has ended early, placing again would change nothing, and nothing is done.
//
// Tens of thousands of waiting jobs. Two things keep a completion cheap then, and both
// serve conservative and plan-rs on any counted cluster (core/plan), too.
//
//   - The profile stands in blocks (core/resource/long.go) of 16 steps that know their
//     least and most: a search passes over blocks that hold nothing or hinder nothing,
//     and a booking that covers a block changes one number. Short profiles stay one
//     list, which is faster up to about 250 steps. Blocks of 64 took 1.4 times as long,
//     since a booking recomputes what its two outer blocks know.
//   - A kind of job that found nothing is not asked again (core/resource/likerequests.go). What
//     a moving job frees lies at or after its old start, so when the jobs are gone
//     through in order of planned start, all that becomes free on the way lies ahead. If
//     a job stays at s, no job that asks for the same and comes later finds a start
//     before s; if it moves to t, none finds one before t. So each looks only between
//     the start of the one before it of its kind and its own.
//
// What remains are the rule's own moves: an early end lets every tenth waiting job slide
// a little.
//
// Orig-BF makes all its reservations again at each pass, in an order that changes with
// time. They matter only through the jobs that they keep from starting now. So a pass
// keeps a list of the kinds of jobs that could start now beside what is reserved so far,
// which only ever becomes shorter, and ends when it is empty: mostly after a few
// reservations (core/policy/origline.go). Waiting jobs stand by user, so that only users
// are sorted.
//
// Reservations and outages. An advance reservation is taken from the profiles; of the
// planned jobs that meet it, those without room beside it and the jobs planned before
// are placed again, and what is given back is compressed into (core/plan/bookings.go).
// While an optimiser tries orders, the state that only ever gains stays what it was;
// what the calendar and reservations take stands beside it as supplies over time, at
// whose falls a start is checked (core/plan/supply.go).
//
// The plain twin in the tests does it literally, with one check of each instant, and
// must agree on every job.
package policy
