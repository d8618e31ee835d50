//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// recording is a run of a real Slurm that the test makes itself.
type recording struct {
	name  string
	pause float64 // mean seconds between two jobs
	setup setup
	// extra gives the job's own recordedColumns of workload.csv, beside submit, ntasks,
	// limit_min and run_s, which all jobs have.
	extra func(r *rand.Rand, i int) map[string]string
}

const quick = "bf_interval=2,bf_resolution=1,sched_interval=5"

// recordings are the kinds of runs; the first is the one that every test makes.
var recordings = []recording{
	{"cores", 2.8, setup{3, "CPUs=2 RealMemory=1000", "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\nSchedulerParameters=" + quick + "\nPartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE\n", ""}, nil},
	{"default", 1.8, setup{4, "CPUs=2 RealMemory=1000", "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE\n", ""}, nil},
	{"linear", 3.5, setup{4, "CPUs=2 RealMemory=1000", "SelectType=select/linear\nPriorityType=priority/basic\nSchedulerParameters=" + quick + "\nPartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE\n", ""},
		func(r *rand.Rand, i int) map[string]string {
			return map[string]string{"nodes": strconv.Itoa(1 + r.IntN(3))}
		}},
	{"age-size", 2, setup{4, "CPUs=2 RealMemory=1000", "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/multifactor\nPriorityCalcPeriod=1\nPriorityMaxAge=0-0:10\nPriorityWeightAge=1000\nPriorityWeightJobSize=400\nPriorityWeightPartition=200\nPriorityFavorSmall=YES\nSchedulerParameters=" + quick + "\nPartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE PriorityJobFactor=1\nPartitionName=hi Nodes=ALL MaxTime=INFINITE PriorityJobFactor=10\n", ""},
		func(r *rand.Rand, i int) map[string]string {
			return map[string]string{"nice": strconv.Itoa(r.IntN(300)), "partition": []string{"all", "hi"}[r.IntN(2)]}
		}},
	{"tiers", 2.2, setup{4, "CPUs=2 RealMemory=1000", "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/multifactor\nPriorityWeightAge=1000\nSchedulerParameters=" + quick + "\nPartitionName=short Nodes=d[1-2] MaxTime=2 PriorityTier=10\nPartitionName=batch Nodes=ALL Default=YES MaxTime=INFINITE\n", ""},
		func(r *rand.Rand, i int) map[string]string {
			return map[string]string{"partition": []string{"short", "batch", "batch", "short,batch"}[r.IntN(4)]}
		}},
	{"memory", 1.2, setup{3, "CPUs=4 RealMemory=1000", "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nDefMemPerCPU=100\nSchedulerParameters=" + quick + "\nPartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE\n", ""},
		func(r *rand.Rand, i int) map[string]string {
			switch r.IntN(3) {
			case 0:
				return map[string]string{"mem_mb": strconv.Itoa(100 * (1 + r.IntN(9)))}
			case 1:
				return map[string]string{"mem_per_cpu_mb": strconv.Itoa(50 * (1 + r.IntN(6)))}
			}
			return nil
		}},
	{"gpus", 1.4, setup{3, "CPUs=4 RealMemory=1000 Gres=gpu:2", "GresTypes=gpu\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nSchedulerParameters=" + quick + "\nPartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE\n", "Name=gpu File=/dev/null\nName=gpu File=/dev/zero\n"},
		func(r *rand.Rand, i int) map[string]string {
			if r.IntN(2) == 0 {
				return map[string]string{"gpus_per_node": strconv.Itoa(1 + r.IntN(2))}
			}
			return nil
		}},
	{"arrays", 4, setup{3, "CPUs=2 RealMemory=1000", "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\nSchedulerParameters=" + quick + "\nPartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE\n", ""},
		func(r *rand.Rand, i int) map[string]string {
			switch r.IntN(5) {
			case 0:
				return map[string]string{"array": fmt.Sprintf("0-%d%%%d", 1+r.IntN(4), 1+r.IntN(3))}
			case 1:
				if i > 3 {
					return map[string]string{"dependency": fmt.Sprintf("%s:%d", []string{"afterok", "afterany", "after"}[r.IntN(3)], 1+r.IntN(i-1))}
				}
			case 2:
				return map[string]string{"begin_s": strconv.Itoa(20 + r.IntN(60))}
			}
			return nil
		}},
	{"depths", 2.2, setup{4, "CPUs=2 RealMemory=1000", "SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nSchedulerParameters=bf_max_job_test=6,bf_interval=5,bf_resolution=30,bf_window=3,default_queue_depth=2,sched_interval=12,bf_max_job_start=2,sched_max_job_start=2\nPriorityType=priority/basic\nPartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE\n", ""}, nil},
	{"users", 2, setup{4, "CPUs=2 RealMemory=1000", "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nSchedulerParameters=" + quick + ",bf_max_job_part=3,bf_one_resv_per_job,bf_min_age_reserve=20,bf_busy_nodes\nPriorityType=priority/basic\nPartitionName=a Nodes=d[1-3] MaxTime=INFINITE\nPartitionName=b Nodes=ALL Default=YES MaxTime=INFINITE\n", ""},
		func(r *rand.Rand, i int) map[string]string {
			return map[string]string{"partition": []string{"a", "b", "b,a"}[r.IntN(3)]}
		}},
	{"whole", 2.4, setup{4, "CPUs=2 RealMemory=1000 Weight=1 Feature=x", "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nSchedulerParameters=" + quick + "\nPriorityType=priority/basic\nLicenses=lic:3\nPartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE\nPartitionName=ex Nodes=d[3-4] OverSubscribe=EXCLUSIVE MaxTime=INFINITE\n", ""},
		func(r *rand.Rand, i int) map[string]string {
			switch r.IntN(4) {
			case 0:
				return map[string]string{"exclusive": "1"}
			case 1:
				return map[string]string{"partition": "ex"}
			case 2:
				return map[string]string{"licenses": fmt.Sprintf("lic:%d", 1+r.IntN(2))}
			}
			return map[string]string{"time_min": "1"}
		}},
}

