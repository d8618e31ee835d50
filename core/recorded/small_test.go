package recorded

import (
	"maps"
	"strings"
	"testing"
)

// small is a run that never was: two nodes of two CPUs, four jobs and an array, with
// passes at 1 s and 61 s, cycles at 2 s and 32 s. Started on paper:
//
//   - pass at 1: job 1 (3 CPUs, limit 60 s) fits on both nodes; job 2 (4 CPUs) does not,
//     and nothing passes over it: job 3 (1 CPU) stays;
//   - cycle at 2: job 2 gets a plan for 61, when job 1's limit is over; job 3 (limit
//     60 s) would run until 62, beyond the plan's begin: it waits for 61 + 60;
//     job 4 is of one CPU, too, but wants 30 minutes: it waits;
//   - job 1 ends at 20; the cycle at 32 starts job 2, which takes all;
//   - job 2 ends at 40; the pass at 61 starts jobs 3 and 4 and both tasks of array 5
//     that may run at once (there is one CPU to a task).
var small = Files{
	Run:      []byte(`{"setup": []}`),
	Conf:     []byte("SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\nSchedulerParameters=bf_resolution=1\nNodeName=n[1-2] CPUs=2 RealMemory=1000\nPartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE\n"),
	Workload: []byte("id,submit,user,account,partition,nodes,ntasks,cpus_per_task,mem_mb,mem_per_cpu_mb,gpus_per_node,exclusive,limit_min,run_s,exit,dependency,array,qos,nice,begin_s,reservation,cancel_s\n1,0.0,,,,,3,,,,,,1,19,,,,,,,,\n2,0.0,,,,,4,,,,,,1,8,,,,,,,,\n3,0.0,,,,,1,,,,,,1,5,,,,,,,,\n4,0.0,,,,,1,,,,,,30,5,,,,,,,,\n5,0.0,,,,,1,,,,,,1,5/6/7,,,0-2%2,,,,,\n"),
	Sent:     []byte(`{"t0": 1800000000, "sent": [{"id": "1", "jobid": "1"}, {"id": "2", "jobid": "2"}, {"id": "3", "jobid": "3"}, {"id": "4", "jobid": "4"}, {"id": "5", "jobid": "5"}]}`),
	Instants: []byte("t,what,which,by\n0.010,submit,1,\n0.020,submit,2,\n0.030,submit,3,\n0.040,submit,4,\n0.050,submit,5,\n1.000,main,depth,\n1.001,start,1,main\n2.000,backfill,,\n20.500,end,1,\n32.000,backfill,,\n32.001,start,2,bf\n40.500,end,2,\n61.000,main,full,\n70.000,main,depth,\n"),
	Sacct: []byte("JobID|Start|End|State|Flags\n" +
		"1|2027-01-15T08:00:01|2027-01-15T08:00:20|COMPLETED|SchedMain\n" +
		"2|2027-01-15T08:00:32|2027-01-15T08:00:40|COMPLETED|SchedBackfill\n" +
		"3|2027-01-15T08:01:01|2027-01-15T08:01:06|COMPLETED|SchedMain\n" +
		"4|2027-01-15T08:01:01|2027-01-15T08:01:06|COMPLETED|SchedMain\n" +
		"5_0|2027-01-15T08:01:01|2027-01-15T08:01:06|COMPLETED|SchedMain\n" +
		"5_1|2027-01-15T08:01:01|2027-01-15T08:01:07|COMPLETED|SchedMain\n" +
		"5_2|2027-01-15T08:01:10|2027-01-15T08:01:17|COMPLETED|SchedMain\n"),
}

// Intent: a run is read and played as it stands above; a mistake in reading any of the
// files, or in the order of events, gives other starts.
func TestSmallRunByHand(t *testing.T) {
	r, err := Read(small)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int64{}
	for _, s := range r.Given() {
		got[s.JobID] = s.Here - 1_800_000_000
		if s.Here != s.Slurm {
			t.Errorf("job %s: %d here, %d there", s.JobID, s.Here, s.Slurm)
		}
	}
	want := map[string]int64{"1": 1, "2": 32, "3": 61, "4": 61, "5_0": 61, "5_1": 61, "5_2": 70}
	if !maps.Equal(got, want) {
		t.Errorf("starts %v, by hand %v", got, want)
	}
	report, _ := r.Report("small")
	if report.Jobs != 7 || report.Given.Difference != 0 || report.Given.Within != 1 || report.Free.Phases != 40 || report.Free.Wait[0] > report.Free.Wait[2] {
		t.Errorf("report %+v", report)
	}
}

// Intent: a folder that is damaged gets a message that names the file and the place,
// never a crash or a silent guess.
func TestReadRefuses(t *testing.T) {
	for _, c := range []struct {
		what, says string
		spoil      func(*Files)
	}{
		{"no nodes", "slurm.conf: names no node", func(f *Files) { f.Conf = []byte("SelectType=select/linear\n") }},
		{"no such node", "line 2", func(f *Files) { f.Conf = []byte("NodeName=n1\nPartitionName=p Nodes=m1\n") }},
		{"a bad number", "line 1", func(f *Files) { f.Conf = []byte("PriorityWeightAge=much\nNodeName=n1\nPartitionName=p Nodes=n1\n") }},
		{"a bad run time", "line 2: run_s", func(f *Files) { f.Workload = []byte(strings.Replace(string(f.Workload), "1,19,", "1,long,", 1)) }},
		{"a bad dependency", "line 2: dependency", func(f *Files) {
			f.Workload = []byte(strings.Replace(string(f.Workload), "1,19,,,,", "1,19,,soon:3,,", 1))
		}},
		{"a bad instant", "instants.csv: line 2", func(f *Files) { f.Instants = []byte("t,what,which,by\nnow,main,full,\n") }},
		{"no accounting", "sacct-X.psv", func(f *Files) { f.Sacct = nil }},
		{"no numbers", "sent.json", func(f *Files) { f.Sent = []byte("{") }},
	} {
		f := small
		c.spoil(&f)
		if _, err := Read(f); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, where %q is expected", c.what, err, c.says)
		}
	}
}

// Intent: whatever bytes a folder holds, reading ends with a run or a message.
func FuzzRead(f *testing.F) {
	f.Add(string(small.Conf), string(small.Workload), string(small.Instants), string(small.Sacct), "[2027-01-15T08:00:01.001] x: node_did_resp n1\n")
	f.Fuzz(func(t *testing.T, conf, workload, instants, sacct, log string) {
		if len(conf)+len(workload) > 4000 || strings.Contains(conf, "[") && !strings.Contains(conf, "n[1-2]") {
			t.Skip("long files and lists of hosts take long, and show nothing that short ones do not")
		}
		r, err := Read(Files{Run: small.Run, Sent: small.Sent, Conf: []byte(conf), Workload: []byte(workload), Instants: []byte(instants), Sacct: []byte(sacct), Log: []byte(log)})
		if (r == nil) == (err == nil) {
			t.Errorf("a run %v and an error %v", r != nil, err)
		}
	})
}
