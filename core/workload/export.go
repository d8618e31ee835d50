package workload

import (
	"bytes"
	"fmt"
	"math"

	"batchlab/core/model"
	"batchlab/core/swf"
)

// Export makes a log of a simulated schedule of w, whose jobs came from l: a
// record for each job, in order of (submit, number), with the simulated wait
// in field 3, the executed seconds in field 4, the processors held in field 5,
// and everything else as l has it. Submit time, requested processors and
// requested time differ from l only where cleaning or scaling changed them. A
// job that ran more than once shows its last execution; a rejected one has −1
// in fields 3, 4 and 5 and status 5.
//
// The header is l's, terms of use included, with a note that names the
// algorithm, and with MaxProcs where l does not state the machine's size.
func Export(l *swf.Log, w *model.Workload, s *model.Schedule, algorithm string) *swf.Log {
	out := &swf.Log{Records: make([]swf.Record, len(w.Jobs))}
	out.Header.Text = bytes.Clone(l.Header.Text)
	if _, err := MachineSize(l, 0); err != nil {
		out.Header.Add("MaxProcs", fmt.Sprint(s.Platform.Procs()))
	}
	out.Header.Add("Note", fmt.Sprintf("Simulated by Batchlab, not measured: %s on %d processors.\nWait times, run times and allocated processors are the simulated ones.", algorithm, s.Platform.Procs()))
	for j := range w.Jobs {
		out.Records[j] = exportRecord(l, &w.Jobs[j])
	}
	for i := range s.Executions {
		e := &s.Executions[i]
		j := e.Job
		if s.Workload != nil && s.Workload.Origin != nil {
			j = s.Workload.Origin[j]
		}
		r := &out.Records[j]
		if e.Reason.Unserved() {
			r.WaitTime, r.RunTime, r.AllocatedProcessors, r.Status = swf.Unknown, swf.Unknown, swf.Unknown, 5
			continue
		}
		r.WaitTime = span(e.Start - w.Jobs[j].Submit)
		r.RunTime = span(e.End - e.Start)
		r.AllocatedProcessors = e.Procs
	}
	return out
}

// exportRecord returns the record that a job came from, brought up to date
// with what the job asks for now.
func exportRecord(l *swf.Log, j *model.Job) swf.Record {
	r := swf.Record{
		AverageCPUTimeUsed: swf.Unknown, UsedMemory: swf.Unknown, RequestedMemory: swf.Unknown,
		PrecedingJobNumber: swf.Unknown, ThinkTime: swf.Unknown, Status: 1,
		RequestedProcessors: j.Procs, RequestedTime: span(j.Limit),
		ExecutableNumber: swf.Unknown, PartitionNumber: swf.Unknown,
	}
	if j.Record >= 0 && int(j.Record) < len(l.Records) {
		r = l.Records[j.Record]
		r.Line = 0
	}
	if r.RequestedProcessors > 0 && r.RequestedProcessors != j.Procs {
		r.RequestedProcessors = j.Procs
	}
	if limit := span(j.Limit); r.RequestedTime > 0 && r.RequestedTime != limit || r.RequestedTime <= 0 && r.RunTime != limit {
		r.RequestedTime = limit
	}
	r.JobNumber, r.SubmitTime = j.Number, int64(j.Submit)
	r.UserID, r.GroupID, r.QueueNumber = j.User, j.Group, j.Queue
	return r
}

// span is a duration as a field of a log holds it.
func span(t model.Time) int32 { return int32(min(t, math.MaxInt32)) }
