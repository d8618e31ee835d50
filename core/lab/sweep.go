package lab

import (
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/paper"
	"batchlab/core/report"
)

// Sweep runs the experiments of a study's preset one after another and returns
// their results, and one digest over the runs of all in order. Progress counts
// over all runs.
func Sweep(points []paper.Point, env Env, o Options) ([]paper.Result, string, error) {
	total := 0
	for _, p := range points {
		for _, s := range p.Experiment.Schedulers {
			total += int(s.Repeat)
		}
	}
	var results []paper.Result
	var blocks [][]byte
	before := 0
	for _, point := range points {
		one := o
		runs := 0
		if o.Progress != nil {
			one.Progress = func(done, of int) bool { // in thousandths of a run
				return o.Progress(1000*(before+runs)+int(1000*int64(done)/int64(max(1, of))), 1000*total)
			}
		}
		p, err := Prepare(point.Experiment, env)
		if err != nil {
			return nil, "", err
		}
		result := paper.Result{Point: point}
		ids := p.Runs()
		order := make([]int, len(ids)) // by repetition, so that each workload is made once
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return ids[a].Repetition - ids[b].Repetition })
		result.Runs = make([]*report.Run, len(ids))
		first := len(blocks)
		blocks = append(blocks, make([][]byte, len(ids))...)
		for _, i := range order {
			r, err := p.Run(ids[i], one)
			if err != nil {
				return nil, "", err
			}
			result.Runs[i], blocks[first+i] = r.Report, r.Block
			if runs++; o.Progress != nil && !o.Progress(1000*(before+runs), 1000*total) {
				return nil, "", ErrCancelled
			}
		}
		result.Compare = func(baseline int) []report.Comparison { return Compare(result.Runs, baseline) }
		before += runs
		results = append(results, result)
	}
	return results, experiment.Digest(blocks...), nil
}
