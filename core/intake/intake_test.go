package intake

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"batchlab/core/report"
	"batchlab/core/swf"
)

// read reads a text that must be of a format.
func read(t *testing.T, format, text string) *Result {
	t.Helper()
	if f := Recognise([]byte(text)); f == nil || f.Key != format {
		t.Fatalf("%.60q is taken for %v, not for %s", text, f, format)
	}
	r, err := Read(Options{}, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Extra) != len(r.Log.Records) {
		t.Fatalf("%d extras for %d jobs", len(r.Extra), len(r.Log.Records))
	}
	again, err := swf.Parse(r.Log.Append(nil))
	if err != nil || again.Malformed > 0 || len(again.Records) != len(r.Log.Records) {
		t.Fatalf("what was made is no log: %v, %+v", err, again.Problems)
	}
	return r
}

// line gives the fields of one job that a test looks at:
// number submit wait run procs asked limit status user.
func fields(r *Result, i int) string {
	x := &r.Log.Records[i]
	return fmt.Sprint(x.JobNumber, x.SubmitTime, x.WaitTime, x.RunTime, x.AllocatedProcessors, x.RequestedProcessors, x.RequestedTime, x.Status, x.UserID)
}

func all(r *Result) string {
	var list []string
	for i := range r.Log.Records {
		list = append(list, fields(r, i))
	}
	return strings.Join(list, "\n")
}

func checks(r *Result) string {
	var list []string
	for _, c := range r.Report.Checks {
		list = append(list, fmt.Sprintf("%d %s %v", c.Count, c.What, c.Lines))
	}
	return strings.Join(list, "\n")
}

const sacctHead = "JobIDRaw|JobID|User|Account|Partition|QOS|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|NNodes|NCPUS|ReqCPUS|ReqMem|ReqTRES|SubmitLine\n"

