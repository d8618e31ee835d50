package bench

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"batchlab/core/intake"
	"batchlab/core/swf"
)

// told is one job of those that every format below tells of.
type told struct {
	id, submit, wait, run, limit, procs, nodes, gpus, user, account int64
	failed                                                          bool
}

// toldJobs makes jobs as a month of a cluster has them: some hundred users, sizes in
// powers of two, waits up to hours, every twentieth failed.
func toldJobs(n int) []told {
	random := rand.New(rand.NewPCG(29, 1))
	list := make([]told, n)
	at := int64(1_700_000_000)
	for i := range list {
		at += random.Int64N(120)
		procs := int64(1) << random.IntN(9)
		limit := int64(600) * (1 + random.Int64N(144))
		list[i] = told{id: 4_000_000 + int64(i), submit: at, wait: random.Int64N(20000), run: 1 + random.Int64N(limit), limit: limit,
			procs: procs, nodes: max(1, procs/32), gpus: random.Int64N(3), user: random.Int64N(400), account: random.Int64N(60), failed: random.IntN(20) == 0}
	}
	return list
}

func wall(unix int64) string { return time.Unix(unix, 0).UTC().Format("2006-01-02T15:04:05") }

// toldFormats are the files that are read, each as its source prints it.
var toldFormats = []struct {
	key, name  string
	head, foot string
	row        func(j *told) string
}{
	{"", "SWF", "; Version: 2.2\n; MaxProcs: 4096\n", "", func(j *told) string {
		return fmt.Sprintf("%d %d %d %d %d -1 -1 %d %d -1 %d %d %d -1 1 1 -1 -1\n", j.id, j.submit-1_700_000_000, j.wait, j.run, j.procs, j.procs, j.limit, 1, j.user, j.account)
	}},
	{"sacct", "sacct -P, dates", "JobIDRaw|JobID|User|Account|QOS|Partition|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|NNodes|NCPUS|ReqCPUS|ReqMem|ReqTRES|AllocTRES|SubmitLine\n", "", func(j *told) string {
		state := "COMPLETED"
		if j.failed {
			state = "FAILED"
		}
		s, b, e := wall(j.submit), wall(j.submit+j.wait), wall(j.submit+j.wait+j.run)
		tres := fmt.Sprintf("billing=%d,cpu=%d,gres/gpu=%d,mem=%dM,node=%d", j.procs, j.procs, j.gpus, 4000*j.procs, j.nodes)
		return fmt.Sprintf("%d|%d|user%03d|acct%02d|normal|main|%s|%s|%s|%s|%d|%d|%s|%d|%d|%d|%dM|%s|%s|sbatch -N1 --time=02:00:00 job.sh\n", j.id, j.id, j.user, j.account, s, s, b, e, j.run, j.limit/60, state, j.nodes, j.procs, j.procs, 4000*j.procs, tres, tres)
	}},
	{"sacct", "sacct -P, few columns", "JobID|User|Submit|Start|End|TimelimitRaw|State|NCPUS\n", "", func(j *told) string {
		return fmt.Sprintf("%d|user%03d|%s|%s|%s|%d|COMPLETED|%d\n", j.id, j.user, wall(j.submit), wall(j.submit+j.wait), wall(j.submit+j.wait+j.run), j.limit/60, j.procs)
	}},
	{"pbs", "PBS", "", "", func(j *told) string {
		return fmt.Sprintf("%s;E;%d.head;user=user%03d group=acct%02d account=acct%02d jobname=run%d queue=main ctime=%d qtime=%d etime=%d start=%d exec_host=n1/0*%d Resource_List.ncpus=%d Resource_List.nodect=%d Resource_List.select=%d:ncpus=%d Resource_List.walltime=%02d:%02d:00 session=77 end=%d Exit_status=0 resources_used.cput=00:00:09 resources_used.mem=100kb run_count=1\n",
			time.Unix(j.submit, 0).UTC().Format("01/02/2006 15:04:05"), j.id, j.user, j.account, j.account, j.id%50, j.submit, j.submit, j.submit, j.submit+j.wait, j.procs, j.procs, j.nodes, j.nodes, j.procs/j.nodes, j.limit/3600, j.limit/60%60, j.submit+j.wait+j.run)
	}},
	{"lsf", "LSF", "", "", func(j *told) string {
		return fmt.Sprintf(`"JOB_FINISH" "10.1" %d %d 1001 33554438 %d %d 0 0 %d "user%03d" "main" "" "" "" "host" "dir" "" "" "" "f" 1 "n3" 2 "n1" "n2" 64 60.0 "run%d" "c" 1.0 0.1 0 0 -1 0 0 0 0 0 0 -1 0 0 0 0 -1 0 0 "" "acct%02d" 0 %d "" "" 0 0 0`+"\n", j.submit+j.wait+j.run, j.id, j.procs, j.submit, j.submit+j.wait, j.user, j.id%50, j.account, j.procs)
	}},
	{"alcf", "ALCF", "JOB_NAME,COBALT_JOBID,MACHINE_NAME,QUEUED_TIMESTAMP,START_TIMESTAMP,END_TIMESTAMP,USERNAME_GENID,PROJECT_NAME_GENID,QUEUE_NAME,WALLTIME_SECONDS,RUNTIME_SECONDS,NODES_USED,NODES_REQUESTED,CORES_USED,CORES_REQUESTED,EXIT_STATUS\n", "", func(j *told) string {
		s := func(unix int64) string { return time.Unix(unix, 0).UTC().Format("2006-01-02 15:04:05") }
		return fmt.Sprintf("%d.aurora,%d,aurora,%s,%s,%s,%d,%d,prod,%d.0,%d.0,%d.0,%d.0,%d.0,%d.0,0\n", j.id, j.id, s(j.submit), s(j.submit+j.wait), s(j.submit+j.wait+j.run), 7000000+j.user, 90000+j.account, j.limit, j.run, j.nodes, j.nodes, j.procs, j.procs)
	}},
	{"csv", "Helios", "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n", "", func(j *told) string {
		s := func(unix int64) string { return time.Unix(unix, 0).UTC().Format("2006-01-02 15:04:05") }
		return fmt.Sprintf("%d,u%d,vc%d,%d,%d,%d,COMPLETED,%s,%s,%s,%d,%d\n", j.id, j.user, j.account, j.gpus, j.procs, j.nodes, s(j.submit), s(j.submit+j.wait), s(j.submit+j.wait+j.run), j.run, j.wait)
	}},
	{"csv", "CSV, Unix seconds", "id,submit,start,end,procs,walltime,user\n", "", func(j *told) string {
		return fmt.Sprintf("%d,%d,%d,%d,%d,%d,u%d\n", j.id, j.submit, j.submit+j.wait, j.submit+j.wait+j.run, j.procs, j.limit, j.user)
	}},
	{"openb", "openb", "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n", "", func(j *told) string {
		return fmt.Sprintf("openb-pod-%d,%d,%d,1,1000,,LS,Succeeded,%d,%d,%d\n", j.id, 1000*j.procs, 4096*j.procs, j.submit-1_690_000_000, j.submit+j.wait+j.run-1_690_000_000, j.submit+j.wait-1_690_000_000)
	}},
	{"philly", "Philly", "[", "]", func(j *told) string {
		s := func(unix int64) string { return time.Unix(unix, 0).UTC().Format("2006-01-02 15:04:05") }
		return fmt.Sprintf(`{"status": "Pass", "vc": "vc%d", "jobid": "application_%d", "attempts": [{"start_time": "%s", "end_time": "%s", "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}]}], "submitted_time": "%s", "user": "u%d"},`+"\n", j.account, j.id, s(j.submit+j.wait), s(j.submit+j.wait+j.run), s(j.submit), j.user)
	}},
	{"sacct-json", "sacct --json", `{"meta": {"plugin": {"type": "openapi/dbv0.0.40"}}, "jobs": [`, "]}", func(j *told) string {
		return fmt.Sprintf(`{"account": "acct%02d", "allocation_nodes": %d, "array": {"job_id": 0, "limits": {"max": {"running": {"tasks": 0}}}, "task_id": {"set": false, "infinite": false, "number": 0}, "task": ""}, "association": {"account": "acct", "cluster": "c", "partition": null, "user": "u", "id": 7}, "group": "g", "het": {"job_id": 0, "job_offset": {"set": false, "infinite": false, "number": 0}}, "job_id": %d, "name": "run%d", "partition": "main", "qos": "normal", "required": {"CPUs": %d, "memory_per_cpu": {"set": false, "infinite": false, "number": 0}, "memory_per_node": {"set": true, "infinite": false, "number": 4000}}, "state": {"current": ["COMPLETED"], "reason": "None"}, "submit_line": "sbatch job.sh", "time": {"elapsed": %d, "eligible": %d, "end": %d, "start": %d, "submission": %d, "limit": {"set": true, "infinite": false, "number": %d}}, "tres": {"allocated": [{"type": "cpu", "name": "", "id": 1, "count": %d}, {"type": "mem", "name": "", "id": 2, "count": 4000}], "requested": [{"type": "cpu", "name": "", "id": 1, "count": %d}]}, "user": "user%03d"},`+"\n",
			j.account, j.nodes, j.id, j.id%50, j.procs, j.run, j.submit, j.submit+j.wait+j.run, j.submit+j.wait, j.submit, j.limit/60, j.procs, j.procs, j.user)
	}},
}

