package state

import (
	"errors"

	"batchlab/core/model"
	"batchlab/core/report"
)

// JobsCSV writes the jobs of a finished run with the columns of Batsim's jobs
// file, as the command line does.
func (s *Store) JobsCSV(r *Run) ([]byte, error) {
	rows, err := s.jobRows(r)
	if err != nil {
		return nil, err
	}
	return rows.csv(0, rows.n), nil
}

func (s *Store) jobRows(r *Run) (*jobRows, error) {
	jobs := s.Jobs[r.Repetition]
	if r.Result == nil || jobs == nil || len(r.Result.Columns.Start) != len(jobs.Number) {
		return nil, errors.New("the jobs of this run are not here")
	}
	c := &r.Result.Columns
	submit := c.Submitted(jobs)
	name := ""
	if s.Preview != nil {
		name = s.Preview.Name
	}
	return &jobRows{name: name, spans: c.Spans, n: len(jobs.Number), row: func(i int) report.JobRow {
		row := report.JobRow{
			Number: jobs.Number[i], Submit: submit[i], Limit: jobs.Limit[i],
			Start: c.Start[i], End: c.End[i], Procs: jobs.Procs[i],
		}
		switch {
		case c.Start[i] == -1 && c.End[i] == -1:
			row.Reason = model.EndRejected
		case jobs.Run[i] > jobs.Limit[i]:
			row.Reason = model.EndKilled
		}
		return row
	}}, nil
}