// Intent: one row of sacct for each thing that such rows are known to say in their own
// way, with the record that follows from it on paper. The first job is submitted at
// 2026-11-23 08:00:00, second 0 of the log.
func TestSacct(t *testing.T) {
	const first = "7|7|ann|bio|main|normal|2026-11-23T08:00:00|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:40|90|2|COMPLETED|1|4|4|4G||sbatch a\n"
	const head = "7 0 10 90 4 4 120 1 1\n"
	for _, c := range []struct{ what, row, want, extra string }{
		{"cancelled in the queue: what it shows was asked for, and it leaves the queue at its end",
			"8|8|bob|bio|main|normal|2026-11-23T08:00:05|Unknown|None|2026-11-23T08:00:25|0|2|CANCELLED by 1001|1|4|4|1G|cpu=4|sbatch b",
			"8 5 -1 -1 -1 4 120 5 2", "Withdrawn:25"},
		{"cancelled while it ran", "8|8|bob|bio|main|normal|2026-11-23T08:00:05|2026-11-23T08:00:05|2026-11-23T08:00:06|2026-11-23T08:00:26|20|2|CANCELLED by 0|1|4|4|1G||x", "8 5 1 20 4 4 120 5 2", ""},
		{"a limit without end", "8|8|ann|bio|main|normal|2026-11-23T08:00:05|2026-11-23T08:00:05|2026-11-23T08:00:06|2026-11-23T08:00:26|20|UNLIMITED|FAILED|1|4|4|1G||x", "8 5 1 20 4 4 -1 0 1", ""},
		{"the partition's limit", "8|8|ann|bio|main|normal|2026-11-23T08:00:05|2026-11-23T08:00:05|2026-11-23T08:00:06|2026-11-23T08:00:26|20|Partition_Limit|TIMEOUT|1|4|4|1G||x", "8 5 1 20 4 4 -1 0 1", ""},
		{"still waiting", "8|8|ann|bio|main|normal|2026-11-23T08:00:05|2026-11-23T08:00:05|Unknown|Unknown|0|2|PENDING|1|4|4|1G||x", "8 5 -1 -1 4 4 120 -1 1", ""},
		{"still running: its run time so far", "8|8|ann|bio|main|normal|2026-11-23T08:00:05|2026-11-23T08:00:05|2026-11-23T08:00:06|Unknown|20|2|RUNNING|1|4|4|1G||x", "8 5 1 20 4 4 120 -1 1", ""},
		{"two partitions", "8|8|ann|bio|main,short|normal|2026-11-23T08:00:05|2026-11-23T08:00:05|2026-11-23T08:00:06|2026-11-23T08:00:26|20|2|COMPLETED|1|4|4|1G||x", "8 5 1 20 4 4 120 1 1", "Partitions:[1 2]"},
		{"held back by --begin", "8|8|ann|bio|main|normal|2026-11-23T08:00:05|2026-11-23T08:10:05|2026-11-23T08:10:06|2026-11-23T08:10:26|20|2|COMPLETED|1|4|4|1G||sbatch --begin=now+10minutes x", "8 5 601 20 4 4 120 1 1", "Begin:605"},
		{"GPUs, of one type and another", "8|8|ann|bio|main|normal|2026-11-23T08:00:05|2026-11-23T08:00:05|2026-11-23T08:00:06|2026-11-23T08:00:26|20|2|COMPLETED|1|4|4|1G|cpu=4,gres/gpu:a100=2,gres/gpu:h100=1|x", "8 5 1 20 4 4 120 1 1", "GPUs:3"},
		{"GPUs in all beside those of a type", "8|8|ann|bio|main|normal|2026-11-23T08:00:05|2026-11-23T08:00:05|2026-11-23T08:00:06|2026-11-23T08:00:26|20|2|COMPLETED|1|4|4|1G|cpu=4,gres/gpu=2,gres/gpu:a100=2|x", "8 5 1 20 4 4 120 1 1", "GPUs:2"},
		{"GPUs of the command alone", "8|8|ann|bio|main|normal|2026-11-23T08:00:05|2026-11-23T08:00:05|2026-11-23T08:00:06|2026-11-23T08:00:26|20|2|COMPLETED|1|4|4|1G||sbatch --gpus=a100:2 x", "8 5 1 20 4 4 120 1 1", "GPUs:2"},
		{"waits for another in any way", "8|8|ann|bio|main|normal|2026-11-23T08:00:05|2026-11-23T08:01:40|2026-11-23T08:01:41|2026-11-23T08:02:01|20|2|COMPLETED|1|4|4|1G||sbatch -d afterany:7 x", "8 5 96 20 4 4 120 1 1", "After:7"},
		{"waits for the start of another and five minutes", "8|8|ann|bio|main|normal|2026-11-23T08:00:05|2026-11-23T08:01:40|2026-11-23T08:01:41|2026-11-23T08:02:01|20|2|COMPLETED|1|4|4|1G||sbatch --dependency=after:7+5 x", "8 5 96 20 4 4 120 1 1", "After:7:start+300"},
		{"a part of two jobs that start together", "8|7+1|ann|bio|main|normal|2026-11-23T08:00:05|2026-11-23T08:00:05|2026-11-23T08:00:06|2026-11-23T08:00:26|20|2|COMPLETED|1|4|4|1G||x", "8 5 1 20 4 4 120 1 1", "Het:1"},
		{"a task of an array with a limit", "8|5_3|ann|bio|main|normal|2026-11-23T08:00:05|2026-11-23T08:00:45|2026-11-23T08:00:45|2026-11-23T08:01:05|20|2|COMPLETED|1|4|4|1G||sbatch --array=0-6%2 x", "8 5 40 20 4 4 120 1 1", "Array:1 ArrayLimit:2"},
		{"free text with a separator in it, which is no last column", "8|8|ann|bio|main|normal|2026-11-23T08:00:05|2026-11-23T08:00:05|2026-11-23T08:00:06|2026-11-23T08:00:26|20|2|COMPLETED|1|4|4|1G||sbatch --wrap a | tee b", "8 5 1 20 4 4 120 1 1", ""},
	} {
		r := read(t, "sacct", sacctHead+first+c.row+"\n")
		if got := all(r); got != head+c.want {
			t.Errorf("%s:\n%s\nwant\n%s%s\n%+v", c.what, got, head, c.want, r.Log.Problems)
		}
		if last := fmt.Sprintf("%+v", r.Extra[len(r.Extra)-1]); !strings.Contains(last, c.extra) {
			t.Errorf("%s: %s, want %s", c.what, last, c.extra)
		}
	}
}

