// Package sweep runs the presets of the studies that consist of many
// experiments. It stands apart from lab so that the page, which runs single
// experiments, need not carry the studies' tables.
package sweep

import (
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
		p, err := lab.Prepare(point.Experiment, env)
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
				return nil, "", lab.ErrCancelled
			}
		}
		result.Compare = func(baseline int) []report.Comparison { return lab.Compare(result.Runs, baseline) }
		before += runs
		results = append(results, result)
	}
	return results, experiment.Digest(blocks...), nil
}
