package engine

import (
	"batchlab/core/experiment"
	"batchlab/core/report"
)

// Sweeper is what an engine offers that runs experiments that vary.
type Sweeper interface {
	// Sweep runs all items of e (experiment.Items) on all workers, about in
	// order, and tells a few times a second what has come of them. The last
	// news has Over.
	Sweep(e experiment.Experiment, news func(SweepNews)) SweepControl
}

// SweepControl stops a sweep and goes on with it.
type SweepControl interface {
	// Stop ends what is under way; what was done by then is told all the same.
	Stop()
	// GoOn does what Stop, or a fault, has left.
	GoOn()
	// Drop stops for good: nothing is told any more.
	Drop()
}

// SweepNews is news of a sweep.
type SweepNews struct {
	Parts   []SweepPart // what has come since the last news
	Done    float64     // items, with what is done of those under way
	Seconds float64     // of wall clock at work
	Digest  string      // once all runs are there
	Err     error       // why it cannot go on
	Over    bool        // nothing is under way: it is done, stopped or cannot go on
}

// SweepPart is what came of neighbouring items, or why one cannot run.
type SweepPart struct {
	From   int            // the first item
	Runs   []report.Swept // in order of items
	Values []float64      // measures in order of catalog.MetricKeys, run by run; NaN where there is none
	Error  string         // of the item From
}