// Intent: GPUs that an older sacct names by node are those of the whole job; other
// resources are none, and what is no number is named.
func TestGresOfANode(t *testing.T) {
	for cell, want := range map[string]string{"gpu:2": "GPUs:6", "gpu": "GPUs:3", "craynetwork:1,gpu:a100:1": "GPUs:3", "": "GPUs:0", "craynetwork:1": "GPUs:0"} {
		r := read(t, "sacct", "JobIDRaw|Submit|Start|End|Elapsed|State|NNodes|NCPUS|ReqGRES|Timelimit\n7|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:40|00:01:30|COMPLETED|3|12|"+cell+"|00:02:00\n")
		if got := fmt.Sprintf("%+v", r.Extra[0]); !strings.Contains(got, want) || len(r.Log.Problems) > 0 {
			t.Errorf("%q: %s, want %s; %v", cell, got, want, r.Log.Problems)
		}
	}
	r := read(t, "sacct", "JobIDRaw|Submit|Start|End|Elapsed|State|NNodes|NCPUS|ReqGRES|Timelimit\n7|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:40|00:01:30|COMPLETED|3|12|gpu:many|00:02:00\n8|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:40|00:01:30|COMPLETED|3|12|gpu:1|00:02:00\n")
	if len(r.Log.Problems) != 1 || len(r.Extra) != 1 || r.Extra[0].GPUs != 3 {
		t.Errorf("gpu:many: %v, %+v", r.Log.Problems, r.Extra)
	}
}

// Intent: what is no job, or one that was there before, is left out and counted; what
// cannot be read is named by line and column; nothing is lost in silence.
func TestSacctCounts(t *testing.T) {
	r := read(t, "sacct", sacctHead+
		"7|7|ann|bio|main|normal|2026-11-23T08:00:00|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:40|90|2|PREEMPTED|1|4|4|4G||a\n"+
		"7|7|ann|bio|main|normal|2026-11-23T08:01:40|2026-11-23T08:03:41|2026-11-23T08:03:41|2026-11-23T08:04:00|19|2|COMPLETED|1|4|4|4G||a\n"+ // tried again
		"7.batch|7.batch|||||2026-11-23T08:00:00|||||||1|4|4|4G||a\n"+ // a step
		"9|9|ann|bio|main|normal|2026-11-23T08:01:40|2026-11-23T08:03:41|2026-11-23T08:03:41|2026-11-23T08:04:00|19|2|COMPLETED|1|4|4|4G||a\n"+
		"9|9|ann|bio|main|normal|2026-11-23T08:01:40|2026-11-23T08:03:41|2026-11-23T08:03:41|2026-11-23T08:04:00|19|2|COMPLETED|1|4|4|4G||a\n"+ // twice
		"10|10|ann|bio|main|normal|yesterday|2026-11-23T08:03:41|2026-11-23T08:03:41|2026-11-23T08:04:00|19|2|COMPLETED|1|4|4|4G||a\n"+
		"11|11|ann|bio\n"+
		"12|12_[0-4:2,9%2]|ann|bio|main|normal|2026-11-23T08:02:00|Unknown|Unknown|Unknown|0|2|PENDING|1|1|1|4G||a\n")
	want := "7 0 10 90 4 4 120 0 1\n10 100 121 19 4 4 120 1 1\n9 100 121 19 4 4 120 1 1\n11 120 -1 -1 1 1 120 -1 1\n12 120 -1 -1 1 1 120 -1 1\n13 120 -1 -1 1 1 120 -1 1\n14 120 -1 -1 1 1 120 -1 1"
	if got := all(r); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if r.Report.Tries != 1 || r.Report.Arrays != 1 || r.Log.Malformed != 2 {
		t.Errorf("%d tries, %d arrays, %d damaged: %+v", r.Report.Tries, r.Report.Arrays, r.Log.Malformed, r.Log.Problems)
	}
	if p := r.Log.Problems[0]; p.Line != 7 || p.Name != "Submit" || p.Text != "yesterday" {
		t.Errorf("the damaged time is named as %+v", p)
	}
	total := 0
	for _, f := range r.Report.Became {
		total += f.Count
	}
	if total != r.Report.Rows+len(r.Log.Problems) {
		t.Errorf("%d rows and %d damaged became %+v", r.Report.Rows, r.Log.Malformed, r.Report.Became)
	}
}

