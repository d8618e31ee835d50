package workload_test

import (
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// oneAfterTheOther is a schedule that runs the jobs one at a time.
func oneAfterTheOther(w *model.Workload) *model.Schedule {
	s := &model.Schedule{Workload: w, Platform: model.OneCluster(w.Processors)}
	now := model.Time(0)
	for i := range w.Jobs {
		j := &w.Jobs[i]
		now = max(now, j.Submit)
		s.Executions = append(s.Executions, model.Execution{Job: int32(i), Submit: j.Submit, Start: now, End: now + w.Executed(model.JobID(i)), Procs: j.Procs})
		now += w.Executed(model.JobID(i))
	}
	return s
}

// An exported log holds the simulated wait, run and processors, the rest as it
// was, header and terms of use included; what cleaning changed is changed.
func TestExport(t *testing.T) {
	text := "; Copyright: keep this\n; MaxProcs: 8\n" +
		" 1 0 77 60 4 55 9 -1 100 8 1 3 4 5 6 7 -1 -1\n" + // its own fields
		" 2 10 77 120 4 55 9 4 100 8 1 3 4 5 6 7 -1 -1\n" + // killed at 100
		" 3 20 77 30 9 55 9 9 -1 8 1 3 4 5 6 7 1 9\n" // clamped, without a request
	l := parse(t, text)
	w, _, err := workload.FromLog(l, workload.Options{Oversize: "clamp"})
	if err != nil {
		t.Fatal(err)
	}
	out := workload.Export(l, w, oneAfterTheOther(w), "easy")
	want := []swf.Record{
		{JobNumber: 1, SubmitTime: 0, WaitTime: 0, RunTime: 60, AllocatedProcessors: 4, AverageCPUTimeUsed: 55, UsedMemory: 9, RequestedProcessors: -1, RequestedTime: 100, RequestedMemory: 8, Status: 1, UserID: 3, GroupID: 4, ExecutableNumber: 5, QueueNumber: 6, PartitionNumber: 7, PrecedingJobNumber: -1, ThinkTime: -1},
		{JobNumber: 2, SubmitTime: 10, WaitTime: 50, RunTime: 100, AllocatedProcessors: 4, AverageCPUTimeUsed: 55, UsedMemory: 9, RequestedProcessors: 4, RequestedTime: 100, RequestedMemory: 8, Status: 1, UserID: 3, GroupID: 4, ExecutableNumber: 5, QueueNumber: 6, PartitionNumber: 7, PrecedingJobNumber: -1, ThinkTime: -1},
		{JobNumber: 3, SubmitTime: 20, WaitTime: 140, RunTime: 30, AllocatedProcessors: 8, AverageCPUTimeUsed: 55, UsedMemory: 9, RequestedProcessors: 8, RequestedTime: -1, RequestedMemory: 8, Status: 1, UserID: 3, GroupID: 4, ExecutableNumber: 5, QueueNumber: 6, PartitionNumber: 7, PrecedingJobNumber: 1, ThinkTime: 9},
	}
	for i := range want {
		if out.Records[i] != want[i] {
			t.Errorf("record %d is\n%+v, want\n%+v", i, out.Records[i], want[i])
		}
	}
	if h := string(out.Header.Text); !strings.HasPrefix(h, string(l.Header.Text)) || !strings.Contains(out.Header.Notes[0], "easy on 8 processors") {
		t.Errorf("header is %s", h)
	}
	if len(l.Header.Notes) != 0 {
		t.Error("the source's own header has changed")
	}
}

// What is exported, read and cleaned again is the same workload, whatever the
// rules and scaling it was made with.
func TestExportRoundTrip(t *testing.T) {
	l, err := workload.GenerateSeeded("daily", map[string]any{"jobs": 300, "overestimate": 1}, 9, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range l.Records {
		switch r := &l.Records[i]; i % 5 {
		case 0:
			r.RequestedTime = -1
		case 1:
			r.RunTime *= 2
		case 2:
			r.RequestedProcessors = -1
		}
	}
	l.Header = swf.Header{Text: []byte("; Version: 2.2\n")} // no machine size
	for _, o := range []workload.Options{
		{Processors: 100}, {Processors: 100, Overrun: "extend"}, {Processors: 20, Oversize: "clamp", Load: 1.7, Time: 0.3},
	} {
		w, _, err := workload.FromLog(l, o)
		if err != nil {
			t.Fatal(err)
		}
		data := workload.Export(l, w, oneAfterTheOther(w), "fcfs").Append(nil)
		again, clean, err := workload.FromLog(parse(t, string(data)), workload.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := jobs(again), jobs(w); got != want {
			t.Errorf("%+v: read back as\n%.300s, want\n%.300s", o, got, want)
		}
		if again.Processors != w.Processors || clean.Kept != len(w.Jobs) {
			t.Errorf("%+v: %d processors, %d kept", o, again.Processors, clean.Kept)
		}
	}
}

// A rejected job never waited, ran or held anything; status 5 says so.
func TestExportRejected(t *testing.T) {
	l := logOf(t, "1 5 0 60 4 4 100")
	w, _, err := workload.FromLog(l, workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := oneAfterTheOther(w)
	s.Executions[0] = model.Execution{Submit: 5, Start: -1, End: 5, Reason: model.EndRejected}
	if r := workload.Export(l, w, s, "x").Records[0]; r.WaitTime != -1 || r.RunTime != -1 || r.AllocatedProcessors != -1 || r.Status != 5 {
		t.Errorf("record is %+v", r)
	}
}
