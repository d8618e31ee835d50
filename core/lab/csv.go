package lab

import "batchlab/core/report"

// Executions returns the table of a run that was made with Options.Columns:
// jobs.csv.
func (p *Prepared) Executions(r *Result) (*report.Executions, error) {
	one, err := p.repetition(r.Report.Repetition)
	if err != nil {
		return nil, err
	}
	jobs, err := p.Jobs(r.Report.Repetition)
	if err != nil {
		return nil, err
	}
	site, err := p.Site(r.Report.Repetition)
	if err != nil {
		return nil, err
	}
	return report.NewExecutions(one.workload.Name, jobs, r.Report, site), nil
}