// Intent: what looks wrong in a file is said with the lines where it stands.
func TestChecks(t *testing.T) {
	row := func(id int, submit, start, end string) string {
		return fmt.Sprintf("%d|%d|ann|bio|main|normal|%s|%s|%s|%s||2|COMPLETED|1|4|4|4G||a\n", id, id, submit, submit, start, end)
	}
	r := read(t, "sacct", sacctHead+row(1, "2026-10-25T02:50:00", "2026-10-25T02:10:00", "2026-10-25T02:20:00")+row(2, "2026-10-25T02:50:00", "2026-10-25T02:55:00", "2026-10-25T02:15:00"))
	if got := checks(r); !strings.Contains(got, "1 starts before its submission") || !strings.Contains(got, "1 ends before its start") || !strings.Contains(got, "[2]") || !strings.Contains(got, "[3]") {
		t.Error(got)
	}
	r = read(t, "sacct", sacctHead+row(1, "2026-10-25T02:50:00", "2026-10-25T02:50:00", "2026-10-25T03:20:00")+row(2, "2026-10-25T02:51:00", "2026-10-25T02:51:00", "2026-10-25T03:15:00"))
	if got := checks(r); !strings.Contains(got, "every job starts in the second of its submission") {
		t.Error(got)
	}
	if r.Report.PeakProcs != 8 || r.Report.PeakNodes != 2 {
		t.Errorf("at most %d processors of %d nodes", r.Report.PeakProcs, r.Report.PeakNodes)
	}
	r = read(t, "sacct", sacctHead+row(1, "2026-10-25T02:00:00", "2026-10-25T02:00:00", "2026-10-25T03:00:00")+row(2, "2026-10-25T02:51:00", "2026-10-25T05:00:00", "2026-10-25T05:15:00"))
	if got := fmt.Sprint(r.Report.Pauses); got != "[{3600 10800}]" {
		t.Errorf("a pause of two hours: %s", got)
	}
	if _, err := Read(Options{}, []byte(sacctHead)); err == nil || !strings.Contains(err.Error(), "header and no row") {
		t.Errorf("a header alone: %v", err)
	}
	if _, err := Read(Options{}, []byte("JobID|Start|End|ElapsedRaw\n1|1|2|1\n")); err == nil || !strings.Contains(err.Error(), "Submit") {
		t.Errorf("no column Submit: %v", err)
	}
}

// Intent: a month's files border each other: what stands in both counts once.
func TestSeveralFiles(t *testing.T) {
	one := sacctHead + "7|7|ann|bio|main|normal|2026-11-23T08:00:00|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:40|90|2|COMPLETED|1|4|4|4G||a\n"
	two := one + "8|8|bob|bio|main|normal|2026-11-23T07:00:00|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:40|90|2|COMPLETED|1|4|4|4G||a\n"
	r, err := Read(Options{}, []byte(one), []byte(two))
	if err != nil || len(r.Log.Records) != 2 || r.Log.Records[0].JobNumber != 8 {
		t.Fatalf("%v: %s", err, all(r))
	}
	if _, err := Read(Options{}, []byte(one), []byte("submit,start,run,procs\n1,2,3,4\n")); err == nil {
		t.Error("files of two kinds are read as one")
	}
}

// Intent: a zone moves every time that states none, and none that states one.
func TestZones(t *testing.T) {
	r, err := Read(Options{Offset: func(int64) int64 { return 3600 }}, []byte("submit,start,run,procs\n2026-11-23 08:00:00,2026-11-23T08:00:00Z,60,1\n"))
	if err != nil || fields(r, 0) != "1 0 3600 60 1 -1 -1 -1 -1" {
		t.Fatalf("%v: %s", err, all(r))
	}
	if got := checks(r); !strings.Contains(got, "some times state a zone and some do not") {
		t.Error(got)
	}
}

// Intent: every way in which a time may be written, against the standard library.
func TestStamp(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	b := newBuilder(&Format{}, Options{})
	for range 2000 {
		at := time.Unix(random.Int64N(4e9)+86400*365, 0).In(time.FixedZone("", int(random.Int64N(27)-13)*1800))
		for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05-0700", "2006-01-02 15:04:05.000-07:00"} {
			if got, ok := b.stamp([]byte(at.Format(layout))); !ok || got != at.Unix() {
				t.Fatalf("%s is %d, want %d", at.Format(layout), got, at.Unix())
			}
		}
		for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "01/02/2006 15:04:05", "1/2/2006 15:04:05"} {
			if got, ok := b.stamp([]byte(at.UTC().Format(layout))); !ok || got != at.Unix() {
				t.Fatalf("%s is %d, want %d", at.UTC().Format(layout), got, at.Unix())
			}
		}
	}
	for _, wrong := range []string{"2026-13-01", "2026-11", "08:00", "2026-11-23T25:00:00", "2026-11-23T08:00:00+1", "2026-11-23T08:00:00 later", "12a", "2026/11/23"} {
		if got, ok := b.stamp([]byte(wrong)); ok {
			t.Errorf("%q is read as %d", wrong, got)
		}
	}
	for text, want := range map[string]int64{"90": 90, "1:30": 90, "01:01:30": 3690, "2-01:01:30": 176490, "1-0": 86400, "1-02": 93600, "1-02:03": 93780, "7.9": 7} {
		if got, ok := duration([]byte(text)); !ok || got != want {
			t.Errorf("%s lasts %d, want %d", text, got, want)
		}
	}
	for text, want := range map[string]int64{"1000M": 1024000, "4G": 4194304, "16": 16384, "2K": 2, "1.5G": 1572864, "1T": 1 << 30} {
		if got, ok := kilobytes([]byte(text)); !ok || got != want {
			t.Errorf("%s is %d KB, want %d", text, got, want)
		}
	}
}

