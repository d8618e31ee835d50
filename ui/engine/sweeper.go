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
	Sweep(e experiment.Experiment, news func(News)) Control
}

// SweepPart is what came of neighbouring items, or why one cannot run.
type SweepPart struct {
	From   int            // the first item
	Runs   []report.Swept // in order of items
	Values []float64      // measures in order of catalog.MetricKeys, run by run; NaN where there is none
	Error  string         // of the item From
}