// recordedColumns are those of workload.csv that a recording may fill, with sbatch's option.
var recordedColumns = []struct{ name, option string }{
	{"partition", "--partition="}, {"nodes", "--nodes="}, {"mem_mb", "--mem="}, {"mem_per_cpu_mb", "--mem-per-cpu="}, {"gpus_per_node", "--gres=gpu:"},
	{"exclusive", "--exclusive"}, {"nice", "--nice="}, {"array", "--array="}, {"dependency", "--dependency="}, {"begin_s", "--begin="},
	{"licenses", "--licenses="}, {"time_min", "--time-min="},
}

// TestRealSlurmRecorded intends: a real Slurm, run here and recorded, starts its jobs
// when core/slurm does at the instants of its log. How near the two are of all kinds
// docs/slurm.md says; here a busy computer may hold up a daemon for some seconds, which
// moves the jobs behind, and only decisions that are others are a fault. BATCHLAB_RECORD=DIR makes runs of all
// kinds, which stay in the folder; BATCHLAB_RECORD_KINDS names some of them.
func TestRealSlurmRecorded(t *testing.T) {
	if os.Getenv("BATCHLAB_SLURM") == "" {
		t.Skip("left out: it takes two minutes; BATCHLAB_SLURM=1 asks for it, as ./build.sh test does")
	}
	kinds, jobs := recordings[:1], 24
	keep := os.Getenv("BATCHLAB_RECORD")
	if keep != "" {
		kinds, jobs = recordings, 60
		if names := os.Getenv("BATCHLAB_RECORD_KINDS"); names != "" {
			kinds = slices.DeleteFunc(slices.Clone(kinds), func(k recording) bool { return !slices.Contains(strings.Split(names, ","), k.name) })
		}
	}
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			dir := t.TempDir()
			if keep != "" {
				dir = filepath.Join(keep, kind.name)
			}
			if err := os.MkdirAll(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			recordRun(t, kind, jobs, dir)
			run, err := readRecorded(dir, os.Stderr)
			if err != nil {
				t.Fatal(err)
			}
			report, starts := run.Report(kind.name)
			t.Logf("%+v", report)
			if report.Jobs < jobs*9/10 || report.Given.Difference > 5 || report.Given.Within < 0.75 {
				t.Errorf("starts differ by %.2f s, %.0f %% of %d are within 3 s", report.Given.Difference, 100*report.Given.Within, report.Jobs)
				for _, s := range starts {
					if d := s.Here - s.Slurm; d < -3 || d > 3 {
						t.Errorf("the first that is not: job %s, %d s off", s.JobID, d)
						break
					}
				}
			}
			if low, high := report.Free.Wait[0], report.Free.Wait[2]; report.Wait < 0.8*low-5 || report.Wait > 1.2*high+5 {
				t.Errorf("Slurm's mean wait is %.1f s, free plays have %.1f to %.1f", report.Wait, low, high)
			}
		})
	}
}

// quoted is a value of a CSV.
func quoted(v string) string {
	if strings.Contains(v, ",") {
		return `"` + v + `"`
	}
	return v
}

