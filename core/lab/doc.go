// Package lab is the façade: an experiment in, a report out, with progress and
// cancel. It binds each row of the catalog to its code (bind.go), makes the
// workloads (prepare.go), runs one scheduler over one repetition (run.go) and
// compares the runs (compare.go).
//
// Run does everything at once, as the command line wants it. Workers of the
// page Prepare once and then run single RunIDs, side by side.
package lab
