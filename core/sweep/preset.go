package sweep

import (
	"errors"
	"fmt"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/mixed"
	"batchlab/core/paper"
	"batchlab/core/swf"
)

// Options say how a preset is run.
type Options struct {
	Logs  []paper.Log // that were given
	Quick bool        // a smaller version is wanted
	// Each, Workers and Watch are those of paper.Input.
	Each    func(n int, work func(worker, item int) error, result func(item int) any) error
	Workers int
	Watch   func(done, total int) bool
	Now     func() float64 // a clock in seconds; nil: runs are not timed
}

// Answer is what a preset gives.
type Answer struct {
	Key         string
	Log         string // what it ran on, "" nothing of the kind
	StandIn     bool   // the wanted log was not given
	Quick       bool
	Partial     bool   // it was stopped: rows of what was complete by then
	Digest      string // "" while partial
	Rows        []paper.Row
	Notes       []string // for people, one sentence each
	Sweep       bool     // it consists of several experiments with the same schedulers
	Experiments []paper.Point
	// Document is what people open and change; Whole says that it is all of the
	// preset, so that it gives the preset's digest (paper.Preset.Document).
	Document *experiment.Experiment
	Whole    bool
}

// Preset runs a preset of any kind. Of several workers each computes the whole preset,
// and only its pieces are shared out (Options.Each): a worker takes a piece, and hands
// what came of it to all others as JSON. So no closure has to travel, and any worker's
// answer is the answer, with the digest of the command line. A preset that was stopped gives what was
// complete by then, and no error. A log that does not fit is refused.
func Preset(p *paper.Preset, o Options) (*Answer, error) {
	a := &Answer{Key: p.Key, Quick: o.Quick}
	if p.Compute != nil {
		err := a.compute(p, o)
		if err == nil {
			a.Document, _, err = p.Document(paper.Input{Logs: o.Logs, Quick: o.Quick})
		}
		if a.Document != nil {
			a.Experiments = []paper.Point{{Label: p.Shows, Experiment: a.Document}}
		}
		return a, err
	}
	log, err := p.Choose(o.Logs)
	if err != nil {
		return nil, err
	}
	a.Sweep = p.Sweep != nil
	if a.Document, a.Whole, err = p.Document(paper.Input{Logs: o.Logs, Quick: o.Quick}); err != nil {
		return nil, err
	}
	points := []paper.Point{{Label: p.Shows}}
	if a.Sweep {
		if points, err = p.Sweep.Points(log, o.Quick); err != nil {
			return nil, err
		}
	}
	s, err := newSweep(a.Document, points, lab.Env{Log: finder(o.Logs)}, o.Now, o.Workers)
	if err != nil {
		return nil, err
	}
	a.Experiments = s.points
	if log != nil {
		a.Log = log.Name
	} else if !a.Sweep || p.Any {
		a.Log = a.Experiments[0].Experiment.Workload.Source.Bundled
	}
	a.StandIn = log == nil && (p.Log != "" || p.Any)
	work := func(worker, i int) error { return s.do(worker, i, lab.Options{Progress: o.Watch}) }
	err = each(o.Each, len(s.outcomes), work, func(i int) any { return &s.outcomes[i] })
	if err != nil && !cancelled(err) {
		return nil, err
	}
	a.Partial = err != nil
	results, digest := s.results()
	a.Digest = digest
	switch {
	case a.Sweep:
		a.Rows = a.rows(func() []paper.Row { return p.Sweep.Rows(results) })
	case len(results) > 0:
		a.Rows = p.Rows(results[0].Runs, results[0].Compare(0))
	}
	return a, nil
}

// rows returns the rows of a sweep. One that was stopped may miss points that
// its table wants to name.
func (a *Answer) rows(of func() []paper.Row) (rows []paper.Row) {
	if a.Partial {
		defer func() {
			if recover() != nil {
				rows = nil
			}
		}()
	}
	return of()
}

// compute runs a preset that computes for itself.
func (a *Answer) compute(p *paper.Preset, o Options) error {
	out, err := p.Compute(paper.Input{Logs: o.Logs, Quick: o.Quick, Each: o.Each, Workers: o.Workers, Watch: o.Watch})
	a.Partial = cancelled(err) || errors.Is(err, mixed.ErrCancelled)
	if err != nil && !a.Partial {
		return err
	}
	if out != nil {
		a.Log, a.StandIn, a.Rows, a.Notes = out.Log, out.StandIn, out.Rows, out.Notes
		if !a.Partial {
			a.Digest = out.Digest
		}
	}
	return nil
}

func each(do func(int, func(int, int) error, func(int) any) error, n int, work func(worker, item int) error, result func(item int) any) error {
	if do != nil {
		return do(n, work, result)
	}
	for i := range n {
		if err := work(0, i); err != nil {
			return err
		}
	}
	return nil
}

// finder finds an experiment's log among those given.
func finder(logs []paper.Log) func(experiment.Log) (*swf.Log, error) {
	return func(l experiment.Log) (*swf.Log, error) {
		for i := range logs {
			if logs[i].Ref.SHA256 == l.SHA256 {
				return logs[i].Log, nil
			}
		}
		return nil, fmt.Errorf("the log %s is not given", l.Name)
	}
}
