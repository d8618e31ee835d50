// Package sweep runs the presets of the studies, whatever they consist of: one
// document, of one experiment or of several, or a computation of their own. It
// stands apart from lab so that who runs single experiments need not carry the
// studies' tables.
package sweep

import (
	"errors"
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/metric"
	"batchlab/core/paper"
	"batchlab/core/report"
)

// sweep is a document at work.
type sweep struct {
	points   []paper.Point
	lab      *lab.Sweep
	now      func() float64
	outcomes []outcome // by item
	workers  []*lab.SweepWorker
}

// outcome is what a run leaves behind, as it travels between workers.
type outcome struct {
	Report *report.Run `json:"report"`
	Block  []byte      `json:"block"`
}

// newSweep checks a document and its points; their experiments are taken from
// the document.
func newSweep(doc *experiment.Experiment, points []paper.Point, env lab.Env, now func() float64, workers int) (*sweep, error) {
	l, err := lab.NewSweep(doc, env)
	if err != nil {
		return nil, err
	}
	s := &sweep{lab: l, now: now, points: slices.Clone(points), outcomes: make([]outcome, l.Items.Len())}
	for i := range s.points {
		if s.points[i].Experiment, err = l.Points.At(i); err == nil {
			err = l.Check(i)
		}
		if err != nil {
			return nil, err
		}
	}
	for range max(1, workers) {
		s.workers = append(s.workers, l.Worker())
	}
	return s, nil
}

// do does one run.
func (s *sweep) do(worker, i int, o lab.Options) error {
	o.Now = s.now
	r, err := s.workers[worker].Run(i, o)
	if err != nil {
		return err
	}
	s.outcomes[i] = outcome{r.Report, r.Block}
	return nil
}

// results returns those of the points that are complete, and the digest when
// all are, "" otherwise.
func (s *sweep) results() ([]paper.Result, string) {
	var list []paper.Result
	var blocks [][]byte
	for i, p := range s.points {
		ids, place := s.lab.Items.Of(p.Experiment)
		runs, own := make([]*report.Run, len(ids)), make([][]byte, len(ids))
		for k, at := range place {
			o := &s.outcomes[s.lab.Items.First(i)+k]
			runs[at], own[at] = o.Report, o.Block
		}
		if slices.Contains(runs, nil) {
			return list, ""
		}
		list = append(list, paper.Result{Point: p, Runs: runs, Compare: func(baseline int) []report.Comparison { return metric.SideBySide(runs, baseline) }})
		blocks = append(blocks, own...)
	}
	return list, experiment.Digest(blocks...)
}

// cancelled reports whether an error only says that somebody stopped.
func cancelled(err error) bool {
	return errors.Is(err, lab.ErrCancelled) || errors.Is(err, paper.ErrCancelled)
}