// Intent: the same jobs, said by each system in its own words, give the same log.
func TestFormatsAgree(t *testing.T) {
	// Job 12 of ann: submitted at 1795420800 (2026-11-23 08:00:00 UTC), started 10 s
	// later, ran 90 s of 120 on 8 processors of 2 nodes; job 13 of bob 60 s later.
	want := "12 0 10 90 8 8 120 1 1\n13 60 20 30 4 4 600 0 2"
	for format, text := range map[string]string{
		"sacct": "JobIDRaw|User|Submit|Start|End|TimelimitRaw|State|NNodes|NCPUS|ReqCPUS\n" +
			"12|ann|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:40|2|COMPLETED|2|8|8\n13|bob|2026-11-23T08:01:00|2026-11-23T08:01:20|2026-11-23T08:01:50|10|FAILED|1|4|4\n",
		"sacct-json": `{"meta": {"plugin": {"type": "openapi/dbv0.0.40"}}, "jobs": [` +
			`{"job_id": 12, "user": "ann", "time": {"submission": 1795420800, "start": 1795420810, "end": 1795420900, "elapsed": 90, "limit": {"set": true, "infinite": false, "number": 2}}, "state": {"current": ["COMPLETED"]}, "required": {"CPUs": 8}, "allocation_nodes": 2, "tres": {"allocated": [{"type": "cpu", "count": 8}]}},` +
			"\n" + `{"job_id": 13, "user": "bob", "time": {"submission": 1795420860, "start": 1795420880, "end": 1795420910, "elapsed": 30, "limit": 10}, "state": {"current": "FAILED"}, "required": {"CPUs": 4}, "allocation_nodes": 1, "tres": {"allocated": [{"type": "cpu", "count": 4}]}}]}`,
		"pbs": "11/23/2026 08:00:00;Q;12.head;queue=main\n11/23/2026 08:00:10;S;12.head;user=ann ctime=1795420800\n" +
			"11/23/2026 08:01:40;E;12.head;user=ann group=g jobname=x queue=main ctime=1795420800 qtime=1795420800 etime=1795420800 start=1795420810 end=1795420900 Resource_List.select=2:ncpus=4 Resource_List.nodect=2 Resource_List.walltime=00:02:00 Exit_status=0 run_count=1\n" +
			"11/23/2026 08:01:50;E;13.head;user=bob group=g jobname=y queue=main ctime=1795420860 start=1795420880 end=1795420910 Resource_List.nodes=1:ppn=4 Resource_List.nodect=1 Resource_List.walltime=00:10:00 Exit_status=1\n",
		"lsf": `"JOB_FINISH" "10.1" 1795420900 12 1001 33554438 8 1795420800 0 1795420930 1795420810 "ann" "main" "" "" "" "host" "dir" "" "" "" "1795420800.12" 0 2 "n1" "n2" 64 60.0 "x" "say ""hi"" there" 1.0 0.1 0 0 -1 0 0 0 0 0 0 -1 0 0 0 0 -1 0 0 "" "bio" 0 8 "" "" 0 0 0` + "\n" +
			`"JOB_FINISH" "10.1" 1795420910 13 1002 33554438 4 1795420860 0 1795421480 1795420880 "bob" "main" "" "" "" "host" "dir" "" "" "" "1795420860.13" 1 "n3" 1 "4*n1" 32 60.0 "y" "run" 1.0 0.1 0 0 -1 0 0 0 0 0 0 -1 0 0 0 0 -1 0 0 "" "bio" 256 4 "" "" 0 0 0` + "\n",
		"alcf": "COBALT_JOBID,USERNAME_GENID,QUEUED_TIMESTAMP,START_TIMESTAMP,END_TIMESTAMP,WALLTIME_SECONDS,RUNTIME_SECONDS,NODES_USED,NODES_REQUESTED,JOB_ID,STATUS\n" +
			"1,ann,2026-11-23 08:00:00,2026-11-23 08:00:10,2026-11-23 08:01:40,120.0,90.0,8,8,12,COMPLETED\n2,bob,2026-11-23 08:01:00,2026-11-23 08:01:20,2026-11-23 08:01:50,600.0,30.0,4,4,13,FAILED\n",
		"csv": "\ufeffjob_id,user,cpu_num,node_num,state,submit_time,start_time,end_time,duration,time_limit\r\n" +
			"12,ann,8,2,COMPLETED,2026-11-23 16:00:00+08:00,2026-11-23 16:00:10+08:00,2026-11-23 16:01:40+08:00,90,120\r\n\r\n13,bob,4,1,FAILED,2026-11-23 16:01:00+08:00,2026-11-23 16:01:20+08:00,2026-11-23 16:01:50+08:00,30,600\r\n",
	} {
		r := read(t, format, text)
		want := want
		if format == "csv" { // its one column of processors is not said to be what was asked for
			want = strings.NewReplacer(" 8 8 ", " 8 -1 ", " 4 4 ", " 4 -1 ").Replace(want)
		}
		if got := all(r); got != want {
			t.Errorf("%s:\n%s\nwant\n%s\n%+v", format, got, want, r.Log.Problems)
		}
	}
}

