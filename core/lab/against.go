package lab

import (
	"slices"

	"batchlab/core/metric"
	"batchlab/core/report"
)

// Against runs another scheduler of an experiment over the repetition of a finished
// run that has its columns, and says whether both do the same, where they part if
// not, and which promises the first one keeps.
func (p *Prepared) Against(mine *report.Run, scheduler int, o Options) (*report.Against, error) {
	o.Columns, o.Profile = true, false
	other, err := p.Run(RunID{Scheduler: scheduler, Repetition: mine.Repetition}, o)
	if err != nil {
		return nil, err
	}
	jobs, err := p.Jobs(mine.Repetition)
	if err != nil {
		return nil, err
	}
	r, err := p.repetition(mine.Repetition)
	if err != nil {
		return nil, err
	}
	out := Beside(jobs, mine, other.Report, r.countable())
	return &out, nil
}

// Beside sets a finished run beside another of the same jobs, both with their
// columns. counted says that the platform is one machine of counted processors,
// always there and free to all: only there the promise to the head can be told from
// the schedule.
func Beside(jobs *report.Jobs, mine, other *report.Run, counted bool) report.Against {
	a, b := &mine.Columns, &other.Columns
	out := report.Against{Key: other.Key, Label: other.Label, Apart: metric.Apart(jobs, a, b), Promises: []report.Promise{metric.Starve(jobs, a, b)}}
	if counted && len(a.Before) == 0 && !slices.Contains(a.Start, -1) && !mine.Logged {
		out.Promises = append(out.Promises, metric.Heads(jobs, a, mine.Processors))
	}
	if len(jobs.Reserved) > 0 {
		out.Promises = append(out.Promises, metric.Reservations(jobs, a))
	}
	return out
}
