// Package bridge is the language that the page and its simulation workers
// speak: plain Go here, the browser's part in *_js.go.
//
// A message is one postMessage of {head, buffers, file}. Head is the JSON text
// of a Request (page to worker) or a Reply (worker to page). Buffers are
// ArrayBuffers whose memory moves with the message instead of being copied.
// File is a Blob, passed by reference: the log that an experiment names.
//
// What the page asks, and what comes back:
//
//	load    read the experiment's workload     → result with Preview
//	run     simulate one scheduler and repetition
//	                                           → progress …, result with Run;
//	                                             buffers: the run's columns, its
//	                                             block of the digest, and with
//	                                             Jobs the workload's columns
//	why     run it again with the record of decisions
//	                                           → progress …, result; buffer: the reasons
//	search  cut the workload into windows and do a piece of a search in them
//	                                           → progress …, result with Weeks,
//	                                             or a buffer of values, and for
//	                                             xNES what was Found. Cancelled:
//	                                             a result with fewer values
//	digest  hash the blocks that come along, in order
//	                                           → result with Digest; buffers: the
//	                                             blocks again
//	ask     what a view of the second program asks about the experiment
//	                                           → progress …, result with Out
//	lines   show a line of the experiment's log and three on each side
//	                                           → result with Lines
//	cancel  give up the request with this ID   → (its own) error with code cancelled
//
// Every request but cancel, give and stop is answered by exactly one result or
// error with its ID. Progress comes about ten times a second at most. A worker does one
// request at a time and looks for messages about every 50 ms while it works.
//
// Columns travel as raw memory: eight-byte words first that say what is there,
// then the slices one after the other (see Pack). Both ends are built from the
// same source for the same little-endian machine, so nothing is converted;
// what does not fit the words is refused.
package bridge