// Intent: attempts of Philly's jobs are jobs that follow each other; pods of openb
// count their times from the trace's begin, and say that they share a GPU.
func TestTraces(t *testing.T) {
	r := read(t, "philly", `[{"status": "Pass", "vc": "v1", "jobid": "a_1", "user": "u1", "submitted_time": "2017-10-07 00:00:00", "attempts": [
 {"start_time": "2017-10-07 00:00:10", "end_time": "2017-10-07 00:01:00", "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}]},
 {"start_time": "2017-10-07 00:02:00", "end_time": "2017-10-07 00:03:00", "detail": [{"ip": "m1", "gpus": ["gpu0"]}, {"ip": "m2", "gpus": ["gpu0"]}]}]},
 {"status": "Killed", "vc": "v1", "jobid": "a_2", "user": "u2", "submitted_time": "2017-10-07 00:00:30", "attempts": []}]`)
	if want := "1 0 10 50 2 2 -1 0 1\n2 30 -1 -1 -1 -1 -1 5 2\n3 60 60 60 2 2 -1 1 1"; all(r) != want {
		t.Errorf("%s\nwant\n%s", all(r), want)
	}
	r = read(t, "openb", "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"+
		"p0,12000,16384,1,1000,,LS,Running,0,100,0\np1,500,512,1,460,,LS,Succeeded,5,65,8\np2,1000,512,0,0,,BE,Pending,7,9,\n")
	if want := "1 0 0 100 12 12 -1 1 -1\n2 5 3 57 1 1 -1 1 -1\n3 7 -1 -1 1 1 -1 -1 -1"; all(r) != want {
		t.Errorf("%s\nwant\n%s", all(r), want)
	}
	if r.Extra[1].GPUs != 1 || r.Extra[1].Share != 460 || r.Extra[0].Share != 0 || !strings.Contains(checks(r), "1 asks for a share of a GPU: counts as one whole GPU [3]") {
		t.Errorf("%+v %s", r.Extra, checks(r))
	}
	if r.Log.Header.UnixStartTime != 0 {
		t.Error("a trace that counts from its own begin states a date")
	}
}

