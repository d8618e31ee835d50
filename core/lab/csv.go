package lab

import (
	"strconv"

	"batchlab/core/model"
	"batchlab/core/report"
)

// jobsHeader is the columns of Batsim's jobs file, in its order.
const jobsHeader = "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,final_state," +
	"starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata\n"

// AppendJobsCSV appends a schedule as CSV with the columns of Batsim's jobs
// file, so that Evalys reads it as it is: times in seconds, stretch =
// turnaround ÷ execution time, allocated resources as intervals ("0-3 8"),
// empty for a logged schedule that does not fit. Rejected jobs have −1 for what
// never happened. Energy is not simulated: −1.
func AppendJobsCSV(dst []byte, s *model.Schedule) []byte {
	spans := Spans(s)
	dst = append(dst, jobsHeader...)
	name := quoteCSV(s.Workload.Name)
	for i := range s.Executions {
		e := &s.Executions[i]
		j := &s.Workload.Jobs[e.Job]
		n := 0
		for n < len(spans) && spans[n].Job == e.Job {
			n++
		}
		dst = appendJob(dst, name, j, e, spans[:n])
		spans = spans[n:]
	}
	return dst
}

func appendJob(dst []byte, name string, j *model.Job, e *model.Execution, spans []report.Span) []byte {
	number := func(v int64) { dst = append(strconv.AppendInt(dst, v, 10), ',') }
	text := func(s string) { dst = append(append(dst, s...), ',') }
	number(j.Number)
	text(name)
	number(j.Number)
	number(int64(e.Submit))
	number(int64(e.Procs))
	number(int64(j.Limit))
	run, turnaround := e.End-e.Start, e.End-e.Submit
	switch e.Reason {
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
	number(int64(e.Start))
	number(int64(run))
	number(int64(e.End))
	number(int64(e.Start - e.Submit))
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

// quoteCSV quotes a field where RFC 4180 asks for it.
func quoteCSV(s string) string {
	out := []byte{'"'}
	plain := true
	for i := range len(s) {
		switch s[i] {
		case '"':
			out = append(out, '"')
			plain = false
		case ',', '\r', '\n':
			plain = false
		}
		out = append(out, s[i])
	}
	if plain {
		return s
	}
	return string(append(out, '"'))
}
