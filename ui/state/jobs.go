package state

import (
	"errors"
	"strconv"
)

// JobsCSV writes the jobs of a finished run with the columns of Batsim's jobs
// file, byte for byte as lab.AppendJobsCSV does: times in seconds of the
// workload, processors numbered from 0 as intervals ("0-3 7"), energy not
// known (−1). It works on columns, since the page holds no schedule.
func (s *Store) JobsCSV(r *Run) ([]byte, error) {
	jobs := s.Jobs[r.Repetition]
	if r.Result == nil || jobs == nil || len(r.Result.Columns.Start) != len(jobs.Number) {
		return nil, errors.New("the jobs of this run are not here")
	}
	c := &r.Result.Columns
	name := ""
	if s.Preview != nil {
		name = csvField(s.Preview.Name)
	}
	out := make([]byte, 0, 120*len(jobs.Number))
	out = append(out, "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,final_state,"+
		"starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata\n"...)
	field := func(v int64) { out = append(strconv.AppendInt(out, v, 10), ',') }
	span := 0
	for i := range jobs.Number {
		start, end := int64(c.Start[i]), int64(c.End[i])
		submit := int64(jobs.Submit[i])
		field(jobs.Number[i])
		out = append(out, name...)
		out = append(out, ',')
		field(jobs.Number[i])
		field(submit)
		field(int64(jobs.Procs[i]))
		field(int64(jobs.Limit[i]))
		if start < 0 {
			out = append(out, "0,REJECTED,-1,-1,-1,-1,-1,-1,,-1,\n"...)
			continue
		}
		// A job whose run time lies beyond its request was stopped at it.
		if jobs.Run[i] > jobs.Limit[i] {
			out = append(out, "0,COMPLETED_WALLTIME_REACHED,"...)
		} else {
			out = append(out, "1,COMPLETED_SUCCESSFULLY,"...)
		}
		field(start)
		field(end - start)
		field(end)
		field(start - submit)
		field(end - submit)
		out = strconv.AppendFloat(out, float64(end-submit)/float64(end-start), 'g', -1, 64)
		out = append(out, ',')
		for span < len(c.Spans) && int(c.Spans[span].Job) < i {
			span++
		}
		for first := true; span < len(c.Spans) && int(c.Spans[span].Job) == i; span++ {
			if !first {
				out = append(out, ' ')
			}
			first = false
			from, n := int64(c.Spans[span].First), int64(c.Spans[span].Count)
			out = strconv.AppendInt(out, from, 10)
			if n > 1 {
				out = strconv.AppendInt(append(out, '-'), from+n-1, 10)
			}
		}
		out = append(out, ",-1,\n"...)
	}
	return out, nil
}
