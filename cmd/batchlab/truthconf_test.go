package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ownFiles are made-up accounting and configuration in the layout of a public run of a
// real Slurm (docs/slurm.md): memory by processor and by node, GPUs in a column of their
// own, users and accounts by names.
func ownFiles(t *testing.T) (accounting, conf string) {
	r := rand.New(rand.NewPCG(30, 6))
	free := map[string]int{"a1": 0, "a2": 0, "a3": 0, "g1": 0, "b1": 0}
	names := []string{"a1", "a2", "a3", "g1", "b1"}
	lines := []string{"JobID|JobIDRaw|Cluster|Partition|Account|Group|GID|User|UID|Submit|Eligible|Start|End|Elapsed|ExitCode|State|NNodes|NCPUS|ReqCPUS|ReqMem|ReqGRES|Timelimit|QOS|NodeList|JobName|NTasks"}
	clock := func(s int) string { return fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60) }
	at := 0
	for i := range 90 {
		at += r.IntN(120)
		count, cores, memory, gres := 1, []int{1, 6, 12}[r.IntN(3)], "2800Mc", ""
		var on []string
		switch k := r.IntN(8); {
		case k == 0:
			on, gres = []string{"g1"}, "gpu:1"
		case k == 1:
			on, memory = []string{"b1"}, "500000Mn"
		case k == 2:
			count, cores, on = 3, 36, names[:3]
		default:
			on = names[r.IntN(3):][:1]
		}
		start, limit := at+1, 60*(5+r.IntN(25))
		for _, n := range on {
			start = max(start, free[n])
		}
		run := 1 + r.IntN(limit)
		for _, n := range on {
			free[n] = start + run
		}
		user := 1 + r.IntN(5)
		lines = append(lines, fmt.Sprintf("%d|%[1]d|tiny|normal|account%d|user%d|%d|user%[3]d|%[4]d|2021-03-01T%s|2021-03-01T%[5]s|2021-03-01T%s|2021-03-01T%s|%s|0:0|COMPLETED|%d|%d|%[10]d|%s|%s|%s|normal|%s|secret-%[1]d|",
			1001+i, 1+user/4, user, 1000+user, clock(at), clock(start), clock(start+run), clock(run), count, cores, memory, gres, clock(limit), strings.Join(on, ",")))
	}
	const text = `ClusterName=tiny
GresTypes=gpu
SchedulerType=sched/backfill
SchedulerParameters=bf_max_job_user=200,bf_interval=30,sched_interval=60,bf_max_job_test=1200,default_queue_depth=1200,bf_continue
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_CORE_DEFAULT_DIST_BLOCK
PriorityType=priority/multifactor
PriorityDecayHalfLife=0-4
PriorityWeightFairshare=50000
PriorityWeightAge=50000
PriorityMaxAge=0-5
AccountingStorageEnforce=associations,limits,qos
NodeName=DEFAULT RealMemory=48000 Procs=12 Sockets=2 CoresPerSocket=6 ThreadsPerCore=1
NodeName=a[1-3] Procs=12 Feature=IB
NodeName=g1 Procs=12 Gres=gpu:2
NodeName=b1 RealMemory=512000 Procs=12 Feature=BigMem
PartitionName=normal Nodes=a[1-3],g1,b1 Default=YES DefMemPerCPU=2800 MaxTime=INFINITE State=UP
`
	return write(t, "slurm_acct.out", strings.Join(lines, "\n")+"\n"), write(t, "slurm.conf", text)
}

// Intent: whoever has a cluster's accounting and its slurm.conf, as the public run of 500
// jobs has them, sets schedulers beside what happened by one command: Slurm as it was set,
// on its nodes, with memory and GPUs, at several phases of its loops; what it writes gives
// the same again, and has no name in it.
func TestTruthOfOwnFiles(t *testing.T) {
	accounting, conf := ownFiles(t)
	dir := filepath.Join(t.TempDir(), "out")
	out := truthOf(t, accounting, "--conf", conf, "--phases", "4", "--out", dir)
	if len(out.Schedulers) != 4 {
		t.Fatalf("%d schedulers", len(out.Schedulers))
	}
	slurm := out.Schedulers[0]
	if slurm.Key != "slurm" || len(slurm.Runs) != 4 || slurm.Itself == nil || slurm.Params["PriorityWeightAge"] == nil || slurm.Params["bf_max_job_user"] == nil {
		t.Errorf("%s: %d runs, %+v", slurm.Key, len(slurm.Runs), slurm.Params)
	}
	for _, s := range out.Schedulers {
		if n := s.Runs[0]; n.Jobs != 90 || n.Unserved != 0 || n.Unknown != 0 || n.MeanWait <= 0 {
			t.Errorf("%s: %+v", s.Key, n.Nearness)
		}
	}
	needs := read(t, filepath.Join(dir, "needs.csv"))
	if !strings.HasPrefix(needs, "job,gpus,memory\n") || strings.Count(needs, ",,52428") < 5 || strings.Count(needs, ",1,") < 5 || !strings.Contains(needs, fmt.Sprintf(",,%d\n", 12*2800<<20)) {
		t.Error(needs)
	}
	files := []string{"experiment.json", "log.swf", "extra.csv", "needs.csv", "truth.csv"}
	for _, name := range files {
		if text := read(t, filepath.Join(dir, name)); strings.Contains(text, "user1") || strings.Contains(text, "account1") || strings.Contains(text, "secret") {
			t.Errorf("%s names somebody", name)
		}
	}
	again := truthOf(t, filepath.Join(dir, files[0]), "--log", filepath.Join(dir, files[1]), "--needs", filepath.Join(dir, files[3]))
	if a, b := plainJSON(out.Schedulers), plainJSON(again.Schedulers); !bytes.Equal(a, b) {
		t.Errorf("read again it gives\n%s, not\n%s", b, a)
	}
	var doc struct {
		Platform struct{ Clusters []struct{ Packing string } }
	}
	if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, files[0]))), &doc); err != nil || doc.Platform.Clusters[0].Packing != "nodes" {
		t.Error(doc, err)
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "batchlab-truth-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	for _, args := range [][]string{{accounting, "--phases", "3"}, {accounting}, {"--conf", conf}, {accounting, "--conf", accounting}} {
		var stdout, stderr bytes.Buffer
		if status := dispatch(append([]string{"truth"}, args...), &stdout, &stderr); status != 2 || stderr.Len() == 0 {
			t.Errorf("%v: status %d, %s", args, status, stderr.String())
		}
	}
}