// Intent: the columns of a table are told by their names or by whoever brings it, and
// what is missing is asked for by name.
func TestColumns(t *testing.T) {
	text := "who;asked_at;took;slots;began\nann;100;50;4;110\n"
	if _, err := Read(Options{Format: "csv"}, []byte(text)); err == nil || !strings.Contains(err.Error(), "--column submit=NAME") {
		t.Errorf("no column is like the submission: %v", err)
	}
	r, err := Read(Options{Format: "csv", Columns: map[string]string{"submit": "asked_at", "run": "took", "procs": "slots", "start": "began", "user": "who"}}, []byte(text))
	if err != nil || fields(r, 0) != "1 0 10 50 4 -1 -1 -1 1" {
		t.Errorf("%v: %s", err, all(r))
	}
	for _, wrong := range []map[string]string{{"sumbit": "asked_at"}, {"submit": "askedat"}} {
		if _, err := Read(Options{Format: "csv", Columns: wrong}, []byte(text)); err == nil {
			t.Errorf("%v is accepted", wrong)
		}
	}
	if got, open := cells([]byte(`a,"b ""c"", d",,"e"`), ',', true, nil); open || fmt.Sprintf("%q", got) != `["a" "b \"c\", d" "" "e"]` {
		t.Errorf("%q", got)
	}
}

// Intent: no name of the file is in the log, the report or extra.csv; it is in the
// list that only who asks gets.
func TestNamesStayAtTheDoor(t *testing.T) {
	text := "JobIDRaw|User|Group|Account|QOS|Partition|JobName|Submit|Start|End|NCPUS|State|NodeList\n" +
		"12|zebra1|zebra2|zebra3|zebra4|zebra5|zebra6|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:40|8|COMPLETED|zebra7\n" +
		"13|zebra1|zebra2|zebra3|zebra4|zebra5|zebra6|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:40|8|COMPLETED|zebra7\n"
	r := read(t, "sacct", text)
	if s := string(r.Log.Append(nil)) + string(r.AppendExtra(nil)) + fmt.Sprintf("%+v", r.Report); strings.Contains(s, "zebra") {
		t.Error(s)
	}
	if s := string(r.AppendNames(nil)); strings.Count(s, "zebra") != 6 {
		t.Error(s)
	}
}

// Intent: the reader agrees with a plain one, which splits strings and asks the
// standard library for times, on random rows in random order of columns.
func TestSacctTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		columns := []string{"JobIDRaw", "User", "Submit", "Start", "End", "TimelimitRaw", "NCPUS", "State", "Elapsed"}
		random.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
		var rows []map[string]string
		for id := range 1 + random.IntN(20) {
			submit := time.Unix(1795420800+random.Int64N(100000), 0).UTC()
			start := submit.Add(time.Duration(random.IntN(5000)) * time.Second)
			run := random.IntN(90000)
			end := start.Add(time.Duration(run) * time.Second)
			rows = append(rows, map[string]string{"JobIDRaw": fmt.Sprint(id + 1), "User": fmt.Sprint("u", random.IntN(3)), "Submit": submit.Format("2006-01-02T15:04:05"),
				"Start": start.Format("2006-01-02T15:04:05"), "End": end.Format("2006-01-02T15:04:05"), "TimelimitRaw": fmt.Sprint(1 + random.IntN(3000)), "NCPUS": fmt.Sprint(1 + random.IntN(64)),
				"State":   []string{"COMPLETED", "FAILED", "CANCELLED by 5"}[random.IntN(3)],
				"Elapsed": fmt.Sprintf("%d-%02d:%02d:%02d", run/86400, run/3600%24, run/60%60, run%60)})
		}
		text := strings.Join(columns, "|") + "\n"
		for _, row := range rows {
			var list []string
			for _, c := range columns {
				list = append(list, row[c])
			}
			text += strings.Join(list, "|") + "\n"
		}
		if got, want := all(read(t, "sacct", text)), plainSacct(rows); got != want {
			t.Fatalf("%s\n%s\nwant\n%s", text, got, want)
		}
	}
}

// plainSacct is the plain reader.
func plainSacct(rows []map[string]string) string {
	at := func(s string) int64 {
		x, _ := time.Parse("2006-01-02T15:04:05", s)
		return x.Unix()
	}
	users := map[string]int{}
	for _, r := range rows {
		if users[r["User"]] == 0 {
			users[r["User"]] = len(users) + 1
		}
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b map[string]string) int { return strings.Compare(a["Submit"], b["Submit"]) })
	var list []string
	for _, r := range rows {
		limit := 0
		fmt.Sscan(r["TimelimitRaw"], &limit)
		status := map[string]int{"COMPLETED": 1, "FAILED": 0, "CANCELLED by 5": 5}[r["State"]]
		list = append(list, fmt.Sprint(r["JobIDRaw"], " ", at(r["Submit"])-at(rows[0]["Submit"]), at(r["Start"])-at(r["Submit"]), at(r["End"])-at(r["Start"]), " "+r["NCPUS"], " -1 ", limit*60, status, users[r["User"]]))
	}
	return strings.Join(list, "\n")
}