// recordRun runs a workload on a real Slurm and keeps what batchlab recorded reads.
func recordRun(t *testing.T, kind recording, jobs int, dir string) {
	seed := uint64(len(kind.name))
	if v, err := strconv.ParseUint(os.Getenv("BATCHLAB_RECORD_SEED"), 10, 32); err == nil {
		seed += 1000 * v
	}
	kind.setup.settings = "SlurmctldDebug=debug2\nDebugFlags=Backfill\nLogTimeFormat=iso8601_ms\nMinJobAge=36000\n" + kind.setup.settings
	c := startCluster(t, kind.setup)
	r := rand.New(rand.NewPCG(seed, 30))
	header := "id,submit,ntasks,limit_min,run_s"
	for _, one := range recordedColumns {
		header += "," + one.name
	}
	workload := header + "\n"
	type sent struct {
		ID    string `json:"id"`
		JobID string `json:"jobid"`
	}
	var numbers []sent
	time.Sleep(3 * time.Second) // so that the loops have run before
	t0, err := strconv.ParseInt(c.run("/bin/date", "+%s"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	at := 0.0
	for i := 1; i <= jobs; i++ {
		pause := r.ExpFloat64() * kind.pause
		if i%10 == 0 { // in bursts
			pause += 4
		}
		at += pause
		time.Sleep(time.Duration(pause * float64(time.Second)))
		tasks, limit, length := 1+r.IntN(3)*r.IntN(3), 1+r.IntN(3), 1+r.IntN(22)
		var row map[string]string
		if kind.extra != nil {
			row = kind.extra(r, i)
		}
		words := []string{"sbatch", "--parsable", "--output=/dev/null", "--chdir=" + c.dir, fmt.Sprintf("--job-name=j%d", i), fmt.Sprintf("--ntasks=%d", tasks), fmt.Sprintf("--time=%d", limit)}
		workload += fmt.Sprintf("%d,%.2f,%d,%d,%d", i, at, tasks, limit, length)
		for _, one := range recordedColumns {
			v := row[one.name]
			if workload += "," + quoted(v); v == "" {
				continue
			}
			switch one.name {
			case "exclusive":
				v = ""
			case "nodes":
				if n, _ := strconv.Atoi(v); n > tasks {
					words = append(words, "--ntasks="+v)
				}
			case "begin_s":
				n, _ := strconv.ParseInt(v, 10, 64)
				v = time.Unix(t0+n, 0).UTC().Format("2006-01-02T15:04:05")
			case "dependency":
				kind, other, _ := strings.Cut(v, ":")
				k, _ := strconv.Atoi(other)
				v = kind + ":" + numbers[k-1].JobID
			}
			words = append(words, one.option+v)
		}
		workload += "\n"
		numbers = append(numbers, sent{strconv.Itoa(i), c.run(append(words, fmt.Sprintf("--wrap=exec sleep %d", length))...)})
	}
	c.wait("the end of all jobs that can run", 900, func() bool {
		for _, why := range strings.Fields(c.run("squeue", "--noheader", "--format=%r")) {
			if !slices.Contains([]string{"PartitionTimeLimit", "PartitionNodeLimit", "PartitionConfig", "BadConstraints", "DependencyNeverSatisfied", "Licenses"}, why) {
				return false
			}
		}
		return !strings.Contains(c.run("squeue", "--noheader", "--format=%T"), "RUNNING")
	})
	numbered, err := json.Marshal(map[string]any{"t0": t0, "sent": numbers, "version": c.run("sinfo", "--version")})
	if err != nil {
		t.Fatal(err)
	}
	accounting := "JobID|Start|End|State|Flags\n"
	log := read(t, filepath.Join(c.dir, "ctld.log"))
	for line := range strings.Lines(c.run("scontrol", "show", "job", "--oneliner")) {
		field := func(name string) string {
			_, rest, _ := strings.Cut(" "+line, " "+name+"=")
			v, _, _ := strings.Cut(rest, " ")
			return v
		}
		id := field("JobId")
		if array := field("ArrayJobId"); array != "" {
			id = array + "_" + field("ArrayTaskId")
		}
		flags := "SchedMain"
		if strings.Contains(log, "Started JobId="+id+" ") || strings.Contains(log, "Started JobId="+id+"(") {
			flags = "SchedBackfill"
		}
		if state := field("JobState"); state == "COMPLETED" || state == "TIMEOUT" { // of a job that was refused there is a record, too
			accounting += strings.Join([]string{id, field("StartTime"), field("EndTime"), field("JobState"), flags}, "|") + "\n"
		}
	}
	for name, text := range map[string]string{"run.json": `{"setup": []}`, "slurm.conf": read(t, filepath.Join(c.dir, "slurm.conf")), "workload.csv": workload,
		"sent.json": string(numbered), "sacct-X.psv": accounting, "slurmctld.log": log} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
