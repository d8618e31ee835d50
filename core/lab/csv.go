package lab

import (
	"batchlab/core/model"
	"batchlab/core/report"
)

// AppendJobsCSV appends a schedule as jobs.csv: see report.AppendJobsCSV.
func AppendJobsCSV(dst []byte, s *model.Schedule) []byte {
	return report.AppendJobsCSV(dst, s.Workload.Name, Spans(s), len(s.Executions), func(i int) (report.JobRow, model.JobID) {
		e := &s.Executions[i]
		j := &s.Workload.Jobs[e.Job]
		return report.JobRow{
			Number: j.Number, Submit: e.Submit, Limit: j.Limit, Start: e.Start, End: e.End, Procs: e.Procs, Reason: e.Reason,
		}, e.Job
	})
}
