package paper

import (
	"batchlab/core/experiment"
	"batchlab/core/report"
)

// Sweep makes a preset of several experiments, one for each point of a figure.
// What runs is the one document that stands for all of them (Preset.Document);
// core/sweep hands the results to Rows.
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

// Together returns the document that stands for several points, which their
// labels name.
func Together(title string, points []Point) (*experiment.Experiment, error) {
	list, names := make([]*experiment.Experiment, len(points)), make([]string, len(points))
	for i, p := range points {
		list[i], names[i] = p.Experiment, p.Label
	}
	return experiment.Together(title, list, names)
}

// Document returns the experiment behind a preset, as people open and change it.
// whole says that it is all of it: run, it gives the preset's digest, and the
// preset only reads rows off it. Otherwise the preset computes for itself (a
// search over weeks, say), and the document is an experiment on the same jobs,
// or on some of them.
func (p *Preset) Document(in Input) (doc *experiment.Experiment, whole bool, err error) {
	if p.Compute != nil {
		doc, err = p.Example(in)
		return doc, false, err
	}
	log, err := p.Choose(in.Logs)
	if err != nil {
		return nil, true, err
	}
	if p.Sweep == nil {
		doc, err = p.Experiment(log, in.Quick)
		return doc, true, err
	}
	points, err := p.Sweep.Points(log, in.Quick)
	if err != nil {
		return nil, true, err
	}
	doc, err = Together(p.Study+", "+p.Shows, points)
	return doc, true, err
}
