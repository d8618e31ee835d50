// Package bridge is the language that the page and its simulation workers
// speak: plain Go here, the browser's part in *_js.go.
//
// A message is one postMessage of {head, buffers, file}. Head is the JSON text
// of a Request (page to worker) or a Reply (worker to page), see message.go. Buffers
// are ArrayBuffers whose memory moves with the message instead of being copied.
// File is a Blob, passed by reference: posting a log copies nothing. The worker that
// needs it reads, unpacks, hashes and parses it by itself, and keeps the last one by
// its hash; the price is that each worker parses the log once.
//
// # Requests
//
// What each asks for → what its result brings:
//
//	load      reading the experiment's workload; with new_log, of a file that nobody knows
//	          yet → a preview: jobs, machine, arrivals, cleaning, hash
//	run       one scheduler, one repetition → measures in the head; buffers: the run's
//	          columns, its block of the digest, and the workload's columns if asked for
//	why       the same run again with the record of decisions; with follow, of one job
//	          alone → buffer: the record (reasons, what was predicted of each job, what
//	          rollouts chose and what each order would have cost); or, in the head, every
//	          change of the reason for that job's wait
//	step      an instant of a run, by index or time, or the next one about a job → what
//	          happened, the queue, the decisions
//	query     what reservation a grid could have accepted at a time → feasible starts and
//	          best efforts, provider by provider
//	drawn     what was drawn for a repetition, as files → names in the head; buffers:
//	          platform.json, needs.csv, drawn.json
//	study     a worker's part of a preset; on the way it asks for pieces and shares
//	          results → rows, notes, digest
//	sweep     runs of an experiment that varies: one, or those of neighbouring points →
//	          head: which were done, and which cannot run and why; buffers: all measures
//	          of these runs, and their blocks of the digest, in its order
//	fold      hashing blocks that come along, behind those that a state stands for → the
//	          state that the next one goes on from, and the digest so far; buffers: the
//	          blocks, which may be needed again
//	lines     a line of the log, with three on each side → the lines
//	search    a piece of a search for orders, or the weeks that it is of → the weeks, or
//	          what was found; buffer: values
//	terms     the priorities of waiting jobs at an instant → each taken apart into its
//	          terms
//	plan      the plan of an instant, with the history of a job's start → the plan
//	foresee   how a run's plan came about, and how good its predictions were → both
//	machine   what the files beside say of a cluster (slurm.conf, sinfo, sacctmgr) → node
//	          groups, partitions, settings, what is not simulated, and the platform of a
//	          document
//	ask       what a view of the second program asks: a name of the table in
//	          wasm/worker/ask.go, and JSON → JSON
//	trial     what a user's program does with a small case → what came of it
//	give      to a worker that does a part of a preset: a piece of it, or what the others
//	          did → none of its own
//	stop      to such a worker: no more pieces → none of its own: the part ends with what
//	          was done
//	cancel    giving up a request → none of its own: the request ends with an error of
//	          code cancelled
//
// # Replies
//
// What each says:
//
//	progress  how far a request is, about ten times a second at most
//	take      of a part of a preset: a piece is wanted
//	share     of a part of a preset: what came of the pieces, for the other workers
//	result    what was asked for
//	error     why there is none
//
// Every request but give, stop and cancel is answered by exactly one result or error
// with its id; ids are never used twice. Errors carry a code where the page treats them
// in its own way: cancelled, memory, panic (the worker is replaced), log (the
// experiment's log did not come along). A worker does one request at a time and looks
// for messages about every 50 ms while it works.
//
// # Columns
//
// Columns travel as raw memory: eight-byte words first that say what is there,
// then the slices one after the other (see Pack). Both ends are built from the
// same source for the same little-endian machine, so nothing is converted;
// what does not fit the words is refused, and a test proves that no type that travels
// holds a pointer.
package bridge
