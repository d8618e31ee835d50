package report

import (
	"strconv"
	"strings"

	"batchlab/core/model"
)

// jobsHeader is the columns of Batsim's jobs file, in its order.
const jobsHeader = "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,final_state," +
	"starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata\n"

// JobRow is one execution in jobs.csv.
type JobRow struct {
	Number        int64
	Submit, Limit model.Time
	Start, End    model.Time
	Procs         int32
	Reason        model.EndReason
}

// AppendJobsCSV appends executions as CSV with the columns of Batsim's jobs
// file, so that Evalys reads it as it is: times in seconds, stretch =
// turnaround ÷ execution time, allocated resources as intervals ("0-3 8"),
// empty for a logged schedule that does not fit. Rejected jobs have −1 for what
// never happened. Energy is not simulated: −1. row gives the i-th of n rows and
// the index of its job in spans, which are in order of job.
func AppendJobsCSV(dst []byte, name string, spans []Span, n int, row func(i int) (JobRow, model.JobID)) []byte {
	dst = append(dst, jobsHeader...)
	name = CSVField(name)
	for i := range n {
		r, job := row(i)
		for len(spans) > 0 && spans[0].Job < job {
			spans = spans[1:]
		}
		k := 0
		for k < len(spans) && spans[k].Job == job {
			k++
		}
		dst = r.append(dst, name, spans[:k])
	}
	return dst
}

func (r *JobRow) append(dst []byte, name string, spans []Span) []byte {
	number := func(v int64) { dst = append(strconv.AppendInt(dst, v, 10), ',') }
	text := func(s string) { dst = append(append(dst, s...), ',') }
	number(r.Number)
	text(name)
	number(r.Number)
	number(int64(r.Submit))
	number(int64(r.Procs))
	number(int64(r.Limit))
	switch r.Reason {
	case model.EndCompleted:
		text("1,COMPLETED_SUCCESSFULLY")
	case model.EndKilled:
		text("0,COMPLETED_WALLTIME_REACHED")
	case model.EndOutage:
		text("0,COMPLETED_KILLED")
	default:
		text("0,REJECTED,-1,-1,-1,-1,-1,-1,,-1")
		return append(dst, '\n')
	}
	run, turnaround := r.End-r.Start, r.End-r.Submit
	number(int64(r.Start))
	number(int64(run))
	number(int64(r.End))
	number(int64(r.Start - r.Submit))
	number(int64(turnaround))
	dst = append(strconv.AppendFloat(dst, float64(turnaround)/float64(run), 'g', -1, 64), ',')
	for i, span := range spans {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = strconv.AppendInt(dst, int64(span.First), 10)
		if span.Count > 1 {
			dst = strconv.AppendInt(append(dst, '-'), int64(span.First+span.Count-1), 10)
		}
	}
	return append(dst, ",-1,\n"...)
}

// CSVField quotes a field of a CSV file where RFC 4180 asks for it.
func CSVField(s string) string {
	if !strings.ContainsAny(s, ",\"\r\n") {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}
