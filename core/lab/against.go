package lab

import (
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
	out := metric.Beside(jobs, mine, other.Report, r.countable())
	return &out, nil
}
