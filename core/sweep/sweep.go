// Package sweep runs the presets of the studies, whatever they consist of: one
// experiment, several, or a computation of their own. It stands apart from lab
// so that who runs single experiments need not carry the studies' tables.
package sweep

import (
	"cmp"
	"errors"
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/paper"
	"batchlab/core/report"
)

// Run runs the experiments of a study's preset one after another and returns
// their results, and one digest over the runs of all in order. Progress counts
// over all runs.
func Run(points []paper.Point, env lab.Env, o lab.Options) ([]paper.Result, string, error) {
	s, err := newSweep(points, env, o.Now)
	if err != nil {
		return nil, "", err
	}
	for i := range s.items {
		one := o
		if o.Progress != nil {
			one.Progress = func(done, of int) bool { // in thousandths of a run
				return o.Progress(1000*i+int(1000*int64(done)/int64(max(1, of))), 1000*len(s.items))
			}
		}
		if err := s.do(0, i, one); err != nil {
			return nil, "", err
		}
		if o.Progress != nil && !o.Progress(1000*(i+1), 1000*len(s.items)) {
			return nil, "", lab.ErrCancelled
		}
	}
	results, digest := s.results()
	return results, digest, nil
}

// sweep is experiments at work.
type sweep struct {
	points   []paper.Point
	env      lab.Env
	now      func() float64
	items    []item
	outcomes []outcome // by item
	at       []atWork  // by worker
}

// item is one run.
type item struct {
	point, run int // run counts within the point
	id         lab.RunID
}

// outcome is what a run leaves behind, as it travels between workers.
type outcome struct {
	Report *report.Run `json:"report"`
	Block  []byte      `json:"block"`
}

// atWork is the experiment that a worker has prepared.
type atWork struct {
	point    int
	prepared *lab.Prepared
}

// newSweep checks all experiments.
func newSweep(points []paper.Point, env lab.Env, now func() float64) (*sweep, error) {
	s := &sweep{points: points, env: env, now: now, at: []atWork{{point: -1}}}
	for i := range points {
		p, err := lab.Prepare(points[i].Experiment, env)
		if err != nil {
			return nil, err
		}
		first := len(s.items)
		for run, id := range p.Runs() {
			s.items = append(s.items, item{i, run, id})
		}
		// By repetition, so that each workload is made once.
		slices.SortStableFunc(s.items[first:], func(a, b item) int { return cmp.Compare(a.id.Repetition, b.id.Repetition) })
	}
	s.outcomes = make([]outcome, len(s.items))
	return s, nil
}

// do does one run.
func (s *sweep) do(worker, i int, o lab.Options) error {
	at, it := &s.at[worker], &s.items[i]
	if at.point != it.point {
		p, err := lab.Prepare(s.points[it.point].Experiment, s.env)
		if err != nil {
			return err
		}
		*at = atWork{it.point, p}
	}
	o.Now = s.now
	r, err := at.prepared.Run(it.id, o)
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
	for i := range s.points {
		result := paper.Result{Point: s.points[i]}
		var own [][]byte
		for k := range s.items {
			if it := &s.items[k]; it.point == i {
				for len(result.Runs) <= it.run {
					result.Runs, own = append(result.Runs, nil), append(own, nil)
				}
				result.Runs[it.run], own[it.run] = s.outcomes[k].Report, s.outcomes[k].Block
			}
		}
		if slices.Contains(result.Runs, nil) {
			return list, ""
		}
		result.Compare = func(baseline int) []report.Comparison { return lab.Compare(result.Runs, baseline) }
		list = append(list, result)
		blocks = append(blocks, own...)
	}
	return list, experiment.Digest(blocks...)
}

// cancelled reports whether an error only says that somebody stopped.
func cancelled(err error) bool {
	return errors.Is(err, lab.ErrCancelled) || errors.Is(err, paper.ErrCancelled)
}
