package result

import (
	"errors"

	"batchlab/core/report"
)

// JobsCSV writes the executions of a finished run: jobs.csv, as the command line
// does.
func (s *Tray) JobsCSV(r *Run) ([]byte, error) {
	x, err := s.executions(r)
	if err != nil {
		return nil, err
	}
	return x.CSV(), nil
}

func (s *Tray) executions(r *Run) (*report.Executions, error) {
	jobs := s.Jobs[r.Repetition]
	if r.Result == nil || jobs == nil || len(r.Result.Columns.Start) != len(jobs.Number) {
		return nil, errors.New("the jobs of this run are not here")
	}
	return report.NewExecutions(s.preview().Name, jobs, r.Result, s.Sites[r.Repetition]), nil
}
