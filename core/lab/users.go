package lab

import (
	"batchlab/core/experiment"
	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
)

// Reaction says what was found of the users of a repetition, nil where
// submissions are replayed.
func (p *Prepared) Reaction(repetition int) (*report.Reaction, error) {
	r, err := p.repetition(repetition)
	if err != nil {
		return nil, err
	}
	return r.reaction, nil
}

// Patience returns the acceptable waits that parameters of
// catalog.PatienceParams describe, nil for nil.
func Patience(params experiment.Params) *metric.Patience {
	if params == nil {
		return nil
	}
	v := metric.PatienceOf(params)
	return &v
}

// original puts the columns of a run into the order of the workload that users
// reacted with, so that all runs of a repetition speak of the same jobs.
func original(c *report.Columns, w *model.Workload) {
	origin := w.Origin
	n := len(origin)
	start, end, submit, ended := make([]model.Time, n), make([]model.Time, n), make([]model.Time, n), make([]model.EndReason, n)
	for i, k := range origin {
		start[k], end[k], submit[k], ended[k] = c.Start[i], c.End[i], w.Jobs[i].Submit, c.Ended[i]
	}
	c.Start, c.End, c.Ended = start, end, ended
	if w.Submitted == nil {
		c.Submit = submit
	} else {
		c.Eligible = submit
		for k := range submit {
			if g := &w.Gates[k]; ended[k] == model.EndNever || ended[k] == model.EndWithdrawn && submit[k] >= g.Withdrawn {
				submit[k] = -1
			}
		}
	}
	if len(c.Foretold) == n {
		first, last := make([]model.Time, n), make([]model.Time, n)
		for i, k := range origin {
			first[k], last[k] = c.Foretold[i], c.Retold[i]
		}
		c.Foretold, c.Retold = first, last
	}
	if len(c.Why) == n {
		why := make([]report.Why, n)
		for i, k := range origin {
			why[k] = c.Why[i]
			if head := why[k].Head; head >= 0 {
				why[k].Head = origin[head]
			}
		}
		c.Why = why
	}
	from := make([]int32, n+1) // spans stand in order of jobs: count, then place
	for _, s := range c.Spans {
		from[origin[s.Job]+1]++
	}
	for i := range n {
		from[i+1] += from[i]
	}
	spans := make([]report.Span, len(c.Spans))
	for _, s := range c.Spans {
		s.Job = origin[s.Job]
		spans[from[s.Job]] = s
		from[s.Job]++
	}
	c.Spans = spans
	for i := range c.Before {
		c.Before[i].Job = origin[c.Before[i].Job]
	}
	order.Stable(c.Before, func(a, b report.Piece) int { return int(a.Job - b.Job) })
	for i := range c.Complaints {
		c.Complaints[i].Job = origin[c.Complaints[i].Job]
	}
}