// toldFile is a file of so many jobs in one format.
func toldFile(jobs []told, k int) []byte {
	f := &toldFormats[k]
	var text strings.Builder
	text.WriteString(f.head)
	for i := range jobs {
		row := f.row(&jobs[i])
		if i == len(jobs)-1 && f.foot != "" {
			row = strings.TrimSuffix(row, ",\n")
		}
		text.WriteString(row)
	}
	text.WriteString(f.foot)
	return []byte(text.String())
}

// BenchmarkReading tells the time that each reader takes for a row, of as many jobs in each
// format; the first row is the reader of the Standard Workload Format, which the others
// are set beside.
func BenchmarkReading(b *testing.B) {
	const n = 100_000
	jobs := toldJobs(n)
	var least float64
	for k := range toldFormats {
		f := &toldFormats[k]
		data := toldFile(jobs, k)
		b.Run(strings.ReplaceAll(f.name, " ", "-"), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			best := time.Duration(1 << 62)
			for b.Loop() {
				began, read := processor(), 0
				if k == 0 {
					l, err := swf.Parse(data)
					if err != nil {
						b.Fatal(err)
					}
					read = len(l.Records)
				} else {
					r, err := intake.Read(intake.Options{Format: f.key}, data)
					if err != nil {
						b.Fatal(err)
					}
					read = len(r.Log.Records)
				}
				best = min(best, processor()-began)
				if read != n {
					b.Fatalf("%d jobs of %d", read, n)
				}
			}
			per := float64(best.Nanoseconds()) / n
			if k == 0 {
				least = per
			}
			b.ReportMetric(per, "ns/row")
			b.ReportMetric(per/least, "×SWF")
			b.ReportMetric(float64(len(data))/n, "B/row")
		})
	}
}
