package paper

import (
	"batchlab/core/experiment"
	"batchlab/core/report"
)

// Sweep makes a preset of several experiments, one for each point of a figure;
// core/sweep runs them and hands the results to Rows.
type Sweep struct {
	Points func(log *experiment.Log, quick bool) ([]Point, error)
	Rows   func(results []Result) []Row
}

// Point is one experiment of a sweep.
type Point struct {
	Label      string
	Experiment *experiment.Experiment
}

// Result is what a point's experiment gave.
type Result struct {
	Point
	Runs []*report.Run
	// Compare sets the schedulers side by side, with paired differences to the
	// scheduler of that index.
	Compare func(baseline int) []report.Comparison
}
