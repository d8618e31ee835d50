// Package engine is what the page asks of the workers: the interface to them, what
// an engine may offer beside, each a small interface, and the news and answers that
// come back.
package engine

import (
	"batchlab/core/experiment"
	"batchlab/core/report"
)

// Status is where a run stands.
type Status uint8

// States of a run.
const (
	Queued Status = iota
	Running
	Done
	Cancelled
	Failed
)

// Engine does the work away from the page's thread. Callbacks arrive on the
// page's thread, one at a time.
type Engine interface {
	// Load reads the workload of w (cleaned, filtered, scaled) for a preview.
	// file is the dropped file (the platform's own handle) when the source is
	// a log; for a log that was never dropped here it is nil, and the engine
	// may know it from storage or answer with an error. When the source log's
	// SHA256 is empty the file is new: the preview's Name, SHA256 and Size
	// then become part of the settings.
	Load(w experiment.Experiment, file any, done func(*report.Preview, error))
	// Run starts every run of e. Each event names the run by its index in
	// scheduler-major order.
	Run(e experiment.Experiment, event func(Event)) Runs
	// Why asks for the recorded decisions of a finished run's jobs, which are
	// computed on demand by running it again with the record switched on.
	Why(e experiment.Experiment, run int, done func(report.Record, error))
}

// Runs are the runs of an experiment that does not vary: a sweep of one point, of which
// all is kept, and whose runs are told, stopped, held and done again one by one.
type Runs interface {
	// Stop cancels what has not ended.
	Stop()
	// StopOne cancels a run.
	StopOne(run int)
	// Hold holds back what has not begun, or lets it go on.
	Hold(held bool)
	// Again does runs again. The digest of all comes with the last of them once
	// every run has ended well.
	Again(runs []int)
}

// Control stops a sweep or a search and goes on with it.
type Control interface {
	// Stop ends what is under way; what was done by then is told all the same.
	Stop()
	// GoOn does what Stop, or a fault, has left.
	GoOn()
	// Drop stops for good: nothing is told any more.
	Drop()
}

// News is news of a sweep or a search.
type News struct {
	Parts   []SweepPart // of a sweep: what has come since the last news
	Answers []Answer    // of a search: the same
	Done    float64     // items or simulations, with what is done of those under way
	Seconds float64     // of wall clock at work
	Digest  string      // of a sweep, once all runs are there
	Err     error       // why it cannot go on
	Over    bool        // nothing is under way: it is done, stopped or cannot go on
}

// DigestComes is said in place of a digest that takes runs once more.
const DigestComes = "is computed: schedules that are not kept are computed again"

// Event is news of a run.
type Event struct {
	Run      int // −1: of the digest alone
	Status   Status
	Progress float64
	Left     float64
	Result   *report.Run  // with Done
	Jobs     *report.Jobs // with the first Done of a repetition
	Site     *report.Site // with Jobs; nil: nothing is known of the machines
	Err      error        // with Failed
	Digest   string       // with the last Done, or later with Run −1: of all runs
	NoDigest string       // with Run −1: why there is none, or not yet
	Took     float64      // with Done: seconds of a worker, 0 for copies
}

// Fetching is how it stands with the studies' simulator, a second program that
// comes when an experiment needs it, or with a log that is read.
type Fetching struct {
	Active     bool
	Got, Total int   // bytes; total 0: not known yet
	Err        error // why it did not come
}