// Intent: no bytes make a reader panic, or make a log that is none.
func FuzzRead(f *testing.F) {
	f.Add([]byte(sacctHead + "12|12_[0-4:2,9%2]|ann|bio|main|normal|2026-11-23T08:02:00|Unknown|Unknown|Unknown|0|2|PENDING|1|1|1|4G||a\n"))
	f.Add([]byte(`{"meta": {"plugin": "openapi"}, "jobs": [{"job_id": 12, "time": {"submission": 5}, "array": {"job_id": 3, "task": "[1-3]"}}]}`))
	f.Add([]byte("11/23/2026 08:00:00;E;12.head;ctime=5 start=7 end=9 Resource_List.select=2:ncpus=4\n"))
	f.Add([]byte(`"JOB_FINISH" "10.1" 1795420900 12 1001 33554438 8 1795420800 0 0 1795420810 "ann" "main" "" "" "" "h" "d" "" "" "" "f" 0 2 "n1" "n2" 64 60.0 "x"`))
	f.Add([]byte(`[{"jobid": "a", "submitted_time": "2017-10-07 00:00:00", "attempts": [{"start_time": null}]}]`))
	f.Add([]byte("submit,start,run,procs\n1,2,3,4\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		keys := []string{""}
		if len(data) < 4096 {
			keys = append(keys, Keys()...)
		}
		for _, key := range keys {
			if key == "" && Recognise(data) == nil {
				continue
			}
			r, err := Read(Options{Format: key}, data)
			if err != nil {
				continue
			}
			again, err := swf.Parse(r.Log.Append(nil))
			if err != nil || again.Malformed > 0 || len(again.Records) != len(r.Log.Records) || len(r.Extra) != len(r.Log.Records) {
				t.Fatalf("%s: %v %+v", key, err, again)
			}
		}
	})
}

// Intent: a file in which single bytes are wrong gives the same jobs but for the rows
// that were hit; those are read as what stands there, or named with their line.
func TestMutatedRows(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var text strings.Builder
	text.WriteString(sacctHead)
	for id := 1; id <= 40; id++ {
		fmt.Fprintf(&text, "%d|%d|u%d|bio|main|normal|2026-11-23T08:%02d:00|2026-11-23T08:%02d:00|2026-11-23T09:00:10|2026-11-23T09:01:40|90|2|COMPLETED|1|4|4|4G||sbatch a\n", id, id, id%3, id, id)
	}
	whole := read(t, "sacct", text.String())
	lines := strings.SplitAfter(text.String(), "\n")
	for range 3000 {
		hit := 1 + random.IntN(len(lines)-2)
		row := []byte(lines[hit])
		for range 1 + random.IntN(3) {
			row[random.IntN(len(row)-1)] = " |:-T0189xZ\"\x00\xff"[random.IntN(13)]
		}
		changed := slices.Clone(lines)
		changed[hit] = string(row)
		r, err := Read(Options{Format: "sacct"}, []byte(strings.Join(changed, "")))
		if err != nil {
			t.Fatalf("%q: %v", row, err)
		}
		byLine := map[int32]string{}
		for i := range r.Log.Records {
			x := r.Log.Records[i]
			byLine[x.Line] = fmt.Sprint(x.RunTime, x.AllocatedProcessors, x.RequestedTime, x.Status)
		}
		for i := range whole.Log.Records {
			x := whole.Log.Records[i]
			if want := fmt.Sprint(x.RunTime, x.AllocatedProcessors, x.RequestedTime, x.Status); int(x.Line) != hit+1 && byLine[x.Line] != want {
				t.Fatalf("line %d is hit: %q; line %d changes from %s to %s", hit+1, row, x.Line, want, byLine[x.Line])
			}
		}
		named := slices.ContainsFunc(r.Log.Problems, func(p report.Problem) bool { return p.Line == hit+1 })
		if _, there := byLine[int32(hit+1)]; !there && !named && !became(r, "steps of jobs") && !became(r, "the same job again") && r.Report.Arrays == 0 {
			t.Fatalf("line %d is gone and nothing says so: %q", hit+1, row)
		}
	}
}

// became says whether the report has a count that begins so.
func became(r *Result, what string) bool {
	return slices.ContainsFunc(r.Report.Became, func(f report.OutcomeCount) bool { return strings.HasPrefix(f.What, what) })
}
